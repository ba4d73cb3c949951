"""The server's access log: who asked for which kind of page, with no token in it.

Links and the keys of judges and platforms let people in, so they are left out of addresses, and
with them everything after the question mark and the page that linked here.
"""

import re
from typing import Any

from gunicorn.glogging import Logger

FORM = '%(h)s %(t)s "%(m)s %(U)s" %(s)s %(b)s %(D)s'  # the last: microseconds
_SECRET_PARTS = re.compile(r"^(/(?:j|work|crowd|account/new-password)/)[^/]+")
_UNPRINTABLE = re.compile(r"[^!-~]")


def without_tokens(path: str) -> str:
    """An address as it may be written down."""
    return _UNPRINTABLE.sub("?", _SECRET_PARTS.sub(r"\1*", path.partition("?")[0]))


class AccessLog(Logger):  # type: ignore[misc]
    """Gunicorn's log, with addresses as they may be written down."""

    def atoms(self, resp: Any, req: Any, environ: Any, request_time: Any) -> dict[str, Any]:
        """What the line of a request is made of."""
        atoms: dict[str, Any] = super().atoms(resp, req, environ, request_time)
        return {**atoms, "U": without_tokens(str(atoms["U"] or ""))}
