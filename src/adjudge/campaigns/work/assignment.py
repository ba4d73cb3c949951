"""Assignment of the next item to a judge.

Asking is one transaction. What a judge left unfinished comes first. Otherwise, under the
protocol whose turn it is (`batches`), they get a HIT of the kind that is due (`asking`): a control,
a repeat of their own (for intra-annotator agreement), one from the common pool (for
inter-annotator agreement), or one that is theirs alone. The campaign's row is locked while a HIT is
drawn, so no two judges get the same exclusive item: `SELECT … FOR UPDATE` on PostgreSQL, an
immediate transaction on SQLite.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from adjudge.campaigns.errors import NoItem
from adjudge.campaigns.models import Assignment, Campaign, Hit, Item, Judge
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.campaigns.store.queries import lock_campaign, lock_judge
from adjudge.campaigns.work.assign_hit import Drawn, Giving, in_turn
from adjudge.campaigns.work.control_items import Controls, controls_for
from adjudge.campaigns.work.draw_hits import (
    DONE,
    count_shown,
    draw_hit,
    give,
    hit_from_pool,
    repeat_hit,
)
from adjudge.campaigns.work.next_hit import Asking
from adjudge.campaigns.work.screen import SCREEN

_State = Assignment.State


def next_item(judge: Judge, now: datetime | None = None) -> Assignment:
    """Assign the next item of this judge; raise `NoItem` if there is none."""
    return next_items(judge, 1, now)[0]


@transaction.atomic
def next_items(judge: Judge, count: int, now: datetime | None = None) -> list[Assignment]:
    """Assign the current item and, for preloading, up to `count` − 1 further ones."""
    now = now or timezone.now()
    judge = lock_judge(judge)
    _may_work(judge, now)
    items = _open(judge, count)
    giving = None if len(items) == count else _begin(judge, now)
    try:
        while giving and len(items) < count:
            items += _claim(giving)
    except NoItem:
        if not items:
            raise
    _start(items[0], now)
    if giving:
        giving.store()
    return items[:count]


def items_at_hand(judge: Judge, count: int, now: datetime | None = None) -> list[Assignment]:
    """Items in progress of the judge, read without a lock, up to `count`.

    Empty if an item must be assigned first; raises `NoItem` if none will be.
    """
    now = now or timezone.now()
    _may_work(judge, now)
    items = _open(judge, count)
    if items:
        return items if items[0].started else []
    _check_quota(Asking(Giving(judge, judge.campaign, now), Random()))
    return []


def _start(current: Assignment, now: datetime) -> None:
    if current.started is None:
        current.started = now
        if current.pk is not None:  # a new one is not stored yet
            current.save(update_fields=["started"])


def _begin(judge: Judge, now: datetime) -> Giving:
    """Lock the campaign, and take back abandoned items."""
    judge.campaign = campaign = lock_campaign(judge.campaign_id)
    return_abandoned(campaign, now)
    return Giving(judge, campaign, now)


def _may_work(judge: Judge, now: datetime) -> None:
    campaign = judge.campaign
    if campaign.state == Campaign.State.CLOSED or (campaign.ends and now >= campaign.ends):
        raise NoItem("closed", "this campaign is closed; thank you")
    if campaign.opens and now < campaign.opens:
        raise NoItem("early", f"this campaign begins on {campaign.opens:%Y-%m-%d %H:%M} UTC")
    if judge.state == Judge.State.PAUSED:
        raise NoItem("paused", "the organisers have paused your work; ask them when to go on")
    if judge.state == Judge.State.EXCLUDED:
        raise NoItem("excluded", "the organisers have ended your work in this campaign")


def _open(judge: Judge, count: int) -> list[Assignment]:
    opened = judge.assignments.filter(state=_State.OPEN).order_by("pk")
    return list(opened.select_related(*SCREEN)[:count])


def _claim(giving: Giving) -> list[Assignment]:
    """Give the judge one more HIT, or raise the reason for refusal."""
    campaign, judge = giving.campaign, giving.judge
    campaign.drawn += 1
    ask = Asking(giving, Random(f"{campaign.seed}/{campaign.drawn}"))
    hits = ask.hits()
    _check_quota(ask)
    if ask.design.target is not None and _wanted(giving) >= ask.design.target:
        raise NoItem("enough", "this campaign has all the judgements it needs; thank you")
    protocols = in_turn(campaign, judge, hits)
    for protocol in protocols:
        asked = replace(ask, protocol=protocol)
        if PROTOCOLS.named(protocol).follows:
            giving.store()  # whose answers were given out is asked of the database
        drawn = _draw(asked)
        if drawn is not None:
            return give(asked, drawn)
    if any(PROTOCOLS.named(name).follows for name in protocols):
        raise NoItem("waiting", "nothing waits for you now; come back when others have done more")
    raise NoItem("exhausted", "you have judged every part of this test set; thank you")


def _check_quota(ask: Asking) -> None:
    if ask.judge.quota is not None and ask.towards_quota() >= ask.judge.quota:
        raise NoItem("quota", "you have judged all that was asked of you; thank you")


def _wanted(giving: Giving) -> int:
    """Number of answers, including those in progress."""
    given = Assignment.objects.filter(judge__campaign=giving.campaign)
    if giving.campaign.crowd.get("signed") is False:  # who has answered nothing holds no place
        answered = given.filter(judge=OuterRef("pk"), state=_State.ANSWERED)
        claimed = giving.campaign.judges.filter(~Exists(answered), platform__unsigned="yes")
        given = given.exclude(judge__in=claimed, state=_State.OPEN)
    there = given.filter(state__in=(_State.OPEN, _State.ANSWERED)).count()
    return int(there) + giving.open_items


def _draw(ask: Asking) -> Drawn | None:
    """Draw a HIT of the kind that is due, or of another kind if there is none."""
    design, controls = ask.design, controls_for(ask)
    if ask.is_due("control", controls.share, ask.hits_so_far()):
        drawn = _control(ask, controls)
        if drawn is not None:
            return drawn
    rest = 1 - controls.share
    repeats = min(1.0, design.repeats / rest) if rest > 0 else 0.0
    if repeats > 0 and ask.repeat_is_due(repeats):
        drawn = _repeat(ask)
        if drawn is not None:
            return drawn
    # Controls are of the common pool, too.
    common = max(0.0, design.common - controls.share)
    exclusive = 1 - design.repeats - design.common
    wanted = ((_common, design.common), (_exclusive, exclusive))
    kinds = [kind for kind, share in wanted if share > 0]
    share = common / (common + exclusive) if common + exclusive > 0 else 0.0
    if not ask.is_due("common", share, ask.ordinary_hits()):
        kinds.reverse()
    for kind in kinds:
        drawn = kind(ask)
        if drawn is not None:
            return drawn
    return _repeat(ask) if ask.repeats_are_owed() else None


def _pool(ask: Asking, kind: Hit.Kind) -> QuerySet[Hit]:
    return ask.campaign.hits.filter(kind=kind, protocol=ask.protocol, retired=False)


def _exclusive(ask: Asking) -> Drawn | None:
    """Draw an exclusive HIT: one returned to the pool with work left, or a new one."""
    pool = _pool(ask, Hit.Kind.EXCLUSIVE).filter(holder=None)
    if pool.exists():
        judged = Assignment.objects.filter(item=OuterRef("pk"), state__in=DONE)
        left = Exists(Item.objects.filter(~Exists(judged), hit=OuterRef("pk")))
        free = _new_to(ask, pool.filter(left)).order_by("pk")
        for hit in free.select_for_update(skip_locked=True, of=("self",)):
            if not _shows_own(ask, hit):
                return hit_from_pool(hit)
    return draw_hit(ask, Hit.Kind.EXCLUSIVE)


def _common(ask: Asking) -> Drawn | None:
    """Draw a HIT of the common pool with free places; the pool grows when needed."""
    pool = _pool(ask, Hit.Kind.COMMON).filter(given__lt=ask.design.common_judges)
    hits = list(_new_to(ask, pool).order_by("pk").values_list("pk", flat=True))
    ask.rng.shuffle(hits)
    fit = _first_without_own(ask, hits)
    return hit_from_pool(fit) if fit else draw_hit(ask, Hit.Kind.COMMON)


def _first_without_own(ask: Asking, keys: Iterable[int]) -> Hit | None:
    """First of these HITs without the judge's own systems."""
    hits = (Hit.objects.get(pk=key) for key in keys)
    return next((hit for hit in hits if not _shows_own(ask, hit)), None)


