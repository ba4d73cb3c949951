"""Learning curve: models trained on less data, and the expectation with more."""

from dataclasses import dataclass
from math import isfinite

from adjudge.core.tables.table import Table
from adjudge.quality.evaluation.system_ranking import Measure
from adjudge.quality.studies.learning_curve import LearningCurve, Point
from adjudge.quality.tables.studies import curve_table
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

_HEIGHT = 260.0
_STEPS = 40


@dataclass(frozen=True)
class Learned:
    """Data of the figure."""

    curve: LearningCurve
    measure: Measure
    unit: str  # what is learned from: translations or rankings
    level: float


def _table(shown: Learned) -> Table:
    return curve_table(shown.curve, shown.measure, shown.unit, shown.level)


def _alt(shown: Learned) -> str:
    digits, curve = shown.measure.digits, shown.curve
    first, whole, last = curve.measured[0], curve.whole, curve.expected[-1]
    return (
        f"{shown.measure.title} from {written(first.measure.value, digits)} with "
        f"{first.translations:,} {shown.unit} to {written(whole.measure.value, digits)} with "
        f"{whole.translations:,}; {written(last.measure.value, digits)} is expected with "
        f"{last.translations:,}."
    )


def _draw(shown: Learned, theme: Theme) -> Canvas:
    curve = shown.curve
    points = [*curve.measured, *curve.expected]
    ends = [end for point in points for end in (point.measure.value, *_bar(shown, point))]
    canvas = Canvas(NARROW, Y_LABEL + _HEIGHT + X_AXIS, theme)
    up = Scale(*padded([end for end in ends if isfinite(end)]), Y_LABEL + _HEIGHT, Y_LABEL)
    left = y_room(up)
    sizes = [point.translations for point in points]
    across = Scale(sizes[0] / 1.2, sizes[-1] * 1.2, left, NARROW - 10, logarithmic=True)
    y_axis(canvas, up, left, across.end, f"{shown.measure.title} on held-out data")
    marks = [(float(size), f"{size:,}") for size in sizes]
    x_axis(canvas, across, Y_LABEL, Y_LABEL + _HEIGHT, f"{shown.unit} learned from", marks)
    _law(canvas, shown, across, up)
    for place, point in enumerate(points):
        _point(canvas, shown, point, (across, up), place < len(curve.measured))
    return canvas


def _bar(shown: Learned, point: Point) -> tuple[float, float]:
    """Interval of the difference to the model itself, centred on the point."""
    sign = 1 if shown.measure.higher_is_better else -1
    low, high = (sign * (end - point.gain.value) for end in (point.gain.low, point.gain.high))
    return point.measure.value + low, point.measure.value + high


def _law(canvas: Canvas, shown: Learned, across: Scale, up: Scale) -> None:
    level, slope, exponent = shown.curve.law
    begin, end = (shown.curve.measured[0].translations, shown.curve.expected[-1].translations)
    line = []
    for step in range(_STEPS + 1):
        size = begin * (end / begin) ** (step / _STEPS)
        error = level + slope * size**-exponent
        line.append((across(size), up(1 - error if shown.measure.higher_is_better else error)))
    canvas.line(line, canvas.theme.soft, 1.2, (5, 4))


def _point(
    canvas: Canvas, shown: Learned, point: Point, scales: tuple[Scale, Scale], measured: bool
) -> None:
    theme, (across, up) = canvas.theme, scales
    colour = theme.accent if measured else theme.second
    x, y = across(point.translations), up(point.measure.value)
    ends = _bar(shown, point)
    if isfinite(ends[0]) and point is not shown.curve.whole:
        canvas.line([(x, up(end)) for end in ends], colour, 1.6)
    if measured:
        canvas.dots([(x, y)], 4, colour)
    else:  # no measurement: an empty square
        canvas.boxes([(x - 4, y - 4, 8, 8)], theme.paper, colour, 2, above=3)


FIGURE = Figure(
    "quality-learning",
    "What more data would bring",
    "Points: models that learned from parts of the training data, with the parameters of the "
    "whole; the mean of up to three parts of each size. Bars: the interval of the difference to "
    "the model itself. Dashed: the power law through the points. Empty squares: what it says of "
    "two and four times as many.",
    _table,
    _alt,
    _draw,
    narrow=True,
)
