"""`adjudge campaign crowd`: judges from a crowd platform."""

from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli.campaign import Database, Name, Site, campaign, site_of

NO_SITE = (
    "Adjudge does not know yet at which address workers reach it: put the address in front, or "
    "give it with --site https://…"
)

if TYPE_CHECKING:
    from adjudge.campaigns.models import Campaign


@campaign.command()
def crowd(
    name: Name,
    platform: Annotated[str, typer.Argument(help="The platform (docs/campaigns.md).")],
    items: Annotated[int, typer.Option(min=1, help="Items a task asks for.")] = 3,
    completion_code: Annotated[
        str, typer.Option(help="Prolific's completion code of the study.")
    ] = "",
    group: Annotated[str, typer.Option(help="The workers' group of judges.")] = "crowd",
    tasks: Annotated[
        int, typer.Option(min=1, help="Tasks you order on the platform; more are refused.")
    ] = 100,
    signed: Annotated[
        bool,
        typer.Option("--signed", help="Prolific signs who comes (its secured external URL)."),
    ] = False,
    check: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Instead: exclude the workers who are not in this CSV file of the platform's.",
        ),
    ] = None,
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
    if check is not None:
        typer.echo(_checked(chosen, check))
        return
    with recorded(chosen, at_the_command_line(), "let workers in", platform=platform, tasks=tasks):
        crowd_settings = open_to_crowd(
            chosen, platform, items, completion_code, group, tasks=tasks, signed=signed
        )
    base = site_of(site)
    if base is None:
        typer.echo(NO_SITE, err=True)
    address = f"{base or ''}/crowd/{crowd_settings.key}/"
    if platform == "prolific":
        address += (
            "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
        )
    typer.echo(address)


def _checked(chosen: "Campaign", file: str) -> str:
    """Exclude whom the platform does not know, and say who that was."""
    from adjudge.campaigns.people.crowd import check_with_platform
    from adjudge.campaigns.people.platform_list import read_platform_list
    from adjudge.campaigns.store.audit import at_the_command_line, recorded

    known = read_platform_list(file)
    done = "excluded workers whom the platform does not know"
    with recorded(chosen, at_the_command_line(), done) as details:
        strangers = [judge.name for judge in check_with_platform(chosen, known)]
        details["judges"] = strangers
    named = f": {', '.join(strangers)}" if strangers else ""
    return f"{len(known):,} tasks on the platform's list. Excluded: {len(strangers)}{named}."
