"""WSGI entry point, used by `adjudge serve`."""

import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.exceptions import BadRequest, SuspiciousOperation
from django.core.wsgi import get_wsgi_application

from adjudge.campaigns.store.busy import limit_waits
from adjudge.core.errors import AdjudgeError

if not os.environ.get("ADJUDGE_SECRET_KEY"):
    # Every worker would make up its own, and none would know the others' sessions.
    raise AdjudgeError("set ADJUDGE_SECRET_KEY, or start the server with adjudge serve")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "adjudge.web.settings")
limit_waits()
_django = get_wsgi_application()


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Call Django's application, and report requests so malformed that Django fails before its
    error handling.
    """
    try:
        return _django(environ, start_response)
    except (BadRequest, SuspiciousOperation):
        start_response("400 Bad Request", [("Content-Type", "text/plain; charset=utf-8")])
        return [b"The server does not understand this request.\n"]
