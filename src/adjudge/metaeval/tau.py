"""Kendall's τ of segments by a matrix of coefficients (Macháček 2014 §4.4.1).

Every pair of outputs of a segment that people compared falls into one of nine sets S[h, m]: what
people say (`<`: the left one is better, `=`, `>`) and what the metric says. A matrix C holds a
coefficient for each set, or X where its pairs are not counted:

    τ = Σ C[h, m] · |S[h, m]|  /  Σ |S[h, m]|,  both sums over the sets that are not X

* WMT12 counts a metric's tie against it; human ties are left out. (The text of the thesis says that
  human ties counted so; its matrix, and the figures, say it was the metric's.)
* WMT13 leaves out pairs that the metric ties, and so can be gamed: a metric that ties what it is
  not sure of loses nothing.
* WMT14 counts a metric's tie as half right: it adds 0 and is counted.
* HTIES counts human ties too: a metric should tie what people tie.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from adjudge.core.errors import InputError, one_of
from adjudge.core.files.input_file import InputFile
from adjudge.data.comparisons import Comparisons
from adjudge.stats.units import Codes, Floats

SIGNS = ("<", "=", ">")
LEFT_OUT = "X"


@dataclass(frozen=True)
class TauMatrix:
    """Coefficients by what people say (row) and what the metric says; None: not counted."""

    name: str
    coefficients: tuple[tuple[float | None, ...], ...]

    @property
    def counted(self) -> Floats:
        """1 for every set that counts, 0 for the others."""
        return np.array([[cell is not None for cell in row] for row in self.coefficients], float)

    @property
    def weights(self) -> Floats:
        """The coefficients, 0 where nothing counts."""
        return np.array([[cell or 0.0 for cell in row] for row in self.coefficients])

    def values(self, sets: Floats) -> Floats:
        """τ of sizes of the sets (…, 9); NaN where no pair counts."""
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
    """A variant by its name, or the matrix of a file: three rows of three, X for what is left out.

    A file is told from a name by its ending or a slash.
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
                f"{' '.join(row)[:60]!r} is no row of a matrix; give three numbers from -1 to 1, "
                "or X for what is not counted",
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
    """The set of every comparison, from 0 (<, <) to 8 (>, >); −1 where the metric has no score.

    `scores` (systems × segments) has the systems of the preferences; `segment` is the column of
    each of their segments, −1 where the metric's side has none.
    """
    column = segment[preferences.segment]
    padded = np.concatenate([scores, np.full((len(scores), 1), np.nan)], axis=1)
    difference = padded[preferences.left, column] - padded[preferences.right, column]
    known = np.isfinite(difference) & (preferences.segment >= 0)
    said = 1 - np.sign(np.where(known, difference, 0)).astype(np.int64)
    return np.where(known, 3 * (1 - preferences.outcome.astype(np.int64)) + said, -1)


def set_sizes(sets: Codes) -> Floats:
    """How many comparisons each set holds."""
    return np.bincount(sets[sets >= 0], minlength=9).astype(np.float64)
