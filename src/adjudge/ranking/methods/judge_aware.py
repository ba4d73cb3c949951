"""judge-aware: Davidson's model with partially pooled reliability and preferences of each judge.

Judge j compares systems a and b with x = α_j (θ_a − θ_b) + β_ja − β_jb:

    P(a > b) ∝ exp(x / 2),   P(b > a) ∝ exp(−x / 2),   P(tie) ∝ ν_j
    log α_j ~ N(0, τ²),   β_js ~ N(0, κ²),   log ν_j ~ N(log ν, ω²),   θ_s, log ν ~ N(0, 3²)

A judge who clicks at random has α near 0 and hardly moves the scores; one with favourites has them
in β; one with a few judgements is taken for an ordinary judge. Nobody is thrown out. What it
buys, and when it does harm, is in docs/methods.md.

Fitted by penalised likelihood (judge_elimination.py). τ, κ and ω maximise the marginal likelihood
in Laplace's approximation (the fixed point of Fellner 1986 and Schall 1991: the sum of squared
effects over their effective number), with one imagined judge of a usual spread added, so that two
judges are not taken for identical by chance. Replicates keep them and refit everything else. The
score is θ for the median judge, mean zero: reliabilities are divided, and strengths multiplied,
by the reliability in the middle of all comparisons.

Of the error sources in Lopez 2012's discussion this answers "assessors may be biased or
malicious", except malice against all systems alike: α is positive.
"""

from collections.abc import Callable
from dataclasses import astuple, dataclass, replace
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.errors import AdjudgeError, NotEnoughData
from adjudge.core.parallel import Engine
from adjudge.data.comparisons import MISSING, Comparisons
from adjudge.ranking.method import Estimate, RefitMethod, Scores
from adjudge.ranking.models.judge_likelihood import (
    Cells,
    Elimination,
    Parameters,
    Spreads,
    cells,
    maximise,
    precisions,
    start,
)
from adjudge.ranking.models.paired_comparison import Floats
from adjudge.ranking.resampling import DesignEffects, comparison_weights
from adjudge.stats.resampling import Resampling, Weights

USUAL = Spreads(reliability=0.3, tie=0.6, preference=0.1)  # about those of WMT15
UNKNOWN = "(unknown)"
MOST_ROUNDS = 1000
CLOSELY, ROUGHLY = 1e-7, 1e-2  # how little logarithms of spreads, or parameters, move at the end
FEW_JUDGES = 500  # that show where the spreads of many more will be
FARTHEST = 1.0  # that the logarithm of a spread moves in a step
STEEPEST, FLATTEST = -2.0, -0.002  # that its change can depend on it
TOGETHER = 0.03  # the largest change from which on all spreads go together
WORST_CONDITION = 1e8  # of how all changes depend on all spreads
PIECE = 25  # replicates sent to a worker at a time


@dataclass(frozen=True, eq=False)
class JudgeAwareFit:
    """Estimated parameters of systems and judges."""

    systems: tuple[str, ...]
    scores: Scores  # (systems,)
    judges: tuple[str, ...]
    comparisons: NDArray[np.int64]  # (judges,)
    reliability: Floats  # (judges,): 1 is the judge in the middle of all comparisons
    middle: float  # that judge's α, by which reliabilities are divided and scores multiplied
    reliability_sd: Floats  # of its logarithm
    tie_tendency: Floats  # (judges,): ν_j
    preference: Floats  # (judges, systems): β, in the scale of the judge's own comparisons
    spreads: Spreads
    rounds: int  # of estimating the spreads
    parameters: Parameters  # where replicates start

    def to_frame(self) -> pl.DataFrame:
        """Return one row per judge, least reliable first; `low` and `high` bound the middle 95 %.

        `favourite` is the system with the judge's largest preference relative to the other judges.
        """
        width = np.exp(1.959964 * self.reliability_sd)
        favourite = self.preference.argmax(axis=1)
        return pl.DataFrame(
            {
                "judge": self.judges,
                "comparisons": self.comparisons,
                "reliability": self.reliability,
                "low": self.reliability / width,
                "high": self.reliability * width,
                "tie_tendency": self.tie_tendency,
                "favourite": [self.systems[i] for i in favourite],
                "preference": self.preference.max(axis=1),
            }
        ).sort("reliability")


