"""Tournament graph of majorities: its strongly connected components and cycles.

Systems are in the order that contradicts the fewest comparisons (Lopez 2012 §4). A majority that
agrees with the order leads downwards and only that between neighbours is drawn; a majority against
it is an arc that leads back up. Systems on a common cycle stand in one frame.
"""

from collections.abc import Mapping
from itertools import pairwise

from adjudge.core.tables.table import Column, Row, Table
from adjudge.ranking.tournament import Majority
from adjudge.report.analysis import Analysis
from adjudge.report.drawing.canvas import LINE, NARROW, Box, Canvas, Step, text_width
from adjudge.report.drawing.label_placement import free
from adjudge.report.drawing.scales import written
from adjudge.report.drawing.system_labels import labels_of
from adjudge.report.drawing.system_rows import Rows, rows_of
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure

MOST_ARCS = 40
_WEIGHED = 15  # arcs up to which each has its weight beside it
_FRAME = 6.0  # pixels from a frame to what is in it
_WIDEST = 190.0  # pixels an arc reaches out at most
_HEAD = 5.0  # length of an arrow's head


def _table(analysis: Analysis) -> Table:
    tournament, least = analysis.tournament, analysis.methods.least
    index = {system: i for i, system in enumerate(tournament.systems)}
    called = labels_of(analysis)
    part = {system: n for n, systems in enumerate(least.components, 1) for system in systems}
    rows: list[Row] = [
        {
            "pair": analysis.pair,
            "place": place,
            "system": system,
            "part": part.get(system),
            "beats": int((tournament.weights[index[system]] > 0).sum()),
            "beaten_by": int((tournament.weights[:, index[system]] > 0).sum()),
        }
        for place, system in enumerate(least.order, 1)
    ]
    return Table(
        rows,
        [
            Column("place", "place"),
            Column("system", "system"),
            Column("part", "in cycles with the others of part"),
            Column("beats", "beats"),
            Column("beaten_by", "is beaten by"),
        ],
        title=f"{analysis.pair}: majorities, in the order that contradicts the fewest comparisons",
        notes=[f"Against the order: {_against(called, m)}." for m in least.reversed],
    )


def _against(called: Mapping[str, str], majority: Majority) -> str:
    return (
        f"{called[majority.better]} is preferred to {called[majority.worse]} by "
        f"{majority.weight:,} comparisons"
    )


def _alt(analysis: Analysis) -> str:
    least, called = analysis.methods.least, labels_of(analysis)
    if not least.components:
        return (
            f"Graph of the majorities among {len(least.order)} systems: none goes against the "
            f"order from {called[least.order[0]]} down to {called[least.order[-1]]}, so there is "
            "no cycle."
        )
    sizes = ", ".join(f"{len(systems)}" for systems in least.components)
    number = len(least.reversed)
    return (
        f"Graph of the majorities among {len(least.order)} systems. Strongly connected parts of "
        f"{sizes} systems; {number} {'majority goes' if number == 1 else 'majorities go'} against "
        f"the order of fewest violations ({least.cost:,} comparisons), the heaviest: "
        f"{_against(called, least.reversed[0])}."
    )


def _draw(analysis: Analysis, theme: Theme) -> Canvas:
    least = analysis.methods.least
    rows = rows_of(analysis, least.order, theme, 8, 22 if len(least.order) <= 30 else LINE + 1)
    place = {system: i for i, system in enumerate(least.order)}
    spine = rows.room + 16
    canvas = Canvas(NARROW, rows.bottom + 22, theme)
    for systems in least.components:
        first, last = (f(place[system] for system in systems) for f in (min, max))
        top = rows.top + rows.pitch * first + 1
        height = rows.pitch * (last - first + 1) - 2
        box = (0.5, top, spine + _FRAME + 6, height)
        canvas.boxes([box], theme.band, theme.second, 1.2, above=0)
    _draw_names(canvas, rows, spine)
    _draw_spine(canvas, analysis, rows, spine)
    _draw_arcs(canvas, least.reversed, least.order, rows, spine)
    canvas.text(2, rows.bottom + 12, _legend(len(least.reversed)), theme.soft)
    return canvas


