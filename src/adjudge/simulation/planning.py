"""Planning: how many more judgements, and of which systems, make the order sure.

From the judgements so far, Davidson's model gives log-strengths with covariance Σ: its inverse
information times a design effect, since comparisons that share a ranking (or a judge) say less
than as many independent ones. The design effect of two systems is the variance of their
difference over bootstrap replicates, drawn by the chosen unit, over the variance that the model
gives for independent comparisons. For two systems with difference δ and standard deviation s,

    now:             P(the order is right) = Φ(|δ| / s)
    after f times    the estimate is N(δ, s²(1 − 1/f)), its standard deviation s/√f, so
    the information: P(separated) = Φ((|δ| − z s/√f) / (s√(1 − 1/f)))
                                  + Φ((−|δ| − z s/√f) / (s√(1 − 1/f)))
                     E P(the order is wrong) = 2 T(|δ|/s, 1/√(f − 1))

z is the normal quantile of the level (two systems are separated when the interval of their
difference excludes zero), T is Owen's function. The true difference is not taken to be δ: it may
be smaller or larger by what is still unknown, which is why even two systems now exactly equal
will probably be told apart by 61 times as many judgements (level 95 %, chance 80 %).

The numbers found this way are checked, and numbers of clusters found, by simulation (futures.py).
Comparisons to ask for next are those that lower the expected number of pairs of systems
in the wrong order most: f for every pair comes from the rank-one update of Σ.
"""

from dataclasses import asdict, dataclass, replace
from itertools import pairwise

import numpy as np
import polars as pl
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri, owens_t

from adjudge.comparisons.comparisons import Comparisons
from adjudge.comparisons.counts import WinCounts, count
from adjudge.errors import BadParameter, NotEnoughData, one_of, within
from adjudge.judgements.selection import require
from adjudge.parallel import Engine
from adjudge.ranking.estimation import bootstrapped
from adjudge.ranking.method import Scores
from adjudge.ranking.methods.davidson import METHOD
from adjudge.ranking.models.paired_models import Floats, fit, pairs_of
from adjudge.ranking.participants import participants
from adjudge.ranking.population import auto_unit
from adjudge.ranking.resampling import RANKING_UNITS, DesignEffects
from adjudge.simulation.futures import MODEL, Posterior, cluster_numbers, futures, posterior
from adjudge.statistics.ranks import clusters, rank_ranges
from adjudge.statistics.resampling import Resampling, Unit

LARGEST = 64.0  # times the present campaign: what nobody will pay for
SIZES = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 16.0)  # of a campaign, the present one being 1
REPLICATES = 400  # from which the design effect is taken
LEAST_EFFECT = 0.05  # judgements all alike vary in no replicate, and say no more for that


@dataclass(frozen=True)
class Separation:
    """Two systems, and what it takes to separate them."""

    better: str
    worse: str
    difference: float  # of log-strengths
    sd: float
    comparisons: int  # of the two with each other, so far
    probability: float  # that the order is right
    separated: bool
    more_rankings: int | None  # spread over the systems as so far; None: beyond LARGEST
    more_comparisons: int | None  # if only these two are compared
    simulated_chance: float | None  # of being separated after `more_rankings`, by simulation


@dataclass(frozen=True)
class Size:
    """What a campaign grown to some size would give."""

    more_rankings: int
    clusters: float  # expected
    chance: float | None  # of at least the clusters wanted


@dataclass(frozen=True)
class Suggestion:
    """A comparison worth asking for."""

    system_a: str
    system_b: str
    gain: float  # pairs put right per thousand comparisons


@dataclass(frozen=True)
class Goal:
    """What the organiser wants."""

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
    """What more judgements would buy."""

    pair: str
    goal: Goal
    design_effect: float
    rankings: int  # so far
    separations: tuple[Separation, ...]
    sizes: tuple[Size, ...]
    rankings_for_clusters: int | None  # further ones; None: not asked, or at none of the sizes
    suggestions: tuple[Suggestion, ...]

    def to_frame(self) -> pl.DataFrame:
        """One row for every two systems to separate."""
        rows = [{"pair": self.pair, **asdict(separation)} for separation in self.separations]
        return pl.DataFrame(rows, infer_schema_length=None)


