"""`adjudge metaeval`: metrics beside people."""

import typer

from adjudge.cli import app

metaeval = typer.Typer(
    help="Metrics beside people: a metrics task and its submissions.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(metaeval, name="metaeval")
