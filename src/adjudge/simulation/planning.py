"""Planning: number and kind of further judgements needed to separate systems.

Larger campaigns are extrapolated from the current estimates.

Scores are known with covariance Σ. A campaign f times as large, by further judges of further texts
like these, would have the covariance Σ/f, and its scores would lie around those of now with
covariance Σ (1 − 1/f). Each is judged as the ranking is: by the largest |t| of all pairs, step by
step (`stats.simultaneous`).

Planning: how much more, and of what, makes the order sure.

The scores of the ranking have a covariance over other judges and texts (`ranking.assessment`),
whose sources are known: V = V_J + V_D + v, judges, texts and the rest. With J′ judges, D′ texts and
R′ rankings instead of J, D, R,

    V′ = V_J · J/J′ + V_D · D/D′ + v · R/R′

so that further rankings by the same judges of the same texts can never fall below V_J + V_D. For
two systems whose difference is δ (on the scale on which the ranking compares them), with standard
deviation s now and s′ later,

    P(significant) = Φ((|δ| − c s′) / √(s² − s′²)) + Φ((−|δ| − c s′) / √(s² − s′²))

c is the critical value with which the ranking separates pairs: of the largest difference of all
pairs not yet separated, or Student's where ranges are WMT13's. The true difference is not taken to
be δ: it may be smaller or larger by what is still unknown.

How many clusters a larger campaign would have is simulated (`futures`); what to ask for next is in
`suggesting`.
"""

from dataclasses import asdict, dataclass, replace
from itertools import pairwise

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr, stdtrit

from adjudge.core.errors import BadParameter, NotEnoughData, one_of, within
from adjudge.core.parallel import Engine
from adjudge.data.selection import require
from adjudge.data.votes.cells import Cells, Judged
from adjudge.data.win_counts import count
from adjudge.ranking.assessment import Assessment, assess
from adjudge.ranking.participants import among, participants
from adjudge.ranking.ranking_result import Ranking, rank
from adjudge.ranking.resampling import RANKING_UNITS
from adjudge.simulation.suggest_comparisons import suggestions
from adjudge.stats.ranks import clusters
from adjudge.stats.resampling import Floats, Resampling, Unit
from adjudge.stats.simultaneous import Relation, noise, simultaneous_ranges, standard_errors

DRAWS = 400  # of noise, for the critical values of simulated campaigns


def critical_value(covariance: Floats, degrees: float, level: float, pairs: Relation) -> float:
    """Quantile of the largest |t| over these pairs (a mask) under the null hypothesis."""
    return float(np.quantile(_distances(covariance, degrees)[:, pairs].max(axis=1), level))


def cluster_numbers(
    scores: Floats,
    covariance: Floats,
    degrees: float,
    growth: float,
    level: float,
    simulations: int,
    random: np.random.Generator,
) -> NDArray[np.int64]:
    """Numbers of clusters in simulated campaigns `growth` times as large."""
    first, second = np.triu_indices(len(scores), 1)
    distances = _distances(covariance, degrees, DRAWS)[:, first, second]
    drawn = np.ascontiguousarray(distances.T)
    at_first = _quantile(drawn.max(axis=0), level)
    errors = standard_errors(covariance) / np.sqrt(growth)
    moves = noise(covariance * (1 - 1 / growth), 1e9, simulations, int(random.integers(2**31)))
    return np.array(
        [_clusters(scores + move, errors, drawn, at_first, level) for move in moves],
        dtype=np.int64,
    )


def _distances(covariance: Floats, degrees: float, draws: int = 5 * DRAWS) -> Floats:
    """Noise distances |z_a − z_b| / se_ab in the first `draws` samples (draws × items × items)."""
    drawn = noise(covariance, degrees, 5 * DRAWS)[:draws]
    errors = standard_errors(covariance)
    return np.asarray(np.abs(drawn[:, :, None] - drawn[:, None, :]) / errors)


