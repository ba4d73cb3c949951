"""`adjudge methods`: every ranking method, listed or side by side on judgements."""

from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any

from adjudge.cli.options import Format, Output, emit, on_judgements, show
from adjudge.cli.parser import argument
from adjudge.ranking.options import MethodsOptions

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements

MaybeFiles = Annotated[
    list[str],
    argument(metavar="FILE…", help="Judgements; without any, the methods are listed."),
]


@on_judgements
def _on_files(
    judgements: "Judgements",
    options: MethodsOptions,
    to: Format = "table",
    output: Output = "-",
) -> None:
    show([judgements.methods(**options.items())], to, output)


@wraps(_on_files)
def methods(**given: Any) -> None:
    """Rank by every method side by side, or list the methods."""
    if given["files"]:
        _on_files(**given)
        return
    from adjudge.ranking.method import METHODS
    from adjudge.ranking.tables.ranking import methods_list

    emit([methods_list(list(METHODS.values()))], given["to"], given["output"])


_own = signature(_on_files)
methods.__doc__ = "Rank by every method side by side, or list the methods."
methods.__signature__ = _own.replace(  # type: ignore[attr-defined]
    parameters=[
        p.replace(annotation=MaybeFiles, default=[]) if p.name == "files" else p
        for p in _own.parameters.values()
    ]
)
