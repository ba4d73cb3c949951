"""Rate limit on failed passwords, counted in the database across all workers.

An attempt is counted before the password is checked, in one atomic step with the limit, so that
concurrent attempts cannot exceed it.

wait = limits.claim(account, address)
if wait: refuse, saying how long
if the password is right: limits.passed(account, address)

The limit is on an account as tried from one address, so that nobody locks an organiser out from
elsewhere, and on all that comes from one address. Half of an IPv6 address is its network's; who
has the network has all of the other half.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from hashlib import sha256
from ipaddress import IPv6Address, ip_address

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from adjudge.web.models import SignInAttempts

WINDOW = timedelta(minutes=15)
OF_ACCOUNT = 5  # tries from one address within the window
OF_ADDRESS = 30  # many people may share an address


@transaction.atomic
def claim(account: str, address: str, now: datetime | None = None) -> timedelta | None:
    """Count an attempt and return None, or return the waiting time without counting."""
    now = now or timezone.now()
    since = (now - WINDOW).timestamp()
    rows, waits = [], []
    for name, limit in _limits(account, address):
        row, _new = SignInAttempts.objects.select_for_update().get_or_create(
            name=name, defaults={"last": now}
        )
        row.times = [time for time in row.times if time > since]
        if len(row.times) >= limit:
            waits.append(timedelta(seconds=row.times[-limit] - since))
        rows.append(row)
    if waits:
        return max(waits)
    for row in rows:
        row.times, row.last = [*row.times, now.timestamp()], now
        row.save()
    _forget(now)
    return None


@transaction.atomic
def passed(account: str, address: str) -> None:
    """Reset the account's count after a correct password; the address loses only this attempt, as
    others may be an attacker's.
    """
    *_others, (pair, _limit) = _limits(account, address)
    for name, _limit in _limits(account, address):
        row = SignInAttempts.objects.select_for_update().filter(name=name).first()
        if row is not None:
            row.times = [] if name == pair else row.times[:-1]
            row.save()


def in_words(wait: timedelta) -> str:
    """Rate-limit message."""
    minutes = int(wait.total_seconds() // 60) + 1
    return _("Too many wrong passwords. Try again in %d minutes.") % minutes


def _forget(now: datetime) -> None:
    """Delete counts older than the window, leaving locked rows to others."""
    old = SignInAttempts.objects.filter(last__lt=now - WINDOW).select_for_update(skip_locked=True)
    SignInAttempts.objects.filter(pk__in=[row.pk for row in old]).delete()


def _limits(account: str, address: str) -> Iterator[tuple[str, int]]:
    """Counters and their limits, in a fixed order that avoids deadlocks."""
    network = _network(address)
    yield _hash("address", network), OF_ADDRESS
    yield _hash("account", f"{account.strip()}/{network}"), OF_ACCOUNT


def _network(address: str) -> str:
    try:
        parsed = ip_address(address.strip("[]"))
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is None:
        return parsed.exploded[:19]
    return str(parsed)


def _hash(kind: str, name: str) -> str:
    return sha256(f"{kind}/{name.strip().lower()}".encode()).hexdigest()
