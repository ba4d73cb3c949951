"""Number of restarts: gap between the best of k and the best of all on the development set."""

from collections.abc import Sequence
from dataclasses import replace

from adjudge.core.errors import NotEnoughData
from adjudge.core.tables.table import Table
from adjudge.report.drawing.canvas import LINE, NARROW, Canvas
from adjudge.report.drawing.key import draw_key, key_lines
from adjudge.report.drawing.scales import X_AXIS, Y_LABEL, Scale, padded, written, x_axis, y_axis
from adjudge.report.drawing.scales import y_room as room_of
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure
from adjudge.tuning.run_spread import BestOf, TuningVariance
from adjudge.tuning.tables.variance import tables_of

_HEIGHT = 190.0


def _rows(result: TuningVariance) -> Sequence[BestOf]:
    if len({row.restarts for row in result.restarts}) < 2:
        raise NotEnoughData(
            "there are fewer than four restarts in all: raise `restarts` or `seeds`"
        )
    return result.restarts


def _table(results: Sequence[TuningVariance]) -> Table:
    _rows(results[0])
    return replace(tables_of(results[0])["restarts"], notes=[])


def _alt(results: Sequence[TuningVariance]) -> str:
    said = [f"{row.goal}, {row.restarts}: {written(row.expected, 2)}" for row in _rows(results[0])]
    return f"Expected score of the best of so many restarts: {'; '.join(said)}."


def _draw(results: Sequence[TuningVariance], theme: Theme) -> Canvas:
    result = results[0]
    rows = _rows(result)
    goals = [goal.name for goal in result.runs.goals]
    best = dict(zip(goals, result.best_ends, strict=True))
    lacking = {
        goal: [(row.restarts, *_sorted(row, best[goal])) for row in rows if row.goal == goal]
        for goal in goals
    }
    key = key_lines(goals, NARROW)
    top = LINE * len(key) + Y_LABEL + 4
    canvas = Canvas(NARROW, top + _HEIGHT + X_AXIS, theme)
    highest = max(each[3] for own in lacking.values() for each in own)
    up = Scale(0.0, padded([0.0, highest])[1], top + _HEIGHT, top)
    numbers = sorted({row.restarts for row in rows})
    across = Scale(0.8, 1.2 * numbers[-1], room_of(up), NARROW - 10, logarithmic=True)
    draw_key(canvas, key, 0)
    y_axis(canvas, up, across.start, across.end, "below the best of all restarts")
    marks = [(float(number), f"{number}") for number in numbers]
    x_axis(canvas, across, top, top + _HEIGHT, "restarts", marks)
    for g, goal in enumerate(goals):
        shift = 3.0 * (g - (len(goals) - 1) / 2)
        points = []
        for number, middle, low, high in lacking[goal]:
            x = across(number) + shift
            canvas.line([(x, up(low)), (x, up(high))], theme.system(g), 1)
            points.append((x, up(middle)))
        canvas.line(points, theme.system(g), 1.5)
        canvas.dots(points, 3, theme.system(g))
    return canvas


def _sorted(row: BestOf, best: float) -> tuple[float, float, float]:
    """Gap of k restarts: mean, minimum, maximum."""
    ends = sorted(abs(best - end) for end in (row.low, row.high))
    return abs(best - row.expected), ends[0], ends[1]


FIGURE: Figure[Sequence[TuningVariance]] = Figure(
    "tuning-restarts",
    "How many restarts",
    "How far the best of so many restarts is below the best of all, on the development set: on "
    "average, and within what it lies.",
    _table,
    _alt,
    _draw,
    narrow=True,
)
