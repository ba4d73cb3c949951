"""Where the pages are served: stored by the server, so that links made at the command line work."""

from urllib.parse import urlsplit

from django.utils import timezone

from adjudge.campaigns.models import Site
from adjudge.core.errors import AdjudgeError

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def known_site() -> str | None:
    """The address that was stored last; None: no server was started yet, and nobody told."""
    site = Site.objects.order_by("-pk").first()
    return site.address if site else None


def remember_site(address: str) -> str:
    """Store the address by which judges reach the server; as links have it."""
    address = address.rstrip("/")
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise AdjudgeError(f"`site` cannot be {address!r}; write it like https://judge.example.org")
    Site.objects.update_or_create(pk=1, defaults={"address": address, "at": timezone.now()})
    return address


def remember_served(address: str, public: bool) -> None:
    """What a server that starts knows: an address for everybody, or for this machine only.

    The latter does not replace one for everybody, which was given by hand: a proxy may be there.
    """
    known = known_site()
    if public or known is None or urlsplit(known).hostname in _LOOPBACK:
        remember_site(address)
