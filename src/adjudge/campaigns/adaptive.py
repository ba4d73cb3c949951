"""Adaptive mode: ask for the comparisons that the ranking needs most.

How much a pair of systems is needed is what one more comparison of it is expected to gain
(`adjudge plan`), scaled to a mean of 1; no pair falls below a fifth of the mean, so that an
early mistake is found out. It is worked out again whenever the answers have grown by a tenth.
"""

from adjudge.campaigns.models import Answer, Campaign, System
from adjudge.campaigns.sampling import Pair, ordered

_FIRST = 50  # answers before there is anything to go by
_GROWTH = 1.1
_FLOOR = 0.2


def needs_of(campaign: Campaign) -> dict[Pair, float]:
    """How much each pair of systems is needed; empty while too little is known."""
    answers = Answer.objects.filter(assignment__judge__campaign=campaign).count()
    if answers >= max(_FIRST, _GROWTH * campaign.needs_at):
        campaign.needs = _work_out(campaign)
        campaign.needs_at = answers
        campaign.save(update_fields=["needs", "needs_at"])
    return {(a, b): need for a, b, need in campaign.needs}


def _work_out(campaign: Campaign) -> list[tuple[int, int, float]]:
    from adjudge.campaigns.export import judgements_of
    from adjudge.comparisons import compare, count
    from adjudge.simulation.planning import next_comparisons

    counts = count(compare(judgements_of(campaign))).without_reference()
    gains = list(next_comparisons(counts))
    mean = sum(gain for *_, gain in gains) / len(gains) if gains else 0.0
    if mean <= 0:
        return []
    key = dict(System.objects.filter(campaign=campaign).values_list("name", "pk"))
    return [(*ordered(key[a], key[b]), max(_FLOOR, gain / mean)) for a, b, gain in gains]
