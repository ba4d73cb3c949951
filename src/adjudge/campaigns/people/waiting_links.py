"""Links that wait for an address: judges were invited before anybody knew where they will go.

Only hashes of tokens are stored, so a link cannot be kept to be completed later. Such a judge has
a mark in place of the hash, which is no token's, until the server starts and makes the link.
"""

import secrets
from collections.abc import Sequence

from django.db import transaction

from adjudge.campaigns.models import Judge, Person
from adjudge.campaigns.people.invitation import Invitation, replace_link
from adjudge.campaigns.people.people import PersonalLink, one_link

_MARK = "waiting:"


def let_wait(invitations: Sequence[Invitation | PersonalLink]) -> None:
    """Nobody saw these links yet and nobody will: new ones are made by `make_waiting`."""
    for invitation in invitations:
        whose = invitation.judge if isinstance(invitation, Invitation) else invitation.person
        whose.token_hash = _MARK + secrets.token_hex(16)
        whose.save(update_fields=["token_hash"])


def waiting() -> list[Judge | Person]:
    """Who has to get a link."""
    return [
        *Judge.objects.select_related("campaign").filter(token_hash__startswith=_MARK),
        *Person.objects.filter(token_hash__startswith=_MARK),
    ]


@transaction.atomic
def make_waiting() -> list[Invitation | PersonalLink]:
    """The links of all who wait; each is made once, whoever else asks."""
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
