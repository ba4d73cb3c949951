"""Rows of names with point estimates and intervals on a common scale."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite

from adjudge.report.drawing.canvas import NARROW, Canvas, text_width
from adjudge.report.drawing.scales import X_AXIS, Scale, padded, x_axis
from adjudge.report.drawing.theme import Theme

_PITCH = 19.0
_RADIUS = 4.0
_TOP = 6.0


@dataclass(frozen=True)
class EstimateRow:
    """Name, value, interval limits (NaN: none), and colour index."""

    name: str
    value: float
    low: float
    high: float
    colour: Callable[[Theme], str]
    rule: bool = False  # a line below it


def draw_estimates(
    rows: Sequence[EstimateRow],
    label: str,
    theme: Theme,
    *,
    zero: bool = False,
    marks: Callable[[Scale], Sequence[tuple[float, str]]] | None = None,
) -> Canvas:
    """Draw the rows from top to bottom; `zero` marks the null value."""
    every = [each for row in rows for each in (row.value, row.low, row.high) if isfinite(each)] + (
        [0.0] if zero else []
    )
    left = max(text_width(row.name) for row in rows) + 12
    bottom = _TOP + _PITCH * len(rows)
    canvas = Canvas(NARROW, bottom + X_AXIS, theme)
    scale = Scale(*padded(every), left, NARROW - 12)
    x_axis(canvas, scale, _TOP, bottom, label, marks(scale) if marks else None)
    if zero:
        canvas.line([(scale(0), _TOP), (scale(0), bottom)], theme.soft, 1.2)
    for place, row in enumerate(rows):
        y = _TOP + _PITCH * (place + 0.5)
        colour = row.colour(theme)
        canvas.text(2, y, row.name)
        if isfinite(row.low):
            canvas.line([(scale(row.low), y), (scale(row.high), y)], colour, 2)
        canvas.dots([(scale(row.value), y)], _RADIUS, colour)
        if row.rule:
            edge = _TOP + _PITCH * (place + 1)
            canvas.line([(0, edge), (NARROW, edge)], theme.other)
    return canvas
