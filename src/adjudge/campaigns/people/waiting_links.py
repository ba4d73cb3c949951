"""Pending links: judges invited before the address of the site is known.

Only hashes of tokens are stored, so a link cannot be completed later. Such a judge has a
placeholder instead of a hash until the server starts and makes the link.
"""

import secrets
from collections.abc import Sequence

from django.db import transaction

from adjudge.campaigns.models import Judge, Person
from adjudge.campaigns.people.invitation import Invitation, replace_link
from adjudge.campaigns.people.people import PersonalLink, one_link

_MARK = "waiting:"


def let_wait(invitations: Sequence[Invitation | PersonalLink]) -> None:
    """Mark links that were never shown as pending; `make_waiting` replaces them."""
    for invitation in invitations:
        whose = invitation.judge if isinstance(invitation, Invitation) else invitation.person
        whose.token_hash = _MARK + secrets.token_hex(16)
        whose.save(update_fields=["token_hash"])


def waiting() -> list[Judge | Person]:
    """Judges and people with pending links."""
    return [
        *Judge.objects.select_related("campaign").filter(token_hash__startswith=_MARK),
        *Person.objects.filter(token_hash__startswith=_MARK),
    ]


@transaction.atomic
def make_waiting() -> list[Invitation | PersonalLink]:
    """Issue all pending links, each exactly once under concurrency."""
    made: list[Invitation | PersonalLink] = []
    for whose in waiting():
        taken = type(whose)._default_manager.filter(pk=whose.pk, token_hash=whose.token_hash)
        if not taken.update(token_hash=None):
            continue
        if isinstance(whose, Judge):
            made.append(replace_link(whose))
        else:
            made.append(one_link(list(whose.judges.select_related("campaign", "person"))))
    return made
