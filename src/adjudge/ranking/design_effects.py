"""Design effects: how much less a campaign says because its comparisons come in units.

The ten comparisons of one ranking share a segment, a judge and five outputs; the rankings of one
judge share that judge. The design effect of a unit is the variance of a system's score when that
unit is what varies, divided by the variance if all comparisons were independent: 4 means that
a quarter as many independent comparisons would say as much, and that intervals are twice as wide.

It is taken for the share of comparisons won, ties counting half, whatever method ranks: it is a
property of the judgements. With e the deviation of one comparison from its system's mean,

    V(unit) = n/(n−1) · Σ_units (Σ_{comparisons in unit} e)²        deff = V(unit) / Σ e²

averaged over systems. Of two crossed units, what both share is in either's variance and is
counted once: V(judge) + V(segment) − V(judge and segment together) (Cameron, Gelbach and Miller
2011).
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from adjudge.comparisons.comparisons import Comparisons
from adjudge.comparisons.counts import count
from adjudge.ranking.method import Unit
from adjudge.ranking.units import possible, units

Floats = NDArray[np.float64]


class Deviations:
    """How far the comparisons of each ranking are from their systems' means."""

    def __init__(self, comparisons: Comparisons) -> None:
        self.comparisons = comparisons
        counts = count(comparisons)
        won, lost, tied = (table.sum(axis=1) for table in (counts.wins, counts.wins.T, counts.ties))
        mean = (won + tied / 2) / (won + lost + tied)
        self._alone = won * (1 - mean) ** 2 + lost * mean**2 + tied * (0.5 - mean) ** 2
        self._by_ranking = _by_ranking(comparisons, mean)
        self._judged = np.flatnonzero(np.bincount(comparisons.ranking))

    @cached_property
    def effects(self) -> Mapping[Unit, float]:
        """The design effect of every unit these judgements allow."""
        effects: dict[Unit, float] = {"comparison": 1.0}
        for unit in possible(self.comparisons):
            one, other, both = self._parts(unit)
            effects[unit] = self._mean(_once(one, other, both))
        return effects

    def contraction(self, unit: Unit) -> float:
        """By how much to draw the replicates of a bootstrap over `unit` in.

        Weights that are products of two draws count what both units share three times instead
        of once (Owen 2007, "The pigeonhole bootstrap").
        """
        if "+" not in unit:
            return 1.0
        one, other, both = self._parts(unit)
        drawn = self._mean(one + other + both)
        return float(np.sqrt(self._mean(_once(one, other, both)) / drawn)) if drawn else 1.0

    def _parts(self, unit: Unit) -> tuple[Floats, Floats, Floats]:
        """The variances of the first unit, the second, and their combinations."""
        parts = units(self.comparisons, unit)
        codes = [one.of_ranking[self._judged] for one in parts]
        none = np.zeros(len(self.comparisons.systems))
        if len(parts) == 1:
            return self._variance(codes[0]), none, none
        _, both = np.unique(
            np.ravel_multi_index(codes, [one.number for one in parts]), return_inverse=True
        )
        return self._variance(codes[0]), self._variance(codes[1]), self._variance(both)

    def _variance(self, unit_of_judged: NDArray[Any]) -> Floats:
        number = int(unit_of_judged.max()) + 1
        into = sparse.csr_array(
            (np.ones(len(self._judged)), (unit_of_judged, self._judged)),
            shape=(number, self._by_ranking.shape[0]),
        )
        sums = into @ self._by_ranking
        return np.asarray((sums * sums).sum(axis=0)) * number / (number - 1)

    def _mean(self, variance: Floats) -> float:
        """Relative to independent comparisons; systems without any spread say nothing."""
        varied = self._alone > 1e-9
        if not varied.any():
            return 1.0
        return float((variance[varied] / self._alone[varied]).mean())


def _by_ranking(comparisons: Comparisons, mean: Floats) -> Any:
    """The summed deviations of every system in every ranking; sparse where most are none."""
    n, rankings = len(mean), len(comparisons.rankings)
    left = comparisons.outcome / 2 + 0.5 - mean[comparisons.left]
    right = 0.5 - comparisons.outcome / 2 - mean[comparisons.right]
    if rankings * n > 8 * len(comparisons):
        system = np.concatenate([comparisons.left, comparisons.right])
        at = (np.tile(comparisons.ranking, 2), system)
        return sparse.csr_array((np.concatenate([left, right]), at), shape=(rankings, n))
    start = comparisons.ranking * np.int64(n)
    sums = np.bincount(start + comparisons.left, left, rankings * n)
    sums += np.bincount(start + comparisons.right, right, rankings * n)
    return sums.reshape(rankings, n)


def _once(one: Floats, other: Floats, both: Floats) -> Floats:
    """The variance of two crossed units; by its sampling noise it may not fall below either's."""
    return np.maximum(one + other - both, np.maximum(one, other))


def widening(effects: Mapping[Unit, float], used: Unit, other: Unit) -> float:
    """How many times as wide intervals become when `other` is drawn instead of `used`."""
    return float(np.sqrt(effects[other] / effects[used])) if effects[used] else 1.0
