"""Scores with their covariance over new judges and documents, and the evidence behind each.

If a method's scores are smooth in the counts, nothing is drawn: the influence of each judge ×
document cell is known (`counting.influence`), and the variance components follow
(`stats.variance_components`). Methods that are not smooth (mfas) or refit (trueskill,
judge-aware) are resampled, and second moments are covariances of their replicates.

A system is weighed by its own evidence: its effective number of rankings is 1 / Σ h², h being the
weight of each ranking in its score. With fewer than `LEAST_RANKINGS`, or judged by a single unit
where there are several, it cannot be placed. The thinnest is taken out first and the rest weighed
again, for in expected wins an opponent with a single vote counts as much as any other.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import NotEnoughData
from adjudge.core.parallel import Engine
from adjudge.data.votes.cells import Cells, Judged
from adjudge.data.win_counts import WinCounts, count
from adjudge.ranking.cell_influence import Evidence, crossing, evidence
from adjudge.ranking.counting.cells import Tally, tally_blocks, tally_wins
from adjudge.ranking.counting.influence import (
    Influence,
    events_of_systems,
    numerical_influence,
    working_of_strengths,
)
from adjudge.ranking.estimation import estimate
from adjudge.ranking.method import METHODS, BlockMethod, CountMethod, Method
from adjudge.ranking.participants import among, connected
from adjudge.ranking.resampling import ranking_units
from adjudge.stats.crossed import Moments, moments
from adjudge.stats.resampling import Floats, Resampling, Unit
from adjudge.stats.uncertainty import Uncertainty
from adjudge.stats.variance_components import Spread, components, spread

STILL = 0.01  # of the variance of independent votes: replicates that vary less are uninformative
EQUAL_SCORES = 1e-9  # variance below which scores are all the same
RUNS = 20  # of a random method, for the scale of its scores
LEAST_RANKINGS = 10.0  # with fewer, an interval is at least half the scale wide


@dataclass(frozen=True, eq=False)
class Assessment:
    """Scores of systems, their uncertainty and its sources."""

    systems: tuple[str, ...]
    uncertainty: Uncertainty
    rankings: Floats  # (systems,): the effective number behind each score
    parts: dict[str, Floats]  # of the variance, by its sources
    covariances: dict[str, Floats]  # by the same sources: they add up to the covariance
    drawn: bool  # from replicates?


def assess(
    comparisons: Judged, method: Method, resampling: Resampling, engine: Engine
) -> Assessment:
    """Scores by `method` with their covariance over new units of `resampling.unit`."""
    tally, influence, behind = _weighed(comparisons, method, resampling.unit)
    if isinstance(method, CountMethod | BlockMethod) and method.smooth:
        return _of_components(comparisons, method, tally, influence, behind, resampling)
    return _of_replicates(comparisons, method, behind, influence, resampling, engine)


def unit_deviations(comparisons: Judged, method: CountMethod, unit: Unit) -> dict[str, float]:
    """Standard deviation of every unit's contribution to the strength of a system."""
    _, influence, behind = _weighed(comparisons, method, unit)
    cells = behind.cells
    own = np.diag(influence.working)
    parts = components(moments(cells), influence.working)
    return {
        name: float(np.sqrt((part.variance / own).mean()))
        for name, part in zip(unit.split("+"), parts, strict=False)
    }


