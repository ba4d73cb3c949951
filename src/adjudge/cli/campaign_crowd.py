"""`adjudge campaign crowd`: judges from a crowd platform."""

import csv
import sys
from typing import TYPE_CHECKING, Annotated

from adjudge.cli.campaign import Database, Name, Site, site_of
from adjudge.cli.parser import argument, option

NO_SITE = (
    "Adjudge does not know yet at which address workers reach it: put the address in front, or "
    "give it with --site https://…"
)

if TYPE_CHECKING:
    from adjudge.campaigns.models import Campaign


def crowd(
    name: Name,
    platform: Annotated[str, argument(help="The platform (docs/campaigns.md).")],
    items: Annotated[int, option(min=1, help="Items a task asks for.")] = 3,
    completion_code: Annotated[str, option(help="Prolific's completion code of the study.")] = "",
    group: Annotated[str, option(help="The workers' group of judges.")] = "crowd",
    tasks: Annotated[
        int, option(min=1, help="Tasks you order on the platform; more are refused.")
    ] = 100,
    workers: Annotated[
        str | None,
        option(
            metavar="FILE",
            help="The workers of Mechanical Turk who may come: a CSV file with a column WorkerId. "
            "Each gets a signed address.",
        ),
    ] = None,
    unsigned: Annotated[
        bool,
        option("--unsigned", help="Let in everybody who says they are a worker (unsafe)."),
    ] = False,
    check: Annotated[
        str | None,
        option(
            metavar="FILE",
            help="Instead: exclude the workers who are not in this CSV file of the platform's.",
        ),
    ] = None,
    site: Site = None,
    database: Database = None,
) -> None:
    """Let workers of a platform in, and print the address to give to it.

    Who comes proves it: Prolific signs its workers' links (turn on its secured external URL), and
    each worker of Mechanical Turk (--workers) gets an address of their own.
    """
    from adjudge.campaigns.store.opening import open_store

    open_store(database)
    from adjudge.campaigns.people.crowd import (
        UNSIGNED,
        address_of,
        open_to_crowd,
        signed_addresses,
    )
    from adjudge.campaigns.people.platform_export import read_workers
    from adjudge.campaigns.setup.campaign_state import campaign_named
    from adjudge.campaigns.store.audit import at_the_command_line, recorded
    from adjudge.core.errors import AdjudgeError

    chosen = campaign_named(name)
    if check is not None:
        print(_checked(chosen, check))
        return
    if platform == "mturk" and (workers is None) != unsigned:
        raise AdjudgeError(
            "Mechanical Turk does not sign who comes: name the workers with --workers FILE, or let "
            "in everybody who says they are one with --unsigned"
        )
    named = None if workers is None else read_workers(workers)
    what = {"platform": platform, "tasks": tasks, "signed": not unsigned}
    with recorded(chosen, at_the_command_line(), "let workers in", **what):
        crowd_settings = open_to_crowd(
            chosen, platform, items, completion_code, group, tasks=tasks, signed=not unsigned
        )
        at = site_of(site)
        signed = {} if named is None else signed_addresses(crowd_settings, named, at or "")
    if at is None:
        print(NO_SITE, file=sys.stderr)
    if unsigned:
        print(f"Warning: {UNSIGNED}", file=sys.stderr)
    if named is None:
        print(address_of(crowd_settings, at or ""))
    else:
        table = csv.writer(sys.stdout, lineterminator="\n")
        table.writerows([("WorkerId", "address"), *signed.items()])


def _checked(chosen: "Campaign", file: str) -> str:
    """Exclude whom the platform does not know, and say who that was."""
    from adjudge.campaigns.people.crowd import check_with_platform
    from adjudge.campaigns.people.platform_export import read_platform_list
    from adjudge.campaigns.store.audit import at_the_command_line, recorded

    known = read_platform_list(file)
    done = "excluded workers whom the platform does not know"
    with recorded(chosen, at_the_command_line(), done) as details:
        strangers = [judge.name for judge in check_with_platform(chosen, known)]
        details["judges"] = strangers
    named = f": {', '.join(strangers)}" if strangers else ""
    return f"{len(known):,} tasks on the platform's list. Excluded: {len(strangers)}{named}."
