"""The organiser's pages speak English, whatever the browser prefers: judges' pages have more."""

from collections.abc import Callable
from functools import wraps

from django.http.response import HttpResponseBase
from django.utils import translation

LANGUAGE = "en"


def in_english(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """The view, with words, dates and numbers in English."""

    @wraps(view)
    def wrapped(*args: object, **named: object) -> HttpResponseBase:
        with translation.override(LANGUAGE):
            response = view(*args, **named)
        response.headers["Content-Language"] = LANGUAGE
        return response

    return wrapped
