"""Submission of answers: each is stored once, in one transaction, and never deleted.

Refused requests are logged for the organisers.

The browser does not send it again, so nothing else would tell them. The request is kept as it
came, as letters that every database takes, and only so much and so many of a judge.

Answers faster than anyone reads are flagged, never refused; crowd work of them is not paid.

The floor is the length of what has to be read (`Protocol.reads`) at the design's
`fastest_reading`, 250 characters a second. People read English silently at 238 words a minute
(Brysbaert 2019, a meta-analysis of 190 studies), about 24 characters a second with the spaces: the
floor is a tenth of what an ordinary reader needs, so that nobody who skims is under it.

Taking answers: each one transaction, each stored once, none ever deleted.

An answer comes with a key that its browser made up. The same key again (a double click, a
retry after a lost reply) returns what was stored the first time. A new key for an item that
was answered before is a revision, and the later one counts. Only what was given to this judge
is accepted, whatever has happened since: late answers to abandoned items, and answers of
judges who were paused, are kept.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Min
from django.utils import timezone

from adjudge.campaigns.errors import Refused
from adjudge.campaigns.models import Answer, Assignment, Campaign, Judge
from adjudge.campaigns.protocol_kit.protocol import Screen
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.campaigns.store.audit import record
from adjudge.campaigns.store.queries import lock_campaign, lock_judge
from adjudge.campaigns.work.control_items import check_controls
from adjudge.campaigns.work.draw_hits import count_shown
from adjudge.campaigns.work.screen import SCREEN, candidate_keys, screen_of

WHAT = "sent an answer that was refused"
MOST = 100  # of a judge
_LONGEST = 4000  # characters of a request


def keep_refused(judge: Judge, refused: Refused, body: bytes) -> None:
    """Log a refused request for the judge's campaign."""
    who = f"judge {judge.name}"[:200]
    if judge.campaign.audit.filter(who=who, what=WHAT).count() < MOST:
        request = body[:_LONGEST].decode("ascii", "backslashreplace").replace("\0", "\\0")
        details = {"reason": str(refused), "request": request}
        record(judge.campaign, who, WHAT, details)


def is_too_fast(
    campaign: Campaign, read: Iterable[str], answer: Answer, server: float | None
) -> bool:
    """Test for too short a reading time by the stricter clock, since the browser's can be set;
    `server`: seconds by the server's clock.
    """
    clocks = (answer.active_seconds, answer.browser_seconds, server)
    times = [seconds for seconds in clocks if seconds is not None]
    if not times or answer.skipped:
        return False
    return sum(map(len, read)) / campaign.design.fastest_reading > min(times)


SHORTEST_KEY, LONGEST_KEY = 8, 64
LONGEST_REASON = 500


@dataclass(frozen=True)
class Times:
    """Times measured by the browser."""

    seconds: float | None = None  # since the item was shown
    active: float | None = None  # without pauses
    at: datetime | None = None  # when it was given; earlier than received after a lost network


@dataclass(frozen=True)
class Receipt:
    """Confirmation that the database has the answer."""

    revision: int
    received: datetime
    again: bool  # it was stored before, under the same key


def submit(
    judge: Judge,
    assignment: str,
    key: str,
    answer: Mapping[str, Any],
    times: Times | None = None,
    now: datetime | None = None,
) -> Receipt:
    """Store an answer to the assignment of that key.

    `answer` is the protocol's payload with `candidates`: the keys of the candidates in display
    order, by which an outdated page is detected.
    """

    def check(given: Assignment, screen: Screen) -> dict[str, Any]:
        rest = dict(answer)
        _check_candidates(given, rest.pop("candidates", None))
        return PROTOCOLS.named(screen.protocol).checked(rest, screen)

    return _store(judge, assignment, key, check, "", times or Times(), now)


def skip(
    judge: Judge,
    assignment: str,
    key: str,
    reason: str,
    times: Times | None = None,
    now: datetime | None = None,
) -> Receipt:
    """Store a skip with its reason."""
    reason = " ".join(reason.split())
    if not reason:
        raise Refused("reason", "say why you skip this one")
    if len(reason) > LONGEST_REASON:
        raise Refused("reason", f"say why in at most {LONGEST_REASON} characters")
    return _store(judge, assignment, key, lambda *_: {}, reason, times or Times(), now)


def last_answered(judge: Judge, before: str | None = None) -> Assignment | None:
    """Item to return to when the judge wants to undo; a new answer to it is a revision.

    `before`: the item answered right before the one of this key. The order is that of first
    storage, since clocks may be set back.
    """
    done = judge.assignments.annotate(first=Min("answers")).filter(first__isnull=False)
    if before is not None:
        later = done.filter(key=before).values_list("first", flat=True).first()
        if later is None:
            raise Refused("item", "this item was not given to you; reload the page")
        done = done.filter(first__lt=later)
    return done.order_by("-first").select_related(*SCREEN).first()


