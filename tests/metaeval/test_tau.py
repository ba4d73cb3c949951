"""Kendall's τ by a matrix of one's own, and bad ones."""

from pathlib import Path

import numpy as np
import pytest

from adjudge.core.errors import AdjudgeError
from adjudge.metaeval.segment_coefficients import tau_named


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
        ("1 0 -1\nX X\n-1 0 1\n", "line 2: 'X X' is not a row of a matrix"),
        ("1 0 -1\nX Y X\n-1 0 1\n", "line 2: 'X Y X' is not a row of a matrix"),
        ("1 0 -1\nX X X\n-1 0 7\n", "line 3: '-1 0 7' is not a row of a matrix"),
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
