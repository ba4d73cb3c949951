"""Validation of requests from the judging page's script."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import wraps
from math import isfinite
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_POST

from adjudge.campaigns.errors import Refused
from adjudge.campaigns.models import Judge
from adjudge.campaigns.work.answers import Times, keep_refused
from adjudge.web.judging.entrance import JudgeView
from adjudge.web.judging.words import refusal

UNREADABLE = "form"


def action(view: JudgeView) -> JudgeView:
    """Wrap a view for script requests, which are JSON; refusals become responses with a reason.

    Forms must not be read here: Django has already read the body to look for a token.
    """

    @require_POST
    def wrapped(request: HttpRequest, judge: Judge) -> HttpResponse:
        if request.content_type not in ("application/json", ""):
            said = {"code": UNREADABLE, "message": "Send the answer as application/json."}
            return JsonResponse(said, status=415)
        try:
            return view(request, judge)
        except Refused as refused:
            said = {"code": refused.code, "message": refusal(refused)}
            return JsonResponse(said, status=400 if refused.code == UNREADABLE else 422)

    return wrapped


def answering(view: JudgeView) -> JudgeView:
    """Wrap an action that submits an answer; refused answers are logged for organisers."""

    @wraps(view)
    def wrapped(request: HttpRequest, judge: Judge) -> HttpResponse:
        try:
            return view(request, judge)
        except Refused as refused:
            keep_refused(judge, refused, request.body)
            raise

    return action(wrapped)


def body_of(request: HttpRequest) -> dict[str, Any]:
    """Parse the JSON object in the body."""
    try:
        body = json.loads(request.body)
        storable = _can_be_stored(body)
    except (ValueError, RecursionError):
        body, storable = None, False
    if not isinstance(body, dict):
        raise Refused(UNREADABLE, "the request is not a JSON object")
    if not storable:
        raise Refused(UNREADABLE, "the request holds letters or numbers that cannot be stored")
    return body


def _can_be_stored(value: object) -> bool:
    """Test for text and numbers that every database accepts; JSON can encode lone surrogates, NUL,
    and numbers out of range.
    """
    match value:
        case str():
            return "\0" not in value and not any("\ud800" <= c <= "\udfff" for c in value)
        case dict():
            return all(_can_be_stored(k) and _can_be_stored(v) for k, v in value.items())
        case list():
            return all(map(_can_be_stored, value))
        case float():
            return isfinite(value)
        case int():
            return -(2**63) <= value < 2**63
    return True


def answer_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """Answer in the body; the protocol validates its content."""
    given = body.get("answer")
    if not isinstance(given, dict):
        raise Refused(UNREADABLE, "the request holds no answer")
    return given


def text_of(body: Mapping[str, Any], name: str) -> str:
    """Text field of the body."""
    value = body.get(name)
    if not isinstance(value, str) or "\0" in value:
        raise Refused(UNREADABLE, f"the request's {name} is not text")
    return value


def keys_of(body: Mapping[str, Any], name: str) -> frozenset[str]:
    """Item keys in the body; empty if absent."""
    keys = body.get(name, [])
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise Refused(UNREADABLE, f"the request's {name} is not a list of keys")
    return frozenset(keys)


def times_of(body: Mapping[str, Any]) -> Times:
    """Times measured by the browser."""
    return Times(_seconds(body, "seconds"), _seconds(body, "active_seconds"), _moment(body, "at"))


def _seconds(body: Mapping[str, Any], name: str) -> float | None:
    value = body.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise Refused(UNREADABLE, f"the request's {name} is not a number")
    return value


def _moment(body: Mapping[str, Any], name: str) -> datetime | None:
    if body.get(name) is None:
        return None
    try:
        moment = parse_datetime(text_of(body, name))
        if moment is not None and moment.tzinfo is not None:
            return moment.astimezone(UTC)
    except (ValueError, OverflowError):  # the latter: before or after all years there are
        pass
    raise Refused(UNREADABLE, f"the request's {name} is not a time with a time zone")