def _clusters(scores: Floats, errors: Floats, drawn: Floats, critical: float, level: float) -> int:
    """Count the clusters; `drawn` has a row for every pair (as `np.triu_indices`).

    `critical` is the largest |t| over all pairs at this level.
    """
    first, second = np.triu_indices(len(scores), 1)
    t = np.abs(scores[first] - scores[second]) / errors[first, second]
    undecided = np.arange(len(t))
    better = np.zeros(errors.shape, bool)
    while (new := t[undecided] > critical).any():
        decided, undecided = undecided[new], undecided[~new]
        one, other = first[decided], second[decided]
        higher = scores[one] > scores[other]
        better[np.where(higher, one, other), np.where(higher, other, one)] = True
        if len(undecided):
            critical = _quantile(drawn[undecided].max(axis=0), level)
    order = np.argsort(-scores, kind="stable")
    return int(clusters(*simultaneous_ranges(better[np.ix_(order, order)]))[-1])


def _quantile(values: Floats, level: float) -> float:
    """Quantile of a few hundred values; `np.quantile` spends longer on checks than on sorting."""
    ordered = np.sort(values)
    below = int(level * (len(ordered) - 1))
    share = level * (len(ordered) - 1) - below
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    step = high - low
    return float(high - step * (1 - share) if share >= 0.5 else low + step * share)


LARGEST = 64.0  # times the present campaign: beyond any budget
SIZES = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 16.0)  # of a campaign, the present one being 1
LATER_DEGREES = 200.0  # of freedom that a larger campaign has at least
LEAST_GROWTH = 1.1  # of a campaign that is to tell more
TIMES = 4.0  # as much of something, to see what helps most


@dataclass(frozen=True)
class Separation:
    """Pair of systems, and the effort needed to separate them."""

    better: str
    worse: str
    difference: float  # on the scale on which the ranking compares
    sd: float
    comparisons: int  # of the two with each other, so far
    probability: float  # that the order is right
    separated: bool  # by the rank ranges of the ranking
    more_rankings: int | None  # by further judges of further texts; None: beyond LARGEST
    more_rankings_same: int | None  # by the same judges of the same texts; None: never, or beyond


@dataclass(frozen=True)
class Help:
    """Relative width of intervals with TIMES as much of one resource."""

    more: str  # what there is more of: rankings only, or with them judges, documents, …
    times: float
    width: float


@dataclass(frozen=True)
class Size:
    """Expected result of a campaign grown to some size."""

    more_rankings: int
    clusters: float  # expected
    chance: float | None  # of at least the clusters wanted


@dataclass(frozen=True)
class Suggestion:
    """Suggested comparison."""

    system_a: str
    system_b: str
    gain: float  # pairs put right per thousand comparisons


@dataclass(frozen=True)
class Goal:
    """Objective of the organiser."""

    unit: Unit = "auto"
    level: float = 0.95
    chance: float = 0.8  # of reaching it
    between: tuple[str, str] | None = None  # two systems; else every two neighbours
    clusters: int | None = None
    simulations: int = 200
    seed: int = 1

    def __post_init__(self) -> None:
        one_of(self.unit, ("auto", *RANKING_UNITS), "unit")
        if self.unit == "none":
            raise BadParameter('nothing varies with `unit="none"`; choose what the bootstrap draws')
        for parameter in ("level", "chance"):
            value = getattr(self, parameter)
            within(value, parameter, 0.5, 1)
            within(value, parameter, 0, 1, open_ends=True)
        within(self.simulations, "simulations", 10)
        within(self.seed, "seed", 0)


@dataclass(frozen=True, eq=False)
class Plan:
    """Expected gain from more judgements."""

    pair: str
    goal: Goal  # with the unit that was taken
    holds_for: str
    rankings: int  # so far
    separations: tuple[Separation, ...]
    helps: tuple[Help, ...]  # the one that narrows intervals most comes last
    sizes: tuple[Size, ...]
    rankings_for_clusters: int | None  # further ones; None: not asked, or at none of the sizes
    suggestions: tuple[Suggestion, ...]

    def to_frame(self) -> pl.DataFrame:
        """Return one row per pair of systems to separate."""
        rows = [{"pair": self.pair, **asdict(separation)} for separation in self.separations]
        return pl.DataFrame(rows, infer_schema_length=None)


