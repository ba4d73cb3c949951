"""Practice on the judging page, before the work or on request.

A signed token carries the judge's progress, so that no item can be skipped, a reload resumes at the
same place, and a repeated answer gets the same reply.
"""

from dataclasses import asdict
from typing import Any

from django.core import signing
from django.http import HttpRequest, HttpResponse, JsonResponse

from adjudge.campaigns.errors import Refused
from adjudge.campaigns.models import Judge
from adjudge.campaigns.work.practice import owes_practice, practice_screens, practise
from adjudge.web.judging.requests import UNREADABLE, action, answer_of, body_of, text_of
from adjudge.web.markdown import rendered

AGAIN = "practice"  # in an address: practise once more
_SALT = "adjudge.practice"


def practises(request: HttpRequest, judge: Judge) -> bool:
    """Test whether this page is for practice."""
    return owes_practice(judge) or (AGAIN in request.GET and bool(practice_screens(judge)))


def practice_work(request: HttpRequest, judge: Judge) -> dict[str, Any]:
    """Practice items for the page's script, and the address after the last one."""
    return {
        "items": [asdict(screen) for screen in practice_screens(judge)],
        "end": None,
        "progress": None,
        "practice": {"practised": _signed(judge, 0), "next": address(request, again=False)},
    }


def address(request: HttpRequest, again: bool) -> str:
    """Address of this page, for work or for repeated practice."""
    query = request.GET.copy()
    query.pop(AGAIN, None)
    if again:
        query[AGAIN] = "1"
    return f"{request.path}?{query.urlencode()}" if query else request.path


@action
def practice(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Compare an answer to the next practice item with ours."""
    body = body_of(request)
    done = _done(judge, text_of(body, "practised"))
    verdict = practise(judge, done, answer_of(body))
    reply = {
        "agrees": verdict.agrees,
        "ours": verdict.ours,
        "feedback": rendered(verdict.feedback, below=2),
        "practised": _signed(judge, done + 1),
    }
    return JsonResponse(reply)


def _signed(judge: Judge, done: int) -> str:
    return signing.dumps([judge.pk, done], salt=_SALT)


def _done(judge: Judge, practised: str) -> int:
    """Number of practice items completed."""
    try:
        who, done = signing.loads(practised, salt=_SALT)
    except signing.BadSignature:
        who, done = None, 0
    if who != judge.pk:
        raise Refused(UNREADABLE, "the page does not know how far you are; reload it")
    return int(done)
