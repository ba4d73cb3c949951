"""What the judging page's script sends: read with suspicion, refused with a reason."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_POST

from adjudge.campaigns.errors import Refused
from adjudge.campaigns.models import Judge
from adjudge.campaigns.work.answers import Times
from adjudge.web.judging.entrance import JudgeView
from adjudge.web.judging.words import refusal

UNREADABLE = "form"


def action(view: JudgeView) -> JudgeView:
    """A script's request: refusals become answers with a reason."""

    @require_POST
    def wrapped(request: HttpRequest, judge: Judge) -> HttpResponse:
        try:
            return view(request, judge)
        except Refused as refused:
            said = {"code": refused.code, "message": refusal(refused)}
            return JsonResponse(said, status=400 if refused.code == UNREADABLE else 422)

    return wrapped


def body_of(request: HttpRequest) -> dict[str, Any]:
    """The object that was sent."""
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise Refused(UNREADABLE, "the request is no JSON object")
    return body


def answer_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """The answer in it; the protocol looks at what it says."""
    given = body.get("answer")
    if not isinstance(given, dict):
        raise Refused(UNREADABLE, "the request holds no answer")
    return given


def text_of(body: Mapping[str, Any], name: str) -> str:
    """A text in it."""
    value = body.get(name)
    if not isinstance(value, str) or "\0" in value:
        raise Refused(UNREADABLE, f"the request's {name} is no text")
    return value


def times_of(body: Mapping[str, Any]) -> Times:
    """What the browser's clock says."""
    return Times(_seconds(body, "seconds"), _seconds(body, "active_seconds"), _moment(body, "at"))


def _seconds(body: Mapping[str, Any], name: str) -> float | None:
    value = body.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise Refused(UNREADABLE, f"the request's {name} is no number")
    return value


def _moment(body: Mapping[str, Any], name: str) -> datetime | None:
    if body.get(name) is None:
        return None
    try:
        moment = parse_datetime(text_of(body, name))
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise Refused(UNREADABLE, f"the request's {name} is no time with a time zone")
    return moment
