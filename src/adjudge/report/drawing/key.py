"""Colour key of a figure, in as many lines as needed."""

from collections.abc import Sequence

from adjudge.report.drawing.canvas import LINE, SMALL, Canvas, text_width

_DOT = 12.0  # pixels from the beginning of an entry to its name
_BETWEEN = 12.0
_RADIUS = 3.0

Lines = list[list[tuple[int, str]]]  # the place of each entry, which gives its colour, and its name


def key_lines(names: Sequence[str], width: float) -> Lines:
    """Break the names into lines no wider than `width`."""
    lines: Lines = [[]]
    room = width
    for place, name in enumerate(names):
        if _width(name) > room:
            lines.append([])
            room = width
        lines[-1].append((place, name))
        room -= _width(name)
    return lines


def draw_key(canvas: Canvas, lines: Lines, top: float) -> None:
    """Draw each name after a dot of its colour."""
    for number, line in enumerate(lines):
        x, y = 2.0, top + LINE * (number + 0.5)
        for place, name in line:
            canvas.dots([(x + 4, y)], _RADIUS, canvas.theme.system(place))
            canvas.text(x + _DOT, y, name, canvas.theme.soft, SMALL)
            x += _width(name)


def _width(name: str) -> float:
    return _DOT + text_width(name, SMALL) + _BETWEEN
