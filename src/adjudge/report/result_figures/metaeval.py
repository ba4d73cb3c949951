"""Scores of systems by each metric against human scores (Macháček 2014, Figure 4.3)."""

from collections.abc import Sequence

import numpy as np

from adjudge.core.errors import BadParameter, NotEnoughData
from adjudge.metaeval.evaluation import MetaEvaluation
from adjudge.metaeval.tables.labels import title_of
from adjudge.report.drawing.canvas import NARROW, Canvas
from adjudge.report.drawing.label_placement import label_points
from adjudge.report.drawing.scales import X_AXIS, Scale, padded, written, x_axis, y_axis, y_room
from adjudge.report.drawing.system_labels import labels, shortened
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure
from adjudge.report.result_figures.metric_panels import drawn_metrics, scores_table

Evaluations = Sequence[MetaEvaluation]

_FEW = 3  # metrics up to which panels are below each other, as a phone shows them
_ACROSS = 3  # panels side by side where there are more
_HEIGHT = 190.0  # pixels of a panel
_ABOVE = 26.0  # for what it is of
_RADIUS = 4.0
_LONGEST = 110.0  # pixels of a name
_ROOM_RIGHT = 8.0


def _only(results: Evaluations) -> MetaEvaluation:
    if len(results) != 1:
        raise BadParameter(
            "a figure is of one language pair, one scale and one set of systems; here are "
            f"{len(results)}"
        )
    if results[0].level != "system":
        raise NotEnoughData('the figure is of systems: ask for `level="system"`')
    return results[0]


def _alt(result: MetaEvaluation) -> str:
    said = ", ".join(_heading(result, m) for m in drawn_metrics(result))
    return f"Scores of {result.systems} systems by people and by metrics: {said}."


def _heading(result: MetaEvaluation, m: int) -> str:
    value = result.values[m, 0]
    title = title_of(result.statistics[0])
    known = f"{title} {written(value, 3)}" if np.isfinite(value) else f"no {title}"
    return f"{shortened(result.metrics[m])} {'↓ ' if result.turned[m] else ''}({known})"


def _draw(result: MetaEvaluation, theme: Theme) -> Canvas:
    metrics = drawn_metrics(result)
    across = 1 if len(metrics) <= _FEW else _ACROSS
    down = -(-len(metrics) // across)
    wide, high = NARROW if across == 1 else 0.75 * NARROW, _ABOVE + _HEIGHT + X_AXIS
    canvas = Canvas(wide * across, high * down, theme)
    called = labels(result.names, _LONGEST)
    room = max(y_room(_scale(result, m, 0)) for m in metrics)
    ends = padded(result.human_scores.tolist())
    for number, m in enumerate(metrics):
        row, column = divmod(number, across)
        left = wide * column
        people = Scale(*ends, left + room, left + wide - _ROOM_RIGHT)
        _panel(canvas, result, m, called, people, _scale(result, m, high * row + _ABOVE), left)
    return canvas


def _scale(result: MetaEvaluation, m: int, top: float) -> Scale:
    """Scale of a metric, oriented so that better is higher."""
    ends = padded(result.metric_scores[m].tolist())
    up = (top, top + _HEIGHT) if result.turned[m] else (top + _HEIGHT, top)
    return Scale(*ends, *up)


def _panel(
    canvas: Canvas,
    result: MetaEvaluation,
    m: int,
    called: list[str],
    people: Scale,
    up: Scale,
    left: float,
) -> None:
    theme = canvas.theme
    top, bottom = min(up.start, up.end), max(up.start, up.end)
    y_axis(canvas, up, people.start, people.end, "")
    canvas.text(left + 2, top - 14, _heading(result, m), theme.soft)
    x_axis(canvas, people, top, bottom, f"people: {result.human}")
    place = np.argsort(np.argsort(-result.human_scores, kind="stable"))
    points = []
    for i, (human, metric) in enumerate(
        zip(result.human_scores, result.metric_scores[m], strict=True)
    ):
        points.append((people(human), up(metric)))
        canvas.dots([points[-1]], _RADIUS, theme.system(int(place[i])))
    box = (people.start, top, people.end - people.start, bottom - top)
    label_points(canvas, points, [[name] for name in called], box, [_RADIUS] * len(points))


PANELS = Figure(
    "metaeval",
    "Metrics against people",
    "Each point is a system: to the right the better by people, further up the better by the "
    "metric. A metric that agrees with people has its points on a rising line (Macháček 2014, "
    "Figure 4.3).",
    scores_table,
    _alt,
    _draw,
)

FIGURE: Figure[Evaluations] = Figure(
    PANELS.name,
    PANELS.title,
    PANELS.about,
    lambda results: scores_table(_only(results)),
    lambda results: _alt(_only(results)),
    lambda results, theme: _draw(_only(results), theme),
)
