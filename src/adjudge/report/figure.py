"""Interface of figures: caption, data table, alternative text, drawing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from adjudge.core.tables.table import Table
from adjudge.report.drawing.canvas import Canvas
from adjudge.report.drawing.theme import Theme

Subject = TypeVar("Subject")  # what it is drawn from: an analysis, or results of another kind

LAST = 100  # the place of a figure that does not say where it belongs


@dataclass(frozen=True)
class Figure(Generic[Subject]):
    """Figure; `table`, `alt` and `draw` raise `NotEnoughData` if it is unavailable.

    Special properties of a figure are fields here, so that the report, the command line and the
    common tests need no lists of names.
    """

    name: str
    title: str
    about: str  # how to read it, and the paper's figure or table it follows
    table: Callable[[Subject], Table]  # the data behind it
    alt: Callable[[Subject], str]  # what it shows, in words and numbers
    draw: Callable[[Subject, Theme], Canvas]
    place: int = LAST  # in the report, which goes from the answer to its doubts
    needs: frozenset[str] = frozenset()  # of `diagnosis.evidence.NEEDS`, or `source`
    fewest_systems: int = 2  # the reference not counted
    narrow: bool = False  # does a phone show it whole, however many systems there are?
    printed: bool = False  # does a paper print its table too?
    of_single: bool = False  # looks at judgements one by one: of very many, at a sample
    of_times: bool = False  # looks at times alone, so that scores and edits can give it as well
