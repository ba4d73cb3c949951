"""Scores with intervals, systems in clusters (WMT13 Table 6)."""

import numpy as np

from adjudge.core.tables.table import Table
from adjudge.ranking.ranking_result import Ranking
from adjudge.ranking.tables.ranking import ranking_table
from adjudge.report.analysis import Analysis
from adjudge.report.drawing.canvas import NARROW, Canvas, text_width
from adjudge.report.drawing.scales import X_AXIS, Scale, padded, written, x_axis
from adjudge.report.drawing.system_labels import labels_of
from adjudge.report.drawing.system_rows import rows_of
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure

_PLOT = 170.0  # pixels at least


def _table(analysis: Analysis) -> Table:
    return ranking_table(analysis.ranking)


def _range(ranking: Ranking, i: int) -> str:
    low, high = ranking.rank_low[i], ranking.rank_high[i]
    return f"{low}" if low == high else f"{low}–{high}"


def _interval(ranking: Ranking, i: int) -> str:
    """Format an interval; empty without resampling."""
    if not np.isfinite(ranking.low[i]):
        return ""
    return f" ({written(ranking.low[i], 3)} to {written(ranking.high[i], 3)})"


def _alt(analysis: Analysis) -> str:
    ranking = analysis.ranking
    called = labels_of(analysis)
    names = [called[system] for system in ranking.systems]
    best, worst = (
        f"{names[i]} at {written(ranking.scores[i], 3)}{_interval(ranking, i)}" for i in (0, -1)
    )
    number = int(ranking.cluster.max())
    groups = "one cluster" if number == 1 else f"{number} clusters"
    return (
        f"{ranking.method.name} scores of {len(names)} systems with {100 * ranking.level:g} % "
        f"intervals, in {groups}: from {best} down to {worst}."
    )


def _draw(analysis: Analysis, theme: Theme) -> Canvas:
    ranking = analysis.ranking
    top = 20.0
    rows = rows_of(analysis, ranking.systems, theme, top)
    ranges = [_range(ranking, i) for i in range(len(ranking.systems))]
    heading = "ranks"
    right_room = max(map(text_width, (heading, *ranges))) + 12
    width = max(NARROW, rows.room + _PLOT + right_room)
    canvas = Canvas(width, rows.bottom + X_AXIS, theme)
    drawn = np.concatenate([ranking.low, ranking.high, ranking.scores])
    low, high = padded(drawn[np.isfinite(drawn)].tolist())
    scale = Scale(low, high, rows.room, canvas.width - right_room)
    rows.draw_clusters(canvas, ranking.cluster, 0, canvas.width)
    label = f"{ranking.method.name} score, {100 * ranking.level:g} % interval"
    x_axis(canvas, scale, top, rows.bottom, label)
    rows.draw(canvas)
    canvas.text(canvas.width - 3, top - 11, heading, theme.soft, align="right")
    for i, colour in enumerate(rows.colours):
        y = rows.middle(i)
        if np.isfinite(ranking.low[i]):
            canvas.line([(scale(ranking.low[i]), y), (scale(ranking.high[i]), y)], colour, 3)
        canvas.dots([(scale(ranking.scores[i]), y)], 4.5, colour)
        canvas.text(canvas.width - 3, y, ranges[i], theme.soft, align="right")
    return canvas


FIGURE = Figure(
    "scores",
    "Scores and clusters",
    "Each dot is a score and its bar the interval; a rule parts clusters, whose systems are told "
    "apart from all others, and the numbers at the right are rank ranges (WMT13 Table 6).",
    _table,
    _alt,
    _draw,
    place=1,
    narrow=True,
)