def plan(comparisons: Judged, goal: Goal | None = None, ranking: Ranking | None = None) -> Plan:
    """Predict the gain from more judgements of this language pair.

    `ranking` is the ranking to improve; by default that by expected wins.
    """
    goal = goal or Goal()
    comparisons = participants(
        comparisons, reference=ranking.method.reference if ranking else False
    )
    systems = len(comparisons.systems)
    if goal.clusters is not None and not 1 <= goal.clusters <= systems:
        raise NotEnoughData(
            f"{comparisons.pair}: {systems} systems make 1 to {systems} `clusters`, not "
            f"{goal.clusters}"
        )
    if ranking is None:
        asked = Resampling(goal.unit, seed=goal.seed, level=goal.level)
        ranking = rank(comparisons, resampling=asked)
    goal = replace(goal, unit=ranking.resampling.unit)
    placed = {name for name, has in zip(ranking.systems, ranking.placed, strict=True) if has}
    kept = among(comparisons, np.array([name in placed for name in comparisons.systems]))
    unit: Unit = "ranking" if goal.unit == "comparison" else goal.unit
    assessed = assess(kept, ranking.method, Resampling(unit, 300, goal.seed, goal.level), Engine())
    rankings = (
        len(comparisons) if isinstance(comparisons, Cells) else len(np.unique(comparisons.ranking))
    )
    sizes = _sizes(assessed, ranking, rankings, goal)
    return Plan(
        comparisons.pair,
        goal,
        ranking.holds_for,
        rankings,
        _separations(kept, assessed, ranking, rankings, goal),
        _helps(assessed),
        sizes,
        _size_for(sizes, goal),
        tuple(Suggestion(*suggested) for suggested in suggestions(kept, unit)),
    )


def _separations(
    comparisons: Judged, assessed: Assessment, ranking: Ranking, rankings: int, goal: Goal
) -> tuple[Separation, ...]:
    scores, covariance = assessed.uncertainty.compared
    errors = standard_errors(covariance)
    fixed = standard_errors(covariance - _on_scale(assessed, "rest"))
    place = {name: i for i, name in enumerate(ranking.systems)}
    row = [place[name] for name in assessed.systems]
    apart = (ranking.told_apart | ranking.told_apart.T)[np.ix_(row, row)]
    critical = _critical(assessed, ranking, apart, goal)
    counts = count(comparisons)
    order = [int(i) for i in np.argsort(row)]
    return tuple(
        _separation(
            Separation(
                assessed.systems[a],
                assessed.systems[b],
                float(scores[a] - scores[b]),
                float(errors[a, b]),
                int(counts.comparisons[a, b]),
                float(ranking.better[row[a], row[b]]),
                bool(apart[a, b]),
                more_rankings=0,
                more_rankings_same=0,
            ),
            float((fixed[a, b] / errors[a, b]) ** 2),
            critical,
            rankings,
            goal,
        )
        for a, b in _asked_for(assessed.systems, order, goal)
    )


def _separation(
    now: Separation, fixed: float, critical: float, rankings: int, goal: Goal
) -> Separation:
    """Effort to separate two systems; `fixed` is the share of judges and texts in the variance."""
    if now.separated:
        return now
    growth = growth_needed(abs(now.difference) / now.sd, critical, goal.chance)
    if growth is None:
        return replace(now, more_rankings=None, more_rankings_same=None)
    growth = max(growth, LEAST_GROWTH)
    rest = 1 / growth - fixed  # what may be left of the rest
    same = (1 - fixed) / rest if rest > (1 - fixed) / LARGEST else None
    return replace(
        now,
        more_rankings=int(np.ceil((growth - 1) * rankings)),
        more_rankings_same=None if same is None else int(np.ceil((same - 1) * rankings)),
    )


