"""Metrics against human scores: one panel per metric, one point per system, with both intervals."""

import numpy as np

from adjudge.metaeval.human_comparison import Beside
from adjudge.metaeval.tables.human_comparison import agreed_note, beside_table
from adjudge.metrics.system_scores import MetricScores
from adjudge.report.drawing.canvas import NARROW, Canvas
from adjudge.report.drawing.label_placement import label_points
from adjudge.report.drawing.scales import X_AXIS, Scale, padded, x_axis, y_axis, y_room
from adjudge.report.drawing.system_labels import labels
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure

_HEIGHT = 190.0  # pixels of a panel
_ABOVE = 26.0  # for what it is of
_BETWEEN = 10.0
_RADIUS = 4.0
_LONGEST = 110.0  # pixels of a name


def _alt(result: Beside) -> str:
    first, last = result.systems[0], result.systems[-1]
    return (
        f"Scores of {len(result.systems)} systems by people, from {first} down to {last}, and by "
        + " ".join(agreed_note(result, metric) for metric in result.metrics)
    )


def _draw(result: Beside, theme: Theme) -> Canvas:
    panel = _ABOVE + _HEIGHT + _BETWEEN
    canvas = Canvas(NARROW, panel * len(result.metrics) + X_AXIS, theme)
    called = labels(result.systems, _LONGEST)
    shown = [_range(metric, result) for metric in result.metrics]
    room = max(
        y_room(_scale(metric, ends, 0)) for metric, ends in zip(result.metrics, shown, strict=True)
    )
    across = Scale(*_ends(result.low, result.high, result.scores), room, canvas.width - 8)
    for number, (metric, ends) in enumerate(zip(result.metrics, shown, strict=True)):
        top = panel * number + _ABOVE
        last = number == len(result.metrics) - 1
        _panel(canvas, result, metric, called, across, _scale(metric, ends, top), last)
    return canvas


def _ends(*values: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> tuple[float, float]:
    every = np.concatenate(values)
    return padded(every[np.isfinite(every)].tolist())


def _range(metric: MetricScores, result: Beside) -> tuple[float, float]:
    places = result.places(metric)
    return _ends(metric.low[places], metric.high[places], metric.scores[places])


def _scale(metric: MetricScores, ends: tuple[float, float], top: float) -> Scale:
    """Scale of a metric, oriented so that better is higher."""
    up = (top + _HEIGHT, top) if metric.metric.higher_is_better else (top, top + _HEIGHT)
    return Scale(*ends, *up)


def _panel(
    canvas: Canvas,
    result: Beside,
    metric: MetricScores,
    called: list[str],
    across: Scale,
    up: Scale,
    last: bool,
) -> None:
    theme = canvas.theme
    top, bottom = min(up.start, up.end), max(up.start, up.end)
    turned = "" if metric.metric.higher_is_better else " (lower is better, so turned around)"
    y_axis(canvas, up, across.start, across.end, f"{metric.metric.short}{turned}")
    if last:
        label = f"people: {result.people}, {100 * result.level:g} % intervals"
        x_axis(canvas, across, top, bottom, label)
    points = []
    for i, place in enumerate(result.places(metric)):
        x, y, colour = across(result.scores[i]), up(metric.scores[place]), theme.system(i)
        points.append((x, y))
        if np.isfinite(result.low[i]):
            canvas.line([(across(result.low[i]), y), (across(result.high[i]), y)], colour)
        if np.isfinite(metric.low[place]):
            canvas.line([(x, up(metric.low[place])), (x, up(metric.high[place]))], colour)
        canvas.dots([(x, y)], _RADIUS, colour)
    box = (across.start, top, across.end - across.start, bottom - top)
    label_points(canvas, points, [[name] for name in called], box, [_RADIUS] * len(points))


FIGURE = Figure(
    "metrics",
    "Metrics beside people",
    "Each point is a system: to the right the better by people, further up the better by the "
    "metric, with the intervals of both. A metric that agrees with people has its points on a "
    "rising line.",
    beside_table,
    _alt,
    _draw,
    narrow=True,
)
