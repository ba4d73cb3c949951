"""Intervals, tests and ranges from the covariance of scores.

Scores are of one of two scales. A strength (of Bradley and Terry's model, say) has the interval
θ ± t √V, and two strengths are compared as they are. A share lies between 0 and 1, and near the
ends its variance shrinks: it has Wilson's interval with the effective number of votes
n = s̃(1 − s̃)/V and Student's t (as for complex surveys: Kott and Carr 1997, Dean and Pagano 2015),

    (n s + t²/2)/(n + t²) ± t √(n s (1 − s) + t²/4)/(n + t²)

which never has zero width, at 0 or 1 neither: [n/(n + t²), 1] for s = 1. s̃ is the share with half
a win and half a loss added, never 0 or 1. Two shares are compared by their logits, with covariance
Σ_ab / [s̃_a(1 − s̃_a) s̃_b(1 − s̃_b)]: on the plain scale chance that moves a share away from 1/2
makes its variance look smaller, and too many differences are found.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from scipy.special import stdtrit

from adjudge.stats.resampling import Floats
from adjudge.stats.simultaneous import (
    Relation,
    noise,
    p_values,
    probabilities_better,
    told_apart,
)

Scale = Literal["share", "strength"]
SCALES: tuple[Scale, ...] = get_args(Scale)


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """Scores with their covariance over new units."""

    estimate: Floats  # (items,)
    centre: Floats  # of shares: never 0 or 1; of strengths: the estimate
    covariance: Floats  # (items, items)
    degrees: Floats  # of freedom, for intervals
    test_degrees: Floats  # for tests
    scale: Scale
    level: float

    def interval(self) -> tuple[Floats, Floats]:
        """Confidence limits of every score."""
        t = stdtrit(self.degrees, (1 + self.level) / 2)
        variance = np.diag(self.covariance)
        if self.scale == "strength":
            reach = t * np.sqrt(variance)
            return self.estimate - reach, self.estimate + reach
        return wilson(self.estimate, self.centre * (1 - self.centre) / variance, t)

    def better(self) -> Floats:
        """Matrix [a, b] of probabilities that a is better than b; 1/2 for equal scores."""
        return probabilities_better(*self.compared, self.test_degrees)

    def p(self) -> Floats:
        """Matrix [a, b] of two-sided p-values of equality."""
        return p_values(*self.compared, self.test_degrees)

    def told_apart(self) -> Relation:
        """Matrix [a, b]: a is significantly better than b, for all pairs simultaneously at
        `level`.
        """
        return told_apart(*self.compared, float(self.test_degrees.min()), self.level)

    def draws(self, number: int, seed: int) -> Floats:
        """Draw scores under new units (number × items), on the scale of comparison."""
        scores, covariance = self.compared
        return scores + noise(covariance, float(self.test_degrees.min()), number, seed)

    @cached_property
    def compared(self) -> tuple[Floats, Floats]:
        """Scores and covariance on the scale on which differences are tested."""
        if self.scale == "strength":
            return self.estimate, self.covariance
        slope = 1 / (self.centre * (1 - self.centre))
        logit = np.log(self.centre / (1 - self.centre))
        return logit, self.covariance * np.outer(slope, slope)


def wilson(share: Floats, number: Floats, t: Floats) -> tuple[Floats, Floats]:
    """Wilson's interval of a share of `number` votes, with Student's `t`."""
    square = t**2
    middle = (number * share + square / 2) / (number + square)
    reach = np.sqrt(square * (number * share * (1 - share) + square / 4)) / (number + square)
    return np.clip(middle - reach, 0, share), np.clip(middle + reach, share, 1)


def of_replicates(
    estimate: Floats, replicates: Floats, number: float, floor: Floats, level: float
) -> Uncertainty:
    """Uncertainty of scores resampled by `number` effective units: n/(n − 1) times the covariance
    of the replicates, n − 1 degrees of freedom, and variances bounded below by `floor`.
    """
    units = max(number, 1 + 1e-6)
    covariance = np.atleast_2d(np.cov(replicates.T)) * units / (units - 1)
    covariance = covariance + np.diag(np.maximum(floor - np.diag(covariance), 0))
    degrees = np.full(len(estimate), np.clip(number - 1, 1, 1e5))
    return Uncertainty(estimate, estimate, covariance, degrees, degrees, "strength", level)
