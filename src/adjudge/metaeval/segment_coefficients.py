"""Coefficients of agreement between a metric and people: Kendall's τ, pairwise accuracy.

Segment-level Kendall's τ is defined by a matrix of coefficients (Macháček 2014 §4.4.1).

Every pair of outputs of a segment that people compared falls into one of nine sets S[h, m]: the
human preference h (`<`: the left one is better, `=`, `>`) and the metric's m. A matrix C holds a
coefficient for each set, or X if its pairs are not counted:

    τ = Σ C[h, m] · |S[h, m]|  /  Σ |S[h, m]|,  both sums over the sets that are not X

* WMT12 counts a metric's tie against it; human ties are left out. (The text of the thesis says that
  human ties counted so; its matrix, and the figures, say it was the metric's.)
* WMT13 leaves out pairs that the metric ties, and so can be gamed: a metric that ties what it is
  not sure of loses nothing.
* WMT14 counts a metric's tie as half right: it adds 0 and is counted.
* HTIES counts human ties too: a metric should tie what people tie.

Pairwise accuracy with ties, and the threshold ε that is best for a metric (Deutsch 2023).

A metric with fine scores never ties, and people often do. So two scores of a metric that differ by
no more than ε count as tied, and accuracy is the share of pairs of which people and the metric say
the same, a tie too. ε is chosen for each metric where its accuracy is highest.

Nothing is tried out. When ε passes the |Δ metric| of a pair that people tied, the pair becomes
right; when it passes that of a pair that was right before, this becomes wrong; others stay wrong.
So both kinds are sorted by |Δ metric|, and the accuracy at every ε is a difference of two places.
It can rise only where a tied pair is passed: the smallest best ε is 0 or one of their |Δ metric|.
Several ε may be equally good: the accuracy is unique, ε is not. The smallest is reported.

Pairs are of outputs of one segment (`item`), of one system (`system`) or of any two (`none`); rows
weigh the same, however many pairs they have.

Soft pairwise accuracy (Thompson 2024): do a metric and people separate systems equally surely?

Of two systems, p is how likely the first would look as much better if the two outputs of each
segment were swapped at random: the share of all ways to turn the signs of the differences d of
segments with a sum of at least Σ d. Soft pairwise accuracy is 1 − the mean over pairs of systems of
|p by people − p by the metric|, so a metric loses little by swapping systems that people too can
hardly tell apart.

mt-metrics-eval draws 1,000 such ways, the same for all, and its value hangs on the generator and on
the order of the systems. Here nothing is drawn. Up to `FEW` segments all ways are counted, ties
half. With more, the sum of ± d is nearly normal with variance Σ d²; its distribution is
symmetric, so the first correction is that of the fourth cumulant κ = −2 Σ d⁴ / (Σ d²)²
(Edgeworth), z being Σ d / √Σ d²:

    p = 1 − Φ(z) + φ(z) (z³ − 3 z) κ / 24
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from adjudge.core.errors import InputError, one_of
from adjudge.core.files.input_file import InputFile
from adjudge.data.comparisons import Comparisons
from adjudge.stats.resampling import Codes, Floats

SIGNS = ("<", "=", ">")
LEFT_OUT = "X"


@dataclass(frozen=True)
class TauMatrix:
    """Coefficients by human preference (row) and metric preference; None: not counted."""

    name: str
    coefficients: tuple[tuple[float | None, ...], ...]

    @property
    def counted(self) -> Floats:
        """Indicator of the sets that count."""
        return np.array([[cell is not None for cell in row] for row in self.coefficients], float)

    @property
    def weights(self) -> Floats:
        """Coefficients, 0 for sets that do not count."""
        return np.array([[cell or 0.0 for cell in row] for row in self.coefficients])

    def values(self, sets: Floats) -> Floats:
        """Values of τ from sizes of the sets (…, 9); NaN without counted pairs."""
        above, below = sets @ self.weights.ravel(), sets @ self.counted.ravel()
        nothing = np.full(np.shape(above), np.nan)
        return np.asarray(np.divide(above, below, out=nothing, where=below > 0))


def _matrix(name: str, *rows: str) -> TauMatrix:
    return TauMatrix(name, tuple(tuple(map(_cell, row.split())) for row in rows))


def _cell(text: str) -> float | None:
    return None if text == LEFT_OUT else float(text)


TAU_VARIANTS: Mapping[str, TauMatrix] = {
    matrix.name: matrix
    for matrix in (
        _matrix("wmt14", "1 0 -1", "X X X", "-1 0 1"),
        _matrix("wmt12", "1 -1 -1", "X X X", "-1 -1 1"),
        _matrix("wmt13", "1 X -1", "X X X", "-1 X 1"),
        _matrix("hties", "1 0 -1", "0 1 0", "-1 0 1"),
    )
}


def tau_named(name: str) -> TauMatrix:
    """Return a variant by its name, or read a matrix file: three rows of three, X for omitted sets.

    A file is recognised by its suffix or a slash.
    """
    if name in TAU_VARIANTS or not ("/" in name or "." in name):
        return TAU_VARIANTS[one_of(name, TAU_VARIANTS, "tau")]
    file = InputFile(name)
    rows = [line.split() for line in file.text.splitlines()]
    filled = [(number, row) for number, row in enumerate(rows, 1) if row]
    if len(filled) != 3:
        raise file.bad_line(len(rows), f"has {len(filled)} rows; give three: <, = and > of people")
    for number, row in filled:
        if len(row) != 3 or not all(map(_is_cell, row)):
            raise InputError(
                f"{' '.join(row)[:60]!r} is not a row of a matrix; give three numbers from -1 to "
                "1, or X for what is not counted",
                file=file.name,
                line=number,
            )
    cells = tuple(tuple(map(_cell, row)) for _, row in filled)
    return TauMatrix(name.rpartition("/")[2].partition(".")[0], cells)


def _is_cell(text: str) -> bool:
    if text == LEFT_OUT:
        return True
    try:
        return -1 <= float(text) <= 1
    except ValueError:
        return False


def sets_of(preferences: Comparisons, scores: Floats, segment: Codes) -> Codes:
    """Set of every comparison, from 0 (<, <) to 8 (>, >); −1 if the metric has no score.

    `scores` (systems × segments) has the systems of the preferences; `segment` is the column of
    each of their segments, −1 if the metric lacks it.
    """
    column = segment[preferences.segment]
    padded = np.concatenate([scores, np.full((len(scores), 1), np.nan)], axis=1)
    difference = padded[preferences.left, column] - padded[preferences.right, column]
    known = np.isfinite(difference) & (preferences.segment >= 0)
    said = 1 - np.sign(np.where(known, difference, 0)).astype(np.int64)
    return np.where(known, 3 * (1 - preferences.outcome.astype(np.int64)) + said, -1)


def set_sizes(sets: Codes) -> Floats:
    """Number of comparisons in each set."""
    return np.bincount(sets[sets >= 0], minlength=9).astype(np.float64)


_CLOSE = 1e-12  # accuracies closer than this are equal: weights of rows may not be exact


@dataclass(frozen=True)
class Calibration:
    """Optimal tie threshold of one metric."""

    accuracy: float  # NaN where there is no pair
    epsilon: float  # the smallest of the best
    accuracy_without: float  # with ε = 0
    pairs: int


@dataclass(frozen=True, eq=False)
class _Rows:
    """Pairs of rows with equal numbers of values, with equal weights."""

    tied: Floats  # |Δ metric| of pairs that people tied, sorted
    right: Floats  # of pairs ordered equally by people and the metric, sorted
    pairs: int
    weight: float

    def correct(self, epsilon: Floats) -> Floats:
        """Weight of correct pairs at each ε."""
        ties = np.searchsorted(self.tied, epsilon, side="right")
        lost = np.searchsorted(self.right, epsilon, side="right")
        return np.asarray(self.weight * (len(self.right) + ties - lost))


def calibrate(human: Floats, metric: Floats) -> Calibration:
    """Find the best ε for rows of scores (rows × values); pairs are formed within rows."""
    parts = _parts(human, metric)
    if not parts:
        return Calibration(float("nan"), float("nan"), float("nan"), 0)
    total = sum(part.weight * part.pairs for part in parts)
    candidates = np.unique(np.concatenate([[0.0], *(part.tied for part in parts)]))
    values = np.sum([part.correct(candidates) for part in parts], axis=0)
    best = int(np.flatnonzero(values >= values.max() - _CLOSE * total)[0])
    return Calibration(
        accuracy=float(values[best] / total),
        epsilon=float(candidates[best]),
        accuracy_without=float(values[0] / total),
        pairs=sum(part.pairs for part in parts),
    )


def _parts(human: Floats, metric: Floats) -> list[_Rows]:
    """Group rows by their number of common values; if all are equal, weights are 1."""
    known = np.isfinite(human) & np.isfinite(metric)
    number = known.sum(axis=1)
    sizes = np.unique(number[number > 1])
    parts = []
    for size in sizes:
        rows = np.flatnonzero(number == size)
        mask, shape = known[rows], (len(rows), int(size))
        h, m = human[rows][mask].reshape(shape), metric[rows][mask].reshape(shape)
        first, second = np.triu_indices(int(size), 1)
        dh, dm = h[:, first] - h[:, second], m[:, first] - m[:, second]
        alike = (dh * dm > 0).ravel()
        gap = np.abs(dm, out=dm).ravel()
        parts.append(
            _Rows(
                tied=np.sort(gap[(dh == 0).ravel()]),
                right=np.sort(gap[alike]),
                pairs=dh.size,
                weight=1.0 if len(sizes) == 1 else 1 / len(first),
            )
        )
    return parts


FEW = 12  # segments, of which all 2ⁿ ways are counted
EQUAL = 1e-12


def soft_accuracy(human: Floats, metric: Floats) -> float:
    """Soft pairwise accuracy of scores (systems × segments) on common segments.

    NaN if no segment has scores of all systems on both sides.
    """
    known = np.isfinite(human).all(axis=0) & np.isfinite(metric).all(axis=0)
    if not known.any() or len(human) < 2:
        return float("nan")
    p, q = (superiority(side[:, known]) for side in (human, metric))
    return float(1 - np.abs(p - q).mean())


def superiority(scores: Floats) -> Floats:
    """p-values of all pairs of systems i < j from scores (systems × segments) without missing
    values.
    """
    first, second = np.triu_indices(len(scores), 1)
    difference = scores[first] - scores[second]
    if difference.shape[1] <= FEW:
        return _counted(difference)
    squares = (difference**2).sum(axis=1)
    spread = np.where(squares > 0, squares, 1.0)
    z = difference.sum(axis=1) / np.sqrt(spread)
    fourth = -2 * (difference**4).sum(axis=1) / spread**2
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    p = ndtr(-z) + density * (z**3 - 3 * z) * fourth / 24
    return np.asarray(np.clip(np.where(squares > 0, p, 0.5), 0, 1))


def _counted(difference: Floats) -> Floats:
    number = difference.shape[1]
    ways = np.arange(1 << number)[:, None] >> np.arange(number) & 1
    sums = difference @ (1 - 2 * ways).T  # (pairs × ways)
    seen = difference.sum(axis=1, keepdims=True)
    scale = EQUAL * np.maximum(np.abs(difference).sum(axis=1, keepdims=True), 1e-300)
    return np.asarray(((sums > seen + scale) + 0.5 * (np.abs(sums - seen) <= scale)).mean(axis=1))
