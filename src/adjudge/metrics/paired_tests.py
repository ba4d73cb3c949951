"""Paired significance tests of systems by metrics: bootstrap and approximate randomisation.

Both estimate the probability of a difference as large as d under the null hypothesis.

* The paired bootstrap (Koehn 2004) draws segments (or documents) with replacement, the same for
  both, and asks how often the difference strays from its mean by as much as |d|.
* Approximate randomisation (Riezler and Maxwell 2005, as in multeval) swaps the two systems'
  outputs in half of the segments (documents), drawn anew each time, and asks how often the
  difference is as large as |d|.

    p = (1 + number of such replicates) / (1 + replicates)

Both are two-sided. (sacrebleu's bootstrap takes differences without their sign and gives about
half of it.) p is adjusted over all pairs of systems and all metrics together, so that of all
differences called significant an expected 5 % at most are none (Benjamini and Hochberg 1995).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from adjudge.core.errors import BadParameter
from adjudge.metrics.metric import Floats, Metric
from adjudge.metrics.sufficient_statistics import Measured
from adjudge.metrics.system_scores import chosen_unit, drawn_units, resampled
from adjudge.stats.replicates import sums_by_row
from adjudge.stats.resampling import Resampling, Units, generator
from adjudge.stats.tests import SIGNIFICANT, adjusted, interval

_SWAPS = 1 << 40  # generators of swaps are numbered from here, those of draws from 0


@dataclass(frozen=True)
class PairedTest:
    """Test of two systems by one metric."""

    metric: Metric
    pair: str
    resampling: Resampling
    system: str  # the better one by this metric
    other_system: str
    difference: float  # of scores, system − other
    low: float
    high: float
    p_bootstrap: float
    p_randomisation: float
    adjusted_bootstrap: float
    adjusted_randomisation: float

    @property
    def significant(self) -> bool:
        """Test whether both tests are significant after adjustment."""
        return max(self.adjusted_bootstrap, self.adjusted_randomisation) <= SIGNIFICANT

    def row(self) -> dict[str, Any]:
        """Return the result as flat keys."""
        return {
            "kind": "paired",
            "pair": self.pair or None,
            "metric": str(self.metric),
            "system": self.system,
            "other_system": self.other_system,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "p_bootstrap": self.p_bootstrap,
            "p_randomisation": self.p_randomisation,
            "adjusted_bootstrap": self.adjusted_bootstrap,
            "adjusted_randomisation": self.adjusted_randomisation,
            "significant": self.significant,
        }


def paired_tests(measured: Sequence[Measured], resampling: Resampling) -> list[PairedTest]:
    """Test all pairs by all metrics, with p-values adjusted over all of them."""
    tests = [row for each in measured for row in _tests(each, chosen_unit(each, resampling))]
    if not tests:
        raise BadParameter("`paired=True` compares systems; give two or more")
    corrected = {
        test: adjusted(np.array([row[test] for row in tests]), "bh")
        for test in ("p_bootstrap", "p_randomisation")
    }
    return [
        PairedTest(
            **row,
            adjusted_bootstrap=float(corrected["p_bootstrap"][place]),
            adjusted_randomisation=float(corrected["p_randomisation"][place]),
        )
        for place, row in enumerate(tests)
    ]


def _tests(measured: Measured, resampling: Resampling) -> list[dict[str, Any]]:
    """Tests of one metric, with p-values not yet adjusted."""
    units = drawn_units(measured, resampling)
    if not units:
        raise BadParameter('`paired=True` needs something to draw; `unit` cannot be "none"')
    scored = resampled(measured, resampling)
    pairs = list(combinations(np.argsort(-scored.estimate, kind="stable"), 2))
    if not pairs:
        return []
    first, second = (np.array(side) for side in zip(*pairs, strict=True))
    difference = scored.estimate[first] - scored.estimate[second]
    replicates = scored.replicates[:, first] - scored.replicates[:, second]
    low, high = interval(difference, replicates, scored.effective_number, resampling.level)
    strays = np.abs(replicates - replicates.mean(axis=0))
    swapped = _swapped(measured, units[0], first, second, resampling)
    return [
        {
            "metric": measured.metric,
            "pair": measured.pair,
            "resampling": resampling,
            "system": measured.systems[a],
            "other_system": measured.systems[b],
            "difference": float(measured.sign * difference[k]),
            "low": float(min(measured.sign * low[k], measured.sign * high[k])),
            "high": float(max(measured.sign * low[k], measured.sign * high[k])),
            "p_bootstrap": _p(strays[:, k], difference[k]),
            "p_randomisation": _p(np.abs(swapped[:, k]), difference[k]),
        }
        for k, (a, b) in enumerate(pairs)
    ]


def _p(sizes: Floats, difference: float) -> float:
    """Share of sizes that reach |d|, with a tolerance for rounding."""
    return float((1 + (sizes >= abs(difference) - 1e-9).sum()) / (1 + len(sizes)))


def _swapped(
    measured: Measured, units: Units, first: Any, second: Any, resampling: Resampling
) -> Floats:
    """Differences of pairs after random swaps of outputs within units (replicates × pairs)."""
    sums = sums_by_row(measured.flat(), units.code, units.number)
    shaped = sums.reshape(units.number, len(measured.systems), -1)
    whole = shaped.sum(axis=0)
    gap = (shaped[:, second] - shaped[:, first]).reshape(units.number, -1)
    random = generator(resampling.seed, _SWAPS)
    differences = []
    for start in range(0, resampling.replicates, 250):
        number = min(250, resampling.replicates - start)
        swap = random.integers(0, 2, (number, units.number)).astype(np.float64)
        moved = (swap @ gap).reshape(number, len(first), -1)
        a = measured.metric.values(whole[first] + moved)
        b = measured.metric.values(whole[second] - moved)
        differences.append(a - b)
    return np.concatenate(differences)
