"""`adjudge campaign organiser`, `share` and `log`: who organises, and what they did."""

import os
from typing import TYPE_CHECKING, Annotated, Literal

from adjudge.cli.campaign import Database, Name
from adjudge.cli.options import Format, Output, emit
from adjudge.cli.parser import argument, option

if TYPE_CHECKING:
    from adjudge.campaigns.models import Campaign


RoleName = Literal["owner", "analyst"]


def _with_accounts() -> None:
    # Accounts are stored with the pages.
    os.environ["DJANGO_SETTINGS_MODULE"] = "adjudge.web.settings"


def _open_with_accounts(database: str | None) -> None:
    _with_accounts()
    from adjudge.campaigns.store.opening import open_store

    open_store(database)


def _campaign(name: str) -> "Campaign":
    from adjudge.campaigns.setup.campaign_state import campaign_named

    return campaign_named(name)


def organiser(
    name: Annotated[str, argument(metavar="NAME", help="What they sign in as.")],
    ask: Annotated[
        bool, option("--ask", help="Ask for the password instead of making one up.")
    ] = False,
    administrator: Annotated[
        bool | None,
        option(
            help="Do they see every campaign and every account? [default: the first organiser does]"
        ),
    ] = None,
    remove: Annotated[
        bool, option("--remove", help="They may no longer sign in; nothing is shared.")
    ] = False,
    database: Database = None,
) -> None:
    """Let somebody organise on the web pages; again for a NAME: a new password."""
    if remove:
        _remove(name, database)
        return
    _with_accounts()
    from adjudge.campaigns.store.opening import new_store

    with new_store(database):
        from adjudge.web.organiser.accounts import make_organiser, require_organiser

        given = _asked_password() if ask else None
        password = make_organiser(name, given, administrator)
        everything = require_organiser(name.strip()).is_superuser
    sees = (
        "an administrator, who sees every campaign"
        if everything
        else "an organiser, who sees their own campaigns and those shared with them"
    )
    print(f"{name} may sign in: {sees}.")
    if not ask:
        print(f"Password of {name}, shown this once: {password}")


def _asked_password() -> str:
    from getpass import getpass

    from adjudge.core.errors import AdjudgeError

    given = getpass("Password: ")
    if getpass("The same again: ") != given:
        raise AdjudgeError("the two passwords differ; try again")
    return given


def _remove(name: str, database: str | None) -> None:
    _open_with_accounts(database)
    from adjudge.campaigns.store.audit import at_the_command_line
    from adjudge.web.organiser.accounts import remove_organiser

    remove_organiser(name, at_the_command_line())
    print(f"{name} is no organiser any more.")


def share(
    name: Name,
    person: Annotated[str, argument(metavar="ORGANISER", help="As they sign in.")],
    role: Annotated[RoleName, option(help="Owners change it; analysts only read.")] = "analyst",
    end: Annotated[bool, option("--end", help="No longer share it with them.")] = False,
    database: Database = None,
) -> None:
    """Let an organiser see a campaign on the web pages, or change it too."""
    _open_with_accounts(database)
    from adjudge.campaigns.people.access import share as share_campaign
    from adjudge.campaigns.people.access import unshare
    from adjudge.campaigns.store.audit import at_the_command_line
    from adjudge.web.organiser.accounts import require_organiser

    chosen = _campaign(name)
    if end:
        unshare(chosen, person, at_the_command_line())
        print(f"{name} is no longer shared with {person}.")
        return
    require_organiser(person)
    share_campaign(chosen, person, role, at_the_command_line())
    print(f"{person} is {role} of {name}.")


def log(
    name: Name,
    to: Format = "table",
    output: Output = "-",
    database: Database = None,
) -> None:
    """What was done with a campaign, by whom and when."""
    _open_with_accounts(database)
    from adjudge.core.files.output import private_files
    from adjudge.core.tables.table import Column, Table

    rows = [
        {
            "at": entry.at.isoformat(timespec="seconds"),
            "who": entry.who,
            "what": entry.what,
            "details": entry.details_in_words(),
        }
        for entry in _campaign(name).audit.order_by("at", "pk")
    ]
    columns = [
        Column("at", "When"),
        Column("who", "Who"),
        Column("what", "What"),
        Column("details", "Details"),
    ]
    with private_files():
        emit([Table(rows, columns)], to, output)
