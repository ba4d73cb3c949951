"""`adjudge methods`: every ranking method, listed or side by side on judgements."""

from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudge.cli import app
from adjudge.cli.options import (
    Format,
    Output,
    OutputChoice,
    Seed,
    Shared,
    TableFormats,
    emit,
    on_judgements,
)

if TYPE_CHECKING:
    import polars as pl

MaybeFiles = Annotated[
    list[str],
    typer.Argument(metavar="[FILE…]", help="Judgements; without any, the methods are listed."),
]
Runs = Annotated[int, typer.Option(min=1, help="Runs of a method that is random.")]


@on_judgements
def _compare_methods(
    table: "pl.DataFrame",
    runs: Runs = 100,
    seed: Seed = 1,
    outputs: Shared = OutputChoice.expanded,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    from adjudge.cli.progress import progress
    from adjudge.comparisons import compare
    from adjudge.comparisons.comparisons import by_pair
    from adjudge.ranking.compare_methods import compare_methods
    from adjudge.report.tables import tables_for

    results = [
        compare_methods(compare(part, outputs.value), seed, runs)
        for _, part in progress(by_pair(table), table["pair"].n_unique())
    ]
    emit(tables_for(results), to, output)


@wraps(_compare_methods)
def methods(**options: Any) -> None:
    """Rank by every method side by side; without a file, list the methods."""
    if options["files"]:
        _compare_methods(**options)
        return
    from adjudge.ranking import METHODS
    from adjudge.report.tables.ranking import methods_list

    emit([methods_list(list(METHODS.values()))], options["to"], options["output"])


_parameters = signature(_compare_methods).parameters
_files = _parameters["files"].replace(annotation=MaybeFiles, default=[])
methods.__signature__ = signature(_compare_methods).replace(  # type: ignore[attr-defined]
    parameters=[_files, *(p for p in _parameters.values() if p.name != "files")]
)
methods.__annotations__ = _compare_methods.__annotations__ | {"files": MaybeFiles}
app.command(name="methods", help="Rank by every method side by side, or list the methods.")(methods)
