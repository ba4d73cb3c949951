"""Weights with their spread: one row per feature, one point per goal."""

from collections.abc import Sequence
from dataclasses import replace

from adjudge.core.tables.table import Table
from adjudge.report.drawing.canvas import LINE, NARROW, Canvas, text_width
from adjudge.report.drawing.key import draw_key, key_lines
from adjudge.report.drawing.scales import X_AXIS, Scale, padded, written, x_axis
from adjudge.report.drawing.system_labels import labels
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure
from adjudge.tuning.run_spread import TuningVariance
from adjudge.tuning.tables.variance import tables_of

_STEP = 6.0  # pixels between the points of a row
_AIR = 8.0  # and between rows
_RADIUS = 3.0
_LONGEST = 140.0  # pixels of a feature's name


def _table(results: Sequence[TuningVariance]) -> Table:
    return replace(tables_of(results[0])["weights"], notes=[])


def _alt(results: Sequence[TuningVariance]) -> str:
    said = [
        f"{own.feature} {written(own.spread.value, 2)} ({written(own.spread.low, 2)} to "
        f"{written(own.spread.high, 2)})"
        for own in results[0].weights[: len(results[0].runs.names)]
    ]
    return f"Weights towards {results[0].runs.goals[0]}: {', '.join(said)}."


def _draw(results: Sequence[TuningVariance], theme: Theme) -> Canvas:
    result = results[0]
    goals, names = [goal.name for goal in result.runs.goals], result.runs.names
    pitch = max(LINE, _STEP * (len(goals) - 1) + 2 * _RADIUS + _AIR)
    key = key_lines(goals, NARROW)
    top = LINE * len(key) + 8
    canvas = Canvas(NARROW, top + pitch * len(names) + X_AXIS, theme)
    called = labels(list(names), _LONGEST)
    ends = padded([end for own in result.weights for end in (own.spread.low, own.spread.high, 0.0)])
    scale = Scale(*ends, max(map(text_width, called)) + 10, NARROW - 10)
    bottom = top + pitch * len(names)
    x_axis(canvas, scale, top, bottom, "weight")
    canvas.line([(scale(0.0), top), (scale(0.0), bottom)], theme.soft)
    draw_key(canvas, key, 0)
    for number, own in enumerate(result.weights):
        g, k = divmod(number, len(names))
        middle = top + pitch * (k + 0.5)
        if g == 0:
            canvas.text(2, middle, called[k])
        y = middle + _STEP * (g - (len(goals) - 1) / 2)
        spread = own.spread
        canvas.line([(scale(x), y) for x in (spread.low, spread.high)], theme.system(g), 1.5)
        canvas.dots([(scale(spread.value), y)], _RADIUS, theme.system(g))
    return canvas


FIGURE: Figure[Sequence[TuningVariance]] = Figure(
    "tuning-weights",
    "Weights with their spread",
    "A row a feature, a point a goal: the weight on the development set that is there, and within "
    "what it lies from other seeds on other development sets. Sizes of weights add up to 1.",
    _table,
    _alt,
    _draw,
    narrow=True,
)
