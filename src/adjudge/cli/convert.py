"""`adjudge convert`: the same judgements in another format."""

from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli import app
from adjudge.cli.options import on_any_judgements

if TYPE_CHECKING:
    import polars as pl

Where = Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")]
To = Annotated[
    str | None, typer.Option("--to", metavar="FORMAT", help="Its format (docs/formats.md).")
]


@app.command()
@on_any_judgements
def convert(table: "pl.DataFrame", *, output: Where, to: To = None) -> None:
    """Write the judgements in another format, chosen by the file's ending or --to."""
    from adjudge.judgements import write
    from adjudge.judgements.files import format_for, not_carried

    write(table, output, to)
    lost = not_carried(table, format_for(output, to))
    if lost:
        typer.echo(f"adjudge: {output}: its format has no place for {', '.join(lost)}", err=True)
