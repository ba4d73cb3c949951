"""`adjudge campaign organiser`: who may use the organiser's pages."""

import os
from typing import Annotated

import typer

from adjudge.cli.campaign import Database, campaign


@campaign.command()
def organiser(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What they sign in as.")],
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask for the password instead of making one up.")
    ] = False,
    database: Database = None,
) -> None:
    """Let somebody organise on the web pages; again for a NAME: a new password."""
    # Accounts are stored with the pages.
    os.environ["DJANGO_SETTINGS_MODULE"] = "adjudge.web.settings"
    from adjudge.campaigns.store.opening import open_store

    open_store(database, create=True)
    from adjudge.web.organiser.accounts import make_organiser

    if ask:
        given = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
        make_organiser(name, given)
        typer.echo(f"{name} may sign in.")
    else:
        typer.echo(f"Password of {name}, shown this once: {make_organiser(name)}")
