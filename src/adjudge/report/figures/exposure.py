"""Scores against exposure: one point per system, with Pearson's r.

- `times-judged`: against the number of rankings (Bojar 2011 §2.4, Figure 3).
- `reference-exposure`: against the share of them with the reference (Bojar 2011 §3.2, Figure 6).
"""

from collections.abc import Callable

from adjudge.core.tables.table import Column, Table
from adjudge.diagnosis.finding import FINDINGS, Answer
from adjudge.report.analysis import Analysis
from adjudge.report.drawing.canvas import NARROW, Canvas
from adjudge.report.drawing.label_placement import label_points
from adjudge.report.drawing.scales import (
    X_AXIS,
    Y_LABEL,
    Scale,
    padded,
    ticks,
    written,
    x_axis,
    y_axis,
    y_room,
)
from adjudge.report.drawing.system_labels import colours_of, labels_of
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure
from adjudge.stats.tests import FEWEST

_FEW = 20  # systems up to which points carry names; beyond, ranks
_LONGEST, _SHORT = 170.0, 100.0  # pixels of a name where there is room, and where there is not
_HEIGHT = 260.0


def _answer(analysis: Analysis, finding: str) -> Answer:
    return FINDINGS.named(finding).answer(analysis.evidence)


def _exposure_figure(
    name: str,
    title: str,
    about: str,
    place: int,
    finding: str,
    column: str,
    what: str,
    percent: bool = False,
    needs: frozenset[str] = frozenset(),
) -> Figure[Analysis]:
    """Figure of a finding whose details have the exposure in `column`."""

    def table(analysis: Analysis) -> Table:
        answer = _answer(analysis, finding)
        return Table(
            [{"pair": analysis.pair, **row} for row in answer.details],
            [
                Column("rank", "rank"),
                Column("system", "system"),
                Column(column, what, 3),
                Column("at_least_others", "≥ others", 3),
            ],
            title=f"{analysis.pair}: ≥ others and {what}",
            notes=[f"Pearson's {_correlation(answer)}."],
        )

    def alt(analysis: Analysis) -> str:
        answer = _answer(analysis, finding)
        values = [row[column] for row in answer.details]
        shown = _percent if percent else _number
        return (
            f"Scatter plot of the ≥ others score of {len(values)} systems against {what}, which "
            f"goes from {shown(min(values))} to {shown(max(values))}: {_correlation(answer)}."
        )

    def draw(analysis: Analysis, theme: Theme) -> Canvas:
        return _draw(analysis, theme, _answer(analysis, finding), column, what, percent)

    numbers = "A number alone is the rank of a system whose name finds no room."
    return Figure(
        name,
        title,
        f"{about} {numbers}",
        table,
        alt,
        draw,
        place=place,
        needs=needs,
        of_single=True,
        fewest_systems=FEWEST,
        narrow=True,
    )


def _number(value: float) -> str:
    return written(value, 0)


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _correlation(answer: Answer) -> str:
    value, low, high = (
        written(number or 0, 2) for number in (answer.value, answer.low, answer.high)
    )
    return f"r = {value} (95 % interval {low} to {high})"


def _draw(
    analysis: Analysis, theme: Theme, answer: Answer, column: str, what: str, percent: bool
) -> Canvas:
    rows = answer.details
    ys = [row["at_least_others"] for row in rows]
    xs = [row[column] for row in rows]
    canvas = Canvas(NARROW, Y_LABEL + _HEIGHT + X_AXIS, theme)
    up = Scale(*padded(ys, 0.08), Y_LABEL + _HEIGHT, Y_LABEL)
    left = y_room(up)
    across = Scale(*padded(xs, 0.08), left, canvas.width - 6)
    y_axis(canvas, up, left, canvas.width - 6, "≥ others")
    shown: Callable[[float], str] | None = _percent if percent else None
    marks = [(value, shown(value) if shown else text) for value, text in ticks(across)]
    x_axis(canvas, across, Y_LABEL, Y_LABEL + _HEIGHT, what, marks)
    canvas.text(canvas.width - 3, Y_LABEL - 14, _correlation(answer), align="right")
    colours = colours_of(analysis, theme)
    called = [labels_of(analysis, longest) for longest in (_LONGEST, _SHORT)]
    points = [(across(x), up(y)) for x, y in zip(xs, ys, strict=True)]
    for point, row in zip(points, rows, strict=True):
        canvas.dots([point], 5, colours[row["system"]])
    names = called if len(rows) <= _FEW else []
    texts = [[*(name[row["system"]] for name in names), f"{row['rank']}"] for row in rows]
    label_points(
        canvas, points, texts, (left, Y_LABEL, canvas.width - left, _HEIGHT), [5] * len(points)
    )
    return canvas


FIGURE = (
    _exposure_figure(
        "times-judged",
        "Score and times judged",
        "A point is a system: in how many rankings it was judged, and its ≥ others score. Were "
        "systems drawn evenly there would be no slope (Bojar 2011 Figure 3).",
        place=7,
        finding="block-count",
        column="blocks",
        what="rankings in which the system was judged",
    ),
    _exposure_figure(
        "reference-exposure",
        "Score and exposure to the reference",
        "A point is a system: in which share of its rankings it stood beside the reference, and "
        "its ≥ others score, which losses to the reference lower (Bojar 2011 Figure 6).",
        place=8,
        finding="reference-share",
        column="reference_share",
        what="rankings in which it met the reference",
        percent=True,
        needs=frozenset({"reference"}),
    ),
)
