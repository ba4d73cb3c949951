"""Access log of the server, without tokens.

Links and the keys of judges and platforms grant access, so they are removed from addresses, and
with them the query string and the referrer.
"""

import re
from typing import Any

from gunicorn.glogging import Logger

FORM = '%(h)s %(t)s "%(m)s %(U)s" %(s)s %(b)s %(D)s'  # the last: microseconds
_SECRET_PARTS = re.compile(r"^(/(?:j|work|crowd|account/new-password)/)[^/]+")
_UNPRINTABLE = re.compile(r"[^!-~]")


def without_tokens(path: str) -> str:
    """Replace tokens in an address."""
    return _UNPRINTABLE.sub("?", _SECRET_PARTS.sub(r"\1*", path.partition("?")[0]))


class AccessLog(Logger):  # type: ignore[misc]
    """Gunicorn logger with tokens removed from addresses."""

    def atoms(self, resp: Any, req: Any, environ: Any, request_time: Any) -> dict[str, Any]:
        """Fields of a log line for a request."""
        atoms: dict[str, Any] = super().atoms(resp, req, environ, request_time)
        return {**atoms, "U": without_tokens(str(atoms["U"] or ""))}
