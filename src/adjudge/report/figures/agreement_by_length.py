"""Figure of agreement by source sentence length (Bojar 2011 §2.2, Figure 2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudge.agreement.tables.agreement import part_table
from adjudge.core.errors import NotEnoughData
from adjudge.core.tables.table import Table
from adjudge.report.analysis import Analysis
from adjudge.report.drawing.canvas import LINE, NARROW, Canvas, text_width
from adjudge.report.drawing.label_placement import spread
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

FEWEST = 20  # comparable pairs of judgements; fewer give no point

_HEIGHT = 220.0
_MODERATE = 0.4  # Landis and Koch's word for κ from here on
_CALLED = {"inter": "between judges", "intra": "within a judge"}


@dataclass(frozen=True)
class _Point:
    words: int
    kappa: float
    low: float
    high: float


def _table(analysis: Analysis) -> Table:
    _curves(analysis)  # no table where there is nothing to draw
    return part_table(analysis.agreement_by_length, analysis.settings.bootstrap)


def _curves(analysis: Analysis) -> Mapping[str, Sequence[_Point]]:
    """Curves between and within judges, without comparisons that involve the reference."""
    curves: dict[str, list[_Point]] = {kind: [] for kind in _CALLED}
    for agreed in analysis.agreement_by_length:
        kappa = agreed.tally.kappa
        few = agreed.tally.comparable < FEWEST
        if agreed.with_reference or few or agreed.part is None or kappa is None:
            continue
        low, high = (kappa if end is None else end for end in (agreed.low, agreed.high))
        curves[agreed.kind].append(_Point(int(agreed.part), kappa, low, high))
    curves = {
        kind: sorted(points, key=lambda point: point.words)
        for kind, points in curves.items()
        if len(points) > 1
    }
    if not curves:
        raise NotEnoughData(
            f"no two sentence lengths have {FEWEST} pairs of judgements to compare; "
            "let more judges share segments"
        )
    return curves


def _alt(analysis: Analysis) -> str:
    said = [
        f"{_CALLED[kind]} κ goes from {written(points[0].kappa, 2)} at {points[0].words} words to "
        f"{written(points[-1].kappa, 2)} at {points[-1].words}"
        for kind, points in _curves(analysis).items()
    ]
    return f"Agreement by length of the source sentence: {'; '.join(said)}."


def _draw(analysis: Analysis, theme: Theme) -> Canvas:
    curves = _curves(analysis)
    points = [point for curve in curves.values() for point in curve]
    canvas = Canvas(NARROW, Y_LABEL + _HEIGHT + X_AXIS, theme)
    bottom = Y_LABEL + _HEIGHT
    reach = [0.0, _MODERATE, *(end for p in points for end in (p.low, p.high))]
    up = Scale(*padded(reach), bottom, Y_LABEL)
    left = y_room(up)
    right = canvas.width - max(map(text_width, _CALLED.values())) - 10
    across = Scale(*padded([p.words for p in points], 0.03), left, right)
    y_axis(canvas, up, left, right, "κ")
    x_axis(canvas, across, Y_LABEL, bottom, "words of the source sentence (n and n + 1 together)")
    colours = {"inter": theme.accent, "intra": theme.second}
    canvas.line([(left, up(_MODERATE)), (right, up(_MODERATE))], theme.other, 1, (4, 3))
    for kind, curve in curves.items():
        for p in curve:
            x = across(p.words)
            canvas.line([(x, up(p.low)), (x, up(p.high))], colours[kind], 1, above=1)
        line = [(across(p.words), up(p.kappa)) for p in curve]
        canvas.line(line, colours[kind], 2)
        canvas.dots(line, 3, colours[kind])
    ends = [("moderate", up(_MODERATE), theme.soft)]
    ends += [(_CALLED[k], up(curve[-1].kappa), colours[k]) for k, curve in curves.items()]
    places = spread([y for _, y, _ in ends], LINE, Y_LABEL + 8, bottom - 8)
    for (text, _, colour), y in zip(ends, places, strict=True):
        canvas.text(right + 8, y, text, colour)
    return canvas


FIGURE = Figure(
    "agreement-by-length",
    "Agreement by sentence length",
    "κ between judges and within a judge, with intervals, by the length of the source sentence, "
    f"where there are {FEWEST} pairs of judgements to compare; above the dashes agreement is at "
    "least moderate (Bojar 2011 Figure 2).",
    _table,
    _alt,
    _draw,
    place=9,
    needs=frozenset({"judge", "segment", "source"}),
    of_single=True,
    narrow=True,
)
