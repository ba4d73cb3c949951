"""Mail through the SMTP server in `ADJUDGE_SMTP`, or not at all.

`smtp://name:password@host:587` speaks TLS once connected (STARTTLS), `smtps://…:465` from the
start; `smtp://localhost:25`, without a name, trusts the connection.
"""

from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

PORTS = {"smtp": 25, "smtps": 465}
LONGEST_WAIT = 20  # seconds


def mail_settings(url: str, sender: str) -> dict[str, Any]:
    """Django's settings for a mail server; empty without one."""
    if not url:
        return {}
    try:
        address = urlsplit(url)
        port = address.port
    except ValueError:
        address, port = urlsplit(""), None
    if address.scheme not in PORTS or not address.hostname:
        raise ImproperlyConfigured(
            "ADJUDGE_SMTP is not an address of a mail server; write smtp://name:password@host:587"
        )
    secure = address.scheme == "smtps"
    return {
        "EMAIL_HOST": address.hostname,
        "EMAIL_PORT": port or PORTS[address.scheme],
        "EMAIL_HOST_USER": unquote(address.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(address.password or ""),
        "EMAIL_USE_SSL": secure,
        "EMAIL_USE_TLS": not secure and bool(address.username),
        "EMAIL_TIMEOUT": LONGEST_WAIT,
        "DEFAULT_FROM_EMAIL": sender or f"adjudge@{address.hostname}",
    }
