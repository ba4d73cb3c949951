"""Coverage of intervals, rank ranges and clusters on campaigns of known truth.

A 95 % interval should contain the truth in 95 % of campaigns, and be no wider than that needs. A
boundary between clusters should separate systems that really differ. Both depend on the dependence
between judgements (a judge, a document) and on the construction of the intervals. Every situation
is simulated many times and ranked as `rank` does it; what is measured is

    held      the share of systems and campaigns whose interval holds the true score
    width     of the intervals; `needed` is that of intervals of the same shape, but all longer or
              shorter by the one factor with which they hold the truth as often as they should;
              `oracle` the width if the variance of the scores were known, 2 z SD(scores)
    ranks     the share of campaigns in which the rank ranges of all systems hold their true ranks
    false     the share of campaigns in which any boundary (any significant pair) parts
              systems that are equal, or in the other order
    found     how many true boundaries, and what share of truly different pairs, are found

The true score of a method that counts is what it makes of the counts of an endless campaign. Of
any other method it is the mean of its scores over all campaigns: that it has a bias is not seen.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from adjudge.core.errors import within
from adjudge.core.parallel import Engine
from adjudge.data.comparisons import Comparisons
from adjudge.ranking.assessment import assess
from adjudge.ranking.estimation import bootstrapped
from adjudge.ranking.method import METHODS, CountMethod, Method, RefitMethod
from adjudge.ranking.population import auto_unit
from adjudge.ranking.resampling import DesignEffects
from adjudge.simulation.fit_campaign import RealCampaign
from adjudge.simulation.generators import Answered, Designed, Generator
from adjudge.simulation.situations import Situation
from adjudge.stats.ranks import Ranks, clusters
from adjudge.stats.resampling import Resampling, Unit
from adjudge.stats.simultaneous import Relation, simultaneous_ranges
from adjudge.stats.standings import order_of, standings

Floats = NDArray[np.float64]

AT_ONCE = 25  # campaigns that share a random generator


@dataclass(frozen=True)
class Cell:
    """Situation to simulate, and the number of campaigns."""

    grid: str
    situation: Situation
    campaigns: int
    replicates: int = 500
    level: float = 0.95
    seed: int = 1
    real: RealCampaign | None = None  # that it is like

    def __post_init__(self) -> None:
        within(self.campaigns, "campaigns", 2)
        within(self.level, "level", 0, 1, open_ends=True)
        within(self.replicates, "replicates", 2)
        within(self.seed, "seed", 0)

    def key(self) -> dict[str, Any]:
        """Inputs of the result except the real campaign's judgements, as flat keys."""
        flat = asdict(self)
        known = {"pair": None, **flat.pop("situation")}
        if self.real is not None:
            estimated = {"effects": "estimated", "workloads": "real", "overlap": "real"}
            known |= {**asdict(self.real), **estimated}
        del flat["real"]
        return {"grid": flat.pop("grid"), **known, **flat}

    def random(self, group: int) -> np.random.Generator:
        """Random generator of a group of `AT_ONCE` campaigns, the same for every method tried."""
        tried = ("grid", "method", "unit", "campaigns", "replicates", "level")
        key = {name: value for name, value in self.key().items() if name not in tried}
        digest = hashlib.sha256(json.dumps(key, sort_keys=True).encode()).digest()
        return np.random.default_rng([int.from_bytes(digest[:8]), group])

    def pieces(self) -> list[range]:
        """Batches of campaigns per piece of work; single ones if ranking is slow."""
        method = METHODS.named(self.situation.method)
        slow = isinstance(method, RefitMethod) or not method.smooth
        step = 1 if slow else AT_ONCE
        return [
            range(first, min(first + step, self.campaigns))
            for first in range(0, self.campaigns, step)
        ]


@dataclass(frozen=True)
class Coverage:
    """Coverage and width of the intervals in one situation."""

    cell: Cell
    covered: float  # share of systems and campaigns
    error: float  # standard error of `covered`, between campaigns
    least_covered: float  # the same of the system that is covered least
    width: float  # mean
    needed_width: float
    oracle_width: float
    ranks_covered: float  # share of campaigns
    false_boundary: float  # share of campaigns
    false_pair: float  # share of campaigns
    boundaries_found: float  # mean number
    boundaries: int  # that there are
    pairs_found: float | None  # share; None where all systems are equal

    def row(self) -> dict[str, Any]:
        """Return the result as flat keys."""
        flat = asdict(self)
        flat.pop("cell")
        return {**self.cell.key(), **flat}


@dataclass(frozen=True, eq=False)
class Ranked:
    """Ranking of one campaign: scores in system order, ranges from best to worst."""

    order: NDArray[np.int64]
    scores: Floats
    low: Floats
    high: Floats
    rank_low: Ranks
    rank_high: Ranks
    cluster: Ranks
    told_apart: Relation


@dataclass(frozen=True, eq=False)
class Measured:
    """Measurements on some campaigns of a situation, one entry each."""

    scores: Floats  # (campaigns, systems), in the order of the generator's qualities
    low: Floats
    high: Floats
    ranks_held: NDArray[np.bool_]
    false_boundary: NDArray[np.bool_]
    false_pair: NDArray[np.bool_]
    boundaries: Floats
    pairs: Floats


