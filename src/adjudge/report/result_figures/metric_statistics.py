"""Comparison of statistics: one row per metric, one point per statistic (such as variants of τ)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from adjudge.core.errors import NotEnoughData
from adjudge.core.tables.table import Table
from adjudge.metaeval.evaluation import TIES_EVERYTHING, MetaEvaluation
from adjudge.metaeval.tables.labels import is_tau, title_of
from adjudge.metaeval.tables.metaeval import alone
from adjudge.report.drawing.canvas import LINE, NARROW, SMALL, Canvas, text_width
from adjudge.report.drawing.key import draw_key, key_lines
from adjudge.report.drawing.scales import X_AXIS, Scale, padded, written, x_axis
from adjudge.report.drawing.system_labels import labels
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure
from adjudge.stats.resampling import Floats

_STEP = 5.0  # pixels between the points of a row
_AIR = 7.0  # and between rows
_RADIUS = 2.6
_LONGEST = 140.0  # pixels of a metric's name
_OUTSIDE = 0.2  # below −0.2 what no metric reaches is not worth the room


def _shown(result: MetaEvaluation) -> list[int]:
    """Metrics with a value."""
    metrics = [int(m) for m in np.flatnonzero(np.isfinite(result.values).any(axis=1))]
    if not metrics:
        raise NotEnoughData("no metric has a value: there is nothing to draw")
    return metrics


def _table(result: MetaEvaluation) -> Table:
    return replace(alone(result), notes=[])  # the table beside it has them


def _alt(result: MetaEvaluation) -> str:
    metrics = _shown(result)
    parts = []
    for s, statistic in enumerate(result.statistics):
        values = result.values[metrics, s]
        if not np.isfinite(values).any():
            continue
        best = metrics[int(np.nanargmax(values))]
        said = f"best {result.metrics[best]} {written(result.values[best, s], 3)}"
        if result.ties_everything is not None:
            tied = result.ties_everything[s]
            said += (
                f", a metric that ties everything {written(tied, 3)}"
                if np.isfinite(tied)
                else ", not defined for a metric that ties everything"
            )
        parts.append(f"{title_of(statistic)}: {said}")
    return f"{len(metrics)} metrics by {len(result.statistics)} statistics. {'; '.join(parts)}."


@dataclass(frozen=True, eq=False)
class _Line:
    """Row of the figure."""

    name: str
    values: Floats  # (statistics,)
    lows: Floats
    highs: Floats
    real: bool = True  # is it a metric?


def _lines(result: MetaEvaluation) -> list[_Line]:
    metrics = _shown(result)
    names = labels([result.metrics[m] for m in metrics], _LONGEST)
    lines = [
        _Line(
            name + (" ↓" if result.turned[m] else ""),
            result.values[m],
            result.lows[m],
            result.highs[m],
        )
        for name, m in zip(names, metrics, strict=True)
    ]
    tied = result.ties_everything
    if tied is not None and np.isfinite(tied).any():
        nothing = np.full(len(tied), np.nan)
        lines.append(_Line(TIES_EVERYTHING, tied, nothing, nothing, real=False))
    return lines


def _draw(result: MetaEvaluation, theme: Theme) -> Canvas:
    lines = _lines(result)
    pitch = max(LINE, _STEP * (len(result.statistics) - 1) + 2 * _RADIUS + _AIR)
    key = key_lines([title_of(name) for name in result.statistics], NARROW)
    top = LINE * len(key) + 8
    bottom = top + pitch * len(lines)
    canvas = Canvas(NARROW, bottom + X_AXIS, theme)
    scale = Scale(*_ends(lines), max(text_width(line.name) for line in lines) + 10, NARROW - 10)
    x_axis(canvas, scale, top, bottom, "Kendall's τ" if is_tau(result) else "value")
    draw_key(canvas, key, 0)
    for row, line in enumerate(lines):
        if not line.real:
            y = top + pitch * row
            canvas.line([(0, y), (NARROW, y)], theme.soft)
        _draw_line(canvas, line, scale, top + pitch * (row + 0.5))
    return canvas


def _draw_line(canvas: Canvas, line: _Line, scale: Scale, middle: float) -> None:
    theme = canvas.theme
    canvas.text(2, middle, line.name, None if line.real else theme.soft)
    first = middle - _STEP * (len(line.values) - 1) / 2
    for s in np.flatnonzero(np.isfinite(line.lows)):
        ends = (scale(float(line.lows[s])), scale(float(line.highs[s])))
        canvas.line([(x, first + _STEP * s) for x in ends], theme.system(int(s)), 1.5)
    x = scale.start
    for s in np.flatnonzero(line.values >= scale.low):
        point = (scale(float(line.values[s])), first + _STEP * s)
        canvas.dots([point], _RADIUS, theme.system(int(s)))
        x = max(x, point[0])
    for s in np.flatnonzero(line.values < scale.low):  # an arrow to the left, and the number
        said = f"← {written(float(line.values[s]), 3)}"
        canvas.text(x + 8, middle, said, theme.system(int(s)), SMALL)
        x += text_width(said, SMALL) + 8


def _ends(lines: Sequence[_Line]) -> tuple[float, float]:
    """Range of the values; much lower values of the tie-everything row are cut off."""
    of_metrics = [[*line.values, *line.lows, *line.highs] for line in lines if line.real]
    lowest = np.nanmin(of_metrics)
    near = np.concatenate([*of_metrics, *(line.values for line in lines)])
    near = near[np.isfinite(near) & (near >= min(lowest, -_OUTSIDE))]
    return padded(near.tolist())


FIGURE = Figure(
    "metric-statistics",
    "Statistics side by side",
    "A row a metric, a point a statistic, from top to bottom in the order of the key, with its "
    "interval where that is known. The last row is no metric: it is what one would get that ties "
    "everything.",
    _table,
    _alt,
    _draw,
    narrow=True,
)