class Path:
    """Fixed-point iteration for the logarithms of the spreads.

    The difference between a spread and the one implied by it is small long before convergence, and
    depends on the spread itself far more than on the others. At first every spread is therefore
    extrapolated by itself (the secant method); near the fixed point all are updated together
    (Broyden 1965), as long as this converges.
    """

    def __init__(self, at: Floats) -> None:
        self.at = at
        self._slope = -np.ones(len(at))  # of the change by the spread
        self._slopes: Floats | None = None  # of every change by every spread
        self._last: tuple[Floats, Floats] | None = None  # the point before and its change

    @property
    def spreads(self) -> Spreads:
        """Current spreads."""
        return Spreads(*np.exp(self.at).tolist())

    def elsewhere(self) -> None:
        """Start on other judgements: keep the derivatives of the changes, drop the changes."""
        self._last = self._slopes = None

    def go(self, change: Floats) -> None:
        """Step to the next point, given the change that this one implies."""
        if self._last is not None:
            at, before = self._last
            self._learn(self.at - at, change - before, np.abs(before).max() < TOGETHER)
        self._last = (self.at, change)
        self.at = self.at + self._step(change)

    def _learn(self, moved: Floats, by: Floats, near: bool) -> None:
        """Update the derivatives: changes differ by `by` after the spreads have `moved`."""
        slope = np.divide(by, moved, out=self._slope.copy(), where=np.abs(moved) > 1e-9)
        self._slope = np.where(slope < 0, np.clip(slope, STEEPEST, FLATTEST), self._slope / 4)
        if self._slopes is None or not near:
            self._slopes = np.diag(self._slope)
        elif moved.any():
            rest = by - self._slopes @ moved
            self._slopes = self._slopes + np.outer(rest, moved) / (moved @ moved)

    def _step(self, change: Floats) -> Floats:
        if self._slopes is not None and np.linalg.cond(self._slopes) < WORST_CONDITION:
            step = -np.linalg.solve(self._slopes, change)
            if np.abs(step).max() <= FARTHEST and step @ change > 0:
                return np.asarray(step)
            self._slopes = np.diag(self._slope)
        return -np.clip(change / self._slope, -FARTHEST, FARTHEST)


_fitted: WeakKeyDictionary[Comparisons, JudgeAwareFit] = WeakKeyDictionary()


def fit_judge_aware(comparisons: Comparisons) -> JudgeAwareFit:
    """Estimate scores, reliabilities and spreads; unknown judges are treated as one further judge.

    The result is cached with the comparisons, because `judge-document-aware` builds on it.
    """
    if comparisons not in _fitted:
        _fitted[comparisons] = _fit(comparisons)
    return _fitted[comparisons]


def _fit(comparisons: Comparisons) -> JudgeAwareFit:
    counted, judges = judge_cells(comparisons)
    parameters, found, spreads, rounds = _fit_spreads(counted)
    middle = _middle(counted, parameters)
    return JudgeAwareFit(
        comparisons.systems,
        _scores(counted, parameters, middle),
        judges,
        np.rint(counted.of_judges / counted.worth).astype(np.int64),
        np.exp(parameters.judge[:, 0]) / middle,
        middle,
        np.sqrt(found.variances()[:, 0]),
        np.exp(parameters.shared[counted.systems] + parameters.judge[:, 1]),
        parameters.judge[:, 2:],
        spreads,
        rounds,
        parameters,
    )


def judge_cells(comparisons: Comparisons) -> tuple[Cells, tuple[str, ...]]:
    """Count each judge's outcomes for each pair of systems; return them with the judges' names."""
    if not len(comparisons):
        raise NotEnoughData("judge-aware: no two systems were compared; collect judgements")
    known = comparisons.judge != MISSING
    if not known.any():
        raise NotEnoughData("judge-aware: no judge is known; name the judges, or choose davidson")
    names = (*comparisons.judges, UNKNOWN)
    judge = np.where(known, comparisons.judge, len(comparisons.judges))
    present, code = np.unique(judge, return_inverse=True)
    return cells(comparisons, code, worth(comparisons)), tuple(names[i] for i in present)


def worth(comparisons: Comparisons) -> float:
    """Weight of one comparison: 1 over the design effect of rankings.

    The comparisons of one ranking are not independent; without this weight, their shared variation
    would be attributed to the judge's preferences.
    """
    return 1 / max(1.0, DesignEffects(comparisons).of_rankings())


