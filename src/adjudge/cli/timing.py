"""`adjudge timing`: how long judges take for an item, by protocol."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from adjudge.cli.options import Format, Output, TableFormats, on_any, show
from adjudge.cli.parser import option

if TYPE_CHECKING:
    from adjudge.api.table_data import Data


class ByChoice(StrEnum):
    """What times are told apart by, beside the protocol."""

    judge = "judge"
    group = "group"
    pair = "pair"


By = Annotated[ByChoice | None, option(help="Beside the protocol, tell these apart.")]
DropOver = Annotated[float, option(min=0, help="Drop sets that took longer than so many seconds.")]


@on_any
def timing(
    judged: "Data",
    by: By = None,
    drop_over: DropOver = 300,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """Time per item by protocol, from judgements, scores and edits (WMT07 §6)."""
    show([judged.timing(None if by is None else by.value, drop_over)], to, output)