def coverage(
    cells: Sequence[Cell],
    engine: Engine | None = None,
    likenesses: Mapping[str, Answered] | None = None,
) -> Iterator[Coverage]:
    """Simulate and measure every cell in turn.

    `likenesses` map language pairs to generators fitted to real campaigns.
    """
    sources = [_generator(cell, likenesses or {}) for cell in cells]
    pieces = [
        (cell, source, numbers)
        for cell, source in zip(cells, sources, strict=True)
        for numbers in cell.pieces()
    ]
    engine = engine or Engine()
    with closing(engine.each(_measure, pieces, "Simulating", len(pieces))) as results:
        for cell, source in zip(cells, sources, strict=True):
            yield _summary(cell, source, [next(results) for _ in cell.pieces()])


def _generator(cell: Cell, likenesses: Mapping[str, Answered]) -> Generator:
    if cell.real is None:
        return Designed(cell.situation.design())
    return likenesses[cell.real.pair].with_truth(cell.situation.truth)


def _measure(cell: Cell, source: Generator, numbers: range) -> Measured:
    """Measure these campaigns of a cell."""
    method = METHODS.named(cell.situation.method)
    campaigns = [
        _campaign(_ranked(comparisons, method, cell, number), source.qualities)
        for number, comparisons in _drawn(cell, source, numbers)
    ]
    return Measured(*(np.array(values) for values in zip(*campaigns, strict=True)))


def _drawn(cell: Cell, source: Generator, numbers: range) -> Iterator[tuple[int, Comparisons]]:
    """Yield campaigns by number; earlier ones of the same generator are drawn and discarded."""
    for number in range(numbers.start - numbers.start % AT_ONCE, numbers.stop):
        if number % AT_ONCE == 0:
            random = cell.random(number // AT_ONCE)
        comparisons = source.draw(random)
        if number in numbers:
            yield number, comparisons


def _campaign(ranked: Ranked, quality: Floats) -> tuple[Any, ...]:
    order = ranked.order
    # True ranks of equal systems: from one more than are better to as many as are not worse.
    differ = np.greater.outer(quality[order], quality[order])
    best, worst = 1 + differ.sum(axis=0), len(quality) - differ.sum(axis=1)
    held = (ranked.rank_low <= best) & (ranked.rank_high >= worst)
    ends = np.flatnonzero(np.diff(ranked.cluster)) + 1
    true = [quality[order[:end]].min() > quality[order[end:]].max() for end in ends]
    return (
        ranked.scores,
        ranked.low,
        ranked.high,
        held.all(),
        not all(true),
        (ranked.told_apart & ~differ).any(),
        float(sum(true)),
        (ranked.told_apart & differ).sum() / max(differ.sum(), 1),
    )


def _ranked(comparisons: Comparisons, method: Method, cell: Cell, number: int) -> Ranked:
    """Rank as `ranking.rank` does, without unneeded parts; every system is placed."""
    unit = cell.situation.unit
    asked = Resampling(cast(Unit, unit), cell.replicates, cell.seed + number, cell.level)
    if unit == "auto":
        resolved = replace(asked, unit=auto_unit(comparisons))
        scored = assess(comparisons, method, resolved, Engine()).uncertainty
        order = order_of(scored.estimate)
        apart = scored.told_apart()[np.ix_(order, order)]
        ranges = simultaneous_ranges(apart)
        return Ranked(order, scored.estimate, *scored.interval(), *ranges, clusters(*ranges), apart)
    effects = DesignEffects(comparisons)
    drawn = standings(bootstrapped(comparisons, method, asked, Engine(), effects))
    back = np.argsort(drawn.order)
    return Ranked(
        order=drawn.order,
        scores=drawn.scores[back],
        low=drawn.low[back],
        high=drawn.high[back],
        rank_low=drawn.rank_low,
        rank_high=drawn.rank_high,
        cluster=drawn.cluster,
        told_apart=drawn.told_apart,
    )


def _summary(cell: Cell, source: Generator, parts: Iterable[Measured]) -> Coverage:
    pieces = list(parts)

    def all_of(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(part, name) for part in pieces])

    scores, low, high = (all_of(name) for name in ("scores", "low", "high"))
    method = METHODS.named(cell.situation.method)
    true = (
        method.scores(source.counts()) if isinstance(method, CountMethod) else scores.mean(axis=0)
    )
    held = (low <= true) & (true <= high)
    # How far the truth lies from the score, as a share of the interval on its side.
    reach = np.where(true > scores, high - scores, scores - low)
    distance = np.abs(true - scores) / np.maximum(reach, 1e-12)
    width = float((high - low).mean())
    groups = len(np.unique(source.qualities))
    return Coverage(
        cell=cell,
        covered=float(held.mean()),
        error=float(held.mean(axis=1).std(ddof=1) / np.sqrt(len(held))),
        least_covered=float(held.mean(axis=0).min()),
        width=width,
        needed_width=width * float(np.quantile(distance, cell.level)),
        oracle_width=float(2 * ndtri((1 + cell.level) / 2) * scores.std(axis=0, ddof=1).mean()),
        ranks_covered=float(all_of("ranks_held").mean()),
        false_boundary=float(all_of("false_boundary").mean()),
        false_pair=float(all_of("false_pair").mean()),
        boundaries_found=float(all_of("boundaries").mean()),
        boundaries=groups - 1,
        pairs_found=float(all_of("pairs").mean()) if groups > 1 else None,
    )
