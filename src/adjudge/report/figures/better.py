"""Figure of the probability that each system is better than each other one."""

import numpy as np

from adjudge.core.tables.table import Column, Table
from adjudge.report.analysis import Analysis
from adjudge.report.drawing.canvas import Canvas
from adjudge.report.drawing.matrix import matrix, pitch
from adjudge.report.drawing.system_labels import labels_of
from adjudge.report.drawing.system_rows import rows_of
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure


def _table(analysis: Analysis) -> Table:
    ranking = analysis.ranking
    rows = [
        {
            "pair": analysis.pair,
            "system": system,
            "other": ranking.systems[j],
            "better": float(ranking.better[i, j]),
        }
        for i, system in enumerate(ranking.systems)
        for j in range(len(ranking.systems))
        if i < j
    ]
    return Table(
        rows,
        [
            Column("system", "system"),
            Column("other", "is better than"),
            Column("better", "in a share of", 3),
        ],
        title=f"{analysis.pair}: probability that a system is better than another",
    )


def _alt(analysis: Analysis) -> str:
    ranking = analysis.ranking
    called = labels_of(analysis)
    names = [called[system] for system in ranking.systems]
    next_one = [float(ranking.better[i, i + 1]) for i in range(len(names) - 1)]
    closest = int(np.argmin(next_one))
    return (
        f"Matrix of the probability that each of {len(names)} systems is better than each other. "
        f"{names[0]} is better than {names[1]} with {_percent(next_one[0])}; the closest "
        f"neighbours are {names[closest]} and {names[closest + 1]}, with "
        f"{_percent(next_one[closest])}."
    )


def _percent(share: float) -> str:
    """Format a percentage, without rounding up to certainty."""
    if 0 < share < 0.005 or 0.995 <= share < 1:
        return "< 1 %" if share < 0.5 else "> 99 %"
    return f"{100 * share:.0f} %"


def _cell(share: float) -> str:
    return _percent(share).removesuffix(" %").replace(" ", "")


def _draw(analysis: Analysis, theme: Theme) -> Canvas:
    ranking = analysis.ranking
    above = np.triu(np.ones(ranking.better.shape, bool), 1)
    values = np.where(above, ranking.better, np.nan)
    texts = [[_cell(v) if not np.isnan(v) else "" for v in row] for row in values]
    rows = rows_of(analysis, ranking.systems, theme, 40, pitch(len(values)), numbered=True)
    shown = matrix(values, texts, rows, "better than system …, in %")
    canvas = Canvas(shown.width, rows.bottom + 4, theme)
    rows.draw_clusters(canvas, ranking.cluster, 0, shown.right)
    shown.draw(canvas, theme.lean_of)
    return canvas


FIGURE = Figure(
    "better",
    "Who is better than whom",
    "The probability that the system of the row is better than that of the column, a system "
    "further down: strong blue where that is sure, pale where nobody knows.",
    _table,
    _alt,
    _draw,
    place=3,
)
