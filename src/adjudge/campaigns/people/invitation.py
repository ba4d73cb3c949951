"""Judges and their links; a token is shown once, and only its hash is stored."""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from django.db import IntegrityError, transaction

from adjudge.campaigns.models import Campaign, Judge, System
from adjudge.core.errors import AdjudgeError
from adjudge.data.selection import require


@dataclass(frozen=True)
class Invitation:
    """Judge with an entry token."""

    judge: Judge
    token: str

    @property
    def judges(self) -> tuple[Judge, ...]:
        """All judges that the token admits."""
        return (self.judge,)

    def link(self, base: str) -> str:
        """Entry address of the judge."""
        return f"{base.rstrip('/')}/j/{self.token}/"


def token_hash(token: str) -> str:
    """Hash of a token; a plain hash is safe, since tokens have 256 random bits."""
    return sha256(token.encode()).hexdigest()


@transaction.atomic
def invite(
    campaign: Campaign,
    name: str,
    *,
    group: str = "",
    own_systems: Iterable[str] = (),
    languages: Iterable[str] = (),
    protocols: Iterable[str] = (),
    quota: int | None = None,
    email: str = "",
    platform: Mapping[str, str] | None = None,
) -> Invitation:
    """Create a judge, restricted to some `protocols` of the campaign if any are named.

    Judges who entered systems owe a number of items for each (WMT13 §3.1).
    """
    own = sorted(set(own_systems))
    systems = {system.name: system for system in System.objects.filter(campaign=campaign)}
    require(own, systems, "system")
    only = list(dict.fromkeys(protocols))
    for protocol in only:
        if protocol not in campaign.protocols:
            raise AdjudgeError(
                f"{campaign.name} has no protocol {protocol!r}; it has: "
                f"{', '.join(campaign.protocols)}"
            )
    if not name.strip():
        raise AdjudgeError("a judge needs a name; give one")
    token = secrets.token_urlsafe(32)
    judge = Judge(
        campaign=campaign,
        name=name,
        group=group,
        languages=list(languages),
        protocols=only,
        quota=quota or (campaign.design.quota_per_system * len(own) or None),
        email=email,
        token_hash=token_hash(token),
        platform=dict(platform or {}),
    )
    try:
        with transaction.atomic():
            judge.save()
    except IntegrityError:
        raise AdjudgeError(
            f"there is a judge {name!r} in {campaign.name} already; replace their link instead"
        ) from None
    judge.own_systems.set(systems[system] for system in own)
    return Invitation(judge, token)


def judge_of(token: str) -> Judge | None:
    """Judge of this token; None if unknown or revoked."""
    judges = Judge.objects.select_related("campaign").filter(campaign__making=None)
    return judges.filter(token_hash=token_hash(token)).first()


def replace_link(judge: Judge) -> Invitation:
    """Issue a new token and invalidate the old one."""
    token = secrets.token_urlsafe(32)
    judge.token_hash = token_hash(token)
    judge.save(update_fields=["token_hash"])
    return Invitation(judge, token)


def revoke_link(judge: Judge) -> None:
    """Invalidate the link of this judge until a new one is made."""
    judge.token_hash = None
    judge.save(update_fields=["token_hash"])
