"""Matrix figures: rows of systems, with shaded cells for columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from adjudge.report.drawing.canvas import LINE, NARROW, SMALL, Canvas, text_width
from adjudge.report.drawing.system_rows import Rows

WRITTEN = 20  # columns up to which cells hold their numbers

Shade = Callable[[float], tuple[str, str]]  # the colours of a cell and of its text


@dataclass(frozen=True, eq=False)
class Matrix:
    """Content and layout of the cells."""

    values: NDArray[np.float64]  # (systems, columns); NaN: no cell
    texts: Sequence[Sequence[str]]  # as many; written where there is room
    about: str  # what the columns are
    headings: Sequence[str]  # their numbers
    rows: Rows
    cell: float  # width

    @property
    def left(self) -> float:
        """Left edge of the first column."""
        return self.rows.room

    @property
    def right(self) -> float:
        """Right edge of the last column."""
        return self.left + self.cell * len(self.headings)

    @property
    def width(self) -> float:
        """Width of the canvas in pixels."""
        return max(NARROW, self.right + 6, self.left + text_width(self.about) + 4)

    @property
    def written(self) -> bool:
        """Test whether there is room for numbers in the cells."""
        return len(self.headings) <= WRITTEN

    def draw(self, canvas: Canvas, shade: Shade) -> None:
        """Draw cells, numbers, names and headings."""
        self.rows.draw(canvas)
        self._draw_headings(canvas)
        # Cells of one colour are one path, and those next to each other one box.
        boxes: dict[str, list[tuple[float, float, float, float]]] = {}
        gap = 1.0 if self.written else 0.0
        for i, row in enumerate(self.values):
            y = self.rows.top + self.rows.pitch * i
            colours = ["" if np.isnan(value) else shade(value)[0] for value in row]
            column = 0
            for colour, run in groupby(colours):
                length = len(list(run))
                starts, wide = (range(length), 1) if gap else (range(1), length)
                for start in starts if colour else ():
                    x = self.left + self.cell * (column + start)
                    boxes.setdefault(colour, []).append(
                        (x, y, self.cell * wide - gap, self.rows.pitch - gap)
                    )
                column += length
        for colour in sorted(boxes):
            canvas.boxes(boxes[colour], colour)
        if self.written:
            self._draw_texts(canvas, shade)

    def _draw_texts(self, canvas: Canvas, shade: Shade) -> None:
        for i, texts in enumerate(self.texts):
            for j, text in enumerate(texts):
                if text:
                    x = self.left + self.cell * (j + 0.5) - 0.5
                    colour = shade(self.values[i, j])[1]
                    canvas.text(x, self.rows.middle(i) - 0.5, text, colour, SMALL, "center")

    def _draw_headings(self, canvas: Canvas) -> None:
        every = next(
            n for n in (1, 2, 5, 10, 20) if max(map(text_width, self.headings)) + 3 < n * self.cell
        )
        canvas.text(self.left, self.rows.top - 30, self.about, canvas.theme.soft)
        for j, heading in enumerate(self.headings):
            if every == 1 or j == 0 or (j + 1) % every == 0:
                x = self.left + self.cell * (j + 0.5)
                canvas.text(x, self.rows.top - 10, heading, canvas.theme.soft, align="center")


def pitch(columns: int) -> float:
    """Distance between the rows of a matrix."""
    return 22.0 if columns <= WRITTEN else LINE


def matrix(
    values: NDArray[np.float64], texts: Sequence[Sequence[str]], rows: Rows, about: str
) -> Matrix:
    """Build a square matrix with numbered columns, wide enough for its texts."""
    headings = [f"{number}" for number in range(1, len(rows.labels) + 1)]
    if len(headings) > WRITTEN:
        return Matrix(values, texts, about, headings, rows, max(6.0, 420 / len(headings)))
    widest = max(text_width(text, SMALL) for row in texts for text in row)
    return Matrix(values, texts, about, headings, rows, max(widest + 5, 22.0))
