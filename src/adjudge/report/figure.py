"""What a figure is: how it reads, the table behind it, its words for those who cannot see it."""

from collections.abc import Callable
from dataclasses import dataclass

from adjudge.analysis.analysis import Analysis
from adjudge.report.drawing.canvas import Canvas
from adjudge.report.drawing.theme import Theme
from adjudge.report.tables import Table


@dataclass(frozen=True)
class Figure:
    """One figure; `table`, `alt` and `draw` raise `NotEnoughData` where it cannot be had."""

    name: str
    title: str
    about: str  # how to read it, and the paper's figure or table it follows
    table: Callable[[Analysis], Table]  # the data behind it
    alt: Callable[[Analysis], str]  # what it shows, in words and numbers
    draw: Callable[[Analysis, Theme], Canvas]
