"""Official analyses of score campaigns, as their organisers publish them.

A module of `methods/` takes part by defining `METHOD`. The methods reproduce what was published;
`system_scores` is what Adjudge recommends.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from adjudge.core.registry import Registry
from adjudge.scoring.score_matrix import Values
from adjudge.stats.ranks import Ranks
from adjudge.stats.simultaneous import Relation, simultaneous_ranges


@dataclass(frozen=True, eq=False)
class OfficialRanking:
    """Systems from best to worst by an official analysis."""

    method: str
    systems: tuple[str, ...]
    scores: Values
    p: Values  # [i, j]: of the test between systems i and j
    rank_low: Ranks
    rank_high: Ranks
    cluster: Ranks


@dataclass(frozen=True)
class ScoreMethod:
    """An official analysis of the scores of one language pair on one scale.

    `rank` takes one row for every score that counts, with the columns `system`, `segment` and
    `score`, and those named in `columns`.
    """

    name: str
    summary: str
    paper: str
    rank: Callable[[pl.DataFrame], OfficialRanking]
    columns: tuple[str, ...] = ()


SCORE_METHODS: Registry[ScoreMethod] = Registry(
    "adjudge.scoring.methods", "METHOD", ScoreMethod, "score_method"
)


def segment_matrix(scores: pl.DataFrame, index: Sequence[str]) -> pl.DataFrame:
    """A row for every segment and a column for every system, from best to worst mean.

    Several scores of an output are averaged.
    """
    means = scores.group_by("system", *index).agg(pl.col("score").cast(pl.Float64).mean())
    return means.pivot(on="system", index=index, values="score").sort(index)


def ranking(
    method: str, systems: Sequence[str], scores: Values, p: Values, better: Relation, ends: Relation
) -> OfficialRanking:
    """Put the systems in order.

    `better` [i, j] says that system i is significantly better than j, and `ends` [i, j] that a
    boundary between clusters may have i above and j below.
    """
    order = np.argsort(-scores, kind="stable")
    both = np.ix_(order, order)
    rank_low, rank_high = simultaneous_ranges(better[both])
    apart = ends[both]
    boundary = [apart[:place, place:].all() for place in range(1, len(order))]
    return OfficialRanking(
        method=method,
        systems=tuple(systems[place] for place in order),
        scores=scores[order],
        p=p[both],
        rank_low=rank_low,
        rank_high=rank_high,
        cluster=np.concatenate([[1], 1 + np.cumsum(boundary, dtype=np.int64)]),
    )
