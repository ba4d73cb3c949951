"""Control variates: more precise means of a few texts from a second value known for all texts.

People scored some texts; a control variate x, say a metric, is known for all N. The mean human
score of item a is corrected by the deviation of the judged texts from all texts in x:

    θ_a = Σ_i h_i y_i − λ (Σ_i h_i x_i − x̄_a)          Σ_i h_i = 1, x̄_a the mean over all texts

Judged texts that are a chance choice of all have the mean x̄_a in expectation, so the correction is
0 on average whatever x is: nothing is believed of x, and intervals are right however bad it is.
Where x goes with y the correction takes noise away. λ minimises the variance of the differences
between items, one λ for all (power tuning, PPI++: Angelopoulos, Duchi and Zrnic 2023; in surveys
the difference estimator, Cochran 1977 §7.9); with none of y in x it is about 0 and the mean is as
it was. It is never below 0: x that runs against y is not used.

Variances come from the same units as everywhere. An observation becomes z_i = y_i − λ k_i, where
k_i is its x_i − x̄_a, less what its segment, and the segments of its text that nobody judged, add to
x̄_a; texts that nobody judged add independent terms to x̄_a, and their variance is added.
"""

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from adjudge.stats.means import MeanUncertainty
from adjudge.stats.resampling import Codes, Floats
from adjudge.stats.uncertainty import Uncertainty

LEAST_SHARE = 1e-6  # a corrected share stays so far from 0 and 1
SURPRISE = 3.0  # standard errors by which judged texts differ from all, that are worth a word


@dataclass(frozen=True, eq=False)
class Control:
    """Deviation of the judged texts from all texts in x, by entry (an observation of an item) and
    by text.

    The difference Σ_i h_i x_i − x̄_a is Σ_i weight_i value_i + Σ_t beyond_ta.
    """

    value: Floats  # (entries,): k
    weight: Floats  # (entries,): h, which adds up to 1 for every item
    item: Codes  # (entries,)
    text: Codes  # (entries,)
    beyond: Floats  # (texts, items): contribution of texts in which the item was not judged

    @property
    def items(self) -> int:
        """Number of items."""
        return int(self.beyond.shape[1])

    @property
    def difference(self) -> Floats:
        """Difference Σ_i h_i x_i − x̄_a of every item."""
        return np.asarray(self._sums(self.weight * self.value) + self.beyond.sum(axis=0))

    def by_text(self) -> Floats:
        """Contribution of each text to the difference (texts, items)."""
        return self.summed(self.moves()) + self.beyond

    def moves(self) -> Floats:
        """Contribution of each entry to the difference."""
        mean = self._sums(self.weight * self.value)
        return self.weight * (self.value - mean[self.item])

    def summed(self, entries: Floats) -> Floats:
        """Sum entries within texts and items."""
        texts, items = self.beyond.shape
        place = self.text.astype(np.int64) * items + self.item
        return np.asarray(
            np.bincount(place, entries, texts * items).reshape(texts, items), np.float64
        )

    def _sums(self, entries: Floats) -> Floats:
        return np.asarray(np.bincount(self.item, entries, self.items), np.float64)

    def surprise(self) -> float:
        """Largest difference, in units of its standard error."""
        error = np.sqrt((self.by_text() ** 2).sum(axis=0))
        known = error > 1e-12
        return float(np.max(np.abs(self.difference[known]) / error[known], initial=0))


def control(
    deviation: Floats, weight: Floats, item: Codes, line: Codes, texts: Codes, population: Floats
) -> Control:
    """Compute the control variate of entries with `deviation` = x_i − x̄_a from the mean of all
    texts.

    `line` is the segment of each entry and `texts` the text of each segment. `population`
    (segments, items) is the contribution of each segment to x̄_a, as a deviation from it; its
    columns sum to 0. Judged segments take their contribution from their entries, other segments
    from all entries of their text; the remainder comes from texts in which the item was not judged.
    """
    segments, items = population.shape
    number = int(texts.max()) + 1
    within = line.astype(np.int64) * items + item
    own, left = _shared(within, weight, population.ravel())
    by_text = np.stack(
        [np.bincount(texts, part, number) for part in left.reshape(segments, items).T], axis=-1
    )
    around = texts[line].astype(np.int64) * items + item
    others, beyond = _shared(around, weight, by_text.ravel().astype(np.float64))
    value = deviation - own[within] - others[around]
    return Control(value, weight, item, texts[line], -beyond.reshape(number, items))


def _shared(place: Codes, weight: Floats, whole: Floats) -> tuple[Floats, Floats]:
    """Contribution per weight of the entries at every place, and that of places without entries."""
    weighs = np.bincount(place, weight, len(whole))
    there = weighs > 0
    return np.divide(whole, weighs, out=np.zeros_like(whole), where=there), np.where(
        there, 0, whole
    )


def power(moves: Floats, given: Control) -> float:
    """Coefficient λ ≥ 0 that minimises the variance of differences between items.

    `moves` (entries,) is the influence of each entry on the mean of its item.
    """
    own, other = _contrasts(given.summed(moves)), _contrasts(given.by_text())
    spread = float((other**2).sum())
    return max(float((own * other).sum()) / spread, 0.0) if spread > 1e-300 else 0.0


def _contrasts(by_text: Floats) -> Floats:
    """Contributions of texts to differences; for a single item, to its score."""
    if by_text.shape[1] == 1:
        return by_text
    return np.asarray(by_text - by_text.mean(axis=1, keepdims=True))


U = TypeVar("U", bound=Uncertainty)


def moved(judged: U, shift: Floats, given: Control, strength: float) -> U:
    """Shift means by `shift`, adding the variance of the texts in which the item was not judged.

    `judged` has the covariance of the z_i.
    """
    terms = strength * given.beyond
    number = np.maximum((terms != 0).sum(axis=0) - 1.0, 1.0)
    more = terms.T @ terms
    if isinstance(judged, MeanUncertainty):
        contrasts = _added(judged.contrasts, shift, more, number)
        return replace(_added(judged, shift, more, number), contrasts=contrasts)
    return _added(judged, shift, more, number)


def _added(judged: U, shift: Floats, more: Floats, number: Floats) -> U:
    estimate, centre = judged.estimate + shift, judged.centre + shift
    if judged.scale == "share":
        estimate = np.clip(estimate, 0, 1)
        centre = np.clip(centre, LEAST_SHARE, 1 - LEAST_SHARE)
    before, after = np.diag(judged.covariance), np.diag(more)

    def degrees(own: Floats) -> Floats:
        return np.asarray((before + after) ** 2 / (before**2 / own + after**2 / number))

    return replace(
        judged,
        estimate=estimate,
        centre=centre,
        covariance=judged.covariance + more,
        degrees=degrees(judged.degrees),
        test_degrees=degrees(judged.test_degrees),
    )


def variance_of_differences(covariance: Floats) -> Floats:
    """Mean variance of an item's differences from the others; for a single item, its own
    variance.
    """
    own = np.diag(covariance)
    items = len(own)
    if items == 1:
        return np.asarray(own)
    pairs = np.add.outer(own, own) - 2 * covariance
    return np.asarray(pairs.sum(axis=1) / (items - 1))
