"""`adjudge convert`: the same judgements in another format."""

from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli import app
from adjudge.cli.help_pages import Panel
from adjudge.cli.options import on_judgements

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements

Where = Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")]
To = Annotated[
    str | None, typer.Option("--to", metavar="FORMAT", help="Its format (docs/formats.md).")
]


@app.command(rich_help_panel=Panel.share)
@on_judgements
def convert(judgements: "Judgements", *, output: Where, to: To = None) -> None:
    """Write the judgements in another format, chosen by the file's ending or --to."""
    lost = judgements.write(output, to)
    if lost:
        typer.echo(f"adjudge: {output}: its format has no place for {', '.join(lost)}", err=True)
    if judgements.source.remark:
        typer.echo(f"adjudge: {output}: {judgements.source.remark}", err=True)
