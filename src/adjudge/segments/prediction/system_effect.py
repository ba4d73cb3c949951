"""How far a prediction can be off: systems differ in what no text shows.

Every known system B is left out in turn, and predicted by what was learnt from the others. That
gives

- its effect δ_B, by which the log odds of being better would have to be shifted, and from all of
  them τ, the standard deviation of such effects: τ² = mean(δ_B² − s_B²), s_B² being the variance of
  δ_B itself; a system counts by its number of uncertain comparisons, 1 / s_B²;
- the dispersion ψ: the comparisons of one sentence go together, so that sums of their residuals
  vary ψ times as much as those of independent comparisons, Σ p (1 − p).

What judges say of m candidates of an unseen system narrows its effect (normal prior, quasi-
likelihood): δ maximises Σ log-likelihood / ψ − δ² / 2τ², and its variance is 1 / (Σ p (1 − p) / ψ +
1 / τ²).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from adjudge.core.errors import NotEnoughData
from adjudge.segments.prediction.model import UNTIED, Predictor, fit
from adjudge.segments.prediction.questions import Questions, questions
from adjudge.segments.prediction.similarity import Likeness
from adjudge.stats.units import Codes, Floats

STEPS = 50
LARGEST = 5.0  # an effect beyond it turns every comparison around
LEAST_SPREAD = 0.02  # of log odds: no system is like the others to the last digit


@dataclass(frozen=True)
class Spread:
    """How much predictions of whole systems are off, on the scale of log odds."""

    effects: float  # τ
    dispersion: float  # ψ
    systems: int  # from how many it is known


@dataclass(frozen=True, eq=False)
class Learnt:
    """A predictor, and how far to trust it."""

    predictor: Predictor
    spread: Spread


def learn(likeness: Likeness, known: Sequence[int], hidden: Sequence[int] = ()) -> Learnt:
    """Learn from the known systems; hidden ones are in no feature and no answer."""
    parts = [questions(likeness, system, hidden) for system in known]
    effects, information, squares = [], [], 0.0
    for place, part in enumerate(parts):
        if not (part.outcome != 0).any():
            continue
        others = parts[:place] + parts[place + 1 :]
        chance = fit(others).predict(part)[1]
        effect, said = _shift(part, chance, 0.0)
        effects.append(effect)
        information.append(said)
        squares += _squares(part, expit(logit(chance) + effect), likeness.sentence)
    total = sum(information)
    if not total:
        raise NotEnoughData(UNTIED)
    dispersion = max(squares / total, 1.0)
    square = (np.dot(information, np.square(effects)) - dispersion * len(effects)) / total
    tau = float(np.sqrt(max(square, LEAST_SPREAD**2)))
    return Learnt(fit(parts), Spread(tau, dispersion, len(effects)))


def effect_of(asked: Questions, better: Floats, spread: Spread) -> tuple[float, float]:
    """The effect of a system by what judges said of it, and its variance; no answers, no effect."""
    prior = spread.dispersion / spread.effects**2  # in units of the information of comparisons
    effect, information = _shift(asked, better, prior)
    return effect, spread.dispersion / information


def _shift(asked: Questions, better: Floats, prior: float) -> tuple[float, float]:
    """Which shift of log odds fits the untied answers best, and how much they say."""
    untied = np.nan_to_num(asked.outcome) != 0
    weight, won = asked.makers[untied], asked.outcome[untied] > 0
    odds = logit(better[untied])
    shift = 0.0
    for _ in range(STEPS):
        chance = expit(odds + shift)
        information = float((weight * chance * (1 - chance)).sum()) + prior
        if information < 1e-9:
            break
        step = (float((weight * (won - chance)).sum()) - prior * shift) / information
        shift = float(np.clip(shift + np.clip(step, -1, 1), -LARGEST, LARGEST))
        if abs(step) < 1e-9:
            break
    return shift, max(information, 1e-9)


def _squares(asked: Questions, better: Floats, sentence: Codes) -> float:
    """The squared sums of the residuals of each sentence."""
    untied = asked.outcome != 0
    residual = asked.makers * ((asked.outcome > 0) - better) * untied
    sums = np.bincount(sentence[asked.annotation], residual)
    return float((sums**2).sum())
