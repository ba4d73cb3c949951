"""`adjudge campaign one-link`: one link for somebody who judges in several campaigns."""

from typing import Annotated

from adjudge.cli.campaign import Database, Site, links_of
from adjudge.cli.parser import argument


def one_link(
    person: Annotated[str, argument(metavar="PERSON", help="The judge's name in all.")],
    names: Annotated[list[str], argument(metavar="NAME…", help="The campaigns.")],
    site: Site = None,
    database: Database = None,
) -> None:
    """Make one link for a judge of several campaigns. It is shown this once."""
    from adjudge.campaigns.store.opening import open_store

    open_store(database)
    from django.db import transaction

    from adjudge.campaigns.people.judges import judge_named
    from adjudge.campaigns.people.people import one_link_from_organisers
    from adjudge.campaigns.setup.campaign_state import campaign_named
    from adjudge.campaigns.store.audit import at_the_command_line, record

    judges = [judge_named(campaign_named(name), person) for name in dict.fromkeys(names)]
    with transaction.atomic():
        invitation = one_link_from_organisers(judges)
        for judge in judges:
            record(judge.campaign, at_the_command_line(), "made one link", {"judge": person})
        (link,) = links_of([invitation], site)
    if link is not None:
        print(link)