def plan(comparisons: Comparisons, goal: Goal | None = None) -> Plan:
    """What more judgements of this language pair would buy."""
    goal = goal or Goal()
    comparisons = participants(comparisons, reference=False)
    if goal.unit == "auto":
        goal = replace(goal, unit=auto_unit(comparisons))
    systems = len(comparisons.systems)
    if goal.clusters is not None and not 1 <= goal.clusters <= systems:
        raise NotEnoughData(
            f"{comparisons.pair}: {systems} systems make 1 to {systems} `clusters`, not "
            f"{goal.clusters}"
        )
    counts = count(comparisons)
    asked_for = _asked_for(counts, goal)
    resampling = Resampling(goal.unit, REPLICATES, goal.seed)
    effects_of_units = DesignEffects(comparisons)
    replicates = bootstrapped(
        comparisons, METHOD, resampling, Engine(), effects_of_units
    ).replicates
    effects = _design_effects(counts, replicates)
    of_pairs = effects[pairs_of(systems)]
    overall = float(of_pairs.mean())
    # Where replicates hardly vary, their covariance says nothing; the model's does.
    covariance = np.cov(replicates.T) if of_pairs.min() > LEAST_EFFECT else None
    rankings = len(np.unique(comparisons.ranking))
    sizes = _sizes(counts, posterior(counts, overall), rankings, goal, replicates)
    return Plan(
        comparisons.pair,
        goal,
        overall,
        rankings,
        tuple(_separation(counts, effects, rankings, goal, a, b) for a, b in asked_for),
        sizes,
        _size_for(sizes, goal),
        tuple(
            Suggestion(*suggested)
            for suggested in next_comparisons(counts, overall, covariance=covariance)
        ),
    )


def _design_effects(counts: WinCounts, replicates: Scores) -> Floats:
    """By pair of systems: the variance of their difference over that of independent comparisons."""

    def of_differences(covariance: Floats) -> Floats:
        variance = np.diagonal(covariance)
        return np.asarray(variance[:, None] + variance - 2 * covariance)

    simple = posterior(counts).covariance[:-1, :-1]
    varied = of_differences(np.cov(replicates.T))
    np.fill_diagonal(simple_variance := of_differences(simple), 1.0)
    return np.maximum(varied / simple_variance, LEAST_EFFECT)


