"""Official analyses of score campaigns, as their organisers publish them.

A module of `methods/` takes part by defining `METHOD`. The methods reproduce what was published;
`system_scores` is what Adjudge recommends.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from adjudge.core.errors import BadParameter, NotEnoughData
from adjudge.core.registry import Registry
from adjudge.data.outputs import systems_of
from adjudge.scoring.score_matrix import Values
from adjudge.stats.ranks import Ranks
from adjudge.stats.simultaneous import Relation, simultaneous_ranges


@dataclass(frozen=True, eq=False)
class OfficialRanking:
    """Systems from best to worst by an official analysis."""

    pair: str
    scale: str
    method: str
    systems: tuple[str, ...]
    scores: Values
    p: Values  # [i, j]: of the test between systems i and j
    rank_low: Ranks
    rank_high: Ranks
    cluster: Ranks

    def to_frame(self) -> pl.DataFrame:
        """One row a system."""
        return pl.DataFrame(
            {
                "pair": [self.pair] * len(self.systems),
                "scale": [self.scale] * len(self.systems),
                "method": [self.method] * len(self.systems),
                "system": self.systems,
                "score": self.scores,
                "rank_low": self.rank_low,
                "rank_high": self.rank_high,
                "cluster": self.cluster,
            }
        )


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


def official_ranking(
    method: ScoreMethod,
    pair: str,
    scale: str,
    part: pl.DataFrame,
    domains: Mapping[str, str] | None = None,
) -> OfficialRanking:
    """The analysis of one scale of one language pair (`score_matrix.by_scale`)."""
    if "domain" in method.columns and domains is None:
        raise BadParameter(
            f'`domains` is missing: `method="{method.name}"` needs the domain of every document'
        )
    outputs = part["output"].cast(pl.String)
    table = part.select(
        pl.Series("system", [list(systems_of(output)) for output in outputs], pl.List(pl.String)),
        pl.col("document").cast(pl.String),
        pl.concat_str(
            pl.col("document").cast(pl.String).fill_null(""), "segment", separator="\t"
        ).alias("segment"),
        "score",
    ).explode("system")
    known = table.drop_nulls(["system", "segment"])
    if domains is not None:
        known = known.with_columns(domain=pl.col("document").replace_strict(domains, default=None))
        lacking = known.filter(pl.col("domain").is_null())["document"]
        if len(lacking):
            raise BadParameter(f"`domains` lacks document {lacking[0]!r} of {pair}, {scale}")
    if not len(known):
        raise NotEnoughData(f"{pair}, {scale}: no score of a known system in a known segment")
    return replace(method.rank(known), pair=pair, scale=scale)


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
        pair="",
        scale="",
        method=method,
        systems=tuple(systems[place] for place in order),
        scores=scores[order],
        p=p[both],
        rank_low=rank_low,
        rank_high=rank_high,
        cluster=np.concatenate([[1], 1 + np.cumsum(boundary, dtype=np.int64)]),
    )
