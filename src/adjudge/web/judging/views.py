"""Views of judges: entry, instructions, item after item."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from adjudge.campaigns.errors import Refused
from adjudge.campaigns.models import Campaign, Judge
from adjudge.campaigns.people.invitation import judge_of
from adjudge.campaigns.people.people import person_of
from adjudge.campaigns.people.remarks import LONGEST_REMARK, remark
from adjudge.campaigns.store.busy import is_busy
from adjudge.campaigns.work.answers import Receipt, last_answered, skip, submit
from adjudge.campaigns.work.practice import owes_practice, practice_screens
from adjudge.campaigns.work.screen import screen_of
from adjudge.web.background import refresh_needs_later
from adjudge.web.judging.account import sign_in_person
from adjudge.web.judging.completion import hand_back, too_fast_for_it
from adjudge.web.judging.entrance import (
    PASS_HEADER,
    JudgeView,
    not_signed_in,
    sign_in,
    sign_out,
)
from adjudge.web.judging.requests import (
    action,
    answer_of,
    answering,
    body_of,
    keys_of,
    text_of,
    times_of,
)
from adjudge.web.judging.screens import template_of
from adjudge.web.judging.state import Upcoming, page_state, upcoming, work_of
from adjudge.web.judging.tutorial import address, practice, practice_work, practises
from adjudge.web.judging.words import refusal, too_fast_in_words, why_it_ended
from adjudge.web.markdown import rendered
from adjudge.web.pages import notice


@require_GET
def enter(request: HttpRequest, token: str) -> HttpResponse:
    """Entry by a personal link of a judge, or of a person who judges in several campaigns."""
    judge = judge_of(token)
    person = person_of(token) if judge is None else None
    if person is not None:
        return sign_in_person(request, person)
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
    """First page: instructions of the campaign."""
    start, write = (reverse(name, args=[judge.key]) for name in ("work", "message"))
    return welcome_page(request, judge, start, write)


def welcome_page(
    request: HttpRequest, judge: Judge, start: str, write: str | None = None
) -> HttpResponse:
    """Instructions, with a button to `start`, and a form to write to the organisers."""
    context = {
        **campaign_context(judge.campaign, judge),
        "start": start,
        "write": write,
        "practice": len(practice_screens(judge)) if owes_practice(judge) else 0,
    }
    return render(request, "web/judging/welcome.html", context)


def campaign_context(campaign: Campaign, judge: Judge | None = None) -> dict[str, Any]:
    """Template context of a campaign: instructions, and a template for each of its protocols."""
    asked = judge.protocols if judge and judge.protocols else campaign.protocols
    return {
        "campaign": campaign,
        "instructions": rendered(campaign.instructions),
        "screens": [template_of(protocol) for protocol in asked],
    }


@require_GET
def work(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Judging screen of a signed-in judge."""
    key = judge.key
    urls = {name: reverse(f"work-{name}", args=[key]) for name in ACTIONS}
    return judging_page(request, judge, urls, {"X-CSRFToken": get_token(request)})


@require_POST
def leave(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Sign out; unsent answers stay in the browser."""
    sign_out(request, judge)
    return not_signed_in(request, status=200)


def judging_page(
    request: HttpRequest, judge: Judge, urls: Mapping[str, str], headers: Mapping[str, str]
) -> HttpResponse:
    """Judging screen with work or practice, or the end of the work."""
    practising = practises(request, judge)
    work = practice_work(request, judge) if practising else work_of(judge)
    state = page_state(work, judge.key, urls, headers)
    context = {
        **campaign_context(judge.campaign, judge),
        "state": state,
        "sign_out": reverse("leave", args=[judge.key]) if "X-CSRFToken" in headers else None,
        "has_page": PASS_HEADER not in headers,  # a task in a frame has no session
        "practise_again": address(request, again=True) if practice_screens(judge) else None,
        "ended": why_it_ended(state["end"]),
        "hand_back": state["end"] and hand_back(request, judge, state["progress"]["done"]),
        "too_fast": state["end"] and too_fast_in_words(too_fast_for_it(judge)),
    }
    return render(request, "web/judging/work.html", context)


@answering
def answer(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Store an answer; it is committed when this returns."""
    body = body_of(request)
    item, key = text_of(body, "assignment"), text_of(body, "key")
    given, times = answer_of(body), times_of(body)
    return _saved(judge, body, lambda: submit(judge, item, key, given, times))


@answering
def skip_item(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Store a skip."""
    body = body_of(request)
    item, key = text_of(body, "assignment"), text_of(body, "key")
    reason, times = text_of(body, "reason"), times_of(body)
    return _saved(judge, body, lambda: skip(judge, item, key, reason, times))


@action
def undo(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Return the last answered item, or the one before a given item, for revision."""
    body = body_of(request)
    last = last_answered(judge, text_of(body, "before") if "before" in body else None)
    if last is None:
        raise Refused("undo", "there is no answer to go back to yet")
    return JsonResponse({"item": asdict(screen_of(last))})


@require_http_methods(["GET", "POST"])
def message(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Send a message to the organisers from pages without the judging script."""
    context: dict[str, Any] = {"campaign": judge.campaign, "longest": LONGEST_REMARK}
    if request.method == "POST":
        try:
            remark(judge, secrets.token_hex(16), request.POST.get("text", ""))
        except Refused as refused:
            context["error"] = refusal(refused)
        else:
            context["sent"] = True
    status = 400 if "error" in context else 200
    return render(request, "web/judging/message.html", context, status=status)


@action
def write(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Store a comment on an item, or a message to the organisers."""
    body = body_of(request)
    about = None if body.get("about") is None else text_of(body, "about")
    remark(judge, text_of(body, "key"), text_of(body, "text"), about)
    return JsonResponse({})


ACTIONS: Mapping[str, JudgeView] = {
    "answer": answer,
    "skip": skip_item,
    "undo": undo,
    "practice": practice,
    "remark": write,
}


def _saved(judge: Judge, body: Mapping[str, Any], store: Callable[[], Receipt]) -> HttpResponse:
    known = keys_of(body, "known")
    receipt, coming = _stored(judge, store)
    response = JsonResponse({"revision": receipt.revision, **work_of(judge, known, coming)})
    refresh_needs_later(judge.campaign)
    return response


def _stored(judge: Judge, store: Callable[[], Receipt]) -> tuple[Receipt, Upcoming]:
    """Store an answer and assign the next items in one transaction, since commits are slow.

    If the assignment fails, the answer is stored separately.
    """
    try:
        with transaction.atomic():
            return store(), upcoming(judge)
    except Refused:
        raise
    except Exception as error:
        if not is_busy(error):
            store()
        raise
