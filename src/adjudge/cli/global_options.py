"""How every command speaks: quietly, with details, and as wide as it takes.

The options are those of every command, so they are added here and by no command itself.
"""

import logging
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from time import perf_counter
from typing import Annotated, Any

import typer

from adjudge.cli.memory_guard import in_a_child
from adjudge.core import parallel

EVERYWHERE = "Options of every command"
_LARGE = ("adjudge.cli.metaeval", "adjudge.cli.quality")  # commands that multiply large matrices


@dataclass
class Manner:
    """What was asked for on the command line that is running."""

    quiet: bool = False
    verbose: bool = False
    wide: bool = False


manner = Manner()

_Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet", "-q", rich_help_panel=EVERYWHERE, help="Say nothing but results and errors."
    ),
]
_Verbose = Annotated[
    bool,
    typer.Option(
        "--verbose",
        "-v",
        rich_help_panel=EVERYWHERE,
        help="Say what is read, and how long it took.",
    ),
]
_Wide = Annotated[
    bool,
    typer.Option(
        "--wide",
        rich_help_panel=EVERYWHERE,
        help="Let tables be wider than the terminal; shorten no name.",
    ),
]


def with_manner(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options of every command."""
    own = signature(command)
    prints_tables = "to" in own.parameters
    large = command.__module__.startswith(_LARGE)
    further = {"quiet": _Quiet, "verbose": _Verbose} | ({"wide": _Wide} if prints_tables else {})

    @wraps(command)
    def wrapped(**options: Any) -> None:
        for name in ("quiet", "verbose", "wide"):
            setattr(manner, name, options.pop(name, False) if name in further else False)
        parallel.show_progress(not manner.quiet)
        if not large:
            parallel.products_on_one_thread()  # before NumPy is imported
        in_a_child()
        begin = perf_counter()
        with _files_named() if manner.verbose else nullcontext():
            command(**options)
        detail(f"done in {perf_counter() - begin:.1f} s")

    added = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=False, annotation=annotation)
        for name, annotation in further.items()
    ]
    wrapped.__signature__ = own.replace(  # type: ignore[attr-defined]
        parameters=[*own.parameters.values(), *added]
    )
    wrapped.__annotations__ = {**command.__annotations__, **further}
    return wrapped


class _Details(logging.Handler):
    """What is logged, as details; of one file several parts of the program may read."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        sentence = record.getMessage()
        if sentence not in self._said:
            detail(sentence)
        self._said.add(sentence)


@contextmanager
def _files_named() -> Iterator[None]:
    """Meanwhile files are named as they are opened."""
    log, handler = logging.getLogger("adjudge"), _Details()
    before = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(before)


def detail(sentence: str) -> None:
    """What those want to know who asked for details."""
    if manner.verbose:
        print(f"adjudge: {sentence}", file=sys.stderr)


def tell(sentence: str) -> None:
    """What is no result, and good to know all the same."""
    if not manner.quiet:
        print(sentence, file=sys.stderr)


def suggest(*words: str) -> None:
    """The next useful command, for a person at a terminal."""
    if not manner.quiet and sys.stdout.isatty():
        print(f"Next: {shlex.join(('adjudge', *words))}")
