"""`adjudge timing`: how long judges take for an item, by protocol."""

from typing import TYPE_CHECKING, Annotated, Literal

from adjudge.cli.options import Format, Output, on_any, show
from adjudge.cli.parser import option

if TYPE_CHECKING:
    from adjudge.api.table_data import Data


ByChoice = Literal["judge", "group", "pair"]


By = Annotated[ByChoice | None, option(help="Beside the protocol, tell these apart.")]
DropOver = Annotated[float, option(min=0, help="Drop sets that took longer than so many seconds.")]


@on_any
def timing(
    judged: "Data",
    by: By = None,
    drop_over: DropOver = 300,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Time per item by protocol, from judgements, scores and edits (WMT07 §6)."""
    show([judged.timing(by, drop_over)], to, output)
