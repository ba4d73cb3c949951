"""The judge's way: a link, instructions, item after item."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from adjudge.campaigns.errors import Refused
from adjudge.campaigns.models import Campaign, Judge
from adjudge.campaigns.people.invitation import judge_of
from adjudge.campaigns.work.answers import Receipt, last_answered, skip, submit
from adjudge.campaigns.work.practice import owes_practice, practice_screens
from adjudge.campaigns.work.screen import screen_of
from adjudge.web.background import refresh_needs_later
from adjudge.web.judging.entrance import JudgeView, not_signed_in, sign_in, sign_out
from adjudge.web.judging.hand_back import hand_back
from adjudge.web.judging.requests import action, answer_of, answering, body_of, text_of, times_of
from adjudge.web.judging.screens import template_of
from adjudge.web.judging.state import page_state, work_of
from adjudge.web.judging.tutorial import address, practice, practice_work, practises
from adjudge.web.judging.words import why_it_ended
from adjudge.web.markdown import rendered
from adjudge.web.pages import notice


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
    return welcome_page(request, judge, reverse("work", args=[judge.key]))


def welcome_page(request: HttpRequest, judge: Judge, start: str) -> HttpResponse:
    """Instructions, and a button that leads to `start`."""
    context = {
        **campaign_context(judge.campaign, judge),
        "start": start,
        "practice": len(practice_screens(judge)) if owes_practice(judge) else 0,
    }
    return render(request, "web/judging/welcome.html", context)


def campaign_context(campaign: Campaign, judge: Judge | None = None) -> dict[str, Any]:
    """What pages say of a campaign: instructions, and a template for each protocol one meets."""
    asked = judge.protocols if judge and judge.protocols else campaign.protocols
    return {
        "campaign": campaign,
        "instructions": rendered(campaign.instructions),
        "screens": [template_of(protocol) for protocol in asked],
    }


@require_GET
def work(request: HttpRequest, judge: Judge) -> HttpResponse:
    """The judging screen of somebody who is signed in."""
    key = judge.key
    urls = {name: reverse(f"work-{name}", args=[key]) for name in ACTIONS}
    return judging_page(request, judge, urls, {"X-CSRFToken": get_token(request)})


@require_POST
def leave(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Sign out; what the browser could not send stays in it."""
    sign_out(request, judge)
    return not_signed_in(request, status=200)


def judging_page(
    request: HttpRequest, judge: Judge, urls: Mapping[str, str], headers: Mapping[str, str]
) -> HttpResponse:
    """The judging screen, with work or practice, or the end of the work."""
    practising = practises(request, judge)
    work = practice_work(request, judge) if practising else work_of(judge)
    state = page_state(work, judge.key, urls, headers)
    context = {
        **campaign_context(judge.campaign, judge),
        "state": state,
        "sign_out": reverse("leave", args=[judge.key]) if "X-CSRFToken" in headers else None,
        "practise_again": address(request, again=True) if practice_screens(judge) else None,
        "ended": why_it_ended(state["end"]),
        "hand_back": state["end"] and hand_back(request, judge, state["progress"]["done"]),
    }
    return render(request, "web/judging/work.html", context)


@answering
def answer(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Store an answer; it is committed when this returns."""
    body = body_of(request)
    item, key = text_of(body, "assignment"), text_of(body, "key")
    return _saved(judge, submit(judge, item, key, answer_of(body), times_of(body)))


@answering
def skip_item(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Store that the judge would rather not say."""
    body = body_of(request)
    key, reason = text_of(body, "key"), text_of(body, "reason")
    return _saved(judge, skip(judge, text_of(body, "assignment"), key, reason, times_of(body)))


@action
def undo(request: HttpRequest, judge: Judge) -> HttpResponse:
    """The item answered last, to be answered anew."""
    last = last_answered(judge)
    if last is None:
        raise Refused("undo", "there is no answer to go back to yet")
    return JsonResponse({"item": asdict(screen_of(last))})


ACTIONS: Mapping[str, JudgeView] = {
    "answer": answer,
    "skip": skip_item,
    "undo": undo,
    "practice": practice,
}


def _saved(judge: Judge, receipt: Receipt) -> HttpResponse:
    response = JsonResponse({"revision": receipt.revision, **work_of(judge)})
    refresh_needs_later(judge.campaign)
    return response
