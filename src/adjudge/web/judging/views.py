"""The judge's way: a link, instructions, item after item."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from adjudge.campaigns.answers import Receipt, Times, last_answered, skip, submit
from adjudge.campaigns.errors import Refused
from adjudge.campaigns.invitation import judge_of
from adjudge.campaigns.models import Campaign, Judge
from adjudge.campaigns.screen import screen_of
from adjudge.web.judging.entrance import JudgeView, key_of, sign_in
from adjudge.web.judging.hand_back import hand_back
from adjudge.web.judging.state import page_state, work_of
from adjudge.web.judging.words import refusal, why_it_ended
from adjudge.web.markdown import rendered
from adjudge.web.pages import notice

UNREADABLE = "form"


@require_GET
def enter(request: HttpRequest, token: str) -> HttpResponse:
    """A personal link."""
    judge = judge_of(token)
    if judge is None:
        return notice(
            request,
            _("This link does not work"),
            _("It was replaced or ended, or it is incomplete. Ask the organisers for a new one."),
            status=404,
        )
    key = sign_in(request, judge)
    return redirect("work" if last_answered(judge) else "welcome", key)


@require_GET
def welcome(request: HttpRequest, judge: Judge) -> HttpResponse:
    """The first page: what this is about."""
    return welcome_page(request, judge, reverse("work", args=[key_of(judge)]))


def welcome_page(request: HttpRequest, judge: Judge, start: str) -> HttpResponse:
    """Instructions, and a button that leads to `start`."""
    context = {**campaign_context(judge.campaign, judge), "start": start}
    return render(request, "web/judging/welcome.html", context)


def campaign_context(campaign: Campaign, judge: Judge | None = None) -> dict[str, Any]:
    """What pages say of a campaign: instructions, and a template for each protocol one meets."""
    asked = judge.protocols if judge and judge.protocols else campaign.protocols
    return {
        "campaign": campaign,
        "instructions": rendered(campaign.instructions),
        "screens": [f"web/judging/screens/{protocol}.html" for protocol in asked],
    }


@require_GET
def work(request: HttpRequest, judge: Judge) -> HttpResponse:
    """The judging screen of somebody who is signed in."""
    key = key_of(judge)
    urls = {name: reverse(f"work-{name}", args=[key]) for name in ACTIONS}
    return judging_page(request, judge, urls, {"X-CSRFToken": get_token(request)})


def judging_page(
    request: HttpRequest, judge: Judge, urls: Mapping[str, str], headers: Mapping[str, str]
) -> HttpResponse:
    """The judging screen, or the end of the work."""
    state = page_state(work_of(judge), key_of(judge), urls, headers)
    context = {
        **campaign_context(judge.campaign, judge),
        "state": state,
        "ended": why_it_ended(state["end"]),
        "hand_back": state["end"] and hand_back(request, judge, state["progress"]["done"]),
    }
    return render(request, "web/judging/work.html", context)


def _action(view: JudgeView) -> JudgeView:
    """A script's request: refusals become answers with a reason."""

    @require_POST
    def wrapped(request: HttpRequest, judge: Judge) -> HttpResponse:
        try:
            return view(request, judge)
        except Refused as refused:
            said = {"code": refused.code, "message": refusal(refused)}
            return JsonResponse(said, status=400 if refused.code == UNREADABLE else 422)

    return wrapped


@_action
def answer(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Store an answer; it is committed when this returns."""
    body = _body(request)
    given = body.get("answer")
    if not isinstance(given, dict):
        raise Refused(UNREADABLE, "the request holds no answer")
    receipt = submit(judge, _text(body, "assignment"), _text(body, "key"), given, _times(body))
    return _saved(judge, receipt)


@_action
def skip_item(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Store that the judge would rather not say."""
    body = _body(request)
    key, reason = _text(body, "key"), _text(body, "reason")
    return _saved(judge, skip(judge, _text(body, "assignment"), key, reason, _times(body)))


@_action
def undo(request: HttpRequest, judge: Judge) -> HttpResponse:
    """The item answered last, to be answered anew."""
    last = last_answered(judge)
    if last is None:
        raise Refused("undo", "there is no answer to go back to yet")
    return JsonResponse({"item": asdict(screen_of(last))})


ACTIONS: Mapping[str, JudgeView] = {"answer": answer, "skip": skip_item, "undo": undo}


def _saved(judge: Judge, receipt: Receipt) -> HttpResponse:
    return JsonResponse({"revision": receipt.revision, **work_of(judge)})


def _body(request: HttpRequest) -> dict[str, Any]:
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise Refused(UNREADABLE, "the request is no JSON object")
    return body


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or "\0" in value:
        raise Refused(UNREADABLE, f"the request's {name} is no text")
    return value


def _times(body: Mapping[str, Any]) -> Times:
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
        moment = parse_datetime(_text(body, name))
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise Refused(UNREADABLE, f"the request's {name} is no time with a time zone")
    return moment