def _fit_spreads(counted: Cells) -> tuple[Parameters, Elimination, Spreads, int]:
    """Alternate between parameters and spreads until convergence.

    With many judges, a subset first yields approximate spreads and their derivatives in a fraction
    of the time.
    """
    parameters, path = start(counted), Path(np.log(astuple(USUAL)))
    few = counted.every(max(1, counted.judges // FEW_JUDGES))
    if few.judges < counted.judges:
        shown, _, _ = _settle(few, start(few), path, ROUGHLY)
        parameters = replace(parameters, shared=shown.shared)
        path.elsewhere()
    parameters, found, rounds = _settle(counted, parameters, path, CLOSELY)
    return parameters, found, path.spreads, rounds


def _settle(
    counted: Cells, parameters: Parameters, path: Path, nearness: float
) -> tuple[Parameters, Elimination, int]:
    """Iterate until the spreads implied by the parameters equal those they were fitted with."""
    for rounds in range(1, MOST_ROUNDS + 1):
        spreads = path.spreads
        parameters, found = maximise(counted, parameters, spreads, ROUGHLY)
        variance = found.variances()
        implied = (
            spread(parameters.judge[:, 0], variance[:, 0], spreads.reliability, USUAL.reliability),
            spread(parameters.judge[:, 1], variance[:, 1], spreads.tie, USUAL.tie),
            spread(parameters.judge[:, 2:], variance[:, 2:], spreads.preference, USUAL.preference),
        )
        change = np.log(implied) - path.at
        path.go(change)
        parameters = found.following(parameters, precisions(counted, path.spreads)[1])
        if np.abs(change).max() < nearness:
            return *maximise(counted, parameters, path.spreads), rounds
    raise AdjudgeError(
        f"judge-aware found no spread of the judges in {MOST_ROUNDS} rounds; "
        "choose davidson instead"
    )


def spread(effect: Floats, variance: Floats, now: float, usual: float) -> float:
    """Posterior spread: Σ effect² over the effective number of effects, with one prior effect of
    usual size.
    """
    effective = (1 - np.minimum(variance / now**2, 1)).sum()
    return float(np.sqrt(((effect**2).sum() + usual**2) / (effective + 1)))


def _middle(counted: Cells, parameters: Parameters) -> float:
    """Weighted median of reliability over all comparisons."""
    order = np.argsort(parameters.judge[:, 0])
    upto = np.cumsum(counted.of_judges[order])
    return float(np.exp(parameters.judge[order[np.searchsorted(upto, upto[-1] / 2)], 0]))


def _scores(counted: Cells, parameters: Parameters, middle: float) -> Scores:
    strengths = parameters.shared[: counted.systems]
    return np.asarray(middle * (strengths - strengths.mean()))


def refit(counted: Cells, fitted: JudgeAwareFit, weights: Weights) -> tuple[Parameters, float]:
    """Refit with comparisons weighted by `weights`; return the parameters and the median of α."""
    drawn = counted.weighted(weights)
    parameters, _ = maximise(drawn, fitted.parameters, fitted.spreads)
    return parameters, _middle(drawn, parameters)


def _rescore(counted: Cells, fitted: JudgeAwareFit, weights: Weights) -> Scores:
    return _scores(counted, *refit(counted, fitted, weights))


def _some_replicates(
    comparisons: Comparisons,
    resampling: Resampling,
    rescore: Callable[[Weights], Scores],
    replicates: range,
) -> list[Scores]:
    return [
        rescore(comparison_weights(comparisons, resampling, replicate)) for replicate in replicates
    ]


def replicated(
    comparisons: Comparisons,
    resampling: Resampling,
    engine: Engine,
    scores: Scores,
    rescore: Callable[[Weights], Scores],
) -> Estimate:
    """Return the scores, and `rescore` applied to the weights of every replicate."""
    if resampling.unit == "none":
        # Nothing is drawn and nothing in the fit is random: all replicates are the same.
        return Estimate(comparisons.systems, scores, scores[None])
    pieces = [
        (comparisons, resampling, rescore, range(first, min(first + PIECE, resampling.replicates)))
        for first in range(0, resampling.replicates, PIECE)
    ]
    drawn = engine.map(_some_replicates, pieces, "Refitting", len(pieces))
    return Estimate(
        comparisons.systems, scores, np.array([rescored for piece in drawn for rescored in piece])
    )


def estimate(comparisons: Comparisons, resampling: Resampling, engine: Engine) -> Estimate:
    """Scores with judges' reliabilities, refitted in every replicate."""
    fitted = fit_judge_aware(comparisons)
    rescore = partial(_rescore, judge_cells(comparisons)[0], fitted)
    return replicated(comparisons, resampling, engine, fitted.scores, rescore)


METHOD = RefitMethod(
    name="judge-aware",
    summary="Davidson with reliability, preferences and tie tendency of each judge; log π",
    paper="this project",
    ties="an outcome of their own",
    reference=False,
    estimate=estimate,
    needs=("judge",),
    size_matters=True,
)
