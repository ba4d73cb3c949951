"""Common pages: the front page, and error pages."""

import logging
import sys

from django.conf import settings
from django.db import DataError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from adjudge.campaigns.store.busy import is_busy

RETRY_AFTER = 2  # seconds


def site_contact(request: HttpRequest | None) -> dict[str, str]:
    """Contact of the site for the foot of every page; a campaign may override it."""
    return {"site_contact": settings.CONTACT}


def home(request: HttpRequest) -> HttpResponse:
    """Front page."""
    context = {
        "title": _("Human evaluation of machine translation"),
        "message": _("To judge, open the personal link the organisers sent you."),
        "sign_in": True,
    }
    return render(request, "web/notice.html", context)


def notice(
    request: HttpRequest, title: str, message: str, status: int = 200, code: str = ""
) -> HttpResponse:
    """Show a message on a page, or as an object for scripts."""
    if wants_json(request):
        return JsonResponse({"code": code, "message": message}, status=status)
    context = {"title": title, "message": message}
    return render(request, "web/notice.html", context, status=status)


def wants_json(request: HttpRequest) -> bool:
    """Test whether a script sent the request."""
    return request.content_type == "application/json"


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Page for a form from another site, or from before the cookies were cleared."""
    return notice(
        request,
        _("Please try again"),
        _("This page is out of date, or cookies are turned off. Reload it and try again."),
        status=403,
        code="csrf",
    )


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Page for status 400."""
    message = _("The server does not understand this request.")
    return notice(request, _("Something is wrong"), message, 400, "form")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Page for status 403."""
    message = _("You may not see this page.")
    return notice(request, _("Not for you"), message, 403, "forbidden")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Page for status 404."""
    message = _("There is no such page.")
    return notice(request, _("Not found"), message, 404, "missing")


def busy(request: HttpRequest) -> HttpResponse:
    """Page for status 503: the database is locked for too long; browsers retry by themselves."""
    logging.getLogger("adjudge.busy").warning("the database is busy; a request is sent away")
    asks = request.method in ("GET", "HEAD")
    if asks:
        message = _("The server is busy. This page tries again by itself.")
    else:
        message = _("The server is busy, and nothing was changed. Try again in a moment.")
    if wants_json(request):
        response: HttpResponse = JsonResponse({"code": "busy", "message": message}, status=503)
    else:
        context = {
            "title": _("One moment, please"),
            "message": message,
            "refresh": RETRY_AFTER if asks else None,
            **site_contact(None),
        }
        response = HttpResponse(render_to_string("web/notice.html", context), status=503)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    response.headers["Cache-Control"] = "no-store"
    return response


class NotBusy(logging.Filter):
    """Logging filter for errors that only mean a busy database."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep records of other errors."""
        return not (record.exc_info and is_busy(record.exc_info[1]))


def broken(request: HttpRequest) -> HttpResponse:
    """Page for status 500, rendered without the request, which may be the cause.

    Errors that only mean a busy database also end here.
    """
    error = sys.exception()
    if is_busy(error):
        return busy(request)
    if isinstance(error, DataError):  # text or numbers that the database cannot store
        return bad_request(request, error)
    title, message = _("Something went wrong"), _("Nothing you saved is lost. Please try again.")
    if wants_json(request):
        return JsonResponse({"code": "broken", "message": message}, status=500)
    context = {"title": title, "message": message, **site_contact(None)}
    text = render_to_string("web/notice.html", context)
    return HttpResponse(text, status=500)
