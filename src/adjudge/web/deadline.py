"""No upload keeps a worker busy for longer than a minute and a half.

A thread cannot be stopped from outside, so the worker ends: it takes no more requests, gives
those under way a little time, and the server starts another. Judges' browsers send again what
was on its way. Only workers of the server end (`arm`), never a process that just uses the pages.
"""

import logging
import os
import signal
import time
from collections.abc import Callable
from functools import wraps
from threading import Timer

from django.http import HttpRequest
from django.http.response import HttpResponseBase

LONGEST = 90.0  # seconds, from when all of the upload has arrived
GRACE = 10.0  # seconds for other requests
_worker: list[int] = []  # the process that may end


def arm() -> None:
    """This process is a worker, which the server replaces when it ends."""
    _worker[:] = [os.getpid()]


def ends_in_time(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """The view, whose worker ends when it takes too long."""

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
