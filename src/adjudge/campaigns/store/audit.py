"""Audit log of a campaign.

Every change by an organiser, on the pages or by command, is recorded in the transaction of the
change:

with recorded(campaign, who, "closed the campaign"):
    close(campaign)

`what` completes a sentence that begins with `who`. Details are names and values: never a
password, a link or a token.
"""

import getpass
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import transaction

from adjudge.campaigns.models import AuditEntry, Campaign


def record(
    campaign: Campaign, who: str, what: str, details: Mapping[str, Any] | None = None
) -> AuditEntry:
    """Record in the log of a campaign that `who` did `what`."""
    return AuditEntry.objects.create(
        campaign=campaign if campaign.pk else None,
        campaign_name=campaign.name,
        who=who,
        what=what,
        details=dict(details or {}),
    )


def record_of_server(what: str, details: Mapping[str, Any]) -> AuditEntry:
    """Record an event of the server itself in the log for administrators."""
    return AuditEntry.objects.create(
        campaign=None, campaign_name="", who="the server", what=what, details=dict(details)
    )


@contextmanager
def recorded(campaign: Campaign, who: str, what: str, **details: Any) -> Iterator[dict[str, Any]]:
    """Change something and record it in one transaction; the context yields a dictionary for
    further details.
    """
    with transaction.atomic():
        yield details
        record(campaign, who, what, details)


def at_the_command_line() -> str:
    """Name of the user who runs a command."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container may have no name for its user
        user = "unknown user"
    return f"{user} (command line)"
