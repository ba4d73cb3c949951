"""Kendall's τ by matrices: the thesis's examples and matrices, a matrix of one's own, bad ones."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from adjudge.errors import AdjudgeError
from adjudge.metaeval.tau import SIGNS, TAU_VARIANTS, tau_named

COUNTS = {"constant metric": [0, 9, 0, 0, 3, 0, 0, 0, 0]}


def sizes(table: pl.DataFrame, example: str) -> np.ndarray:
    counts = np.zeros(9)
    for row in table.filter(pl.col("example") == example).iter_rows(named=True):
        counts[3 * SIGNS.index(row["human"]) + SIGNS.index(row["metric"])] += 1
    return counts if counts.any() else np.array(COUNTS[example.partition(",")[0]], float)


def test_the_matrices_of_the_thesis(gold) -> None:
    for row in gold("thesis/tau_matrices").iter_rows(named=True):
        matrix = TAU_VARIANTS[row["variant"].lower()]
        ours = matrix.coefficients[SIGNS.index(row["human"])][SIGNS.index(row["metric"])]
        assert ours == (None if row["coefficient"] == "X" else float(row["coefficient"]))


def test_the_worked_examples_of_the_thesis(gold) -> None:
    comparisons, expected = (
        gold(f"thesis/tau_examples_{name}") for name in ("comparisons", "values")
    )
    assert len(expected) == 12
    for row in expected.iter_rows(named=True):
        ours = float(tau_named(row["variant"].lower()).values(sizes(comparisons, row["example"])))
        if row["value"] == "undefined":
            assert np.isnan(ours)
        else:
            assert ours == pytest.approx(float(row["value"]), abs=1e-15)
            if row["published"]:
                assert ours == pytest.approx(float(Fraction(row["published"])), abs=1e-15)


def test_a_matrix_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("1 -0.5 -1\n\nX 1 X\n-1 -0.5 1\n")
    mine = tau_named(str(path))
    assert mine.name == "mine"
    assert mine.values(np.array([4, 2, 1, 9, 3, 9, 0, 0, 2.0])) == (4 - 1 - 1 + 3 + 2) / 12


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 0 -1\nX X X\n", "line 2: has 2 rows; give three"),
        ("1 0 -1\nX X\n-1 0 1\n", "line 2: 'X X' is no row of a matrix"),
        ("1 0 -1\nX Y X\n-1 0 1\n", "line 2: 'X Y X' is no row of a matrix"),
        ("1 0 -1\nX X X\n-1 0 7\n", "line 3: '-1 0 7' is no row of a matrix"),
    ],
)
def test_bad_matrices_are_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(text)
    with pytest.raises(AdjudgeError, match=said):
        tau_named(str(path))


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(AdjudgeError, match="did you mean 'wmt14'"):
        tau_named("wmt41")
