"""Reliability curve: observed share of changed words by predicted probability."""

from dataclasses import dataclass
from math import isfinite

from adjudge.core.tables.table import Table
from adjudge.quality.studies.reliability import Reliability
from adjudge.quality.tables.studies import reliability_table
from adjudge.report.drawing.canvas import NARROW, Canvas
from adjudge.report.drawing.scales import X_AXIS, Y_LABEL, Scale, x_axis, y_axis, y_room
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure

_HEIGHT = 270.0
_FEWEST = 20  # words; of fewer nothing can be said
_BARS = 44.0  # pixels below, for how many words there are


@dataclass(frozen=True)
class Reliable:
    """Data of the figure."""

    found: Reliability
    level: float


def _table(shown: Reliable) -> Table:
    return reliability_table(shown.found, shown.level)


def _alt(shown: Reliable) -> str:
    said = ", ".join(
        f"{100 * each.chance:.0f} % predicted, {100 * each.changed.value:.0f} % changed"
        for each in shown.found.bins
    )
    return f"Chances of words to be changed: {said}."


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _draw(shown: Reliable, theme: Theme) -> Canvas:
    bins = [each for each in shown.found.bins if each.words >= _FEWEST] or shown.found.bins
    bottom = Y_LABEL + _HEIGHT
    canvas = Canvas(NARROW, bottom + X_AXIS + _BARS, theme)
    up = Scale(0, 1, bottom, Y_LABEL)
    left = y_room(up, _percent)
    across = Scale(0, 1, left, NARROW - 12)
    y_axis(canvas, up, left, across.end, "words that were changed", _percent)
    marks = [(share / 5, f"{20 * share} %") for share in range(6)]
    x_axis(canvas, across, Y_LABEL, bottom, "predicted chance to be changed", marks)
    canvas.line([(across(v), up(v)) for v in (0, 1)], theme.soft, 1.2, (5, 4))
    points = [(across(each.chance), up(each.changed.value)) for each in bins]
    if len(points) > 1:
        canvas.line(points, theme.accent, 2)
    for each, (x, _) in zip(bins, points, strict=True):
        if isfinite(each.changed.low):
            ends = (each.changed.low, each.changed.high)
            canvas.line([(x, up(end)) for end in ends], theme.accent, 2)
    canvas.dots(points, 4, theme.accent)
    base = bottom + X_AXIS + _BARS - 2
    most = max(each.words for each in bins)
    heights = [(_BARS - 8) * each.words / most for each in bins]
    wide = (across.end - across.start) / 14
    boxes = [
        (x - wide / 2, base - max(high, 1), wide, max(high, 1))
        for (x, _), high in zip(points, heights, strict=True)
    ]
    canvas.boxes(boxes, theme.heat[3])
    canvas.text(2, base - _BARS / 2 + 4, "words", theme.soft)
    return canvas


FIGURE = Figure(
    "quality-reliability",
    "Do chances come true?",
    "Words by their predicted chance to be changed, in tenths of it, and how many were changed, "
    "with intervals; tenths with fewer than 20 words are left out. On the dashed line chances "
    "come true. Bars: how many words there are.",
    _table,
    _alt,
    _draw,
    narrow=True,
)
