"""hopkins-may: latent Gaussian qualities with a decision radius (Hopkins and May 2013).

For a segment the judge sees one noisy draw of each system's quality, and calls a tie if the two
draws lie within the decision radius r of each other. With the noise of their difference as the
unit (σ = 1),

    P(a > b) = Φ(μ_a − μ_b − r),   P(b > a) = Φ(μ_b − μ_a − r),   P(tie) = the rest

The score is the quality μ, mean zero; r is estimated. Priors: μ ~ N(0, 3²)
(`models.paired_comparison`) and r ~ Rayleigh(1), which keeps r above zero where nobody tied and
finite where everybody did. The original was fitted by Gibbs sampling; here the same likelihood is
maximised, which is concave in (μ, r), so the maximum is the only one.

M. Hopkins and J. May, 2013: Models of Translation Competitions. ACL 2013.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import log_ndtr

from adjudge.data.win_counts import WinCounts
from adjudge.ranking.method import CountMethod, Scores
from adjudge.ranking.models.paired_comparison import (
    PRIOR_SD,
    Floats,
    Outcomes,
    Slopes,
    fit,
    influence_of_model,
)

LOG_ROOT_TWO_PI = float(np.log(2 * np.pi)) / 2


def _density_over(x: Floats, log_chance: Floats) -> Floats:
    """Ratio φ(x) / chance, stable if both vanish."""
    ratio: Floats = np.exp(-(x**2) / 2 - LOG_ROOT_TWO_PI - log_chance)
    return ratio


@dataclass(frozen=True)
class HopkinsMayModel:
    """Likelihood of the model; the tie parameter is the decision radius r."""

    name: str = "hopkins-may"
    has_tie_parameter: bool = True
    half_ties: bool = False
    prior_sd: float = PRIOR_SD
    first_tie: float = 0.5

    def slopes(self, outcomes: Outcomes, difference: Floats, tie: Floats) -> Slopes:
        """Log-likelihood and Rayleigh prior log r − r²/2; −∞ unless r > 0."""
        inside = tie > 0
        radius = np.where(inside, tie, self.first_tie)
        d, r = difference, radius[:, None]
        win, loss = d - r, -d - r
        log_win, log_loss = log_ndtr(win), log_ndtr(loss)
        # Mirrored to the side where both ends lie in the lower tail, so nothing cancels.
        upper, lower = log_ndtr(r - np.abs(d)), np.minimum(log_win, log_loss)
        log_tie = upper + np.log(-np.expm1(lower - upper))

        m_win = _density_over(win, log_win)
        m_loss = _density_over(loss, log_loss)
        high, low = _density_over(win, log_tie), _density_over(loss, log_tie)
        by_d, by_r = low - high, low + high
        bend_win = outcomes.better * m_win * (win + m_win)
        bend_loss = outcomes.worse * m_loss * (loss + m_loss)
        bend = -win * high - loss * low
        won, lost = outcomes.better * m_win, outcomes.worse * m_loss
        value = outcomes.better * log_win + outcomes.worse * log_loss + outcomes.tied * log_tie
        tt = bend_win + bend_loss + outcomes.tied * (by_r**2 + bend)
        dt = bend_loss - bend_win + outcomes.tied * (by_d * by_r + win * high - loss * low)
        return Slopes(
            np.where(inside, value.sum(axis=1) + np.log(radius) - radius**2 / 2, -np.inf),
            d=won - lost + outcomes.tied * by_d,
            t=(outcomes.tied * by_r - won - lost).sum(axis=1) + 1 / radius - radius,
            dd=bend_win + bend_loss + outcomes.tied * (by_d**2 + bend),
            dt=dt,
            tt=tt.sum(axis=1) + 1 / radius**2 + 1,
        )


def scores(counts: WinCounts) -> Scores:
    """Qualities, with mean zero."""
    return fit(HopkinsMayModel(), counts.wins, counts.ties).strengths


METHOD = CountMethod(
    name="hopkins-may",
    summary="Gaussian qualities, decision radius: P(a>b) = Φ(μ_a − μ_b − r), P(tie) the rest; μ",
    paper="Hopkins and May 2013",
    ties="an outcome of their own",
    reference=False,
    scores=scores,
    size_matters=True,
    influence=influence_of_model(HopkinsMayModel()),
)
