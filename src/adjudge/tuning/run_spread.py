"""Spread of scores and weights over many runs of tuning.

Scores of test sentences in many runs of tuning, and how far such a score is from chance.

    interval = value ± t · √(max(0, between runs − both) + test)

*Between runs* is the variance of drawn runs on the test sentences that are there, *test* that of
one run's score by other test sentences (bootstrap). What depends on run and sentence alike (one run
is good at these sentences, another at those) is in either, and must count once: *both* is the
variance by sentences of what is left when every run and every sentence has its mean taken off. A
sentence's share in a score is taken from the score's slopes (as in a jackknife). t is Student's,
with the degrees of freedom of a sum of two variances (Welch 1947).

What many runs of tuning say: the spread of scores and weights, and how many restarts do.

Standard deviations are those of one run: another seed on the same development set, another
development set (its seeds averaged out), other test sentences. Intervals are for everything at
once: a run with another seed on other sentences, scored on others again (`run_scores.py`); those of
weights, which depend on no test sentences, are percentiles over drawn runs. A difference of two
goals is taken run by run, on the same development set from the same seed, so that what both have in
common is not counted.

The best of k restarts is that of k drawn from all that ended on the development set:

    P(best ≤ x_i) = C(i, k) / C(n, k),   x_1 ≤ … ≤ x_n
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import polars as pl
from scipy.special import gammaln

from adjudge.stats.bootstrap import slopes
from adjudge.stats.resampling import drawing, units_of
from adjudge.stats.tests import interval, student
from adjudge.tuning.candidates import Floats, Numbers
from adjudge.tuning.goals import Goal
from adjudge.tuning.segranks import hit_rate
from adjudge.tuning.variance import Runs


@dataclass(frozen=True, eq=False)
class RunScores:
    """Scores of runs by one measure, of one goal or, one less the other, of two."""

    plain: Floats  # (sets + 1, seeds)
    drawn: Floats  # (replicates, seeds): test sentences drawn again, of set 0
    shares: Floats  # (sentences, sets + 1, seeds): what every test sentence adds

    def __sub__(self, other: "RunScores") -> "RunScores":
        """Run by run, replicate by replicate, sentence by sentence."""
        return RunScores(
            self.plain - other.plain, self.drawn - other.drawn, self.shares - other.shares
        )

    @property
    def over_seeds(self) -> "RunScores":
        """The mean of all seeds as one."""
        plain, drawn, shares = (
            each.mean(axis=-1, keepdims=True) for each in (self.plain, self.drawn, self.shares)
        )
        return RunScores(plain, drawn, shares)

    @property
    def value(self) -> float:
        """On the development set that is there, the mean over seeds."""
        return float(self.plain[0].mean())

    @property
    def by_test(self) -> float:
        """The standard deviation by other test sentences."""
        return float(np.sqrt(self.drawn.var(axis=0, ddof=1).mean()))

    def interval(self, level: float, development: int) -> tuple[float, float]:
        """For a run on another development set, of so many sentences, and other test sentences."""
        sentences, sets = len(self.shares), len(self.plain) - 1
        between = float(self.plain[1:].var(axis=0, ddof=1).mean())
        runs, test = max(0.0, between - self._both), self.by_test**2
        if runs + test == 0:
            return self.value, self.value
        known = runs**2 / (min(sets, development) - 1) + test**2 / (sentences - 1)
        degrees = (runs + test) ** 2 / known
        width = float(student(level, degrees + 1)) * np.sqrt(runs + test)
        return self.value - width, self.value + width

    @property
    def _both(self) -> float:
        """The variance by sentences of what depends on run and sentence alike."""
        shares = self.shares[:, 1:]
        rest = shares - shares.mean(axis=0) - shares.mean(axis=1, keepdims=True)
        rest += shares.mean(axis=(0, 1))
        sentences, sets, seeds = shares.shape
        return float(sentences * (rest**2).sum() / ((sentences - 1) * (sets - 1) * seeds))


def score_runs(runs: Runs, chosen: Numbers, measure: Goal) -> list[RunScores]:
    """By one measure, for every goal; `chosen` are (sets + 1, seeds, goals, test sentences)."""
    units = units_of(np.arange(len(runs.test)), "segment")
    draw = drawing((units,), runs.resampling.seed, grouped=False)
    weights = draw.weights(range(runs.resampling.replicates))
    statistics = runs.pool.statistics[:, measure.first : measure.end]
    shape = chosen.shape[:3]
    plain, shares = np.empty(shape), np.empty((chosen.shape[3], *shape))
    drawn = np.empty((len(weights), *shape[1:]))
    for place in np.ndindex(*shape):
        counts = statistics[chosen[place]]
        total = counts.sum(axis=0)
        plain[place] = measure.own_values(total)
        shares[:, *place] = counts @ slopes(total, measure.own_values)[:, 0]
        if place[0] == 0:
            drawn[:, *place[1:]] = measure.own_values(weights @ counts)
    return [RunScores(plain[..., g], drawn[..., g], shares[..., g]) for g in range(shape[2])]


LITTLE = 0.1  # of the deviation between development sets: what restarts lack is no matter then
_NUMBERS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class Spread:
    """A number of one run, and how much of its spread comes from where."""

    value: float  # on the development set that is there, the mean over seeds
    by_seed: float  # standard deviations
    by_set: float
    by_test: float | None  # None: does not depend on test sentences
    low: float
    high: float


@dataclass(frozen=True)
class GoalScore:
    """What was tuned towards one goal, on test sentences, by one measure."""

    goal: str
    measure: str
    before: float
    spread: Spread
    hit_rate: float | None  # of ranked segments, where any measure looks for them
    differing: float  # test sentences with another choice than from another development set


@dataclass(frozen=True)
class GoalDifference:
    """Two goals, on test sentences, by one measure: first − second."""

    first: str
    second: str
    measure: str
    spread: Spread  # of one run each
    mean_low: float  # of the mean over seeds, which is sure of itself sooner
    mean_high: float
    better: float  # the share of runs in which the first has the better score
    differing: float  # test sentences for which they choose otherwise, in the same run

    @property
    def beyond_chance(self) -> str:
        """`no`; `on average`: one run of each need not show it; `yes`: one run does."""
        if self.mean_low <= 0 <= self.mean_high:
            return "no"
        return "on average" if self.spread.low <= 0 <= self.spread.high else "yes"


@dataclass(frozen=True)
class WeightSpread:
    """A weight of what was tuned towards a goal."""

    goal: str
    feature: str
    spread: Spread
    same_sign: float  # the share of runs in which it has the sign of the value


@dataclass(frozen=True)
class BestOf:
    """The best of so many restarts, on the development set."""

    goal: str
    restarts: int
    expected: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class TuningVariance:
    """All that the runs say."""

    runs: Runs

    @cached_property
    def _chosen(self) -> Numbers:
        """The candidates of test sentences, (sets + 1, seeds, goals, sentences)."""
        runs = self.runs
        weights = runs.weights.reshape(-1, len(runs.names))
        chosen = np.stack([runs.pool.chosen(own)[runs.test] for own in weights])
        return chosen.reshape(*runs.weights.shape[:3], len(runs.test))

    @cached_property
    def _scores(self) -> dict[Goal, list[RunScores]]:
        """By every measure, of every goal."""
        runs = self.runs
        return {measure: score_runs(runs, self._chosen, measure) for measure in runs.measures}

    def test_scores(self, measure: Goal) -> Floats:
        """The scores of test sentences in every run, (sets + 1, seeds, goals)."""
        return np.stack([own.plain for own in self._scores[measure]], axis=-1)

    @property
    def best_ends(self) -> list[float]:
        """For every goal the best of all restarts, on the development set."""
        ends = self.runs.ends.max(axis=(0, 2))
        return [
            float(goal.objective.shown(end))
            for goal, end in zip(self.runs.goals, ends, strict=True)
        ]

    def _interval(self, scores: RunScores) -> tuple[float, float]:
        return scores.interval(self.runs.resampling.level, len(self.runs.development))

    def _spread(self, scores: RunScores) -> Spread:
        return _spread(scores.plain, scores.by_test, *self._interval(scores))

    @cached_property
    def scores(self) -> tuple[GoalScore, ...]:
        """Every goal by every measure, on test sentences."""
        runs = self.runs
        before = runs.pool.statistics[runs.before[runs.test]].sum(axis=0)
        rows = []
        for g, goal in enumerate(runs.goals):
            hits = self._hit_rate(g)
            other = (self._chosen[1:, :, g] != self._chosen[:1, :, g]).mean()
            for measure in runs.measures:
                spread = self._spread(self._scores[measure][g])
                began = float(measure.values(before))
                rows.append(GoalScore(str(goal), str(measure), began, spread, hits, float(other)))
        return tuple(rows)

    def _hit_rate(self, goal: int) -> float | None:
        """On set 0, the mean over seeds, by the first measure that looks for segments."""
        for measure in self.runs.measures:
            rates = [
                hit_rate(
                    self.runs.pool.statistics[own][:, measure.first : measure.end],
                    measure.objective,
                )
                for own in self._chosen[0, :, goal]
            ]
            known = [rate for rate in rates if rate is not None]
            if known:
                return float(np.mean(known))
        return None

    @cached_property
    def differences(self) -> tuple[GoalDifference, ...]:
        """Every two goals, by both of them and by the measures that are no goals."""
        return tuple(self._differences())

    def _differences(self) -> Iterator[GoalDifference]:
        runs = self.runs
        others = [measure for measure in runs.measures if measure not in runs.goals]
        for g, h in combinations(range(len(runs.goals)), 2):
            differing = float((self._chosen[..., g, :] != self._chosen[..., h, :]).mean())
            for measure in (runs.goals[g], runs.goals[h], *others):
                gap = self._scores[measure][g] - self._scores[measure][h]
                won = gap.plain[1:] if measure.objective.higher_is_better else -gap.plain[1:]
                yield GoalDifference(
                    str(runs.goals[g]),
                    str(runs.goals[h]),
                    str(measure),
                    self._spread(gap),
                    *self._interval(gap.over_seeds),
                    float(((won > 0) + 0.5 * (won == 0)).mean()),
                    differing,
                )

    @cached_property
    def weights(self) -> tuple[WeightSpread, ...]:
        """Every weight towards every goal."""
        runs = self.runs
        fewest, level = len(runs.development), runs.resampling.level
        rows = []
        for g, goal in enumerate(runs.goals):
            for k, name in enumerate(runs.names):
                own = runs.weights[:, :, g, k]
                drawn = own[1:].reshape(-1, 1)
                low, high = interval(own[0].mean(keepdims=True), drawn, fewest, level)
                spread = _spread(own, None, float(low[0]), float(high[0]))
                same = float((np.sign(own[1:]) == np.sign(spread.value)).mean())
                rows.append(WeightSpread(str(goal), name, spread, same))
        return tuple(rows)

    @cached_property
    def restarts(self) -> tuple[BestOf, ...]:
        """The best of k restarts; k goes to half of all that were made."""
        runs = self.runs
        rows = []
        for g, goal in enumerate(runs.goals):
            ends = runs.ends[:, g].reshape(-1) if runs.ends.size else np.empty(0)
            for number in _NUMBERS:
                if 2 * number <= len(ends):
                    shown = [float(goal.objective.shown(v)) for v in self._best(ends, number)]
                    rows.append(BestOf(str(goal), number, shown[0], *sorted(shown[1:])))
        return tuple(rows)

    def _best(self, ends: Floats, number: int) -> Floats:
        """Expectation, low and high end of the best of `number` ends."""
        tail = (1 - self.runs.resampling.level) / 2
        chance = best_of(len(ends), number)
        values = np.sort(ends)
        places = np.searchsorted(np.cumsum(chance), [tail, 1 - tail - 1e-12])
        return np.array([chance @ values, *values[np.minimum(places, len(values) - 1)]])

    def enough(self, goal: Goal) -> int | None:
        """The fewest restarts that lack little of the best one; None: all that were tried lack."""
        g = self.runs.goals.index(goal)
        ends = self.runs.ends[:, g].reshape(-1) if self.runs.ends.size else np.empty(0)
        between = float(self.runs.reached[1:, :, g].mean(axis=1).std(ddof=1))
        for number in range(1, len(ends) // 2 + 1):
            if ends.max() - self._best(ends, number)[0] <= LITTLE * between:
                return number
        return None

    def to_frame(self) -> pl.DataFrame:
        """One row a goal and measure."""
        return pl.DataFrame([flat(row) for row in self.scores])


def _spread(plain: Floats, by_test: float | None, low: float, high: float) -> Spread:
    """Of (sets + 1, seeds) values."""
    by_seed = float(np.sqrt(plain.var(axis=1, ddof=1).mean()))
    between = float(plain[1:].mean(axis=1).var(ddof=1))
    by_set = float(np.sqrt(max(0.0, between - by_seed**2 / plain.shape[1])))
    return Spread(float(plain[0].mean()), by_seed, by_set, by_test, low, high)


def best_of(number: int, drawn: int) -> Floats:
    """The chance of every one of so many sorted values to be the best of some that are drawn."""
    place = np.arange(1, number + 1)
    log = np.full(number, -np.inf)
    can = place >= drawn
    log[can] = _log_choose(place[can] - 1, drawn - 1) - _log_choose(number, drawn)
    return np.asarray(np.exp(log))


def _log_choose(n: Numbers | int, k: int) -> Floats:
    n = np.asarray(n, np.float64)
    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))


def flat(row: GoalScore | GoalDifference | WeightSpread) -> dict[str, object]:
    """The row with its spread among the other keys."""
    return {
        key: value
        for name, own in vars(row).items()
        for key, value in (vars(own).items() if isinstance(own, Spread) else [(name, own)])
    }
