"""Nobody fills the disk: requests are small, but for the uploads of organisers."""

import re
from collections.abc import Callable

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
    """Middleware: refuse what is too large before any of it is read."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if UPLOADS.match(request.path) or length_of(request) <= LARGEST:
            return get_response(request)
        message = _("The server does not understand this request.")
        return notice(request, _("Something is wrong"), message, 413, "form")

    return middleware


def length_of(request: HttpRequest) -> int:
    """How long the body is said to be; no more of it is ever read."""
    length = str(request.META.get("CONTENT_LENGTH") or "0")
    return int(length) if length.isdecimal() else LARGEST + 1
