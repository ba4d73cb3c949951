"""Krippendorff's α: any number of judges, missing labels, nominal, ordinal or interval labels.

    α = 1 − D_o / D_e

D_o is the mean squared distance between two labels of one unit, D_e between any two labels
(Krippendorff 2004, chapter 11). With squared distances neither needs the table of coincidences:

- nominal: a unit of n labels, n_c of them c, has Σ_c n_c (n − n_c) unequal ordered pairs;
- interval: its ordered pairs sum to 2 (n Σv² − (Σv)²);
- ordinal: interval, each label at its mean rank among all labels (held fixed in a bootstrap).

Each unit weighs 1 / (n − 1), so that each of its labels weighs the same; units with one label
say nothing and are left out.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from adjudge.agreement.chance import Floats, Mirror, both_ways, ratio

Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")


def alpha(
    unit: NDArray[np.integer],
    label: NDArray[np.integer],
    level: Level = "nominal",
    values: Floats | None = None,
) -> float:
    """α of labels (codes 0, 1, …, in their order) given to units (codes 0, 1, …).

    `values` are what the codes stand for, where the level is `interval`; else 0, 1, ….
    """
    counts = unit_counts(unit, label)
    places = places_of(counts, level, values)
    observed, paired = _disagreement(counts, places)
    sums = np.append(observed.sum(), _expectation(paired @ counts, places))
    return float(alpha_from_sums(sums, level))


def unit_counts(
    unit: NDArray[np.integer], label: NDArray[np.integer], labels: int | None = None
) -> Floats:
    """How often each unit got each label (units × labels)."""
    units = int(unit.max(initial=-1)) + 1
    k = int(label.max(initial=0)) + 1 if labels is None else labels
    return np.bincount(unit * k + label, minlength=units * k).reshape(units, k).astype(float)


def places_of(
    counts: Floats, level: Level, values: Floats | None = None, mirror: Mirror | None = None
) -> Floats | None:
    """Where each label lies on a line, from its value or its mean rank; None for nominal."""
    if level == "nominal":
        return None
    used = (counts @ np.ones(counts.shape[-1]) > 1) @ counts
    return places_among(used, level, values, mirror)


def places_among(
    used: Floats, level: Level, values: Floats | None = None, mirror: Mirror | None = None
) -> Floats:
    """The same from how often each label was used in units with at least two."""
    used = both_ways(used, mirror)
    if level == "ordinal":
        values = np.cumsum(used) - used / 2
    elif values is None:
        values = np.arange(len(used), dtype=float)
    # Distances do not depend on where zero is; near the middle the sums below lose no digits.
    return values - np.nan_to_num(ratio(used @ values, used.sum()))


def alpha_sums(
    counts: Floats,
    places: Floats | None,
    same: Floats | None = None,
    mirror: Mirror | None = None,
) -> Floats:
    """Per unit (…, units, labels), what adds up to α: D_o, n and what D_e needs.

    `same` as in `fleiss.fleiss_sums`. With a `mirror`, labels count half in either direction for
    D_e.
    """
    observed, paired = _disagreement(counts, places, same)
    used = np.where(paired[..., None], counts, 0.0)
    margin = _expectation(both_ways(used, mirror), places)
    return np.concatenate([observed[..., None], margin], -1)


def _disagreement(
    counts: Floats, places: Floats | None, same: Floats | None = None
) -> tuple[Floats, NDArray[np.bool_]]:
    """D_o of every unit, and which units have labels to compare."""
    ones = np.ones(counts.shape[-1])
    n = counts @ ones  # far faster than summing over a short last axis
    pairs = n**2 - (n if same is None else same)
    if places is None:
        unequal = n**2 - counts**2 @ ones
    else:
        unequal = 2 * (n * (counts @ places**2) - (counts @ places) ** 2)
    # n/pairs is 1/(n−1) where every label has its own judge.
    return np.nan_to_num(ratio(unequal * n, pairs)), pairs > 0


def _expectation(margin: Floats, places: Floats | None) -> Floats:
    """What D_e needs: n, and the label counts or Σv and Σv²."""
    n = margin @ np.ones(margin.shape[-1])
    if places is None:
        return np.concatenate([n[..., None], margin], -1)
    return np.stack([n, margin @ places, margin @ places**2], -1)


def alpha_from_sums(sums: Floats, level: Level) -> Floats:
    """α from summed `alpha_sums`."""
    observed, n = sums[..., 0], sums[..., 1]
    if level == "nominal":
        expected = n**2 - (sums[..., 2:] ** 2).sum(-1)
    else:
        expected = 2 * (n * sums[..., 3] - sums[..., 2] ** 2)
    return 1 - ratio(observed * (n - 1), expected)
