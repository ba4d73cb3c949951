"""Many metrics against human scores: one small panel per metric (Macháček 2014, Figure 4.3).

Panels have no numbers: metrics score on scales of their own, and only the shape matters. The table
behind the figure has the scores.
"""

from typing import Any

import numpy as np

from adjudge.core.errors import NotEnoughData
from adjudge.core.tables.table import Column, Table
from adjudge.metaeval.evaluation import MetaEvaluation
from adjudge.metaeval.tables.labels import of_pair, title_of
from adjudge.report.drawing.canvas import LINE, NARROW, SMALL, Canvas
from adjudge.report.drawing.key import draw_key, key_lines
from adjudge.report.drawing.scales import Scale, padded, written
from adjudge.report.drawing.system_labels import labels, shortened
from adjudge.report.drawing.theme import COLOURED, Theme
from adjudge.report.figure import Figure

_ACROSS = 3
_GAP = 10.0  # between panels
_HEIGHT = 84.0  # of a panel's plot
_ABOVE = 2 * LINE  # the metric and its value
_BELOW = 12.0
_RADIUS = 3.0
_LONGEST = 90.0  # pixels of a system's name in the key


def complete_metrics(result: MetaEvaluation) -> list[int]:
    """Metrics that score every system."""
    return [int(m) for m in np.flatnonzero(np.isfinite(result.metric_scores).all(axis=1))]


def drawn_metrics(result: MetaEvaluation) -> list[int]:
    """Complete metrics; raise an error if there is none."""
    metrics = complete_metrics(result)
    if not metrics:
        raise NotEnoughData("no metric scores every system: there is nothing to draw")
    return metrics


def scores_table(result: MetaEvaluation) -> Table:
    """Human and metric scores: one row each, one column per system, best by human score first."""
    order = np.argsort(-result.human_scores, kind="stable")
    called = labels([result.names[i] for i in order])
    sides = [(f"people: {result.human}", None, result.human_scores)]
    sides += [
        (metric + (" ↓" if result.turned[m] else ""), result.values[m, 0], result.metric_scores[m])
        for m, metric in enumerate(result.metrics)
    ]
    rows: list[dict[str, Any]] = [
        {"metric": name, "value": value} | {f"s{place}": scores[i] for place, i in enumerate(order)}
        for name, value, scores in sides
    ]
    return Table(
        rows,
        [
            Column("metric", "scores by"),
            Column("value", title_of(result.statistics[0]), 3),
            *(Column(f"s{place}", name, 3) for place, name in enumerate(called)),
        ],
        title=f"{of_pair(result)}scores of systems by people and by metrics",
        data=[
            {"metric": name, "system": result.names[i], "score": scores[i]}
            for name, _, scores in sides
            for i in order
        ],
    )


def _alt(result: MetaEvaluation) -> str:
    metrics = drawn_metrics(result)
    title = title_of(result.statistics[0])
    said = ", ".join(f"{result.metrics[m]} {_value(result, m)}" for m in metrics)
    return (
        f"Scores of {result.systems} systems by people ({result.human}) and by {len(metrics)} "
        f"metrics, a panel each, in the order of {title}: {said}."
    )


def _value(result: MetaEvaluation, m: int) -> str:
    value = result.values[m, 0]
    return written(value, 3) if np.isfinite(value) else "not defined"


def _draw(result: MetaEvaluation, theme: Theme) -> Canvas:
    metrics = drawn_metrics(result)
    key = key_lines(_key(result), NARROW)
    top = LINE * (len(key) + 1) + 8
    high = _ABOVE + _HEIGHT + _BELOW
    canvas = Canvas(NARROW, top + high * -(-len(metrics) // _ACROSS), theme)
    canvas.text(2, LINE / 2, "systems, the best by people first:", theme.soft, SMALL)
    draw_key(canvas, key, LINE)
    wide = (NARROW - _GAP * (_ACROSS - 1)) / _ACROSS
    for number, m in enumerate(metrics):
        row, column = divmod(number, _ACROSS)
        _panel(canvas, result, m, column * (wide + _GAP), top + high * row, wide)
    return canvas


def _key(result: MetaEvaluation) -> list[str]:
    """Key of the coloured systems, and of the others."""
    order = np.argsort(-result.human_scores, kind="stable")
    called = labels([result.names[i] for i in order], _LONGEST, SMALL)
    return called[:COLOURED] + (["the others"] if len(called) > COLOURED else [])


def _panel(
    canvas: Canvas, result: MetaEvaluation, m: int, left: float, top: float, wide: float
) -> None:
    theme = canvas.theme
    name = shortened(result.metrics[m] + (" ↓" if result.turned[m] else ""), wide - 2)
    canvas.text(left, top + LINE * 0.5, name)
    canvas.text(left, top + LINE * 1.5, _value(result, m), theme.soft, SMALL)
    start, end = top + _ABOVE, top + _ABOVE + _HEIGHT
    canvas.boxes([(left, start, wide, _HEIGHT)], theme.band, above=0)
    people = Scale(*padded(result.human_scores.tolist(), 0.08), left, left + wide)
    up = (start, end) if result.turned[m] else (end, start)
    metric = Scale(*padded(result.metric_scores[m].tolist(), 0.1), *up)
    order = np.argsort(-result.human_scores, kind="stable")
    for place, i in reversed(list(enumerate(order))):  # the best in front
        point = (people(result.human_scores[i]), metric(result.metric_scores[m, i]))
        canvas.dots([point], _RADIUS, theme.system(place))


FIGURE = Figure(
    "metric-panels",
    "Metrics against people",
    "A panel a metric, a point a system: to the right the better by people, further up the better "
    "by the metric, whose value stands below its name. A metric that agrees with people has its "
    "points on a rising line (Macháček 2014, Figure 4.3).",
    scores_table,
    _alt,
    _draw,
    narrow=True,
)
