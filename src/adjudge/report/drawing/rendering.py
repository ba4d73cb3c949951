"""Rendering of figures, as files for papers and as SVG for a page.

An SVG in a page has no ids, which would collide once several figures stand in it, and no colours
but custom properties. The same figure is the same bytes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from pathlib import Path

from adjudge.core.errors import AdjudgeError
from adjudge.core.files.output import open_output
from adjudge.report.drawing import matplotlib_output
from adjudge.report.drawing.canvas import SIZE, Canvas, Shape, Step, Words
from adjudge.report.drawing.theme import LIGHT, PROPERTIES
from adjudge.report.figure import Figure, Subject

READABLE = 9.0  # pixels: a figure is never shown so small that its text falls below
ENLARGED = 1.25  # and never much larger than it was drawn

_ANCHORS = {"center": "middle", "right": "end"}


def svg(figure: Figure[Subject], subject: Subject) -> str:
    """Render the figure as an element of an HTML page.

    Its colours are custom properties (see `theme`), its font the page's. It fills the available
    width, but no less than its text needs to be legible: put it in a scrolling box.
    """
    canvas = figure.draw(subject, PROPERTIES)
    smallest = min((words.size for words in canvas.words), default=SIZE)
    least, most = canvas.width * READABLE / smallest, canvas.width * ENLARGED
    style = f"width:100%;min-width:{least:.0f}px;max-width:{most:.0f}px;height:auto"
    return _document(canvas, figure.alt(subject), style)


def save(figure: Figure[Subject], subject: Subject, path: str) -> None:
    """Save the figure in light colours, in the format of the path's suffix."""
    drawn = image(figure, subject, ending_of(path))
    with open_output(path) as stream:
        stream.write(drawn)


def image(figure: Figure[Subject], subject: Subject, ending: str) -> bytes:
    """Render the figure in light colours, in the format `ending`."""
    return _FILES[ending](figure.draw(subject, LIGHT), figure.alt(subject))


def ending_of(path: str) -> str:
    """Suffix of a path, if figures can have it."""
    ending = Path(path).suffix.lower()
    if ending not in _FILES:
        raise AdjudgeError(f"{path}: a figure is saved as {', '.join(_FILES)}; end its name in one")
    return ending


def _svg_file(canvas: Canvas, alt: str) -> bytes:
    style = f"background:{canvas.theme.paper};font-family:sans-serif"
    return _document(canvas, alt, style, ' xmlns="http://www.w3.org/2000/svg"').encode()


def _pdf_file(canvas: Canvas, alt: str) -> bytes:
    return matplotlib_output.file(canvas, "pdf", {"CreationDate": None, "Subject": alt})


def _png_file(canvas: Canvas, alt: str) -> bytes:
    return matplotlib_output.file(canvas, "png", {"Software": None, "Description": alt})


_FILES: Mapping[str, Callable[[Canvas, str], bytes]] = {
    ".svg": _svg_file,
    ".pdf": _pdf_file,
    ".png": _png_file,
}


def _document(canvas: Canvas, alt: str, style: str, attributes: str = "") -> str:
    return (
        f'<svg{attributes} viewBox="0 0 {canvas.width} {canvas.height}" width="{canvas.width}" '
        f'height="{canvas.height}" font-size="{SIZE:g}" fill="{canvas.theme.ink}" role="img" '
        f'aria-label="{escape(alt)}" style="{style};font-variant-numeric:tabular-nums">'
        f"{''.join(_elements(canvas))}</svg>"
    )


def _elements(canvas: Canvas) -> Iterator[str]:
    for mark in canvas.marks:
        if isinstance(mark, Shape):
            yield f'<path d="{_path(mark.steps)}"{_attributes(_look(mark))}/>'
        else:
            named = _attributes(_type(mark, canvas.theme.ink))
            yield f"<text{named}>{escape(mark.text)}</text>"


def _attributes(values: Mapping[str, str | None]) -> str:
    return "".join(f' {name}="{value}"' for name, value in values.items() if value is not None)


def _type(words: Words, ink: str) -> dict[str, str | None]:
    """Text attributes, except those shared by the whole figure."""
    x, y = _number(words.x), _number(words.y)
    return {
        "x": x,
        "y": y,
        "transform": f"rotate({-words.turned:g} {x} {y})" if words.turned else None,
        "fill": words.colour if words.colour != ink else None,
        "text-anchor": _ANCHORS.get(words.align),
        "font-size": f"{words.size:g}" if words.size != SIZE else None,
        "font-weight": "bold" if words.bold else None,
    }


def _look(shape: Shape) -> dict[str, str | None]:
    """Path attributes, except invisible ones."""
    drawn = shape.edge is not None
    dashed = drawn and shape.dashes is not None
    return {
        "fill": shape.fill or "none",
        "stroke": shape.edge,
        "stroke-width": _number(shape.width) if drawn and shape.width != 1 else None,
        "stroke-linecap": "round" if drawn and shape.round else None,
        "stroke-dasharray": " ".join(map(_number, shape.dashes or ())) if dashed else None,
    }


def _number(value: float) -> str:
    """Format a number to a tenth of a pixel, as short as possible."""
    return f"{round(value, 1) + 0.0:g}"


def _path(steps: Iterable[Step]) -> str:
    """Format a path, with single numbers for horizontal and vertical lines."""
    parts: list[str] = []
    pen = ("", "")
    for letter, values in steps:
        numbers = [_number(value) for value in values]
        to = (numbers[-2], numbers[-1]) if numbers else pen
        if letter == "L" and to[1] == pen[1]:
            parts.append(f"H{to[0]}")
        elif letter == "L" and to[0] == pen[0]:
            parts.append(f"V{to[1]}")
        else:
            parts.append(letter + " ".join(numbers))
        pen = to
    return "".join(parts)