def _check_candidates(assignment: Assignment, sent: object) -> None:
    keys = candidate_keys(assignment)
    if not isinstance(sent, list):
        raise Refused("candidate", "the answer does not say which translations; reload the page")
    if sent == keys:
        return
    if set(map(str, sent)) == set(keys) and len(sent) == len(keys):
        raise Refused("order", "the translations were shown in another order; reload the page")
    raise Refused("candidate", "these are not the translations you were shown; reload the page")


@transaction.atomic
def _store(
    judge: Judge,
    assignment: str,
    key: str,
    check: Callable[[Assignment, Screen], dict[str, Any]],
    skipped: str,
    times: Times,
    now: datetime | None,
) -> Receipt:
    now = now or timezone.now()
    if not isinstance(key, str) or not SHORTEST_KEY <= len(key) <= LONGEST_KEY:
        raise Refused("key", f"an answer needs a key of {SHORTEST_KEY} to {LONGEST_KEY} characters")
    lock_judge(judge)
    earlier = Answer.objects.filter(key=key).select_related("assignment").first()
    if earlier is not None:
        return _again(earlier, judge, assignment)
    given = judge.assignments.filter(key=assignment).select_related(*SCREEN).first()
    if given is None:
        raise Refused("item", "this item was not given to you; reload the page")
    screen = screen_of(given)
    payload = check(given, screen)
    _check_times(times)
    answer = Answer(
        assignment=given,
        revision=1 if given.finished is None else given.answers.count() + 1,
        key=key,
        payload=payload,
        skipped=skipped,
        received=now,
        seconds=_server_seconds(judge, given, times, now),
        browser_seconds=times.seconds,
        active_seconds=times.active,
        browser_time=times.at,
    )
    protocol = PROTOCOLS.named(screen.protocol)
    answer.too_fast = _is_too_fast(judge, given, answer, protocol.reads(screen))
    answer.says = "" if skipped else protocol.saying(payload, screen)
    answer.save(force_insert=True)
    _finish(given, answer, now)
    check_controls(judge, given)
    return Receipt(answer.revision, now, again=False)


def _again(earlier: Answer, judge: Judge, assignment: str) -> Receipt:
    if earlier.assignment.judge_id != judge.pk or earlier.assignment.key != assignment:
        raise Refused("key", "this key belongs to another answer; send a new one")
    return Receipt(earlier.revision, earlier.received, again=True)


def _check_times(times: Times) -> None:
    for seconds in (times.seconds, times.active):
        if seconds is not None and not 0 <= seconds < 10**9:
            raise Refused("time", "the time on this item is not a number of seconds")
    if times.at is not None and times.at.tzinfo is None:
        raise Refused("time", "the time of the answer names no time zone")


def _is_too_fast(judge: Judge, given: Assignment, answer: Answer, read: Sequence[str]) -> bool:
    """Test for too short a reading time, allowing for items read before."""
    if given.answers.filter(too_fast=False, skipped="").exists():
        return False
    server = answer.seconds
    if given.finished:
        before = _before(judge, given, answer.received)
        since = [moment for moment in (before, given.started) if moment is not None]
        server = (answer.received - max(since)).total_seconds() if since else None
    return is_too_fast(judge.campaign, read, answer, server)


def _before(judge: Judge, given: Assignment, now: datetime) -> datetime | None:
    """Time at which the judge finished their previous answer to another item."""
    others = Answer.objects.filter(assignment__judge=judge, received__lte=now)
    last = others.exclude(assignment=given).order_by("-pk").first()
    return None if last is None else _through_with(last)


def _server_seconds(judge: Judge, given: Assignment, times: Times, now: datetime) -> float | None:
    """Time available by the server's clock, since the judge finished the previous answer.

    Answers queued without a network arrive all at once. The browser's times are accepted as far as
    they fit since the items were assigned.
    """
    before = _before(judge, given, now)
    if given.finished:  # a revision
        begun = [given.started]
    elif times.seconds is None:
        begun = [given.started, before]
    else:
        begun = [given.assigned, before]
    moments = [moment for moment in begun if moment is not None]
    return max(0.0, (now - max(moments)).total_seconds()) if moments else None


def _through_with(last: Answer) -> datetime:
    """Time at which the judge finished an answer, by their own measurement."""
    if last.seconds is None or last.browser_seconds is None:
        return last.received
    waited = max(0.0, last.seconds - last.browser_seconds)
    return last.received - timedelta(seconds=waited)


def _finish(given: Assignment, answer: Answer, now: datetime) -> None:
    if given.state == Assignment.State.RETURNED:
        count_shown(lock_campaign(given.judge.campaign_id), [given.item], 1)
    given.state = Assignment.State.SKIPPED if answer.skipped else Assignment.State.ANSWERED
    given.finished = given.finished or now
    given.save(update_fields=["state", "finished"])
