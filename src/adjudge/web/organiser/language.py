"""Language of the organisers' pages: always English.

Judges' pages have more languages.
"""

from collections.abc import Callable
from functools import wraps

from django.http.response import HttpResponseBase
from django.utils import translation

LANGUAGE = "en"


def in_english(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Wrap a view to use English texts, dates and numbers."""

    @wraps(view)
    def wrapped(*args: object, **named: object) -> HttpResponseBase:
        with translation.override(LANGUAGE):
            response = view(*args, **named)
        response.headers["Content-Language"] = LANGUAGE
        return response

    return wrapped
