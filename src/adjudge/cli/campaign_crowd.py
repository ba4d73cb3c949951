"""`adjudge campaign crowd`: judges from a crowd platform."""

from typing import Annotated

import typer

from adjudge.cli.campaign import Database, Name, Site, campaign, site_of


@campaign.command()
def crowd(
    name: Name,
    platform: Annotated[str, typer.Argument(help="The platform (docs/campaigns.md).")],
    items: Annotated[int, typer.Option(min=1, help="Items a task asks for.")] = 3,
    completion_code: Annotated[
        str, typer.Option(help="Prolific's completion code of the study.")
    ] = "",
    group: Annotated[str, typer.Option(help="The workers' group of judges.")] = "crowd",
    site: Site = None,
    database: Database = None,
) -> None:
    """Let workers of a platform in, and print the address to give to it."""
    from adjudge.campaigns.store.opening import open_store

    open_store(database)
    from adjudge.campaigns.people.crowd import open_to_crowd
    from adjudge.campaigns.setup.campaign_state import campaign_named
    from adjudge.campaigns.store.audit import at_the_command_line, recorded

    chosen = campaign_named(name)
    with recorded(chosen, at_the_command_line(), "let workers in", platform=platform):
        crowd_settings = open_to_crowd(chosen, platform, items, completion_code, group)
    address = f"{site_of(site)}/crowd/{crowd_settings.key}/"
    if platform == "prolific":
        address += (
            "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
        )
    typer.echo(address)
