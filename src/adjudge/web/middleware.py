"""Middleware: limits of size and time, refused bytes, and headers of every response.

Requests are small, except uploads of organisers, so that nobody fills the disk.

An upload occupies a worker for at most a minute and a half.

A thread cannot be stopped from outside, so the worker ends: it takes no more requests, gives
those under way a little time, and the server starts another. Judges' browsers send again what
was on its way. Only workers of the server end (`arm`), never a process that just uses the pages.

Addresses and cookies with a NUL, which PostgreSQL takes in no text and no browser sends.

What every response carries, and who sent a request.
"""

import logging
import os
import re
import signal
import time
from collections.abc import Callable, Mapping
from functools import wraps
from threading import Timer

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from adjudge.web.pages import notice

LARGEST = 2 * 1024**2
# These know who sends, and have a limit of their own.
UPLOADS = re.compile(r"/organise/(new/|\d+/texts/$)")


def body_size(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Refuse too large requests before reading them."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if UPLOADS.match(request.path) or length_of(request) <= LARGEST:
            return get_response(request)
        message = _("The server does not understand this request.")
        return notice(request, _("Something is wrong"), message, 413, "form")

    return middleware


def length_of(request: HttpRequest) -> int:
    """Declared length of the body, beyond which nothing is read."""
    length = str(request.META.get("CONTENT_LENGTH") or "0")
    return int(length) if length.isdecimal() else LARGEST + 1


LONGEST = 90.0  # seconds, from when all of the upload has arrived
GRACE = 10.0  # seconds for other requests
_worker: list[int] = []  # the process that may end


def arm() -> None:
    """Mark this process as a worker that the server replaces when it ends."""
    _worker[:] = [os.getpid()]


def ends_in_time(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Wrap a view whose worker ends after the time limit."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: object, **named: object) -> HttpResponseBase:
        if _worker != [os.getpid()]:
            return view(request, *args, **named)
        _ = request.POST  # all of the body: the way here may take its time
        timer = Timer(LONGEST, _end, [request.path])
        timer.daemon = True
        timer.start()
        try:
            return view(request, *args, **named)
        finally:
            timer.cancel()

    return wrapped


def _end(path: str) -> None:
    logging.getLogger("django.adjudge").error(
        "%s took longer than %g seconds; this worker ends", path, LONGEST
    )
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os._exit(1)


def no_nul(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Refuse NUL bytes before any lookup."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        texts = (request.path, *request.COOKIES.values())
        if not any("\0" in text for text in texts) and "%00" not in request.META["QUERY_STRING"]:
            return get_response(request)
        message = _("The server does not understand this request.")
        return notice(request, _("Something is wrong"), message, 400, "form")

    return middleware


POLICY: Mapping[str, str] = {
    "default-src": "'self'",
    "img-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}


def content_security_policy(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Set a policy that restricts scripts and resources to files of this server.

    A page that needs more sets the header itself (`policy`).
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", policy())
        response.headers.setdefault(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=()"
        )
        return response

    return middleware


def policy(**changes: str) -> str:
    """Value of the header; `form_action="…"` and similar arguments override parts of it."""
    parts = {**POLICY, **{name.replace("_", "-"): value for name, value in changes.items()}}
    return "; ".join(f"{name} {value}" for name, value in parts.items())


def client_address(request: HttpRequest) -> str:
    """Client address, as reported by a trusted proxy if there is one."""
    address = str(request.META.get("REMOTE_ADDR", ""))
    if settings.HTTPS:
        forwarded = str(request.META.get("HTTP_X_FORWARDED_FOR", "")).rpartition(",")[2].strip()
        return forwarded or address
    return address
