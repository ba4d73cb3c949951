"""Runs of tuning on test sentences: one panel per measure, one row per goal, one point per run."""

from collections.abc import Sequence
from dataclasses import replace

from adjudge.core.tables.table import Table
from adjudge.report.drawing.canvas import LINE, NARROW, Canvas
from adjudge.report.drawing.scales import X_AXIS, Scale, padded, written, x_axis
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure
from adjudge.tuning.run_spread import TuningVariance
from adjudge.tuning.tables.variance import tables_of

_ROW = 2 * LINE + 4
_ABOVE = 24.0
_RADIUS = 2.0


def _table(results: Sequence[TuningVariance]) -> Table:
    return replace(tables_of(results[0])["scores"], notes=[])


def _alt(results: Sequence[TuningVariance]) -> str:
    said = [
        f"{own.goal} by {own.measure} {written(own.spread.value, 2)} "
        f"({written(own.spread.low, 2)} to {written(own.spread.high, 2)})"
        for own in results[0].scores
    ]
    return f"Scores of test sentences, tuned towards: {'; '.join(said)}."


def _draw(results: Sequence[TuningVariance], theme: Theme) -> Canvas:
    result = results[0]
    goals, measures = result.runs.goals, result.runs.measures
    panel = _ABOVE + _ROW * len(goals) + X_AXIS
    canvas = Canvas(NARROW, panel * len(measures), theme)
    for m, measure in enumerate(measures):
        runs = result.test_scores(measure)
        own = [each for each in result.scores if each.measure == measure.name]
        ends = padded(
            [*runs.reshape(-1).tolist(), *(e for s in own for e in (s.spread.low, s.spread.high))]
        )
        scale = Scale(*ends, 10, NARROW - 10)
        top = panel * m + _ABOVE
        x_axis(canvas, scale, top, top + _ROW * len(goals), f"{measure} of test sentences")
        for g, score in enumerate(own):
            y = top + _ROW * g
            canvas.text(4, y + 9, f"towards {score.goal}", theme.soft)
            base = y + LINE + 9
            ends_of = [(scale(x), base) for x in (score.spread.low, score.spread.high)]
            canvas.line(ends_of, theme.system(g), 1.5)
            dots = [(scale(float(x)), base) for x in runs[1:, :, g].reshape(-1)]
            canvas.dots(dots, _RADIUS, theme.system(g))
            value = scale(score.spread.value)
            canvas.line([(value, base - 8), (value, base + 8)], theme.ink, 2, above=3)
    return canvas


FIGURE: Figure[Sequence[TuningVariance]] = Figure(
    "tuning-runs",
    "Every run on test sentences",
    "A point is one run: one development set, one seed. The bar is the mean on the development set "
    "that is there, the line the interval, which counts that test sentences could be others, too.",
    _table,
    _alt,
    _draw,
    narrow=True,
)
