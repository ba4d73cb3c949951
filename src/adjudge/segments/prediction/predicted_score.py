"""Score of an unseen system from known ranks of hits and predicted wins of misses.

Prediction error includes a system effect that no text shows.

Every known system B is left out in turn, and predicted from the others. This gives

- its effect δ_B, by which the log odds of being better would have to be shifted, and from all of
  them τ, the standard deviation of such effects: τ² = mean(δ_B² − s_B²), s_B² being the variance of
  δ_B itself; a system counts by its number of uncertain comparisons, 1 / s_B²;
- the dispersion ψ: the comparisons of one sentence go together, so that sums of their residuals
  vary ψ times as much as those of independent comparisons, Σ p (1 − p).

What judges say of m candidates of an unseen system narrows its effect (normal prior, quasi-
likelihood): δ maximises Σ log-likelihood / ψ − δ² / 2τ², and its variance is 1 / (Σ p (1 − p) / ψ +
1 / τ²).

The score of an unseen system: known ranks where there is a hit, predicted wins where not.

The ratio of wins, as for ranked systems (`overall`). A candidate that a ranked system made as well
has its rank. Of any other, the expected numbers of wins and losses count, against every system.
The interval has three parts: other sentences (they are resampled), the effect of the system that
no text shows (`effect`; Student's t with as many degrees of freedom as there were systems to learn
it from, less one), and that single candidates are not as expected.

Where judges have ranked some of its candidates, those ranks count, and they narrow the effect. An
annotation that lacks the candidate is left out if another of the same segment has it.

The doubt of a miss is Σ u p (1 − p) over the systems it is compared with, u being the chance of no
tie. A sample of misses drawn with chances ∝ √doubt says most of the sum of all residuals (Neyman
1934), if each counts by the inverse of its chance; so they are drawn, and so they count.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from scipy.special import expit, logit

from adjudge.core.errors import NotEnoughData
from adjudge.segments.overall import ratio_of_wins, resampled_ratio, wins_and_losses
from adjudge.segments.prediction.model import UNTIED, Predictor, fit
from adjudge.segments.prediction.questions import Questions, is_hit, questions, visible_columns
from adjudge.segments.prediction.similarity import Flags, Likeness
from adjudge.stats.bootstrap import Bootstrapped
from adjudge.stats.resampling import Codes, Floats, Resampling

STEPS = 50
LARGEST = 5.0  # an effect beyond it turns every comparison around
LEAST_SPREAD = 0.02  # of log odds: no system is like the others to the last digit


@dataclass(frozen=True)
class Spread:
    """Prediction error of whole systems, on the scale of log odds."""

    effects: float  # τ
    dispersion: float  # ψ
    systems: int  # from how many it is known


@dataclass(frozen=True, eq=False)
class Learnt:
    """Predictor and its estimated error."""

    predictor: Predictor
    spread: Spread


def learn(likeness: Likeness, known: Sequence[int], hidden: Sequence[int] = ()) -> Learnt:
    """Fit on the known systems; hidden ones are in no feature and no answer."""
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
    """Estimate the effect of a system from its judged answers, and its variance; without answers,
    zero.
    """
    prior = spread.dispersion / spread.effects**2  # in units of the information of comparisons
    effect, information = _shift(asked, better, prior)
    return effect, spread.dispersion / information


def _shift(asked: Questions, better: Floats, prior: float) -> tuple[float, float]:
    """Shift of log odds that fits the untied answers best, and its information."""
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
    """Sum of squared residual sums by sentence."""
    untied = asked.outcome != 0
    residual = asked.makers * ((asked.outcome > 0) - better) * untied
    sums = np.bincount(sentence[asked.annotation], residual)
    return float((sums**2).sum())


STEP = 0.01  # of log odds, for slopes


@dataclass(frozen=True, eq=False)
class Unseen:
    """Result for the target and the visible systems."""

    columns: tuple[int, ...]  # of the likeness, in the order of the scores; the target is last
    scored: Bootstrapped
    hits: int
    misses: int
    judged: int  # misses that judges have ranked
    effect: float
    guessed: float  # share of comparisons with misses guessed right, where that is known
    doubt: pl.DataFrame  # annotation, doubt: Σ p (1 − p) of the unranked misses
    sampling: float  # variance of the target's score by sentences
    slope: float  # of its score by the effect
    variance: float  # of the effect
    dispersion: float
    comparisons: float  # the target's wins and losses, known and expected

    @property
    def score(self) -> float:
        """Score of the target."""
        return float(self.scored.estimate[-1])

    def narrowing(self, doubt: float) -> float:
        """Relative width of the interval if judges removed this much doubt."""
        left = max(float(self.doubt["doubt"].sum()) - doubt, 0.0)
        effect = 1 / (1 / self.variance + doubt / self.dispersion)
        return float(np.sqrt(self._variance(effect, left) / self._variance(self.variance, None)))

    def _variance(self, effect: float, doubt: float | None) -> float:
        left = float(self.doubt["doubt"].sum()) if doubt is None else doubt
        single = self.dispersion * left / self.comparisons**2
        return max(self.sampling + self.slope**2 * effect + single, 1e-12)


@dataclass(frozen=True, eq=False)
class _Sums:
    """Wins and losses per annotation and column, separately for known ranks and misses."""

    known: Floats  # annotations × columns
    against: tuple[Floats, Floats]
    asked: Questions
    likeness: Likeness
    visible: Flags
    target: int

    def add_up(self, untied: Floats, better: Floats) -> tuple[Floats, Floats]:
        """Add the expected wins and losses of misses."""
        wins, losses = (sums.copy() for sums in self.against)
        asked = self.asked
        own = self.likeness.text[asked.annotation, asked.opponent]
        makers = (self.likeness.text[asked.annotation] == own[:, None]) & self.visible[
            asked.annotation
        ]
        won, lost = untied * better, untied * (1 - better)
        np.add.at(wins, asked.annotation, makers * lost[:, None])
        np.add.at(losses, asked.annotation, makers * won[:, None])
        np.add.at(wins[:, self.target], asked.annotation, asked.makers * won)
        np.add.at(losses[:, self.target], asked.annotation, asked.makers * lost)
        return wins, losses


def estimate(
    likeness: Likeness,
    learnt: Learnt,
    target: int,
    resampling: Resampling,
    hidden: Sequence[int] = (),
    judged: Flags | None = None,
) -> Unseen:
    """Score the target; its own ranks are known in the annotations `judged`."""
    annotations, columns = likeness.text.shape
    judged = np.zeros(annotations, bool) if judged is None else judged
    visible = visible_columns(likeness, target, hidden)
    hit = is_hit(likeness, target, visible)
    asked = questions(likeness, target, hidden)
    untied, better = learnt.predictor.predict(asked)
    answered = judged[asked.annotation]
    doubt = asked.makers * untied * better * (1 - better)
    said = replace(
        asked,
        outcome=np.where(answered, asked.outcome, np.nan),
        makers=asked.makers * _inverse_chances(asked.annotation, doubt, answered),
    )
    effect, variance = effect_of(said, better, learnt.spread)

    known = hit | judged
    rank = np.where(visible, likeness.rank, np.nan)
    rank[known, target] = _known_rank(likeness, target, visible, judged)[known]
    kept = ~_said_elsewhere(likeness, target, known)
    rank[~kept] = np.nan
    open_ = ~answered & kept[asked.annotation]
    sums = _Sums(rank, wins_and_losses(rank), _only(asked, open_), likeness, visible, target)
    guess = untied[open_], expit(logit(better[open_]) + effect)
    wins, losses = sums.add_up(*guess)
    order = [c for c in range(columns) if c != target and c not in hidden] + [target]
    scored = resampled_ratio(wins[:, order], losses[:, order], likeness.sentence, resampling)
    left = sums.asked.makers * guess[0] * guess[1] * (1 - guess[1])
    slope = _slope(sums, guess[0], better[open_], effect, order)
    total = float((wins + losses)[:, target].sum())
    scatter = np.sqrt(learnt.spread.dispersion * left.sum()) / total if total else 0.0
    noisy = _with_noise(scored, slope * np.sqrt(variance), scatter, learnt.spread.systems)
    has = likeness.text[:, target] >= 0
    return Unseen(
        columns=tuple(order),
        scored=noisy,
        hits=int(hit.sum()),
        misses=int((has & ~hit & kept).sum()),
        judged=int((judged & ~hit).sum()),
        effect=effect,
        guessed=_guessed(asked, better),
        doubt=_by_annotation(sums.asked.annotation, left),
        sampling=float(scored.replicates[:, -1].var()),
        slope=float(slope[-1]),
        variance=variance,
        dispersion=learnt.spread.dispersion,
        comparisons=max(total, 1.0),
    )


def _known_rank(likeness: Likeness, target: int, visible: Flags, judged: Flags) -> Floats:
    """Rank of the candidate with the target's text, or the target's own."""
    same = (likeness.text == likeness.text[:, [target]]) & visible
    column = same.argmax(axis=1)
    rank = likeness.rank[np.arange(len(column)), column]
    return np.where(judged, likeness.rank[:, target], rank)


def _said_elsewhere(likeness: Likeness, target: int, known: Flags) -> Flags:
    """Annotations without the candidate whose segment has it in another annotation."""
    has = likeness.text[:, target] >= 0
    segments = np.zeros(int(likeness.segment.max(initial=-1)) + 1, bool)
    segments[likeness.segment[known]] = True
    return has & ~known & segments[likeness.segment]


def _only(asked: Questions, kept: Flags) -> Questions:
    return replace(
        asked,
        features=asked.features[kept],
        annotation=asked.annotation[kept],
        opponent=asked.opponent[kept],
        makers=asked.makers[kept],
        outcome=asked.outcome[kept],
    )


def _slope(
    sums: _Sums, untied: Floats, better: Floats, effect: float, order: Sequence[int]
) -> Floats:
    """Derivative of each score by the effect."""
    ends = []
    for moved in (effect - STEP, effect + STEP):
        wins, losses = sums.add_up(untied, expit(logit(better) + moved))
        both = np.concatenate([wins[:, order].sum(axis=0), losses[:, order].sum(axis=0)])
        ends.append(ratio_of_wins(both))
    return np.asarray((ends[1] - ends[0]) / (2 * STEP))


def _with_noise(scored: Bootstrapped, slope: Floats, scatter: float, systems: int) -> Bootstrapped:
    """Add variation of the system effect and of single candidates to the replicates."""
    random = np.random.default_rng(len(scored.replicates))
    number = len(scored.replicates)
    moved = random.standard_t(max(systems - 1, 1), number)
    replicates = scored.replicates + moved[:, None] * slope
    replicates[:, -1] += scatter * random.standard_normal(number)
    return replace(scored, replicates=np.clip(replicates, 0, 1))


def _guessed(asked: Questions, better: Floats) -> float:
    untied = np.nan_to_num(asked.outcome) != 0
    weight = asked.makers[untied]
    right = (better[untied] > 0.5) == (asked.outcome[untied] > 0)
    return float((weight * right).sum() / weight.sum()) if len(weight) else float("nan")


def draw_misses(doubt: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Random order of the misses, weighted by √doubt (exponential races)."""
    race = np.random.default_rng(seed).exponential(size=len(doubt))
    order = np.argsort(race / np.sqrt(doubt["doubt"].to_numpy()))
    return doubt.select(pl.all().gather(order))


def _inverse_chances(annotation: Codes, doubt: Floats, answered: Flags) -> Floats:
    """Inverse-probability weight of each question's miss, with mean 1 over the judged ones."""
    total = np.bincount(annotation, doubt)
    inverse = 1 / np.sqrt(np.maximum(total, 1e-9))
    judged = np.unique(annotation[answered])
    mean = float(inverse[judged].mean()) if len(judged) else 1.0
    return np.asarray(inverse[annotation] / mean)


def _by_annotation(annotation: Codes, doubt: Floats) -> pl.DataFrame:
    frame = pl.DataFrame({"annotation": annotation, "doubt": doubt})
    return frame.group_by("annotation").agg(pl.col("doubt").sum()).sort("annotation")
