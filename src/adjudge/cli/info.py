"""`adjudge info`: what is in a file of judgements."""

from typing import TYPE_CHECKING

from adjudge.cli import app
from adjudge.cli.options import (
    Format,
    Output,
    OutputChoice,
    Shared,
    TableFormats,
    on_judgements,
    show,
)

if TYPE_CHECKING:
    from adjudge.door.judgements import Judgements


@app.command()
@on_judgements
def info(
    judgements: "Judgements",
    outputs: Shared = OutputChoice.expanded,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """Show what is in the judgements: pairs, protocols, systems, judges, rankings, ties, time."""
    show([judgements.info(outputs.value)], to, output)