def _critical(assessed: Assessment, ranking: Ranking, apart: Relation, goal: Goal) -> float:
    """Critical |t| for two systems in a larger campaign, which knows its own variance better."""
    degrees = max(float(assessed.uncertainty.test_degrees.min()), LATER_DEGREES)
    undecided = np.triu(~apart, 1)
    if ranking.ranges != "simultaneous" or not undecided.any():
        return float(stdtrit(degrees, (1 + goal.level) / 2))
    _, covariance = assessed.uncertainty.compared
    return critical_value(covariance, degrees, goal.level, undecided)


def _on_scale(assessed: Assessment, source: str) -> Floats:
    """Covariance from one source, on the scale on which scores are compared."""
    known = assessed.uncertainty
    if known.scale == "strength":
        return assessed.covariances[source]
    slope = 1 / (known.centre * (1 - known.centre))
    return np.asarray(assessed.covariances[source] * np.outer(slope, slope))


def _helps(assessed: Assessment) -> tuple[Help, ...]:
    """Mean relative interval widths over systems, with TIMES as many rankings."""
    total = sum(assessed.parts.values())
    shares = {name: part / total for name, part in assessed.parts.items()}
    units = [name for name in shares if name not in ("rest", "ranking")]
    options: list[tuple[str, ...]] = [(), *((name,) for name in units)]
    if len(units) > 1:
        options.append(tuple(units))

    def width(more: tuple[str, ...]) -> float:
        less = [
            share / (TIMES if name in (*more, "rest", "ranking") else 1)
            for name, share in shares.items()
        ]
        return float(np.sqrt(sum(less)).mean())

    helps = [
        Help(" and ".join(f"{name}s" for name in more) or "rankings", TIMES, width(more))
        for more in options
    ]
    return tuple(sorted(helps, key=lambda option: -option.width))


def chance_of_separation(certain: float, growth: float, critical: float) -> float:
    """Probability of a significant difference once the variance is 1/`growth` of now; `certain` is
    |δ|/s now.
    """
    bar = critical / np.sqrt(growth)
    spread = np.sqrt(1 - 1 / growth)
    return float(ndtr((certain - bar) / spread) + ndtr((-certain - bar) / spread))


def growth_needed(certain: float, critical: float, chance: float) -> float | None:
    """Factor of information for a significant difference with this probability; None beyond
    LARGEST.
    """
    if certain >= critical:
        return 1.0
    if chance_of_separation(certain, LARGEST, critical) < chance:
        return None
    return float(
        brentq(lambda f: chance_of_separation(certain, f, critical) - chance, 1 + 1e-9, LARGEST)
    )


def _asked_for(systems: tuple[str, ...], order: list[int], goal: Goal) -> list[tuple[int, int]]:
    """Requested pair of systems, better first; or all neighbours in the order."""
    if goal.between is not None:
        require(goal.between, systems, "system")
        order = [i for i in order if systems[i] in goal.between]
        if len(order) != 2:
            raise BadParameter("a system cannot be separated from itself; name two in `between`")
    return list(pairwise(order))


def _sizes(assessed: Assessment, ranking: Ranking, rankings: int, goal: Goal) -> tuple[Size, ...]:
    random = np.random.default_rng(goal.seed)
    scores, covariance = assessed.uncertainty.compared
    degrees = float(assessed.uncertainty.test_degrees.min())
    sizes = []
    for growth in SIZES:
        if growth == 1:
            number = np.array([ranking.cluster.max()])
        else:
            number = cluster_numbers(
                scores, covariance, degrees, growth, goal.level, goal.simulations, random
            )
        chance = None if goal.clusters is None else float((number >= goal.clusters).mean())
        more = int(np.ceil((growth - 1) * rankings))
        sizes.append(Size(more, float(number.mean()), chance))
    return tuple(sizes)


def _size_for(sizes: tuple[Size, ...], goal: Goal) -> int | None:
    """Further rankings after which the requested clusters have the requested probability."""
    if goal.clusters is None:
        return None
    chance = np.maximum.accumulate([size.chance or 0.0 for size in sizes])
    if chance[-1] < goal.chance:
        return None
    more = [size.more_rankings for size in sizes]
    return int(np.ceil(np.interp(goal.chance, chance, more)))
