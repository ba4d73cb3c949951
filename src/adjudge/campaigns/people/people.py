"""People who judge in several campaigns, with one link or account for all of them.

A person is a name for several judges; every judge has a link of their own beside. Who can prove to
be several judges (their browser is signed in as all of them) may make them one person.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.hashers import check_password, make_password
from django.db import IntegrityError, transaction

from adjudge.campaigns.models import Campaign, Judge, Person
from adjudge.campaigns.people.invitation import Invitation, invite, token_hash
from adjudge.core.errors import AdjudgeError


class EmailTaken(AdjudgeError):
    """E-mail address already used by another account."""


@dataclass(frozen=True)
class PersonalLink:
    """Person with an entry token for all of their judges."""

    person: Person
    token: str
    judges: tuple[Judge, ...]

    def link(self, base: str) -> str:
        """Entry address of the person."""
        return f"{base.rstrip('/')}/j/{self.token}/"


def person_of(token: str) -> Person | None:
    """Person of this token, if any."""
    return Person.objects.filter(token_hash=token_hash(token)).first()


def judges_of_person(person: Person) -> list[Judge]:
    """Judges of a person, without those of revoked links."""
    judges = person.judges.filter(token_hash__isnull=False, campaign__making=None).select_related(
        "campaign"
    )
    return list(judges.order_by("campaign__name"))


@transaction.atomic
def one_link(judges: Sequence[Judge]) -> PersonalLink:
    """Create one link for all of these judges; the previous link of their person becomes
    invalid.
    """
    person = together(judges)
    token = secrets.token_urlsafe(32)
    person.token_hash = token_hash(token)
    person.save(update_fields=["token_hash"])
    return PersonalLink(person, token, tuple(judges))


def one_link_from_organisers(judges: Sequence[Judge]) -> PersonalLink:
    """Create one link on behalf of organisers, who cannot gain access to accounts in this way."""
    given = {judge.pk for judge in judges}
    for person in {judge.person for judge in judges if judge.person is not None}:
        if person.email or set(person.judges.values_list("pk", flat=True)) - given:
            raise AdjudgeError(
                f"{judges[0].name} has an account, or judges elsewhere too; they can make one link "
                "for all on their own page"
            )
    return one_link(judges)


@transaction.atomic
def invite_to_all(
    campaigns: Sequence[Campaign], name: str, **told: Any
) -> Invitation | PersonalLink:
    """Create a judge in each campaign, with one link for all; `told` is as in `invite`."""
    invitations = [invite(campaign, name, **told) for campaign in campaigns]
    if len(invitations) == 1:
        return invitations[0]
    return one_link([invitation.judge for invitation in invitations])


@transaction.atomic
def together(judges: Sequence[Judge]) -> Person:
    """Merge these judges into one person, preferably an existing one with an account."""
    known = [judge.person for judge in judges if judge.person is not None]
    with_account = [person for person in known if person.email]
    person = next(iter([*with_account, *known]), None) or Person.objects.create()
    for judge in judges:
        judge.person = person
        judge.save(update_fields=["person"])
    return person


@transaction.atomic
def make_account(judges: Sequence[Judge], email: str, password: str) -> Person:
    """Create an account for these judges, or change the e-mail and password of an existing one."""
    person = together(judges)
    person.email, person.password = email.strip().lower(), make_password(password)
    try:
        with transaction.atomic():
            person.save(update_fields=["email", "password"])
    except IntegrityError:
        raise EmailTaken("there is an account with this e-mail; sign in with it") from None
    return person


def person_with(email: str, password: str) -> Person | None:
    """Person with this e-mail and password."""
    person = Person.objects.filter(email=email.strip().lower()).first()
    if person is None:
        make_password(password)  # equal time, so that existing accounts are not revealed
        return None
    return person if check_password(password, person.password) else None


def set_password(person: Person, password: str) -> None:
    """Set a password; earlier links for password recovery become invalid."""
    person.password = make_password(password)
    person.save(update_fields=["password"])
