"""WMT13 Tables 21 and 22: expected wins from the published head-to-head percentages."""

import numpy as np
import pytest

from adjudge.data.win_counts import WinCounts
from adjudge.ranking.method import METHODS

# How often (%) the system of the column was better than that of the row, ignoring ties. The first
# row of Table 21 is not in the text of the paper; it is what the first column leaves.
TABLE_21 = """
 -  50 48 43 47 43 44 38 32 25 26
 50 -  46 48 47 49 44 40 39 29 27
 52 54 -  49 47 44 45 42 41 27 25
 57 52 51 -  51 48 47 42 39 28 25
 53 53 53 49 -  48 51 44 42 31 30
 57 51 56 52 52 -  51 43 41 29 26
 56 56 55 53 49 49 -  45 42 32 29
 62 60 58 58 56 57 55 -  46 35 32
 68 61 59 61 58 59 58 54 -  32 32
 75 71 73 72 69 71 68 65 68 -  46
 74 73 75 75 70 74 71 68 68 54 -
"""
TABLE_22 = """
 -  51 47 44 42 43 48 41 37 39 38 33
 49 -  48 42 43 41 47 42 40 40 39 34
 53 52 -  47 44 44 44 44 44 41 36 34
 56 58 53 -  47 47 48 45 44 42 43 38
 58 57 56 53 -  49 49 48 46 47 47 35
 57 59 56 53 51 -  50 47 46 43 44 42
 52 53 56 52 51 50 -  52 47 47 47 46
 59 58 56 55 52 53 48 -  49 48 49 42
 63 60 56 56 54 54 53 51 -  46 46 40
 61 60 59 58 53 57 53 52 54 -  49 42
 62 61 64 57 53 56 53 51 54 51 -  43
 67 66 66 62 65 58 54 58 60 58 57 -
"""
SCORES_21 = [0.60, 0.58, 0.57, 0.56, 0.54, 0.54, 0.53, 0.48, 0.45, 0.32, 0.29]
SCORES_22 = [0.58, 0.57, 0.56, 0.52, 0.50, 0.50, 0.49, 0.48, 0.47, 0.45, 0.45, 0.38]


@pytest.mark.parametrize(
    ("number", "table", "row"),
    [
        pytest.param("21", TABLE_21, SCORES_21, id="21"),
        pytest.param("22", TABLE_22, SCORES_22, id="22"),
    ],
)
def test_score_row(published, number, table, row):
    """From the printed percentages. The printed row is cut, not rounded, to two digits (0.5773 and
    0.5264 are 0.57 and 0.52 there), and a mean of ten or more rounded cells is off by a thousandth
    or so.
    """
    shares = np.array(
        [
            [0 if cell == "-" else int(cell) for cell in line.split()]
            for line in table.strip().splitlines()
        ]
    )
    assert np.abs(shares + shares.T - 100)[~np.eye(len(shares), dtype=bool)].max() <= 1
    systems = tuple(f"system {i}" for i in range(len(shares)))
    counts = WinCounts(systems, wins=shares.T, ties=np.zeros_like(shares))
    scores = METHODS.named("expected-wins").scores(counts)
    excess = scores - np.array(row)
    assert (excess > -0.0015).all()
    printed = tuple(f"{score:.2f}" for score in row)
    table = published("WMT13", f"Table {number}", "the paper")
    table.row("expected wins", printed, tuple(scores.tolist()), within=0.0115)
    assert (np.diff(scores) < 0).all()
