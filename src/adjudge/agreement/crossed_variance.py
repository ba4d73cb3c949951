"""Variance and confidence intervals of agreement coefficients over new judges and texts.

A coefficient is a function f of sums over labels: agree and comparable (each pair of labels from
both its ends), ties, labels. A label adds ∇f · (its numbers) to it and weighs its share of the
comparable labels; judges, texts and their cells then have the variance components of
`stats.crossed`. Two things are particular to agreement between judges:

- A pair of labels belongs to two judges. What judge j's liking u_j does to a coefficient is counted
  at j's ends of the pairs only, which is half of it: the variance of judges counts 4 times. And the
  partners of j are the others, so that what j differs from them is less by (n − 2)/(n − 1), n being
  the effective number of judges; this costs a degree of freedom more.
- Both ends of a pair lie in the same text, so what the two have in common by chance is in the
  variance of texts already.

κ = (P(A) − P(E)) / (1 − P(E)) has Wilson's interval of P(A), with P(E) as it is and the effective
number of pairs that Var(κ) makes: never of zero width, not where all agree either.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from scipy.special import stdtrit

from adjudge.agreement.chance import Floats
from adjudge.agreement.conventions import Evidence
from adjudge.agreement.labels import UNKNOWN, Ints
from adjudge.stats import population as populations
from adjudge.stats.bootstrap import slopes
from adjudge.stats.crossed import CellInfluence, Moments, moments
from adjudge.stats.resampling import Drawing, Resampling, Unit, Units, drawing, units_of
from adjudge.stats.uncertainty import wilson
from adjudge.stats.variance_components import TEST_NOISE, components, spread

GROUPS_SEED = 1
ENDS = 4.0  # what judges count for between judges
LEAST_JUDGES = 4.0  # of equal size, to say how others would agree


@dataclass(frozen=True, eq=False)
class Spreads:
    """Variance of coefficients over new units, and its degrees of freedom."""

    variance: Floats
    degrees: Floats
    over_texts: Floats  # what the variance would be if judges were as they are


def auto_unit(evidence: Evidence) -> Unit:
    """Choose judges and documents or segments, as far as the comparable labels allow."""
    paired = evidence.matches.comparable > 0
    if not paired.any():
        return "segment"
    labels = {unit: code[paired] for unit, code in _labels(evidence).items()}
    size = evidence.matches.comparable[paired]
    return populations.auto_unit(labels, size, otherwise="segment", least_people=LEAST_JUDGES)


def population(evidence: Evidence, unit: Unit, people: str = "by") -> str:
    """Describe the population of intervals by this unit; `people` as in `stats.population`."""
    paired = evidence.matches.comparable > 0
    labels = {name: code[paired] for name, code in _labels(evidence).items()}
    return populations.population(labels, unit, people)


def resolved(resampling: Resampling, evidence: Evidence) -> Resampling:
    """Replace the unit `auto` by the one chosen for these labels."""
    if resampling.unit != "auto":
        return resampling
    return replace(resampling, unit=auto_unit(evidence))


def coefficient_spreads(
    evidence: Evidence,
    columns: Any,
    paired: int,
    function: Callable[[Floats], Floats],
    unit: Unit | None = None,
) -> Spreads | None:
    """Variance of a function of column sums over the unit `auto`, or over `unit` if given.

    Columns (labels × columns) are dense or sparse; the first `paired` columns count pairs of labels
    from both their ends. None if the labels have no known units.
    """
    unit = unit or auto_unit(evidence)
    crossing = _crossing(evidence, unit)
    if crossing is None:
        return None
    between = evidence.across and "judge" in unit
    slope = slopes(columns.sum(axis=0), lambda sums: np.atleast_1d(function(sums)))
    of_ends = slope.copy()
    of_ends[paired:] /= 2 if between else 1  # a label is of one judge, a pair of two
    whole, ends = columns @ slope, columns @ of_ends
    weight = evidence.matches.comparable / evidence.matches.comparable.sum()
    variances = [
        variance_of(
            _moments(crossing, ends[:, v], whole[:, v], weight),
            ENDS if between else 1.0,
        )
        for v in range(slope.shape[1])
    ]
    return Spreads(*(np.array(column) for column in zip(*variances, strict=True)))


def kappa_ends(
    value: Floats, p_e: Floats, variance: Floats, degrees: Floats, pairs: float, level: float
) -> tuple[Floats, Floats]:
    """Intervals of coefficients corrected for chance `p_e`; NaN if undefined."""
    room = 1 - p_e
    share = np.clip(p_e + value * room, 0, 1)
    centre = (share * pairs + 0.5) / (pairs + 1)
    one_vote = centre * (1 - centre)
    least = one_vote / max(pairs, 1)
    number = one_vote / np.maximum(variance * room**2, least)
    low, high = wilson(share, number, stdtrit(degrees, (1 + level) / 2))
    known = np.isfinite(value) & (room > 1e-12)
    ends = ((end - p_e) / np.where(known, room, 1) for end in (low, high))
    low, high = (np.where(known, end, np.nan) for end in ends)
    return np.minimum(low, value), np.maximum(high, value)


def alpha_ends(
    value: Floats, variance: Floats, degrees: float, level: float
) -> tuple[Floats, Floats]:
    """Intervals of coefficients that may be far below 0: value ± t √V, clipped to −1 and 1."""
    reach = stdtrit(degrees, (1 + level) / 2) * np.sqrt(variance)
    low = np.maximum(value - reach, np.minimum(value, -1))
    return low, np.minimum(value + reach, np.maximum(value, 1))


def _labels(evidence: Evidence) -> dict[Unit, Ints]:
    labels = evidence.labels
    unknown = [j for j, name in enumerate(labels.judges) if name == UNKNOWN]
    judge = np.where(np.isin(labels.judge, unknown), -1, labels.judge)
    known: dict[Unit, Ints] = {"judge": judge, "segment": labels.segment}
    if labels.document is not None:
        known["document"] = labels.document
    return known


def _crossing(evidence: Evidence, unit: Unit) -> Drawing | None:
    labels = _labels(evidence)
    names = unit.split("+")
    units = [units_of(labels[cast(Unit, name)], name) for name in names if _several(labels, name)]
    if len(units) < len(names):
        return None
    if len(units) == 1:
        each = np.arange(len(evidence.labels))
        units.append(Units("label", each, np.ones(len(each))))
    return drawing(tuple(units), GROUPS_SEED)


def _several(labels: dict[Unit, Ints], name: str) -> bool:
    codes = labels[cast(Unit, name)]
    return bool((codes != codes[:1]).any())


def _moments(crossing: Drawing, ends: Floats, whole: Floats, weight: Floats) -> Moments:
    """Compute moments: judges take the contributions at both ends, texts and cells all within
    them.
    """

    def of(influence: Floats) -> Moments:
        sums = [
            np.bincount(crossing.row, column, crossing.rows).astype(np.float64)[:, None]
            for column in (influence, weight)
        ]
        return moments(CellInfluence(sums[0], sums[1], crossing.units[0], crossing.units[-1]))

    return replace(of(whole), first=of(ends).first)


def variance_of(of_labels: Moments, ends: float) -> tuple[float, float, float]:
    """Variance, degrees of freedom (Satterthwaite), and the variance over texts alone."""
    single = np.ones((1, 1))
    parts = spread(of_labels, single, np.full(1, 1e-300))
    first, second, rest = (float(part[0]) for part in (parts.first, parts.second, parts.rest))
    if ends > 1:
        judges = max(1 / float(of_labels.first.squares[0]), 3.0)
        ends *= ((judges - 1) / (judges - 2)) ** 2
    total = ends * first + second + rest
    uncertain = 0.0
    for part, component, factor, lost, squares in zip(
        (first, second),
        components(of_labels, single),
        (ends, 1.0),
        (1.0 if ends > 1 else 0.0, 0.0),
        (of_labels.first.squares[0], of_labels.second.squares[0]),
        strict=True,
    ):
        if squares < 1 - 1e-9:
            error = factor * (part + TEST_NOISE * rest)
            uncertain += error**2 / max(float(component.degrees[0]) - lost, 0.1)
    degrees = total**2 / uncertain if uncertain > 0 else 1.0
    over_texts = second + rest if ends > 1 else total
    return total, float(np.clip(degrees, 1.0, 1e5)), over_texts
