"""Canvas in pixels: x from the left, y from the top, text centred on its line.

Figures are laid out by hand rather than by matplotlib's axes: a row of a table, a cell of a
matrix and a point of a plot then have the same look and a known place, the SVG stays small, and
nothing has to be measured twice. `rendering` makes SVG of what is on the sheet, and `painting`
has matplotlib make the rest.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal
from unicodedata import east_asian_width
from warnings import catch_warnings, filterwarnings

from matplotlib.font_manager import FontProperties, fontManager
from matplotlib.textpath import text_to_path

from adjudge.report.drawing.theme import Theme

SIZE = 12.0  # pixels, of ordinary text
SMALL = 10.5
LINE = 15.0  # from one line of ordinary text to the next
NARROW = 430.0  # pixels: a figure that a phone shows whole with readable text

_FALLBACKS = ("Noto Sans", "Noto Sans CJK SC", "Noto Sans CJK JP")
_MIDDLE = 0.36  # from the middle of a line to its baseline, in parts of the size
_POINT = 0.01  # length of a line that is only its round ends

Align = Literal["left", "center", "right"]
Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, width, height
# M: begin at a point; L: a line to it; C: a cubic by two points to a third; Z: back to the first.
Step = tuple[Literal["M", "L", "C", "Z"], tuple[float, ...]]


@dataclass(frozen=True)
class Words:
    """Line of text aligned at a point on its baseline."""

    x: float
    y: float
    text: str
    colour: str
    size: float
    align: Align
    bold: bool
    turned: float  # degrees, about the point


@dataclass(frozen=True)
class Shape:
    """Path, filled or stroked or both."""

    steps: Sequence[Step]
    fill: str | None
    edge: str | None
    width: float  # of the edge
    dashes: tuple[float, float] | None
    round: bool  # are its ends?


@lru_cache
def font(size: float, bold: bool) -> FontProperties:
    """Font for measuring text, and for text drawn as paths."""
    # Matplotlib brings this one along; for letters it lacks, others where they are installed.
    others = [name for name in _FALLBACKS if name in fontManager.get_font_names()]
    return FontProperties(
        family=["DejaVu Sans", *others], size=size, weight="bold" if bold else "normal"
    )


@lru_cache(maxsize=1 << 14)
def text_width(text: str, size: float = SIZE, bold: bool = False) -> float:
    """Width of the text in pixels, an upper estimate for most fonts of a page."""
    full = sum(east_asian_width(letter) in "WF" for letter in text)  # square, in any font
    rest = "".join(letter for letter in text if east_asian_width(letter) not in "WF")
    with without_warnings():
        width, _, _ = text_to_path.get_text_width_height_descent(
            rest, font(size, bold), ismath=False
        )
    return float(width) + full * size


@contextmanager
def without_warnings() -> Iterator[None]:
    """Suppress warnings about missing glyphs, which are drawn as boxes."""
    with catch_warnings():
        filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
        yield


class Canvas:
    """Canvas of `width` × `height` pixels in the colours of a theme."""

    def __init__(self, width: float, height: float, theme: Theme) -> None:
        self.width, self.height, self.theme = round(width), round(height), theme
        self._marks: list[tuple[int, Words | Shape]] = []

    @property
    def marks(self) -> list[Words | Shape]:
        """Marks in drawing order."""
        return [mark for _, mark in sorted(self._marks, key=lambda marked: marked[0])]

    @property
    def words(self) -> list[Words]:
        """Texts among the marks."""
        return [mark for mark in self.marks if isinstance(mark, Words)]

    def text(
        self,
        x: float,
        y: float,
        text: str,
        colour: str | None = None,
        size: float = SIZE,
        align: Align = "left",
        bold: bool = False,
        turned: float = 0,
    ) -> None:
        """Draw text with its middle line at y; `turned` text has its baseline there."""
        base = y if turned else y + _MIDDLE * size
        words = Words(x, base, text, colour or self.theme.ink, size, align, bold, turned)
        self._marks.append((4, words))

    def line(
        self,
        points: Sequence[Point],
        colour: str | None = None,
        width: float = 1,
        dashes: tuple[float, float] | None = None,
        above: int = 2,
    ) -> None:
        """Draw a line through the points."""
        steps: list[Step] = [("M", points[0]), *(("L", point) for point in points[1:])]
        shape = Shape(steps, None, colour or self.theme.line, width, dashes, round=False)
        self._marks.append((above, shape))

    def shape(
        self,
        steps: Sequence[Step],
        fill: str | None = None,
        edge: str | None = None,
        width: float = 1,
        above: int = 1,
    ) -> None:
        """Draw any path, filled or stroked, with round ends."""
        if steps:
            self._marks.append((above, Shape(steps, fill, edge, width, None, round=True)))

    def boxes(
        self,
        boxes: Iterable[Box],
        fill: str | None = None,
        edge: str | None = None,
        width: float = 1,
        above: int = 1,
    ) -> None:
        """Draw rectangles of equal style as one path."""
        steps: list[Step] = []
        for left, top, wide, high in boxes:
            right, bottom = left + wide, top + high
            corners = ((right, top), (right, bottom), (left, bottom))
            steps += [("M", (left, top)), *(("L", corner) for corner in corners), ("Z", ())]
        self.shape(steps, fill, edge, width, above)

    def dots(self, points: Iterable[Point], radius: float, colour: str, above: int = 3) -> None:
        """Draw dots of equal style as one path: lines of zero length with round ends."""
        steps: list[Step] = []
        for x, y in points:
            steps += [("M", (x, y)), ("L", (x + _POINT, y))]
        self.shape(steps, edge=colour, width=2 * radius, above=above)
