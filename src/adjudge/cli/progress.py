"""A progress bar on a terminal, nothing in a pipe."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def progress(work: Iterable[tuple[str, T]], total: int) -> Iterator[tuple[str, T]]:
    """Go through named pieces of work, showing on stderr which one is being done."""
    if not sys.stderr.isatty():
        yield from work
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from adjudge.parallel import terminal

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=terminal(), transient=True) as bar:
        task = bar.add_task("", total=total)
        for name, piece in work:
            bar.update(task, description=name)
            yield name, piece
            bar.advance(task)
