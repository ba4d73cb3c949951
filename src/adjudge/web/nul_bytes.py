"""Addresses and cookies with a NUL, which PostgreSQL takes in no text and no browser sends."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from adjudge.web.pages import notice


def no_nul(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: refuse them before anything looks them up."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        texts = (request.path, *request.COOKIES.values())
        if not any("\0" in text for text in texts) and "%00" not in request.META["QUERY_STRING"]:
            return get_response(request)
        message = _("The server does not understand this request.")
        return notice(request, _("Something is wrong"), message, 400, "form")

    return middleware
