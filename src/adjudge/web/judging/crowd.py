"""Entry of crowd workers from their platform.

Amazon Mechanical Turk shows the page in a frame (`ExternalQuestion`) with assignmentId,
hitId, workerId and turkSubmitTo; before a worker accepts, the assignment is
ASSIGNMENT_ID_NOT_AVAILABLE. Prolific sends the worker to the page with PROLIFIC_PID, STUDY_ID
and SESSION_ID.

Entry is signed, unless the organiser asked for unsigned entry (`people.crowd`): by Prolific, or by
us, worker by worker (`signature`), where the platform signs nothing. Unsigned, a worker goes on
only in the browser that shows a session or, in a frame, a pass of theirs.
"""

import logging
from dataclasses import asdict

from django.conf import settings
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from adjudge.campaigns.errors import NoItem
from adjudge.campaigns.models import Campaign
from adjudge.campaigns.people.crowd import (
    Crowd,
    check_signature,
    crowd_campaign,
    crowd_of,
    start_task,
)
from adjudge.campaigns.setup.example import example_screens
from adjudge.campaigns.store.busy import is_busy
from adjudge.core.errors import AdjudgeError
from adjudge.web.judging.completion import mturk_submit_url
from adjudge.web.judging.entrance import (
    PASS,
    PASS_HEADER,
    judges_in,
    judges_in_frame,
    keep_pass,
    pass_of,
    sign_in,
)
from adjudge.web.judging.prolific_tokens import TOKEN, check_signed
from adjudge.web.judging.state import page_state
from adjudge.web.judging.views import ACTIONS, campaign_context, judging_page, welcome_page
from adjudge.web.judging.words import why_it_ended
from adjudge.web.middleware import policy
from adjudge.web.pages import busy, notice

NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE"
MTURK_FRAMES = "https://*.mturk.com"


@require_GET
def enter(request: HttpRequest, key: str) -> HttpResponse:
    """Entry of a worker from the campaign's platform."""
    campaign = crowd_campaign(key)
    crowd = crowd_of(campaign) if campaign else None
    if campaign is None or crowd is None:
        raise Http404
    try:
        if crowd.platform == "mturk":
            response = _from_mturk(request, campaign, crowd)
        else:
            response = _from_prolific(request, campaign, crowd)
    except AdjudgeError as refused:
        logging.getLogger("adjudge.crowd").warning("a worker was refused: %s", refused)
        said = _("What the platform has to tell us is missing. Go back and open the task there.")
        response = notice(request, _("Please start on the platform"), said, status=400)
    except OperationalError as error:
        if not is_busy(error):
            raise
        response = busy(request)
    if crowd.platform == "mturk":
        _allow_frame(response)
    response.headers["Cache-Control"] = "no-store"
    return response


def _allow_frame(response: HttpResponse) -> None:
    response.xframe_options_exempt = True
    response.headers["Content-Security-Policy"] = policy(
        frame_ancestors=MTURK_FRAMES, form_action=" ".join(["'self'", *settings.MTURK_ORIGINS])
    )


def _from_prolific(request: HttpRequest, campaign: Campaign, crowd: Crowd) -> HttpResponse:
    asked = request.GET
    worker, task = asked.get("PROLIFIC_PID", ""), asked.get("SESSION_ID", "")
    if crowd.signed:
        check_signed(asked.get(TOKEN, ""), request.get_host(), worker, task)
    here = judges_in(request)
    judge = start_task(campaign, worker, task, here=here, study=asked.get("STUDY_ID", ""))
    return redirect("welcome", sign_in(request, judge))


def _from_mturk(request: HttpRequest, campaign: Campaign, crowd: Crowd) -> HttpResponse:
    asked = request.GET
    task = asked.get("assignmentId", NOT_ACCEPTED)
    if task == NOT_ACCEPTED:
        said = _("This is an example. Accept the task to begin; nothing is saved before.")
        return preview(request, campaign, said)
    mturk_submit_url(request)  # refused before any work is done
    worker = asked.get("workerId", "")
    if crowd.signed:
        check_signature(crowd, worker, asked.get("signature", ""))
    here = judges_in_frame(request)
    judge = start_task(campaign, worker, task, here=here, hit=asked.get("hitId", ""))
    if "start" not in asked and not judge.assignments.exists():
        start = request.GET.copy()
        start["start"] = "1"
        if not crowd.signed:
            start[PASS] = pass_of(judge)
        response = welcome_page(request, judge, f"{request.path}?{start.urlencode()}")
    else:
        urls = {name: reverse(f"task-{name}") for name in ACTIONS}
        response = judging_page(request, judge, urls, {PASS_HEADER: pass_of(judge)})
    if not crowd.signed:
        keep_pass(request, response, judge)
    return response


def preview(request: HttpRequest, campaign: Campaign, said: str) -> HttpResponse:
    """Preview for judges: an example that accepts no answer, with a line that says so."""
    try:
        items, end = [asdict(screen) for screen in example_screens(campaign)], None
    except NoItem as reason:
        items, end = [], reason.code
    work = {"items": items, "end": end, "progress": None}
    context = {
        **campaign_context(campaign),
        "state": page_state(work, "example", {}, {}),
        "ended": why_it_ended(end),
        "preview": said,
    }
    return render(request, "web/judging/work.html", context)
