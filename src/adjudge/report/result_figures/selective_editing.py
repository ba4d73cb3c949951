"""Selective post-editing: savings from editing the worst translations only."""

from collections.abc import Sequence
from math import isfinite

from adjudge.core.errors import BadParameter
from adjudge.core.tables.table import Table
from adjudge.quality.studies.selective_editing import SelectiveEditing
from adjudge.quality.tables.studies import editing_table
from adjudge.report.drawing.canvas import LINE, NARROW, Canvas
from adjudge.report.drawing.scales import X_AXIS, Y_LABEL, Scale, x_axis, y_axis, y_room
from adjudge.report.drawing.theme import Theme
from adjudge.report.figure import Figure

Results = Sequence[SelectiveEditing]

_HEIGHT = 290.0


def _only(results: Results) -> SelectiveEditing:
    if len(results) != 1:
        raise BadParameter(f"a figure is of one model; here are {len(results)}")
    return results[0]


def _table(results: Results) -> Table:
    return editing_table(_only(results))


def _alt(results: Results) -> str:
    result = _only(results)
    at = [4, 10]
    said = "; ".join(
        f"editing the worst {100 * result.shares[place]:.0f} % saves "
        f"{100 * result.saved[place].value:.0f} %, an oracle {100 * result.oracle[place].value:.0f}"
        " %"
        for place in at
    )
    return f"Selective post-editing of {result.translations:,} translations: {said}."


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _draw(results: Results, theme: Theme) -> Canvas:
    result = _only(results)
    canvas = Canvas(NARROW, Y_LABEL + _HEIGHT + X_AXIS, theme)
    up = Scale(0, 1, Y_LABEL + _HEIGHT, Y_LABEL)
    left = y_room(up, _percent)
    across = Scale(0, 1, left, NARROW - 12)
    y_axis(canvas, up, left, across.end, f"saved of all {_trouble(result)}", _percent)
    marks = [(share / 5, f"{20 * share} %") for share in range(6)]
    x_axis(
        canvas, across, Y_LABEL, Y_LABEL + _HEIGHT, "translations edited, the worst first", marks
    )
    lines = {
        "oracle": ([each.value for each in result.oracle], theme.soft, (7.0, 3.0)),
        "model": ([each.value for each in result.saved], theme.accent, None),
        "at random": (result.shares.tolist(), theme.soft, (2.0, 3.0)),
    }
    _band(canvas, result, across, up)
    for values, colour, dashes in lines.values():
        points = [(across(s), up(v)) for s, v in zip(result.shares, values, strict=True)]
        canvas.line(points, colour, 2, dashes)
    for place, (name, (_, colour, dashes)) in enumerate(lines.items()):
        y = Y_LABEL + LINE * (place + 1)  # no curve comes near this corner
        canvas.line([(left + 8, y), (left + 34, y)], colour, 2, dashes)
        canvas.text(left + 40, y, name, colour)
    return canvas


def _trouble(result: SelectiveEditing) -> str:
    name = result.quantity.name
    return "HTER" if name == "hter" else f"distance to the best {name}"


def _band(canvas: Canvas, result: SelectiveEditing, across: Scale, up: Scale) -> None:
    known = [
        (across(share), up(each.low), up(each.high))
        for share, each in zip(result.shares, result.saved, strict=True)
        if isfinite(each.low)
    ]
    if not known:
        return
    corners = [(x, low) for x, low, _ in known] + [(x, high) for x, _, high in reversed(known)]
    steps = [("M", corners[0]), *(("L", corner) for corner in corners[1:]), ("Z", ())]
    canvas.shape(steps, fill=canvas.theme.heat[2], above=1)  # type: ignore[arg-type]


FIGURE = Figure(
    "selective-editing",
    "Editing the worst first",
    "How much of all that is wrong is gone when a share of the translations is post-edited, from "
    "the worst by prediction on, with its interval; beside the truth itself (oracle) and chance.",
    _table,
    _alt,
    _draw,
    narrow=True,
)
