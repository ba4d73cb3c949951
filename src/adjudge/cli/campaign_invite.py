"""`adjudge campaign invite`: personal links for judges."""

from typing import Annotated

from adjudge.cli.campaign import Database, Name, Site, links_of, open_campaign
from adjudge.cli.options import Format, Output, emit
from adjudge.cli.parser import argument, option


def invite(
    name: Name,
    people: Annotated[list[str], argument(metavar="PERSON…", help="The judges' names.")],
    group: Annotated[str, option(help="Their group: researchers, crowd or any other name.")] = "",
    own: Annotated[
        list[str], option("--own-system", help="A system they entered (repeatable).")
    ] = [],  # noqa: B006
    language: Annotated[
        list[str], option("--language", help="A language they read (repeatable).")
    ] = [],  # noqa: B006
    protocol: Annotated[
        list[str],
        option("--protocol", help="Ask them only in this way (repeatable) [all]."),
    ] = [],  # noqa: B006
    quota: Annotated[int | None, option(min=1, help="Items each should judge.")] = None,
    replace: Annotated[
        bool, option("--replace", help="They have links already: make new ones.")
    ] = False,
    site: Site = None,
    to: Format = "table",
    output: Output = "-",
    database: Database = None,
) -> None:
    """Make personal links. They are shown this once; only their hashes are stored."""
    chosen_campaign = open_campaign(database, name)
    from adjudge.campaigns.people.invitation import invite as invite_one
    from adjudge.campaigns.people.invitation import replace_link
    from adjudge.campaigns.people.judges import judge_named
    from adjudge.campaigns.store.audit import at_the_command_line, recorded
    from adjudge.core.files.output import private_files
    from adjudge.core.tables.table import Column, Table

    done = "replaced judges' links" if replace else "invited"
    with recorded(chosen_campaign, at_the_command_line(), done, judges=people):
        invitations = [
            replace_link(judge_named(chosen_campaign, person))
            if replace
            else invite_one(
                chosen_campaign,
                person,
                group=group,
                own_systems=own,
                languages=language,
                protocols=protocol,
                quota=quota,
            )
            for person in people
        ]
        rows = [
            {
                "judge": invitation.judge.name,
                "group": invitation.judge.group or None,
                "link": link,
            }
            for invitation, link in zip(invitations, links_of(invitations, site), strict=True)
        ]
        columns = [Column("judge", "Judge"), Column("group", "Group"), Column("link", "Link")]
        with private_files():
            emit([Table(rows, columns)], to, output)
