"""Predicted against true numbers: one point per translation, and the mean truth of every decile."""

from math import isfinite

from adjudge.quality.studies.fit import Fit
from adjudge.quality.tables.studies import fit_table
from adjudge.report.drawing.canvas import NARROW, Canvas
from adjudge.report.drawing.scales import (
    X_AXIS,
    Y_LABEL,
    Scale,
    padded,
    written,
    x_axis,
    y_axis,
    y_room,
)
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure

_HEIGHT = 330.0
_DOT = 2.0


def _alt(fit: Fit) -> str:
    first, last = fit.bins[0], fit.bins[-1]
    return (
        f"Predicted and true {fit.quantity.title} of {fit.translations:,} translations. In the "
        f"lowest tenth by prediction {written(first.predicted, 2)} was predicted and "
        f"{written(first.true.value, 2)} true on average, in the highest "
        f"{written(last.predicted, 2)} and {written(last.true.value, 2)}."
    )


def _draw(fit: Fit, theme: Theme) -> Canvas:
    canvas = Canvas(NARROW, Y_LABEL + _HEIGHT + X_AXIS, theme)
    true = padded([*fit.true.tolist(), *(each.true.value for each in fit.bins)], 0.03)
    up = Scale(*true, Y_LABEL + _HEIGHT, Y_LABEL)
    left = y_room(up)
    predicted = padded(fit.predicted.tolist(), 0.05)
    across = Scale(*predicted, left, NARROW - 8)
    y_axis(canvas, up, left, across.end, f"true {fit.quantity.title}")
    x_axis(canvas, across, Y_LABEL, Y_LABEL + _HEIGHT, "predicted")
    points = zip(fit.predicted.tolist(), fit.true.tolist(), strict=True)
    canvas.dots([(across(x), up(y)) for x, y in points], _DOT, theme.other, above=1)
    low, high = max(true[0], predicted[0]), min(true[1], predicted[1])
    if low < high:
        canvas.line([(across(v), up(v)) for v in (low, high)], theme.soft, 1.2, (5, 4))
    line = [(across(each.predicted), up(each.true.value)) for each in fit.bins]
    if len(line) > 1:
        canvas.line(line, theme.accent, 2)
    for each, (x, _) in zip(fit.bins, line, strict=True):
        if isfinite(each.true.low):
            canvas.line([(x, up(each.true.low)), (x, up(each.true.high))], theme.accent, 2)
    canvas.dots(line, 4, theme.accent)
    return canvas


FIGURE = Figure(
    "quality-fit",
    "Predicted and true",
    "A grey point is a translation (at most 500 are drawn). Blue: the mean truth of every tenth "
    "of the translations by prediction, with its interval. A model that means what it says has "
    "them on the dashed line.",
    fit_table,
    _alt,
    _draw,
    narrow=True,
)
