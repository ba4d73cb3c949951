"""`adjudge methods`: every ranking method, listed or side by side on judgements."""

from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudge.cli import app
from adjudge.cli.help_pages import Panel
from adjudge.cli.options import (
    Format,
    Output,
    OutputChoice,
    Seed,
    Shared,
    TableFormats,
    emit,
    on_judgements,
    show,
)

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements

MaybeFiles = Annotated[
    list[str],
    typer.Argument(metavar="[FILE…]", help="Judgements; without any, the methods are listed."),
]
Runs = Annotated[int, typer.Option(min=1, help="Runs of a method that is random.")]


@on_judgements
def _on_files(
    judgements: "Judgements",
    runs: Runs = 100,
    seed: Seed = 1,
    outputs: Shared = OutputChoice.expanded,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    show([judgements.methods(runs=runs, seed=seed, outputs=outputs.value)], to, output)


@wraps(_on_files)
def methods(**options: Any) -> None:
    """Rank by every method side by side; without a file, list the methods."""
    if options["files"]:
        _on_files(**options)
        return
    from adjudge.ranking.method import METHODS
    from adjudge.ranking.tables.ranking import methods_list

    emit([methods_list(list(METHODS.values()))], options["to"], options["output"])


_parameters = signature(_on_files).parameters
_files = _parameters["files"].replace(annotation=MaybeFiles, default=[])
methods.__signature__ = signature(_on_files).replace(  # type: ignore[attr-defined]
    parameters=[_files, *(p for p in _parameters.values() if p.name != "files")]
)
methods.__annotations__ = _on_files.__annotations__ | {"files": MaybeFiles}
app.command(
    name="methods",
    rich_help_panel=Panel.rank,
    help="Rank by every method side by side, or list the methods.",
)(methods)