def _new_to(ask: Asking, hits: QuerySet[Hit]) -> QuerySet[Hit]:
    """HITs on segments new to this judge; for reviews, on answers they neither gave nor met."""
    if not PROTOCOLS.named(ask.protocol).follows:
        return hits.exclude(run__in=ask.seen)
    given = Hit.objects.filter(items__about__assignment__judge=ask.judge)
    met = Hit.objects.filter(assignments__judge=ask.judge)
    return hits.exclude(pk__in=given.values("pk")).exclude(pk__in=met.values("pk"))


def _shows_own(ask: Asking, hit: Hit) -> bool:
    return bool(ask.own) and hit.items.filter(outputs__systems__in=ask.own).exists()


def _repeat(ask: Asking) -> Drawn | None:
    hits = ask.repeatable()
    return repeat_hit(Hit.objects.get(pk=ask.rng.choice(hits))) if hits else None


def _control(ask: Asking, controls: Controls) -> Drawn | None:
    """Draw a HIT of the common pool with controls, however many judges it went to before.

    Few documents have controls, so a judge would meet these again and again. To hide this, the
    document of the HIT is one that the judge has met about as often as those of other work, drawn
    at random.
    """
    pool = _new_to(ask, _pool(ask, Hit.Kind.COMMON).filter(pk__in=controls.hits))
    hits = list(pool.order_by("pk").values_list("pk", "run"))
    ask.rng.shuffle(hits)
    met, document = ask.documents_met(), ask.giving.documents
    other_work = [run for run in ask.giving.runs if run not in ask.seen]
    usual = met[document[ask.rng.choice(other_work)]] if other_work else 0
    hits.sort(key=lambda hit: abs(met[document[hit[1]]] - usual))
    fit = _first_without_own(ask, (hit for hit, _ in hits))
    return replace(hit_from_pool(fit), control=True) if fit else None


def return_abandoned(campaign: Campaign, now: datetime) -> int:
    """Take back items left open for too long; return their number."""
    limit = now - timedelta(hours=campaign.design.abandoned_hours)
    at_work = Assignment.objects.filter(judge=OuterRef("judge"), finished__gte=limit)
    stale = Assignment.objects.filter(~Exists(at_work), state=_State.OPEN, assigned__lt=limit)
    stale = stale.filter(judge__campaign=campaign).select_related("item")
    return take_back(campaign, list(stale.select_for_update(skip_locked=True, of=("self",))), now)


def take_back(campaign: Campaign, assignments: list[Assignment], now: datetime) -> int:
    """Return open assignments to the pool of a locked campaign; late answers are still accepted."""
    if not assignments:
        return 0
    keys = [assignment.pk for assignment in assignments]
    Assignment.objects.filter(pk__in=keys).update(state=_State.RETURNED, returned=now)
    Hit.objects.filter(assignments__in=keys, kind=Hit.Kind.EXCLUSIVE).update(holder=None)
    count_shown(campaign, [assignment.item for assignment in assignments], -1)
    return len(keys)
