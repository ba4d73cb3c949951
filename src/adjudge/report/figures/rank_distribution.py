"""Distribution of ranks over draws.

A draw is a vector of scores from their covariance over new judges and documents by default, or a
bootstrap replicate if a unit was named.
"""

from math import sqrt

import numpy as np

from adjudge.core.tables.table import Column, Table
from adjudge.report.analysis import Analysis
from adjudge.report.drawing.canvas import Canvas
from adjudge.report.drawing.matrix import matrix, pitch
from adjudge.report.drawing.system_labels import labels_of
from adjudge.report.drawing.system_rows import rows_of
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure

_LEAST = 0.005  # shares below this are not written: they round to nothing


def _table(analysis: Analysis) -> Table:
    ranking = analysis.ranking
    places = range(len(ranking.systems))
    rows = [
        {
            "pair": analysis.pair,
            "system": system,
            **{f"rank_{r + 1}": float(ranking.rank_shares[i, r]) for r in places},
        }
        for i, system in enumerate(ranking.systems)
    ]
    ranks = [Column(f"rank_{r + 1}", f"{r + 1}", 3) for r in places]
    return Table(
        rows,
        [Column("system", "system"), *ranks],
        title=f"{analysis.pair}: share of draws in which a system has each rank",
    )


def _alt(analysis: Analysis) -> str:
    ranking = analysis.ranking
    called = labels_of(analysis)
    names = [called[system] for system in ranking.systems]
    best = np.argmax(ranking.rank_shares, axis=1)
    sure = [
        f"{name} is {rank + 1}{_ordinal(rank + 1)} in {100 * shares[rank]:.0f} %"
        for name, rank, shares in zip(names[:3], best, ranking.rank_shares, strict=False)
    ]
    return (
        f"Heat map of the ranks of {len(names)} systems over {ranking.resampling.replicates:,} "
        f"draws: {', '.join(sure)} of them."
    )


def _ordinal(rank: int) -> str:
    if rank % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")


def _draw(analysis: Analysis, theme: Theme) -> Canvas:
    ranking = analysis.ranking
    shares = ranking.rank_shares
    texts = [[f"{100 * s:.0f}" if s >= _LEAST else "" for s in row] for row in shares]
    rows = rows_of(analysis, ranking.systems, theme, 40, pitch(len(shares)))
    shown = matrix(
        np.where(shares >= _LEAST, shares, np.nan), texts, rows, "rank, in % of the draws"
    )
    canvas = Canvas(shown.width, rows.bottom + 4, theme)
    rows.draw_clusters(canvas, ranking.cluster, 0, canvas.width)
    # By the root, or the many small shares of many systems could not be seen.
    shown.draw(canvas, lambda share: theme.heat_of(sqrt(share)))
    for i, (low, high) in enumerate(zip(ranking.rank_low, ranking.rank_high, strict=True)):
        left, y = shown.left + shown.cell * (low - 1), rows.top + rows.pitch * i
        wide = shown.cell * (high - low + 1)
        box = (left - 0.5, y - 0.5, wide, rows.pitch)
        canvas.boxes([box], edge=theme.ink, width=1.2, above=3)
    return canvas


FIGURE = Figure(
    "rank-distribution",
    "Ranks over the draws",
    "A row shows in how many draws of the scores, as they might have come out, a system had each "
    "rank; the frame is its rank range, and systems whose frames overlap do not differ "
    "significantly (WMT13 §3.4).",
    _table,
    _alt,
    _draw,
    place=2,
)
