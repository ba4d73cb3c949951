"""Simulated futures: the campaign grown to some times its size, and what it would then say.

True strengths are drawn from what is known of them, further judgements from those (spread over
the pairs of systems as so far), and everything is fitted again. Counts are divided by the design
effect: so many independent comparisons would say as much.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.comparisons.counts import WinCounts
from adjudge.ranking.models.davidson_model import DavidsonModel, chances
from adjudge.ranking.models.paired_models import Floats, PairedFit, fit, pairs_of, precision
from adjudge.statistics.ranks import clusters

MODEL = DavidsonModel()
POSTERIOR_DRAWS = 200


@dataclass(frozen=True, eq=False)
class Posterior:
    """What is known of the strengths: normal around `strengths` with `covariance`."""

    systems: tuple[str, ...]
    strengths: Floats
    tie: float  # log ν
    covariance: Floats  # of strengths and log ν, design effect included
    design_effect: float

    def information(self) -> Floats:
        """What one comparison of each pair says of the difference (pairs as `pairs_of`)."""
        first, second = pairs_of(len(self.systems))
        better, worse, _ = chances(
            self.strengths[first] - self.strengths[second], np.array(self.tie)
        )
        return (better + worse - (better - worse) ** 2) / (4 * self.design_effect)


def posterior(counts: WinCounts, design_effect: float = 1.0) -> Posterior:
    """Strengths and their covariance; no comparisons at all leave the prior."""
    fitted = fit(MODEL, counts.wins, counts.ties)
    known = precision(MODEL, counts.wins, counts.ties, fitted)
    covariance = np.linalg.inv(known).astype(np.float64, copy=False)
    return Posterior(
        counts.systems,
        fitted.strengths,
        float(fitted.tie),
        covariance * design_effect,
        design_effect,
    )


def futures(
    counts: WinCounts,
    known: Posterior,
    growth: float,
    simulations: int,
    random: np.random.Generator,
) -> tuple[PairedFit, Floats]:
    """Fits of campaigns `growth` times as large, and the covariances of their parameters."""
    truth = random.multivariate_normal(
        np.append(known.strengths, known.tie), known.covariance, simulations
    )
    first, second = pairs_of(len(known.systems))
    wins = np.repeat(counts.wins[None] / known.design_effect, simulations, axis=0)
    ties = np.repeat(counts.ties[None] / known.design_effect, simulations, axis=0)
    further = (growth - 1) * counts.comparisons[first, second] / known.design_effect
    outcomes = chances(truth[:, first] - truth[:, second], truth[:, -1:])
    better, worse, tied = (random.poisson(further * chance) for chance in outcomes)
    wins[:, first, second] += better
    wins[:, second, first] += worse
    ties[:, first, second] += tied
    ties[:, second, first] += tied
    fitted = fit(MODEL, wins, ties)
    covariance = np.linalg.inv(precision(MODEL, wins, ties, fitted))
    return fitted, covariance.astype(np.float64, copy=False)


def cluster_numbers(
    strengths: Floats, covariance: Floats, level: float, random: np.random.Generator
) -> NDArray[np.int64]:
    """The number of clusters in every future, by rank ranges of draws from its posterior."""
    systems = strengths.shape[1]
    root = np.linalg.cholesky(covariance[:, :systems, :systems])
    draws = random.standard_normal((len(strengths), POSTERIOR_DRAWS, systems))
    drawn = strengths[:, None] + draws @ np.swapaxes(root, 1, 2)
    ranks = np.sort(np.argsort(np.argsort(-drawn, axis=2), axis=2), axis=1)
    drop = round((1 - level) / 2 * POSTERIOR_DRAWS)
    order = np.argsort(-strengths, axis=1)
    low = np.take_along_axis(ranks[:, drop], order, axis=1)
    high = np.take_along_axis(ranks[:, -1 - drop], order, axis=1)
    return np.array([clusters(*ends)[-1] for ends in zip(low, high, strict=True)])
