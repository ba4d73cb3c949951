"""How often a wrong password may be given, counted in the database: the same for all workers.

wait = limits.wait(account, address)
if wait: refuse, saying how long
if the password is wrong: limits.failed(account, address)
else: limits.passed(account)
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from hashlib import sha256

from django.utils import timezone

from adjudge.web.models import FailedLogin

WINDOW = timedelta(minutes=15)
OF_ACCOUNT = 5  # wrong passwords within the window
OF_ADDRESS = 30  # many people may share an address


def wait(account: str, address: str, now: datetime | None = None) -> timedelta | None:
    """How long nobody may try; None: go ahead."""
    now = now or timezone.now()
    waits = []
    for name, limit in _limits(account, address):
        recent = FailedLogin.objects.filter(name=name, at__gt=now - WINDOW).order_by("-at")
        full = recent.values_list("at", flat=True)[limit - 1 : limit]
        waits += [at + WINDOW - now for at in full]
    return max(waits, default=None)


def failed(account: str, address: str, now: datetime | None = None) -> None:
    """Count a wrong password."""
    now = now or timezone.now()
    FailedLogin.objects.filter(at__lt=now - WINDOW).delete()
    FailedLogin.objects.bulk_create(
        FailedLogin(name=name, at=now) for name, _ in _limits(account, address)
    )


def passed(account: str) -> None:
    """The right password clears the account, not the address: that may be an attacker's own."""
    FailedLogin.objects.filter(name=_hash("account", account)).delete()


def _limits(account: str, address: str) -> Iterator[tuple[str, int]]:
    yield _hash("account", account), OF_ACCOUNT
    yield _hash("address", address), OF_ADDRESS


def _hash(kind: str, name: str) -> str:
    return sha256(f"{kind}/{name.strip().lower()}".encode()).hexdigest()