def next_comparisons(
    counts: WinCounts,
    design_effect: float = 1.0,
    batch: int | None = None,
    covariance: Floats | None = None,
) -> list[tuple[str, str, float]]:
    """All pairs of systems, the most useful to compare first, with the gain of each.

    The gain is by how much `batch` comparisons of the pair (a twentieth of those so far, at
    least ten) lower the expected number of pairs in the wrong order, per thousand comparisons.
    The covariance of the strengths is the model's times the design effect if none is given.
    """
    batch = batch or max(10, int(np.triu(counts.comparisons).sum()) // 20)
    known = posterior(counts, design_effect)
    first, second = pairs_of(len(counts.systems))
    sigma = known.covariance[:-1, :-1] if covariance is None else covariance
    to_pairs = sigma[first] - sigma[second]  # covariance of each difference with each strength
    between = to_pairs[:, first] - to_pairs[:, second]
    variance = np.diagonal(between)
    weight = batch * known.information()
    # Row: the pair asked for. Column: the pair whose difference becomes better known.
    explained = between**2 * (weight / (1 + weight * variance))[:, None]
    certain = np.abs(known.strengths[first] - known.strengths[second]) / np.sqrt(variance)
    left = np.sqrt(np.maximum(variance - explained, 0) / np.maximum(explained, 1e-300))
    gain = (ndtr(-certain) - 2 * owens_t(certain, left)).sum(axis=1) * 1000 / batch
    return [
        (counts.systems[first[i]], counts.systems[second[i]], float(gain[i]))
        for i in np.argsort(-gain, kind="stable")
    ]


def chance_of_separation(certain: float, growth: float, level: float) -> float:
    """P(separated) once there is `growth` times the information; `certain` is |δ|/s now."""
    bar = ndtri((1 + level) / 2) / np.sqrt(growth)
    spread = np.sqrt(1 - 1 / growth)
    return float(ndtr((certain - bar) / spread) + ndtr((-certain - bar) / spread))


def growth_needed(certain: float, level: float, chance: float) -> float | None:
    """How many times the information separates with that chance; None beyond LARGEST."""
    if certain >= ndtri((1 + level) / 2):
        return 1.0
    if chance_of_separation(certain, LARGEST, level) < chance:
        return None
    return float(
        brentq(lambda f: chance_of_separation(certain, f, level) - chance, 1 + 1e-9, LARGEST)
    )


def _asked_for(counts: WinCounts, goal: Goal) -> list[tuple[int, int]]:
    """The two systems asked for, better first; or every two neighbours in the order."""
    strengths = fit(MODEL, counts.wins, counts.ties).strengths
    order = [int(i) for i in np.argsort(-strengths, kind="stable")]
    if goal.between is not None:
        require(goal.between, counts.systems, "system")
        order = [i for i in order if counts.systems[i] in goal.between]
        if len(order) != 2:
            raise BadParameter("a system cannot be separated from itself; name two in `between`")
    return list(pairwise(order))


def _separation(
    counts: WinCounts, effects: Floats, rankings: int, goal: Goal, a: int, b: int
) -> Separation:
    known = posterior(counts, float(effects[a, b]))
    sigma = known.covariance
    sd = float(np.sqrt(sigma[a, a] + sigma[b, b] - 2 * sigma[a, b]))
    difference = float(known.strengths[a] - known.strengths[b])
    growth = growth_needed(difference / sd, goal.level, goal.chance)
    simple = Separation(
        counts.systems[a],
        counts.systems[b],
        difference,
        sd,
        int(counts.comparisons[a, b]),
        float(ndtr(difference / sd)),
        separated=growth == 1.0,
        more_rankings=None,
        more_comparisons=None,
        simulated_chance=None,
    )
    if growth is None:
        return simple
    if growth == 1.0:
        return replace(simple, more_rankings=0, more_comparisons=0)
    first, second = pairs_of(len(counts.systems))
    says = known.information()[(first == min(a, b)) & (second == max(a, b))][0]
    random = np.random.default_rng(goal.seed)
    fits, covariance = futures(counts, known, growth, goal.simulations, random)
    moved = fits.strengths[:, a] - fits.strengths[:, b]
    spread = np.sqrt(covariance[:, a, a] + covariance[:, b, b] - 2 * covariance[:, a, b])
    return replace(
        simple,
        more_rankings=int(np.ceil((growth - 1) * rankings)),
        more_comparisons=int(np.ceil((growth - 1) / (says * sd**2))),
        simulated_chance=float((np.abs(moved) > ndtri((1 + goal.level) / 2) * spread).mean()),
    )


def _sizes(
    counts: WinCounts, known: Posterior, rankings: int, goal: Goal, replicates: Scores
) -> tuple[Size, ...]:
    random = np.random.default_rng(goal.seed)
    order = np.argsort(-known.strengths, kind="stable")
    ranges = rank_ranges(replicates[:, order], (1 - goal.level) / 2)
    sizes = []
    for growth in SIZES:
        if growth == 1:
            number = clusters(*ranges)[-1:]
        else:
            fits, covariance = futures(counts, known, growth, goal.simulations, random)
            number = cluster_numbers(fits.strengths, covariance, goal.level, random)
        chance = None if goal.clusters is None else float((number >= goal.clusters).mean())
        more = int(np.ceil((growth - 1) * rankings))
        sizes.append(Size(more, float(number.mean()), chance))
    return tuple(sizes)


def _size_for(sizes: tuple[Size, ...], goal: Goal) -> int | None:
    """Further rankings after which the clusters wanted have the chance wanted."""
    if goal.clusters is None:
        return None
    chance = np.maximum.accumulate([size.chance or 0.0 for size in sizes])
    if chance[-1] < goal.chance:
        return None
    more = [size.more_rankings for size in sizes]
    return int(np.ceil(np.interp(goal.chance, chance, more)))