def _of_replicates(
    comparisons: Judged,
    method: Method,
    behind: Evidence,
    influence: Influence,
    resampling: Resampling,
    engine: Engine,
) -> Assessment:
    """Assess a method without a known influence function by resampling: Q of a unit is the
    covariance of its replicates.

    First units, second units and cells are drawn separately, a third of the replicates each, never
    as products of two draws. The variance of a random method itself is subtracted.
    """
    weights = moments(behind.cells)
    third = replace(resampling, replicates=max(resampling.replicates // 3, 2))
    runs = estimate(comparisons, method, replace(third, unit="none"), engine)
    noise = _covariance(runs.replicates) if len(runs.replicates) > 1 else 0.0
    by_cell = comparisons
    if not isinstance(comparisons, Cells):  # whose cells are their HITs
        cell = crossing(comparisons, resampling.unit).row[comparisons.ranking].astype(np.int32)
        by_cell = replace(comparisons, hit=cell)  # a cell is drawn as a HIT would be
    names: tuple[Unit, ...] = tuple(_single(name) for name in resampling.unit.split("+"))
    votes = isinstance(comparisons, Cells) or comparisons.are_votes
    one: Unit = "ranking" if votes and len(names) == 1 else "hit"  # what a cell is drawn as
    drawn = {
        unit: _covariance(estimate(by_cell, method, replace(third, unit=unit), engine).replicates)
        for unit in (*names, one)
    }
    products = [_without_noise(drawn[unit], noise) for unit in (names[0], names[-1], one)]
    if len(names) == 1:
        products[1] = products[2]
    within = np.diag(products[2])
    least = _variance_of_votes(comparisons, method, runs.scores, behind.rankings)
    # Replicates without variance are uninformative: other votes were possible.
    least = np.where(within < STILL * least, least, 1e-12) if method.smooth else least
    spreading = spread(
        Moments(
            replace(weights.first, product=products[0]),
            replace(weights.second, product=products[1]),
            replace(weights.cell, product=products[2]),
            weights.leak,
        ),
        influence.working,
        least + np.diag(np.broadcast_to(noise, drawn[one].shape)) / third.replicates,
    )
    uncertainty = Uncertainty(
        runs.scores,
        runs.scores,
        spreading.covariance,
        spreading.degrees,
        spreading.test_degrees,
        method.scale,
        resampling.level,
    )
    return Assessment(
        comparisons.systems,
        uncertainty,
        behind.rankings,
        _parts(spreading, resampling.unit),
        _covariances(spreading, influence.working, resampling.unit),
        True,
    )


def _single(name: str) -> Unit:
    return cast(Unit, name)


def _covariance(replicates: Floats) -> Floats:
    return np.atleast_2d(np.cov(replicates.T))


def _without_noise(product: Floats, noise: Floats | float) -> Floats:
    """Subtract the variance between runs on the same judgements from Q; its diagonal keeps at least
    a tenth.
    """
    left = product - noise
    lacking = np.maximum(0.1 * np.diag(product) - np.diag(left), 0)
    return np.asarray(left + np.diag(lacking))


def _of_components(
    comparisons: Judged,
    method: CountMethod | BlockMethod,
    tally: Tally[Any],
    influence: Influence,
    behind: Evidence,
    resampling: Resampling,
) -> Assessment:
    spreading = spread(moments(behind.cells), influence.working, influence.floor)
    uncertainty = Uncertainty(
        method.scores(tally.statistics(tally.counts)),
        influence.centre,
        spreading.covariance,
        spreading.degrees,
        spreading.test_degrees,
        method.scale,
        resampling.level,
    )
    return Assessment(
        comparisons.systems,
        uncertainty,
        behind.rankings,
        _parts(spreading, resampling.unit),
        _covariances(spreading, influence.working, resampling.unit),
        False,
    )


def _parts(spreading: Spread, unit: Unit) -> dict[str, Floats]:
    """Variance of every score by source."""
    first, *second = unit.split("+")
    if not second:  # the second unit is the single ranking, which is the rest
        return {first: spreading.first, "rest": spreading.rest + spreading.second}
    return {first: spreading.first, second[0]: spreading.second, "rest": spreading.rest}


def _covariances(spreading: Spread, working: Floats, unit: Unit) -> dict[str, Floats]:
    """Covariance of the scores by source."""
    own = np.diag(working)
    shared: dict[str, Floats] = {}
    for name, part in zip(unit.split("+"), (spreading.first, spreading.second), strict=False):
        root = np.sqrt(np.divide(part, own, out=np.zeros_like(part), where=own > 0))
        shared[name] = working * np.outer(root, root)
    return {**shared, "rest": spreading.covariance - sum(shared.values())}


@lru_cache(maxsize=1)  # systems are placed first, and then assessed: mostly the same ones
def _weighed(
    comparisons: Judged, method: Method, unit: Unit
) -> tuple[Tally[Any], Influence, Evidence]:
    """Tally of the method, the influence on its scores, and the evidence behind each."""
    tally, influence = _influence(comparisons, method)
    return tally, influence, evidence(comparisons, tally, influence, unit)


def _influence(comparisons: Judged, method: Method) -> tuple[Tally[Any], Influence]:
    """Tally of the method and the influence on its scores, as far as it is known."""
    counts = count(comparisons)
    match method:
        case BlockMethod():
            tally: Tally[Any] = tally_blocks(comparisons)
        case _:
            tally = tally_wins(comparisons)
    if not (isinstance(method, CountMethod | BlockMethod) and method.smooth):
        return tally, _weights_only(tally, counts)
    if method.influence is not None:
        return tally, method.influence(tally, counts)
    return tally, numerical_influence(tally, counts, method.scores, method.scale == "share")


def _weights_only(tally: Tally[Any], counts: WinCounts) -> Influence:
    """Equal weights for all comparisons of a system, for methods without a known influence
    function.
    """
    systems = len(counts.systems)
    number = events_of_systems(tally, systems)
    weight = number / np.maximum(tally.counts @ number, 1)
    nothing = np.zeros(systems)
    return Influence(np.zeros_like(weight), weight, working_of_strengths(systems), nothing, nothing)


def own_evidence(comparisons: Judged, method: Method) -> tuple[Floats, Floats]:
    """Effective number of rankings of every system, and the variance of its score if all votes were
    independent, bounded above zero.
    """
    _, influence, behind = _weighed(comparisons, method, "ranking")
    rankings = behind.rankings
    if isinstance(method, CountMethod | BlockMethod) and method.smooth:
        return rankings, influence.floor
    scores = estimate(comparisons, method, Resampling("none", RUNS), Engine()).scores
    return rankings, _variance_of_votes(comparisons, method, scores, rankings)


def _variance_of_votes(
    comparisons: Judged, method: Method, scores: Floats, rankings: Floats
) -> Floats:
    """Variance of scores without a known influence function if all votes were independent.

    Strengths: that of Davidson's model, on the scale of the scores. Orders (mfas): a system that
    never moved in n rankings may move by one place in one of n campaigns.
    """
    if not method.smooth:
        return np.asarray(1 / (rankings + 2))
    davidson = cast(CountMethod, METHODS.named("davidson"))  # read only where it is needed
    tally, influence = _influence(comparisons, davidson)
    both = np.var(scores), np.var(davidson.scores(tally.statistics(tally.counts)))
    scale = both[0] / both[1] if min(both) > EQUAL_SCORES else 1.0
    return np.asarray(influence.floor * scale)


def placeable(comparisons: Judged, method: Method, unit: Unit) -> NDArray[np.bool_]:
    """Select the systems with enough evidence to be placed.

    If too few remain, all are selected: there is then little evidence for anything, and the
    intervals show it.
    """
    kept = np.ones(len(comparisons.systems), bool)
    while True:
        part = among(comparisons, kept)
        _, _, behind = _weighed(part, method, unit)
        thin = (behind.rankings < LEAST_RANKINGS) | behind.single
        if not thin.any():
            return kept
        candidates = np.flatnonzero(kept)
        number = np.where(thin, behind.rankings, np.inf)
        kept[candidates[np.argmin(number)]] = False
        if not _can_be_ranked(among(comparisons, kept), unit):
            return np.ones_like(kept)


def _can_be_ranked(comparisons: Judged, unit: Unit) -> bool:
    """Test whether the systems are connected and several units remain."""
    try:
        ranking_units(comparisons, unit)
    except NotEnoughData:
        return False
    return connected(comparisons)
