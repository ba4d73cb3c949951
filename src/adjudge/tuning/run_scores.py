"""Scores of test sentences in many runs of tuning, and how far such a score is from chance.

    interval = value ± t · √(max(0, between runs − both) + test)

*Between runs* is the variance of drawn runs on the test sentences that are there, *test* that of
one run's score by other test sentences (bootstrap). What depends on run and sentence alike (one run
is good at these sentences, another at those) is in either, and must count once: *both* is the
variance by sentences of what is left when every run and every sentence has its mean taken off. A
sentence's share in a score is taken from the score's slopes (as in a jackknife). t is Student's,
with the degrees of freedom of a sum of two variances (Welch 1947).
"""

from dataclasses import dataclass

import numpy as np

from adjudge.stats.bootstrap import slopes
from adjudge.stats.intervals import student
from adjudge.stats.resampling_weights import drawing
from adjudge.stats.units import units_of
from adjudge.tuning.candidates import Floats, Numbers
from adjudge.tuning.goals import Goal
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
