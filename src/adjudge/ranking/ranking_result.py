"""Rankings with their uncertainty, as printed by `adjudge rank`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.errors import BadParameter, one_of
from adjudge.core.parallel import Engine
from adjudge.data.votes.cells import Judged
from adjudge.data.votes.votes import in_cells
from adjudge.data.win_counts import count
from adjudge.ranking.assessment import Assessment, assess, own_evidence, placeable
from adjudge.ranking.estimation import bootstrapped
from adjudge.ranking.method import Method, RefitMethod, Scores, method_named
from adjudge.ranking.notes import clones_note, ties_note, unheld_note
from adjudge.ranking.participants import among, participants
from adjudge.ranking.population import auto_unit, population
from adjudge.ranking.resampling import RANKING_UNITS, DesignEffects, effective_number
from adjudge.stats.bootstrap import STILL, Bootstrapped
from adjudge.stats.ranks import Ranks
from adjudge.stats.resampling import Resampling, Unit
from adjudge.stats.simultaneous import Relation
from adjudge.stats.standings import (
    FEW_EFFECTIVE,
    RANGES,
    Ranges,
    Standings,
    assessed_standings,
    resampling_notes,
    standings,
    unplaced_note,
    with_unplaced,
)
from adjudge.stats.uncertainty import of_replicates

BESIDES = ", by two judges of two texts"  # what it takes to place a system besides ten rankings


@dataclass(frozen=True, eq=False)
class Ranking:
    """Systems from best to worst with their uncertainty; systems that cannot be placed come
    last.
    """

    pair: str
    method: Method
    resampling: Resampling  # with the unit that was taken
    ranges: Ranges  # as they were made
    holds_for: str  # other judges and documents, these judges, …
    drawn: bool  # are intervals from replicates? Else from variance components
    systems: tuple[str, ...]
    scores: Scores
    low: Scores
    high: Scores
    rank: Ranks  # systems with equal scores share the better rank; 0: not placed
    rank_low: Ranks
    rank_high: Ranks
    cluster: Ranks  # 0: not placed
    placed: NDArray[np.bool_]  # is there enough evidence to place the system?
    comparisons: NDArray[np.int64]  # of each system
    effective_rankings: Scores | None  # behind each score; None where a unit was asked for
    better: NDArray[np.float64]  # [i, j]: the probability that system i is better than j
    told_apart: Relation  # [i, j]: system i is better than j by the rank ranges
    rank_shares: NDArray[np.float64]  # [i, r]: how often system i is at rank r + 1
    variance_parts: Mapping[str, float]  # mean share of each source in the variance of scores
    design_effects: Mapping[Unit, float]
    notes: tuple[str, ...]

    @property
    def level(self) -> float:
        """Confidence level of intervals and ranges."""
        return self.resampling.level

    def to_frame(self) -> pl.DataFrame:
        """Return one row per system; an unplaced system has neither rank nor cluster."""
        rankings = self.effective_rankings
        return pl.DataFrame(
            {
                "pair": [self.pair] * len(self.systems),
                "system": self.systems,
                "rank": self._where_placed(self.rank),
                "score": self.scores,
                "low": self.low,
                "high": self.high,
                "rank_low": self.rank_low,
                "rank_high": self.rank_high,
                "cluster": self._where_placed(self.cluster),
                "comparisons": self.comparisons,
                "placed": self.placed,
                "effective_rankings": pl.Series(
                    [None] * len(self.systems) if rankings is None else rankings,
                    dtype=pl.Float64,
                ),
            }
        )

    def _where_placed(self, numbers: Ranks) -> pl.Series:
        given = zip(numbers, self.placed, strict=True)
        return pl.Series([int(n) if placed else None for n, placed in given], dtype=pl.Int64)


def rank(
    comparisons: Judged,
    method: Method | str = "expected-wins",
    resampling: Resampling | None = None,
    engine: Engine | None = None,
    ranges: Ranges = "auto",
) -> Ranking:
    """Rank the systems of one language pair by a method or its name.

    With `unit="auto"`, the default, the result generalises to other judges and documents as far as
    the judgements allow (`population.auto_unit`), rank ranges hold for all systems at once, and
    systems with too little evidence are not placed. Any other unit is resampled as in the papers.
    """
    method = method_named(method)
    one_of(ranges, RANGES, "ranges")
    asked = resampling or Resampling()
    if not isinstance(method, RefitMethod):
        comparisons = in_cells(comparisons)
    taking_part = participants(comparisons, method.reference)
    if asked.unit == "auto":
        resolved = replace(asked, unit=auto_unit(taking_part))
        return _assessed(taking_part, method, resolved, engine or Engine(), ranges)
    asked = asked.among(RANKING_UNITS)
    return _resampled(taking_part, method, asked, engine or Engine(), ranges)


def _assessed(
    comparisons: Judged,
    method: Method,
    resampling: Resampling,
    engine: Engine,
    ranges: Ranges,
) -> Ranking:
    """Rank by the covariance of the scores over new units."""
    ranges = "simultaneous" if ranges == "auto" else ranges
    placed = placeable(comparisons, method, resampling.unit)
    assessed = assess(among(comparisons, placed), method, resampling, engine)
    standing = assessed_standings(
        assessed.uncertainty, ranges, resampling.replicates, resampling.seed
    )
    rankings = assessed.rankings[standing.order]
    unplaced: tuple[str, ...] = ()
    if not placed.all():
        whole = assess(comparisons, method, resampling, engine)
        of_all = whole.uncertainty
        standing = with_unplaced(
            standing, placed, of_all.estimate, of_all.interval(), of_all.better()
        )
        unplaced = tuple(comparisons.systems[i] for i in standing.order[placed.sum() :])
        rankings = np.append(rankings, whole.rankings[standing.order[placed.sum() :]])
    number = effective_number(comparisons, resampling.unit)
    notes = [
        *unplaced_note(unplaced, rankings[int(placed.sum()) :].tolist(), "ranking", BESIDES),
        *(resampling_notes(resampling.unit, number) if number < FEW_EFFECTIVE else []),
    ]
    if assessed.drawn:
        notes.append(
            f"{method.name} has no variance in closed form: it is that of "
            f"{resampling.replicates:,} replicates, a third of them of each source."
        )
    return _ranking(
        comparisons,
        method,
        resampling,
        standing,
        notes,
        DesignEffects(comparisons),
        ranges=ranges,
        drawn=assessed.drawn,
        placed=placed[standing.order],
        effective_rankings=rankings,
        variance_parts=_mean_shares(assessed),
    )


def _resampled(
    comparisons: Judged,
    method: Method,
    resampling: Resampling,
    engine: Engine,
    ranges: Ranges,
) -> Ranking:
    """Rank by replicates of the requested unit."""
    if ranges == "simultaneous" and resampling.unit == "none":
        raise BadParameter('`ranges="simultaneous"` needs a `unit` that varies, not "none"')
    effects = DesignEffects(comparisons)
    placed = placeable(comparisons, method, "ranking")
    scored = _drawn(among(comparisons, placed), method, resampling, engine)
    standing = standings(scored)
    number = float(np.min(effective_number(comparisons, resampling.unit)))
    if ranges == "simultaneous":
        least = np.full(len(scored.estimate), 1e-12)
        drawn = of_replicates(scored.estimate, scored.replicates, number, least, resampling.level)
        at_once = assessed_standings(drawn, ranges, 1, resampling.seed)
        names = ("rank_low", "rank_high", "cluster", "told_apart")
        standing = replace(standing, **{name: getattr(at_once, name) for name in names})
    notes: list[str] = []
    if not placed.all():
        whole = _drawn(comparisons, method, resampling, engine)
        every = standings(whole)
        better = np.empty_like(every.better)
        better[np.ix_(every.order, every.order)] = every.better
        standing = with_unplaced(standing, placed, whole.estimate, whole.interval(), better)
        last = standing.order[placed.sum() :]
        rankings, _ = own_evidence(comparisons, method)
        thin = [comparisons.systems[i] for i in last]
        notes = unplaced_note(thin, rankings[last].tolist(), "ranking")
    return _ranking(
        comparisons,
        method,
        resampling,
        standing,
        [
            *notes,
            *resampling_notes(resampling.unit, number),
            *unheld_note(resampling.unit, effects.of_units),
        ],
        effects,
        ranges="wmt13" if ranges == "auto" else ranges,
        drawn=True,
        placed=placed[standing.order],
        effective_rankings=None,
        variance_parts={},
    )


def _drawn(
    comparisons: Judged, method: Method, resampling: Resampling, engine: Engine
) -> Bootstrapped:
    """Scores and replicates, with own evidence for scores that do not vary."""
    effects = DesignEffects(comparisons)
    scored = bootstrapped(comparisons, method, resampling, engine, effects)
    varies = (np.ptp(scored.replicates, axis=0) > STILL).all()
    if resampling.unit == "none" or (varies and not isinstance(method, RefitMethod)):
        return scored
    rankings, least = own_evidence(comparisons, method)
    number = np.minimum(scored.effective_number, rankings)
    return replace(scored, effective_number=number, scale=method.scale, least=least)


def _ranking(
    comparisons: Judged,
    method: Method,
    resampling: Resampling,
    standing: Standings,
    notes: list[str],
    effects: DesignEffects,
    *,
    ranges: Ranges,
    drawn: bool,
    placed: NDArray[np.bool_],
    effective_rankings: Scores | None,
    variance_parts: Mapping[str, float],
) -> Ranking:
    counts = count(comparisons)
    systems = tuple(comparisons.systems[i] for i in standing.order)
    return Ranking(
        pair=comparisons.pair,
        method=method,
        resampling=resampling,
        ranges=ranges,
        holds_for=population(comparisons, resampling.unit),
        drawn=drawn,
        systems=systems,
        scores=standing.scores,
        low=standing.low,
        high=standing.high,
        rank=standing.rank,
        rank_low=standing.rank_low,
        rank_high=standing.rank_high,
        cluster=standing.cluster,
        placed=placed,
        comparisons=counts.comparisons.sum(axis=1)[standing.order],
        effective_rankings=effective_rankings,
        better=standing.better,
        told_apart=standing.told_apart,
        rank_shares=standing.rank_shares,
        variance_parts=variance_parts,
        design_effects=effects.of_units,
        notes=(*ties_note(counts), *notes, *clones_note(counts, systems, standing.rank)),
    )


def _mean_shares(assessed: Assessment) -> dict[str, float]:
    total = sum(assessed.parts.values())
    return {name: float((part / total).mean()) for name, part in assessed.parts.items()}
