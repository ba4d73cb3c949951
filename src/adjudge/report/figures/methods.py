"""Ranks by method, and the violated comparisons of each order (Lopez 2012 §5)."""

from dataclasses import replace
from math import cos, radians, sin

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import NotEnoughData
from adjudge.core.tables.table import Table
from adjudge.ranking.method_comparison import MethodsCompared
from adjudge.ranking.tables.methods import methods_tables
from adjudge.report.analysis import Analysis
from adjudge.report.drawing.canvas import NARROW, SMALL, Canvas, text_width
from adjudge.report.drawing.scales import written
from adjudge.report.drawing.system_labels import labels_of
from adjudge.report.drawing.system_rows import Rows, rows_of
from adjudge.report.drawing.theme import COLOURED, Theme
from adjudge.report.figure import Figure
from adjudge.stats.ranks import Ranks

_TURN = 60.0  # degrees of the methods' names
_COLUMN = 26.0  # pixels at least
_BARS = 34.0  # pixels for the highest bar of violated comparisons
_BELOW = _BARS + 60  # pixels below the systems


def _compared(analysis: Analysis) -> MethodsCompared:
    compared = analysis.methods
    if len(compared.methods) < 2:
        raise NotEnoughData(f"{compared.pair}: only one method can rank these judgements")
    return compared


def _table(analysis: Analysis) -> Table:
    """Table of ranks; its data are those of `adjudge methods`."""
    tables = methods_tables(_compared(analysis))
    return replace(tables[0], data=[row for table in tables for row in table.machine_rows()])


def _alt(analysis: Analysis) -> str:
    compared = _compared(analysis)
    called = labels_of(analysis)
    spread = np.ptp(compared.ranks, axis=0)
    most = int(np.argmax(spread))
    ranks = compared.ranks[:, most]
    least = int(np.argmin(compared.violated))
    first = sorted(
        {called[compared.systems[int(np.argmin(by_method))]] for by_method in compared.ranks}
    )
    moved = (
        "all give the same order"
        if not spread.any()
        else f"{called[compared.systems[most]]} moves the most, from rank {ranks.min()} to "
        f"{ranks.max()}"
    )
    return (
        f"Ranks of {len(compared.systems)} systems by {len(compared.methods)} methods: {moved}. "
        f"First by one method or another: {', '.join(first)}. The fewest violated comparisons are "
        f"{compared.violated[least]:,} ({compared.methods[least].name}), the most "
        f"{compared.violated.max():,}."
    )


def _columns(compared: MethodsCompared, main: str) -> list[int]:
    """Order of the methods: the report's own first, then by agreement with it."""
    names = [method.name for method in compared.methods]
    own = names.index(main) if main in names else 0
    return sorted(range(len(names)), key=lambda m: (m != own, -round(compared.kendall[own, m], 9)))


def _slots(compared: MethodsCompared) -> Ranks:
    """Distinct position of every system under every method; equal ranks are ordered by mean
    rank.
    """
    order = np.argsort(compared.ranks, axis=1, kind="stable")
    return np.argsort(order, axis=1, kind="stable")


def _draw(analysis: Analysis, theme: Theme) -> Canvas:
    compared = _compared(analysis)
    columns = _columns(compared, analysis.ranking.method.name)
    ranks, slots = compared.ranks[columns], _slots(compared)[columns]
    order = np.argsort(slots[0])
    names = [compared.methods[m].name for m in columns]
    longest = max(text_width(name, bold=True) for name in names)
    rows = rows_of(
        analysis, [compared.systems[i] for i in order], theme, longest * sin(radians(_TURN)) + 16
    )
    beyond = longest * cos(radians(_TURN)) + 8  # of the last column
    step = (NARROW - rows.room - 12 - beyond) / (len(columns) - 1)
    step = min(max(step, _COLUMN), 3 * _COLUMN)
    xs = [rows.room + 12 + step * c for c in range(len(columns))]
    canvas = Canvas(max(NARROW, xs[-1] + beyond), rows.bottom + _BELOW, theme)
    rows.draw(canvas)
    for x, name in zip(xs, names, strict=True):
        own = name == analysis.ranking.method.name
        canvas.text(x + 4, rows.top - 4, name, bold=own, turned=_TURN)
    dots: dict[str, list[tuple[float, float]]] = {}
    # The best last, so that their lines lie above the others'.
    for row in reversed(range(len(order))):
        points = [(x, rows.middle(slot)) for x, slot in zip(xs, slots[:, order[row]], strict=True)]
        canvas.line(points, rows.colours[row], 2.5 if row < COLOURED else 1.2)
        dots.setdefault(rows.colours[row], []).extend(points)
    for colour, points in dots.items():
        canvas.dots(points, 4, colour)
    _draw_ties(canvas, ranks, slots, xs, rows)
    _draw_violated(canvas, compared.violated[columns], xs, rows.bottom + 14)
    return canvas


def _draw_ties(canvas: Canvas, ranks: Ranks, slots: Ranks, xs: list[float], rows: Rows) -> None:
    """Draw a bar beside the positions shared by systems of equal rank."""
    for x, rank, slot in zip(xs, ranks, slots, strict=True):
        for shared in np.unique(rank):
            places = slot[rank == shared]
            if len(places) > 1:
                ends = [(x + 7, rows.middle(int(end))) for end in (places.min(), places.max())]
                canvas.line(ends, canvas.theme.ink, 1.2)


def _draw_violated(
    canvas: Canvas, violated: NDArray[np.int64], xs: list[float], top: float
) -> None:
    """Draw bars of violated comparisons below the methods, with their numbers."""
    theme = canvas.theme
    base = top + _BARS
    most = max(int(violated.max()), 1)
    heights = [_BARS * int(violations) / most for violations in violated]
    canvas.boxes(
        [(x - 6, base - high, 12, high) for x, high in zip(xs, heights, strict=True) if high],
        theme.other,
    )
    canvas.line([(xs[0] - 8, base), (xs[-1] + 8, base)], theme.other)
    canvas.text(xs[0] - 14, base - 7, "violated", theme.soft, align="right")
    canvas.text(xs[0] - 14, base + 8, "comparisons", theme.soft, align="right")
    for x, violations in zip(xs, violated, strict=True):
        number = written(int(violations), 0)
        end = base + 5 + text_width(number, SMALL)
        canvas.text(x + 4, end, number, size=SMALL, turned=90)


FIGURE = Figure(
    "methods",
    "Ranks by every method",
    "A line follows a system from method to method, the one most like the report's own first; a "
    "bar beside dots joins equal ranks. Below, how many comparisons speak against each order "
    "(violated comparisons, Lopez 2012 §5).",
    _table,
    _alt,
    _draw,
    place=5,
    printed=True,
)
