"""Address of the pages, stored by the server for links made on the command line."""

from urllib.parse import urlsplit

from django.utils import timezone

from adjudge.campaigns.models import Site
from adjudge.core.errors import AdjudgeError

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def known_site() -> str | None:
    """Stored address; None if no server was started and none was given."""
    site = Site.objects.order_by("-pk").first()
    return site.address if site else None


def remember_site(address: str) -> str:
    """Store the normalised address by which judges reach the server."""
    address = address.rstrip("/")
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise AdjudgeError(f"`site` cannot be {address!r}; write it like https://judge.example.org")
    Site.objects.update_or_create(pk=1, defaults={"address": address, "at": timezone.now()})
    return address


def remember_served(address: str, public: bool) -> None:
    """Store the address of a starting server, public or local.

    A local one does not replace a public one given by hand, since a proxy may be in use.
    """
    known = known_site()
    if public or known is None or urlsplit(known).hostname in _LOOPBACK:
        remember_site(address)
