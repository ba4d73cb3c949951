"""The likelihood of Davidson's model, and of Bradley and Terry's, which has no ties.

    P(a > b) = π_a / Z,   P(b > a) = π_b / Z,   P(tie) = ν √(π_a π_b) / Z,
    Z = π_a + π_b + ν √(π_a π_b)

with strengths π = exp θ. The log-likelihood (better − worse)·d/2 + tied·log ν − n·log Z, where
d = θ_a − θ_b, is concave: its maximum is the only one.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from adjudge.ranking.models.paired_comparison import PRIOR_SD, Floats, Outcomes, Slopes


def chances(difference: Floats, tie: Floats) -> tuple[Floats, Floats, Floats]:
    """P(better), P(worse), P(tied) for θ_a − θ_b = `difference` and log ν = `tie`."""
    higher, lower, tied, _ = _chances(np.abs(difference), np.exp(tie))
    ahead = difference >= 0
    return np.where(ahead, higher, lower), np.where(ahead, lower, higher), tied


def _chances(apart: Floats, nu: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """P(the stronger wins), P(the weaker), P(tied), and −log of the first."""
    shrunk = np.exp(-apart / 2)
    tied = nu * shrunk
    lower = shrunk * shrunk
    rest = lower + tied
    higher = 1 / (1 + rest)
    return higher, lower * higher, tied * higher, np.log1p(rest)


class Derivatives(NamedTuple):
    """Of the log-likelihood of every cell, without its term tied·log ν; as in `Slopes`."""

    value: Floats
    d: Floats
    t: Floats
    dd: Floats
    dt: Floats
    tt: Floats


def derivatives(outcomes: Outcomes, difference: Floats, nu: Floats) -> Derivatives:
    """In the statistics (better − worse)/2 and tied this is an exponential family.

    Seen from the stronger of the two, and written so that nothing cancels where it always wins.
    """
    apart = np.abs(difference)
    high, low, tied, cost = _chances(apart, nu)
    side = np.where(difference >= 0, 1.0, -1.0)
    n = outcomes.better + outcomes.worse + outcomes.tied
    half_net = side * (outcomes.better - outcomes.worse) / 2
    decided = (outcomes.better + outcomes.worse) / 2
    won, lost = decided + half_net, decided - half_net
    edge = (high - low) / 2
    slope = won * (low + tied / 2) - lost * (high + tied / 2) - outcomes.tied * edge
    n_tied = n * tied
    return Derivatives(
        -(lost + outcomes.tied / 2) * apart - n * cost,
        d=side * slope,
        t=outcomes.tied - n_tied,
        dd=n * (high * low + (high + low) * tied / 4),
        dt=-n_tied * edge * side,
        tt=n_tied * (1 - tied),
    )


@dataclass(frozen=True)
class DavidsonModel:
    """The likelihood; without a tie parameter it is Bradley–Terry's (ν = 0)."""

    name: str = "davidson"
    has_tie_parameter: bool = True
    first_tie: float = 0.0

    def slopes(self, outcomes: Outcomes, difference: Floats, tie: Floats) -> Slopes:
        """Log-likelihood and prior of log ν."""
        if not self.has_tie_parameter:
            nothing = np.zeros((len(tie), 1))
            wins_only = outcomes._replace(tied=nothing)
            by = derivatives(wins_only, difference, nothing)
            return Slopes(by.value.sum(axis=1), by.d, tie, by.dd, by.dt, tie)
        by = derivatives(outcomes, difference, np.exp(tie)[:, None])
        tied = outcomes.tied.sum(axis=1)
        return Slopes(
            by.value.sum(axis=1) + tied * tie - tie**2 / (2 * PRIOR_SD**2),
            by.d,
            by.t.sum(axis=1) - tie / PRIOR_SD**2,
            by.dd,
            by.dt,
            by.tt.sum(axis=1) + PRIOR_SD**-2.0,
        )
