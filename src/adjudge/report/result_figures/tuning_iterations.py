"""Tuning loop: scores and hit rates by iteration (Macháček 2014, Figure 3.5)."""

from collections.abc import Sequence

from adjudge.core.errors import BadParameter
from adjudge.core.tables.table import Table
from adjudge.report.drawing.canvas import NARROW, Canvas, Point
from adjudge.report.drawing.key import draw_key, key_lines
from adjudge.report.drawing.scales import X_AXIS, Y_LABEL, Scale, padded, written, x_axis, y_axis
from adjudge.report.drawing.scales import y_room as room_of
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure
from adjudge.tuning.loop import Loop
from adjudge.tuning.tables.decoder_loop import loop_tables

_HEIGHT = 180.0
_KEY = 20.0
_ROOM = 26.0  # between two panels
_HITS = {"hit_rate": "hit rate of what was decoded", "list_hit_rate": "of all candidates"}


def _only(loops: Sequence[Loop]) -> Loop:
    if len(loops) != 1:
        raise BadParameter(f"a figure is of one loop; here are {len(loops)}")
    return loops[0]


def _table(loops: Sequence[Loop]) -> Table:
    return loop_tables([_only(loops)])[0]


def _alt(loops: Sequence[Loop]) -> str:
    loop = _only(loops)
    scores = ", ".join(written(each.score, 2) for each in loop.iterations)
    said = f"{loop.objective} of what was decoded in {len(loop.iterations)} iterations: {scores}."
    rates = [each.list_hit_rate for each in loop.iterations if each.list_hit_rate is not None]
    if rates:
        said += f" Hit rates: {', '.join(written(rate, 2) for rate in rates)}."
    return said


def _draw(loops: Sequence[Loop], theme: Theme) -> Canvas:
    loop = _only(loops)
    hits = any(each.hit_rate is not None for each in loop.iterations)
    panel = _KEY + Y_LABEL + _HEIGHT
    canvas = Canvas(NARROW, panel * (2 if hits else 1) + (_ROOM if hits else 0) + X_AXIS, theme)
    known = [
        value
        for each in loop.iterations
        for value in (each.score, each.low, each.high, each.promised)
        if value is not None
    ]
    up = Scale(*padded(known), _KEY + Y_LABEL + _HEIGHT, _KEY + Y_LABEL)
    room = max(room_of(up), room_of(Scale(0, 1, 0, 1), _percent))
    across = Scale(0.6, len(loop.iterations) + 0.4, room, NARROW - 8)
    y_axis(canvas, up, across.start, across.end, str(loop.objective))
    draw_key(canvas, key_lines(["decoded", "promised by the lists before"], NARROW), 0)
    _scores(canvas, loop, across, up)
    bottom = up.start
    if hits:
        bottom += _ROOM + panel
        rates = Scale(0, 1, bottom, bottom - _HEIGHT)
        y_axis(canvas, rates, across.start, across.end, "ranked segments found", _percent)
        draw_key(canvas, key_lines(list(_HITS.values()), NARROW), bottom - _HEIGHT - Y_LABEL - _KEY)
        for place, name in enumerate(_HITS):
            points = [
                (across(each.number), rates(value))
                for each in loop.iterations
                if (value := getattr(each, name)) is not None
            ]
            _curve(canvas, points, theme.system(place))
    marks = [(float(each.number), f"{each.number}") for each in loop.iterations]
    x_axis(canvas, across, bottom, bottom, "iteration", marks)
    return canvas


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _curve(canvas: Canvas, points: Sequence[Point], colour: str) -> None:
    if len(points) > 1:
        canvas.line(points, colour, 1.5)
    canvas.dots(points, 3.5, colour)


def _scores(canvas: Canvas, loop: Loop, across: Scale, up: Scale) -> None:
    theme = canvas.theme
    for each in loop.iterations:
        ends = [(across(each.number), up(value)) for value in (each.low, each.high)]
        canvas.line(ends, theme.system(0), 1.5)
    promised = [
        (across(each.number), up(each.promised))
        for each in loop.iterations
        if each.promised is not None
    ]
    _curve(canvas, promised, theme.system(1))
    decoded = [(across(each.number), up(each.score)) for each in loop.iterations]
    _curve(canvas, decoded, theme.system(0))
    dives = [point for point, each in zip(decoded, loop.iterations, strict=True) if each.dive]
    canvas.dots(dives, 5, theme.alarm)
    above = min(up(loop.best.low), up(loop.best.high)) - 9
    canvas.text(across(loop.best.number), above, "taken", theme.soft, align="center")


FIGURE: Figure[Sequence[Loop]] = Figure(
    "tuning-iterations",
    "Scores by iteration",
    "What the decoder made with the weights of each iteration, with its interval, beside what they "
    "promised on the lists before; a red point dived, beyond chance. Where ranked segments "
    "are tuned towards, below: how many of them are found (Macháček 2014, Figure 3.5).",
    _table,
    _alt,
    _draw,
    narrow=True,
)
