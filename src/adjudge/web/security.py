"""What every response carries, and who sent a request."""

from collections.abc import Callable, Mapping

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

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
    """Middleware: nothing runs and nothing loads that is not a file of this server.

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
    """The header's value; `form_action="…"` and the like change parts of it."""
    parts = {**POLICY, **{name.replace("_", "-"): value for name, value in changes.items()}}
    return "; ".join(f"{name} {value}" for name, value in parts.items())


def client_address(request: HttpRequest) -> str:
    """Where the request came from: behind a proxy, what the proxy says it saw."""
    address = str(request.META.get("REMOTE_ADDR", ""))
    if settings.HTTPS:
        forwarded = str(request.META.get("HTTP_X_FORWARDED_FOR", "")).rpartition(",")[2].strip()
        return forwarded or address
    return address
