"""`adjudge again`: a result made again from its signature."""

from typing import Annotated

import typer

from adjudge.cli import app
from adjudge.cli.help_pages import Panel
from adjudge.cli.options import Files, Format, Output, TableFormats, show

Line = Annotated[
    str, typer.Argument(metavar="SIGNATURE", help="The last line below a table, in quotes.")
]


@app.command(rich_help_panel=Panel.share)
def again(
    signature: Line,
    files: Files = [],  # noqa: B006  (Typer reads the default, nothing changes it)
    metric_scores: Annotated[
        list[str],
        typer.Option(help="Where it needs them: files of scores by metrics (repeatable)."),
    ] = [],  # noqa: B006
    resources: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Of a model of quality: what it was trained with."),
    ] = None,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """Make a result again from its signature and its files; refuse other files."""
    from adjudge.api.reproduce import again as make_again

    given = {"metric_scores": metric_scores, "resources": resources}
    more = {name: value for name, value in given.items() if value}
    show([make_again(signature, *files, **more)], to, output)
