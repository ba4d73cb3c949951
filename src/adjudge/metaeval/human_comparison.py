"""Comparison of metrics with human rankings: common systems, and agreement on pairs.

Of the pairs that people separate (by their rank ranges), a metric agrees on those that it orders
equally: pairwise accuracy (Kocmi et al. 2021). A metric separates the pairs whose rank ranges do
not overlap.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.core.errors import NotEnoughData
from adjudge.data.judgement_table import is_reference
from adjudge.metrics.metric import Floats
from adjudge.metrics.system_scores import MetricScores
from adjudge.ranking.ranking_result import Ranking
from adjudge.scoring.system_scores import SystemScores
from adjudge.stats.ranks import Ranks
from adjudge.stats.simultaneous import Relation

FEWEST_SYSTEMS = 2


@dataclass(frozen=True)
class Agreed:
    """Numbers of pairs separated by people on which a metric agrees and disagrees."""

    told_apart: int
    agree: int
    contradict: int  # the rest has equal scores
    surely: int  # of those it contradicts, it tells apart the other way round


@dataclass(frozen=True, eq=False)
class Beside:
    """Human and metric scores, systems in the order of the human ranking."""

    pair: str
    systems: tuple[str, ...]
    people: str  # what people's scores are: expected-wins, z, …
    level: float
    scores: Floats
    low: Floats
    high: Floats
    rank_low: Ranks
    rank_high: Ranks
    told_apart: Relation  # [i, j]: system i is better than j by people's rank ranges
    metrics: tuple[MetricScores, ...]
    lacking: tuple[str, ...]  # systems that only one of the two knows

    def places(self, metric: MetricScores) -> list[int]:
        """Ranks of the systems by the metric."""
        place = {name: index for index, name in enumerate(metric.systems)}
        return [place[name] for name in self.systems]

    def agreed(self, metric: MetricScores) -> Agreed:
        """Count agreement of the metric on the pairs that people separate."""
        places = self.places(metric)
        scores = metric.scores[places] * (1 if metric.metric.higher_is_better else -1)
        low, high = metric.rank_low[places], metric.rank_high[places]
        apart = np.argwhere(self.told_apart)
        return Agreed(
            len(apart),
            sum(bool(scores[a] > scores[b]) for a, b in apart),
            sum(bool(scores[a] < scores[b]) for a, b in apart),
            sum(bool(high[b] < low[a]) for a, b in apart),
        )


def beside(people: Ranking | SystemScores, metrics: Sequence[MetricScores]) -> Beside:
    """Compare metrics with the human ranking, or with human scores."""
    known = set(metrics[0].systems)
    kept = [
        place for place, name in enumerate(people.systems) if name in known and people.placed[place]
    ]
    systems = tuple(people.systems[place] for place in kept)
    if len(systems) < FEWEST_SYSTEMS:
        raise NotEnoughData(
            f"people placed {len(systems)} of the systems in the texts "
            f"({', '.join(metrics[0].systems)}); call them the same in both"
        )
    index = np.array(kept)
    apart = known.symmetric_difference(people.systems)
    what = people.method.name if isinstance(people, Ranking) else people.scale
    return Beside(
        people.pair,
        systems,
        what,
        people.resampling.level,
        people.scores[index],
        people.low[index],
        people.high[index],
        people.rank_low[index],
        people.rank_high[index],
        people.told_apart[np.ix_(index, index)],
        tuple(metrics),
        tuple(sorted(name for name in apart if not is_reference(name))),
    )
