"""Fleiss's κ and Krippendorff's α from sums over units, also for many replicates at once.

Compiled: what units of labels add up to where judges are drawn, for many replicates at once.

Fleiss's κ and Krippendorff's α of labels, from what every unit adds up to.

Between judges a unit is an item with the first label of each judge; within judges it is an item
as one judge saw it. Unit by unit the following add up (`UnitSums.columns`), however many labels
there are to tell apart:

    P_i, 1, how often each label was used, and D_o: nominal, ordinal, interval

In a bootstrap the mean ranks (ordinal α) are held as all labels give them. Where judges are drawn,
a unit weighs its judges as often as they were drawn, so nothing adds up; a compiled kernel goes
through the labels then.
"""

from collections.abc import Container
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from adjudge.agreement.chance import Floats, both_ways, corrected, from_shares, ratio
from adjudge.agreement.chance_corrected import LEVELS, alpha_from_sums, places_among
from adjudge.agreement.conventions import Evidence
from adjudge.agreement.intervals import label_units, sum_intervals, weight_intervals
from adjudge.agreement.labels import Ints, Labels, beside, dense, label_table
from adjudge.stats.bootstrap import slopes
from adjudge.stats.resampling import Resampling


@numba.njit(cache=True, nogil=True)
def drawn_unit_sums(
    starts: NDArray[np.int64],
    judge: NDArray[np.int64],
    label: NDArray[np.int64],
    places: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sums over units, and how often each label was used (labels × replicates).

    Labels are sorted by unit (`starts` has one entry more than there are units) and label;
    `places` (levels × labels) says where labels lie, `weights` (judges × replicates) how often
    judges are drawn. A judge drawn twice is never compared with itself. The sums (rows ×
    replicates) are Fleiss's P_i, the number of units with something to compare, and D_o: nominal,
    then of every level (`unit_coefficients`).
    """
    levels, k = places.shape
    replicates = weights.shape[1]
    sums = np.zeros((3 + levels, replicates))
    used = np.zeros((k, replicates))
    n, same, squares, cell, counts = np.zeros((5, replicates))
    first = np.zeros((levels, replicates))  # Σ w·v
    second = np.zeros((levels, replicates))  # Σ w·v²
    for unit in range(len(starts) - 1):
        n[:], same[:], squares[:], cell[:] = 0.0, 0.0, 0.0, 0.0
        first[:], second[:] = 0.0, 0.0
        for i in range(starts[unit], starts[unit + 1]):
            weight = weights[judge[i]]
            if i > starts[unit] and label[i] != label[i - 1]:
                squares += cell * cell
                cell[:] = 0.0
            for r in range(replicates):
                n[r] += weight[r]
                same[r] += weight[r] * weight[r]
                cell[r] += weight[r]
            for level in range(levels):
                place = places[level, label[i]]
                for r in range(replicates):
                    first[level, r] += weight[r] * place
                    second[level, r] += weight[r] * place * place
        squares += cell * cell
        for r in range(replicates):
            pairs = n[r] * n[r] - same[r]
            counts[r] = 1.0 if pairs > 0 else 0.0
            each = n[r] / pairs if pairs > 0 else 0.0
            sums[0, r] += (squares[r] - same[r]) / pairs if pairs > 0 else 0.0
            sums[1, r] += counts[r]
            sums[2, r] += (n[r] * n[r] - squares[r]) * each
            for level in range(levels):
                apart = n[r] * second[level, r] - first[level, r] * first[level, r]
                sums[3 + level, r] += 2 * apart * each
        for i in range(starts[unit], starts[unit + 1]):
            weight, label_used = weights[judge[i]], used[label[i]]
            for r in range(replicates):
                label_used[r] += weight[r] * counts[r]
    return sums, used


@numba.njit(cache=True, nogil=True)
def drawn_line_sums(
    starts: NDArray[np.int64],
    judge: NDArray[np.int64],
    place: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The same of one level alone: D_o, n, Σv and Σv² over units (4 × replicates).

    `place` is where each label (not each category) lies; the rest as in `drawn_unit_sums`.
    """
    replicates = weights.shape[1]
    sums = np.zeros((4, replicates))
    n, same, first, second = np.zeros((4, replicates))
    for unit in range(len(starts) - 1):
        n[:], same[:], first[:], second[:] = 0.0, 0.0, 0.0, 0.0
        for i in range(starts[unit], starts[unit + 1]):
            weight, v = weights[judge[i]], place[i]
            for r in range(replicates):
                w = weight[r]
                n[r] += w
                same[r] += w * w
                first[r] += w * v
                second[r] += w * v * v
        for r in range(replicates):
            pairs = n[r] * n[r] - same[r]
            if pairs > 0:
                apart = n[r] * second[r] - first[r] * first[r]
                sums[0, r] += 2 * apart * n[r] / pairs
                sums[1, r] += n[r]
                sums[2, r] += first[r]
                sums[3, r] += second[r]
    return sums


AT_ONCE = 128  # replicates that the kernel makes at a time: their sums stay in the nearest cache


@dataclass(frozen=True, eq=False)
class UnitSums:
    """Labels sorted by their unit and by themselves; every unit has two at least."""

    labels: Labels
    unit: Ints
    values: Floats | None  # what the categories stand for, where they have an order

    @property
    def names(self) -> tuple[str, ...]:
        """The coefficients."""
        levels = LEVELS if self.values is not None else LEVELS[:1]
        return ("fleiss", *(f"alpha_{level}" for level in levels))

    @cached_property
    def places(self) -> Floats:
        """Where each label lies on the line of the ordinal and the interval level."""
        k = len(self.labels.categories)
        if self.values is None:
            return np.empty((0, k))
        used = np.bincount(self.labels.label, minlength=k).astype(float)
        mirror = self.labels.mirror
        return np.stack([places_among(used, level, self.values, mirror) for level in LEVELS[1:]])

    @cached_property
    def columns(self) -> Any:
        """What every unit adds (units × numbers), sparse where there are many labels."""
        label, k = self.labels.label, len(self.labels.categories)
        n = np.bincount(self.unit).astype(float)
        cell = self.unit * k + label
        first = np.flatnonzero(np.diff(cell, prepend=-1))
        squares = np.bincount(self.unit[first], np.diff(first, append=len(cell)) ** 2.0)
        pairs = n**2 - n
        d_o = [n**2 - squares]
        for places in self.places:
            place = places[label]
            sums = [np.bincount(self.unit, value) for value in (place, place**2)]
            d_o.append(2 * (n * sums[1] - sums[0] ** 2))
        each = np.stack([ratio(part * n, pairs) for part in d_o], axis=1)
        agreed = np.stack([ratio(squares - n, pairs), np.ones(len(n))], axis=1)
        used = label_table(self.unit, label, (len(n), k), mirror=self.labels.mirror)
        return beside(agreed, used, each)

    def totals(self, sums: Floats) -> Floats:
        """The coefficients from summed columns (last axis)."""
        k = len(self.labels.categories)
        used, d_o = sums[..., 2 : 2 + k], sums[..., 2 + k :]
        n = used.sum(-1)
        values = [corrected(ratio(sums[..., 0], sums[..., 1]), from_shares(used))]
        margins = [np.concatenate([n[..., None], used], -1)]
        margins += [np.stack([n, used @ place, used @ place**2], -1) for place in self.places]
        for i, (level, margin) in enumerate(zip(LEVELS, margins, strict=False)):
            values.append(alpha_from_sums(np.concatenate([d_o[..., i, None], margin], -1), level))
        return np.stack(values, axis=-1)

    def value(self) -> Floats:
        """The coefficients."""
        return self.totals(self.columns.sum(axis=0))

    def variances(self) -> Floats:
        """The variances of the coefficients over segments."""
        moved = self.columns @ slopes(self.columns.sum(axis=0), self.totals)
        segment = self._of_unit(self.labels.segment)
        sums = [np.bincount(segment, column) for column in moved.T]
        segments = max(len(np.unique(segment)), 2)
        return np.array([(column**2).sum() for column in sums]) * segments / (segments - 1)

    def intervals(
        self, resampling: Resampling, across: bool, wanted: Container[str]
    ) -> tuple[Floats, Floats]:
        """Their ends where segments or judges are drawn; of those `wanted` at least."""
        if resampling.unit == "judge" and across:
            return self._judge_intervals(resampling, wanted)
        of_unit = self._of_unit(label_units(self.labels, resampling))
        n = np.bincount(self.unit)
        return sum_intervals(self.columns, of_unit, n, resampling, self.totals)

    def _of_unit(self, code: Ints) -> Ints:
        of_unit = np.zeros(int(self.unit.max(initial=-1)) + 1, np.int64)
        of_unit[self.unit] = code
        return of_unit

    def _judge_intervals(
        self, resampling: Resampling, wanted: Container[str]
    ) -> tuple[Floats, Floats]:
        """A judge drawn twice is never compared with itself."""
        present, judge = np.unique(self.labels.judge, return_inverse=True)
        starts = np.append(np.flatnonzero(np.diff(self.unit, prepend=-1)), len(self.unit))
        asked = [name for name in self.names if name in wanted]
        alone = asked == ["alpha_interval"] and self.labels.mirror is None
        drawn = self._drawn_interval_alpha if alone else self._drawn

        def values(weights: Floats) -> Floats:
            some = range(0, len(weights), AT_ONCE)
            turned = (np.ascontiguousarray(weights[i : i + AT_ONCE].T, np.float64) for i in some)
            return np.concatenate([drawn(starts, judge, each) for each in turned])

        entries = 8 * len(present)
        sizes = self.labels.inter.comparable
        return weight_intervals(self.labels.judge, sizes, resampling, values, entries)

    def _drawn(self, starts: Ints, judge: Ints, weights: Floats) -> Floats:
        """The coefficients where judges are drawn (judges × replicates)."""
        from adjudge.agreement.unit_coefficients import drawn_unit_sums

        sums, used = drawn_unit_sums(starts, judge, self.labels.label, self.places, weights)
        shares = both_ways(used.T, self.labels.mirror)
        return self.totals(np.concatenate([sums[:2].T, shares, sums[2:].T], axis=1))

    def _drawn_interval_alpha(self, starts: Ints, judge: Ints, weights: Floats) -> Floats:
        """The same where α of the interval level is all that is asked for."""
        from adjudge.agreement.unit_coefficients import drawn_line_sums

        values = np.full((weights.shape[1], len(self.names)), np.nan)
        place = self.places[-1][self.labels.label]
        values[:, -1] = alpha_from_sums(
            drawn_line_sums(starts, judge, place, weights).T, "interval"
        )
        return values


def unit_sums(evidence: Evidence, values: Floats | None) -> UnitSums:
    """The labels of units with at least two, in order."""
    labels = evidence.labels
    if evidence.across:
        first = np.unique(labels.item_of_judge, return_index=True)[1]
        once = np.zeros(len(labels), bool)
        once[first] = True
        kept = labels.where(once & (labels.inter.comparable > 0))
        unit = dense(kept.item)
    else:
        kept = labels.where(labels.intra.comparable > 0)
        unit = dense(kept.item_of_judge)
    order = np.argsort(unit * len(labels.categories) + kept.label)
    return UnitSums(kept.where(order), unit[order], values)
