"""Adaptive mode: assign the comparisons that the ranking needs most.

How much a pair of systems is needed is what one more comparison of it is expected to gain
(`adjudge plan`), scaled to a mean of 1; no pair falls below a fifth of the mean, so that an
early mistake is found out. It is worked out again whenever the answers have grown by a tenth.

That is a statistical fit, and no judge waits for it. Who gives out work reads the needs that are
stored with the campaign (`needs_of`). Whoever has time calls `refresh_needs`: the server does so
in the background after an answer. The fit runs outside of any transaction. Of several processes
one does it: the one that has put its time into `needs_claimed`.
"""

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from adjudge.campaigns.models import Answer, Campaign, System
from adjudge.campaigns.protocol_kit.sampling import Pair, ordered
from adjudge.core.errors import AdjudgeError

_FIRST = 50  # answers before there is anything to go by
_GROWTH = 1.1
_FLOOR = 0.2
# A process that has not finished by then was ended in the middle of it.
_LONGEST_FIT = timedelta(minutes=10)


def is_adaptive(campaign: Campaign) -> bool:
    """Test whether the campaign is adaptive."""
    return campaign.design.balance == "adaptive"


def needs_of(campaign: Campaign) -> dict[Pair, float]:
    """Last computed need of each pair of systems; empty if unknown."""
    return {(a, b): need for a, b, need in campaign.needs} if is_adaptive(campaign) else {}


def refresh_needs(key: int) -> bool:
    """Recompute the needs of the campaign if due; return whether this process did."""
    campaign = Campaign.objects.get(pk=key)
    if not is_adaptive(campaign):
        return False
    answers = Answer.objects.filter(assignment__judge__campaign=campaign).count()
    if answers < max(_FIRST, _GROWTH * campaign.needs_at) or not _claim(campaign):
        return False
    update: dict[str, object] = {"needs_claimed": None}
    try:
        update |= {"needs": _work_out(campaign), "needs_at": answers}
    finally:
        Campaign.objects.filter(pk=key).update(**update)
    return True


def _claim(campaign: Campaign) -> bool:
    """Claim the computation for this process by one atomic statement."""
    now = timezone.now()
    nobody = Q(needs_claimed=None) | Q(needs_claimed__lt=now - _LONGEST_FIT)
    unchanged = Campaign.objects.filter(nobody, pk=campaign.pk, needs_at=campaign.needs_at)
    return unchanged.update(needs_claimed=now) == 1


def _work_out(campaign: Campaign) -> list[tuple[int, int, float]]:
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.data.comparisons import compare
    from adjudge.ranking.participants import participants
    from adjudge.simulation.suggest_comparisons import suggestions

    try:
        gains = suggestions(participants(compare(judgements_of(campaign)), reference=False))
    except AdjudgeError:  # too few answers: equal needs for all pairs
        return []
    mean = sum(gain for *_, gain in gains) / len(gains) if gains else 0.0
    if mean <= 0:
        return []
    key = dict(System.objects.filter(campaign=campaign).values_list("name", "pk"))
    return [(*ordered(key[a], key[b]), max(_FLOOR, gain / mean)) for a, b, gain in gains]
