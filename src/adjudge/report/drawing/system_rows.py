"""Figures with one row per system, best first: names on the left, clusters as bands."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from adjudge.report.analysis import Analysis
from adjudge.report.drawing.canvas import LINE, Canvas, text_width
from adjudge.report.drawing.system_labels import colours_of, labels_of
from adjudge.report.drawing.theme import Theme
from adjudge.stats.ranks import Ranks

KEY = 15.0  # pixels that the dot with a system's colour takes
MANY = 30  # systems; from here on rows move together


@dataclass(frozen=True)
class Rows:
    """Layout of the rows of a figure."""

    labels: Sequence[str]
    colours: Sequence[str]  # of the dots before the names; none: no dots
    top: float
    pitch: float
    numbered: bool = False  # from 1, where columns go by these numbers

    @property
    def room(self) -> float:
        """Width of names and numbers on the left in pixels."""
        return self._before + max(map(text_width, self.labels)) + 8

    @property
    def _before(self) -> float:
        key = KEY if self.colours else 2.0
        return key + (text_width(f"{len(self.labels)}") + 6 if self.numbered else 0)

    @property
    def bottom(self) -> float:
        """Bottom of the last row."""
        return self.top + self.pitch * len(self.labels)

    def middle(self, row: float) -> float:
        """Vertical centre of a row."""
        return self.top + self.pitch * (row + 0.5)

    def draw(self, canvas: Canvas) -> None:
        """Draw the names, each with a dot of its colour."""
        for row, colour in enumerate(self.colours):
            canvas.dots([(5, self.middle(row))], 4, colour)
        for row, label in enumerate(self.labels):
            y = self.middle(row)
            canvas.text(self._before, y, label)
            if self.numbered:
                canvas.text(self._before - 6, y, f"{row + 1}", canvas.theme.soft, align="right")

    def draw_clusters(self, canvas: Canvas, cluster: Ranks, left: float, right: float) -> None:
        """Draw every other cluster on a band, with rules between clusters (WMT13 Table 6)."""
        edges = [0, *(np.flatnonzero(np.diff(cluster)) + 1), len(cluster)]
        for number, (first, after) in enumerate(pairwise(edges)):
            y = self.top + self.pitch * first
            if number % 2:
                height = self.pitch * (after - first)
                canvas.boxes([(left, y, right - left, height)], canvas.theme.band, above=-1)
            if number:
                canvas.line([(left, y), (right, y)], canvas.theme.other, above=0)


def rows_of(
    analysis: Analysis,
    systems: Sequence[str],
    theme: Theme,
    top: float,
    pitch: float | None = None,
    numbered: bool = False,
) -> Rows:
    """Lay out a row for each system, in the given order."""
    called, colours = labels_of(analysis), colours_of(analysis, theme)
    return Rows(
        [called[system] for system in systems],
        [colours[system] for system in systems],
        top,
        pitch or (LINE if len(systems) > MANY else 20.0),
        numbered,
    )
