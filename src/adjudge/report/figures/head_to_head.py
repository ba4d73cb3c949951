"""Head-to-head shares of wins, with significance marks (WMT13 Table 21)."""

import numpy as np
from numpy.typing import NDArray

from adjudge.core.tables.table import Table
from adjudge.ranking.head_to_head import HeadToHead, mark
from adjudge.ranking.tables.head_to_head import matrix_table
from adjudge.report.analysis import Analysis
from adjudge.report.drawing.canvas import SMALL, Canvas
from adjudge.report.drawing.matrix import WRITTEN, matrix, pitch
from adjudge.report.drawing.system_labels import labels_of
from adjudge.report.drawing.system_rows import rows_of
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure

_SIGNIFICANT = 0.05


def _table(analysis: Analysis) -> Table:
    return matrix_table(analysis.head_to_head)


def _alt(analysis: Analysis) -> str:
    contest = analysis.head_to_head
    called = labels_of(analysis)
    names = [called[system] for system in contest.systems]
    share = np.nan_to_num(contest.share, nan=0.5)
    clear = int((contest.p_adjusted <= _SIGNIFICANT).sum())
    most = int(np.argmax(np.abs(share - 0.5)))
    a, b = names[contest.a[most]], names[contest.b[most]]
    winner, loser, won = (a, b, share[most]) if share[most] >= 0.5 else (b, a, 1 - share[most])
    pairs = "the one pair" if len(share) == 1 else f"{len(share):,} pairs"
    return (
        f"Matrix of how often each of {len(names)} systems beat each other one, ignoring ties. Of "
        f"{pairs} {clear or 'none'} differ significantly (p ≤ 0.05); the most uneven is "
        f"{winner} against {loser}, won in {100 * won:.0f} % of the decided comparisons."
    )


def _cells(contest: HeadToHead) -> tuple[NDArray[np.float64], list[list[str]]]:
    """Share of wins of the column's over the row's system, and its text with a significance
    mark.
    """
    number = len(contest.systems)
    values = np.full((number, number), np.nan)
    texts = [[""] * number for _ in range(number)]
    for a, b, share, p in zip(
        contest.a,
        contest.b,
        contest.share,
        contest.p_adjusted,
        strict=True,
    ):
        if np.isnan(share) or (number > WRITTEN and p > _SIGNIFICANT):
            continue
        for row, column, won in ((b, a, share), (a, b, 1 - share)):
            values[row, column] = won
            texts[row][column] = f"{won:.2f}".removeprefix("0") + mark(p)
    return values, texts


def _draw(analysis: Analysis, theme: Theme) -> Canvas:
    contest = analysis.head_to_head
    values, texts = _cells(contest)
    rows = rows_of(analysis, contest.systems, theme, 40, pitch(len(values)), numbered=True)
    shown = matrix(values, texts, rows, "how often this system won, ties aside")
    written = shown.written
    canvas = Canvas(shown.width, rows.bottom + (26 if written else 4), theme)
    ground = (shown.left, rows.top, shown.right - shown.left, rows.bottom - rows.top)
    canvas.boxes([ground] if not written else [], theme.band, above=0)
    shown.draw(canvas, theme.lean_of)
    if written:
        test = "sign test, " if contest.test == "sign" else ""
        marks = f"{test}p adjusted over all pairs: ⋆ ≤ 0.10, † ≤ 0.05, ‡ ≤ 0.01"
        canvas.text(2, rows.bottom + 15, marks, theme.soft, SMALL)
    return canvas


FIGURE = Figure(
    "head-to-head",
    "Head to head",
    "How often the system of the column was better than that of the row, ignoring ties, with a "
    "mark where chance does not explain it (WMT13 Table 21); of more than "
    f"{WRITTEN} systems only significant differences are coloured.",
    _table,
    _alt,
    _draw,
    place=4,
    printed=True,
)
