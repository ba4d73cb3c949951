"""Line search: the envelope of a sentence, and the objective (Figure 3.4)."""

from collections.abc import Sequence

import numpy as np

from adjudge.core.tables.table import Column, Table
from adjudge.report.drawing.canvas import NARROW, Canvas
from adjudge.report.drawing.scales import X_AXIS, Y_LABEL, Scale, padded, written, x_axis, y_axis
from adjudge.report.drawing.scales import y_room as room_of
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure
from adjudge.tuning.line_trace import TracedLine
from adjudge.tuning.tuning_result import Tuned

_HEIGHT = 170.0
_BETWEEN = 22.0
_MOST = 30  # candidates that are drawn for either end


def _table(line: TracedLine) -> Table:
    rows = [
        {"from": float(low), "to": float(high), "score": float(score)}
        for low, high, score in zip(line.edges, line.edges[1:], line.scores, strict=False)
    ]
    return Table(
        rows,
        [Column("from", "from", 4), Column("to", "to", 4), Column("score", "score", 3)],
        title=f"The objective by the change of the weight of {line.feature}",
    )


def _alt(line: TracedLine) -> str:
    return (
        f"Along the weight of {line.feature}, {len(line.scores)} intervals with scores from "
        f"{written(line.scores.min(), 2)} to {written(line.scores.max(), 2)}; the envelope of "
        f"sentence {line.sentence}, with {len(line.slopes)} candidates, has {len(line.corners)} "
        "corners."
    )


def _draw(line: TracedLine, theme: Theme) -> Canvas:
    canvas = Canvas(NARROW, 2 * (Y_LABEL + _HEIGHT) + _BETWEEN + X_AXIS, theme)
    envelope = line.envelope
    model = padded(envelope[:, 1].tolist(), 0.25)
    score = padded(line.scores.tolist())
    first = Scale(*model, Y_LABEL + _HEIGHT, Y_LABEL)
    below = 2 * Y_LABEL + _HEIGHT + _BETWEEN
    second = Scale(*score, below + _HEIGHT, below)
    left = max(room_of(first), room_of(second))
    across = Scale(line.low, line.high, left, NARROW - 8)
    y_axis(
        canvas,
        first,
        left,
        across.end,
        f"sentence {line.sentence}: model scores beside the chosen one's",
    )
    y_axis(canvas, second, left, across.end, "objective")
    x_axis(canvas, across, below, below + _HEIGHT, f"change of the weight of {line.feature}")
    for top in (Y_LABEL, below):
        zero = across(0.0)
        canvas.line([(zero, top), (zero, top + _HEIGHT)], theme.soft, 1, (3, 3))
    _candidates(canvas, line, across, first)
    chosen = [(across(x), first(y)) for x, y in envelope]
    canvas.line(chosen, theme.accent, 2.5)
    canvas.dots(chosen[1:-1], 3, theme.accent)
    steps = [
        (across(float(x)), second(float(y)))
        for k, y in enumerate(line.scores)
        for x in line.edges[k : k + 2]
    ]
    canvas.line(steps, theme.accent, 1.5)
    return canvas


def _candidates(canvas: Canvas, line: TracedLine, across: Scale, up: Scale) -> None:
    """Draw the lines of candidates within the frame; of very many, those on top at either end."""
    ends = line.intercepts[:, None] + np.array([line.low, line.high]) * line.slopes[:, None]
    best = np.unique(np.argsort(-ends, axis=0, kind="stable")[:_MOST])
    for intercept, slope in zip(line.intercepts[best], line.slopes[best], strict=True):
        low, high = line.low, line.high
        if slope != 0:
            meets = sorted((value - intercept) / slope for value in (up.low, up.high))
            low, high = max(low, meets[0]), min(high, meets[1])
        elif not up.low <= intercept <= up.high:
            continue
        if low < high:
            points = [(across(g), up(intercept + g * slope)) for g in (low, high)]
            canvas.line(points, canvas.theme.other, 0.7, above=1)


LINE = Figure(
    "tuning-line",
    "What a line search sees",
    "Above, the model scores of one sentence's candidates while one weight changes, less that of "
    "the candidate that is chosen now: straight lines, of which the highest one is chosen, so that "
    "the choices are the upper envelope (Macháček 2014, Figure 3.4). Below, the objective of all "
    "sentences, which changes where any envelope has a corner. The dashed line is where the "
    "weights are.",
    _table,
    _alt,
    _draw,
    narrow=True,
)


def _of(results: Sequence[Tuned]) -> TracedLine:
    return results[0].line


FIGURE: Figure[Sequence[Tuned]] = Figure(
    LINE.name,
    LINE.title,
    LINE.about,
    lambda results: _table(_of(results)),
    lambda results: _alt(_of(results)),
    lambda results, theme: _draw(_of(results), theme),
    narrow=True,
)