def _legend(arcs: int) -> str:
    if not arcs:
        return "no cycle; by how many comparisons each is preferred to the next"
    if arcs > MOST_ARCS:
        return f"arcs: the {MOST_ARCS} heaviest of {arcs:,} majorities against the order"
    weight = ", with its weight" if arcs <= _WEIGHED else ""
    return f"arc: a majority against the order{weight}"


def _draw_names(canvas: Canvas, rows: Rows, spine: float) -> None:
    for row, (label, colour) in enumerate(zip(rows.labels, rows.colours, strict=True)):
        canvas.text(spine - 12, rows.middle(row), label, align="right")
        canvas.dots([(spine, rows.middle(row))], 5, colour)


def _draw_spine(canvas: Canvas, analysis: Analysis, rows: Rows, spine: float) -> None:
    """Draw the line from each system to the next: solid for a majority, dashed for none."""
    tournament, order = analysis.tournament, analysis.methods.least.order
    index = {system: i for i, system in enumerate(tournament.systems)}
    for row, (upper, lower) in enumerate(pairwise(order)):
        ends = [(spine, rows.middle(row) + 5), (spine, rows.middle(row + 1) - 5)]
        weight = int(tournament.weights[index[upper], index[lower]])
        canvas.line(ends, canvas.theme.other, 1.5, None if weight else (2, 2))
        if not analysis.methods.least.reversed:
            y = (rows.middle(row) + rows.middle(row + 1)) / 2
            canvas.text(spine + 12, y, written(weight, 0), canvas.theme.soft)


def _draw_arcs(
    canvas: Canvas, majorities: tuple[Majority, ...], order: tuple[str, ...], rows: Rows, x: float
) -> None:
    """Draw arcs from preferred systems up to the others, with widths by weight."""
    place = {system: i for i, system in enumerate(order)}
    drawn = majorities[:MOST_ARCS]  # the heaviest
    longest = max((place[m.better] - place[m.worse] for m in drawn), default=1)
    reach = min(_WIDEST, canvas.width - x - 60)
    heads: list[Step] = []
    taken: list[Box] = []
    for majority in drawn:
        low, high = rows.middle(place[majority.better]), rows.middle(place[majority.worse])
        span = place[majority.better] - place[majority.worse]
        out = x + 14 + (reach - 14) * (span / max(longest, 8)) ** 0.7
        bend = x + (out - x) * 4 / 3  # a cubic reaches three quarters of the way to its controls
        tip, back = x + 5, x + 6 + _HEAD
        arc: list[Step] = [("M", (x + 6, low)), ("C", (bend, low, bend, high, back, high))]
        width = 1 + 2 * majority.weight / drawn[0].weight
        canvas.shape(arc, edge=canvas.theme.second, width=width, above=2)
        heads += [("M", (tip, high)), ("L", (back, high - 4)), ("L", (back, high + 4)), ("Z", ())]
        text, middle = written(majority.weight, 0), (low + high) / 2
        box = (out + 6, middle - LINE / 2, text_width(text), LINE)
        if len(drawn) <= _WEIGHED and free(box, taken):
            taken.append(box)
            canvas.text(out + 6, middle, text, canvas.theme.second)
    canvas.shape(heads, canvas.theme.second, above=3)


FIGURE = Figure(
    "tournament",
    "Majorities and cycles",
    "Systems in the order that contradicts the fewest comparisons, each joined to the next that "
    "it beats. An arc is a majority against that order; systems in one frame beat each other in "
    "circles, so that no order can agree with every majority (Lopez 2012 §4).",
    _table,
    _alt,
    _draw,
    place=6,
    narrow=True,
)
