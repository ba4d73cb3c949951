"""Tables for a terminal, rendered with Rich."""

import io
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, takewhile

from rich.box import Box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from adjudge.core.short_names import short_names
from adjudge.core.tables.table import Table

LONGEST_NAME = 30  # letters; a longer cell with spaces is a sentence
SHORTEST_NAME = 12  # to which a name is cut where the terminal is narrow
ENDINGS = (1 / 3, 2 / 3, 0)  # how much of a shortened name is its end, as they tell names apart
GAP = 3  # between two columns

# Only the rule under the heading and those between clusters are drawn.
_BOX = Box("\n".join(["    ", "    ", " ── ", "    ", " ── ", "    ", "    ", "    "]) + "\n")


def terminal(tables: Sequence[Table], signatures: Sequence[str], width: int | None) -> str:
    """Format the tables one below the other, each with its notes and signature.

    Without a `width` they fit the terminal; with one, only notes and sentences are wrapped to it.
    """
    text = io.StringIO()
    console = Console(
        file=text, width=width, highlight=False, color_system=None, force_jupyter=False
    )
    screen = console.width
    for number, (table, signature) in enumerate(zip(tables, signatures, strict=True)):
        if number:
            console.print()
        if table.title:
            console.print(Text(table.title))
        if table.rows:
            for i, part in enumerate(_parts(table, screen if width is None else sys.maxsize)):
                if i:
                    console.print()
                console.width = max(screen, part.width)
                console.print(part.laid_out(table))
            console.width = screen
        for note in table.notes:
            console.print(Text(note))
        if signature:  # never broken into lines: it is copied
            console.print(Text(signature), soft_wrap=True)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"


@dataclass(frozen=True)
class _Shown:
    """Column as text, and its minimum width without truncation."""

    heading: str
    cells: tuple[str, ...]
    numeric: bool
    least: int
    totals: int  # cells at the end that sum up the others

    @property
    def own(self) -> tuple[str, ...]:
        """Cells without totals."""
        return self.cells[: len(self.cells) - self.totals]

    @property
    def is_name(self) -> bool:
        """Test whether the cells are single words, which may be truncated in the middle."""
        return not self.numeric and not any(" " in cell for cell in self.own)

    def named(self, names: Mapping[str, str]) -> "_Shown":
        """Replace the names, if this keeps distinct cells distinct."""
        cells = tuple(names.get(cell, cell) for cell in self.cells)
        if len(set(cells)) < len(set(self.cells)):
            return self
        return replace(self, cells=cells, least=_least(self.heading, cells, True))

    def cut(self, longest: int) -> "_Shown":
        """Truncate names to this length, with numbers for those that would be equal."""
        for ending in ENDINGS:
            shorter = self.named({cell: _shortened(cell, longest, ending) for cell in self.own})
            if shorter is not self:
                return shorter
        distinct = enumerate(dict.fromkeys(self.own), 1)
        return self.named({cell: _shortened(f"{n}:{cell}", longest, 0) for n, cell in distinct})


@dataclass(frozen=True)
class _Part:
    """Group of columns printed side by side."""

    columns: tuple[_Shown, ...]

    @property
    def width(self) -> int:
        return sum(column.least for column in self.columns) + GAP * (len(self.columns) - 1)

    def laid_out(self, table: Table) -> RichTable:
        """Lay out the group; only sentences and headings wrap, numbers and names never do."""
        laid_out = RichTable(box=_BOX, show_edge=False, pad_edge=False)
        for column in self.columns:
            laid_out.add_column(
                Text(column.heading),
                justify="right" if column.numeric else "left",
                min_width=column.least,
                max_width=None if _is_prose(column.cells) else column.least,
            )
        for i, row in enumerate(zip(*(column.cells for column in self.columns), strict=True)):
            laid_out.add_row(*map(Text, row), end_section=i in table.lines_after)
        return laid_out


def _parts(table: Table, screen: int) -> list[_Part]:
    """Fit the table to the screen: whole if possible, else with wrapped headings, shorter names, or
    in parts.

    Names lose the parts that all of them share before their own. Of the layouts that fit, the one
    with the fewest parts is chosen, then the one with the longest names. Rows of each part stay
    distinguishable unless no layout with that property fits.
    """
    whole = _Part(_columns(table, broken=False))
    if whole.width <= screen:
        return [whole]
    columns = _less_shared(_columns(table, broken=True))
    cut = [
        tuple(c.cut(longest) if c.is_name else c for c in columns)
        for longest in (sys.maxsize, *range(LONGEST_NAME, SHORTEST_NAME - 1, -2))
    ]
    for most in (sys.maxsize, 2, 1):
        ways = [_broken(way, screen, most) for way in cut]
        fitting = [way for way in ways if all(part.width <= screen for part in way)]
        if fitting:
            return min(fitting, key=len)
    return ways[-1]


def _less_shared(columns: tuple[_Shown, ...]) -> tuple[_Shown, ...]:
    """Remove shared parts from names; columns of the same names are treated alike."""
    names = [set(column.own) - {""} if column.is_name else set() for column in columns]
    shorter = []
    for column, own in zip(columns, names, strict=True):
        alike = sorted(set().union(own, *(other for other in names if other & own)))
        shorter.append(column.named(dict(zip(alike, short_names(alike), strict=True))))
    return tuple(shorter)


def _broken(columns: tuple[_Shown, ...], screen: int, most: int) -> list[_Part]:
    """Split columns into parts that fit, each starting with the row names."""
    first, after = _naming(columns, most)
    names = columns[first:after]
    begun = _Part(columns[:after])
    parts: list[_Part] = []
    for column in columns[after:]:
        longer = _Part((*begun.columns, column))
        if longer.width > screen and len(begun.columns) > len(names):
            parts.append(begun)
            longer = _Part((*names, column))
        begun = longer
    return [*parts, begun]


def _naming(columns: tuple[_Shown, ...], most: int) -> tuple[int, int]:
    """Find the range of columns that identify the rows: at most `most`, and no more than needed."""
    first = next((i for i, column in enumerate(columns[:3]) if not column.numeric), 0)
    after = first + 1
    for column in takewhile(lambda column: not column.numeric, columns[after:]):
        rows = list(zip(*(name.own for name in columns[first:after]), strict=True))
        second = after == first + 1 and column.is_name
        if after - first == most or (len(set(rows)) == len(rows) and not second):
            break
        after += 1
    return first, after


def _columns(table: Table, broken: bool) -> tuple[_Shown, ...]:
    cells = zip(*table.cells(), strict=True)
    return tuple(
        _Shown(
            column.heading,
            texts,
            column.numeric(table.rows),
            _least(column.heading, texts, broken),
            table.totals,
        )
        for column, texts in zip(table.columns, cells, strict=True)
    )


def _least(heading: str, cells: tuple[str, ...], broken: bool) -> int:
    """Minimum width of a column: that of its longest cell, or of a heading that may wrap."""
    words = heading.split() if broken else [heading]
    least = max(map(cell_len, (*words, *cells)), default=0)
    return min(least, LONGEST_NAME) if _is_prose(cells) else least


def _is_prose(cells: Iterable[str]) -> bool:
    return any(len(cell) > LONGEST_NAME and " " in cell for cell in cells)


def _shortened(name: str, longest: int, ending: float) -> str:
    """Shorten a name in its middle; `ending` is the share of the kept part that is its end.

    Lengths are display widths: a Chinese character is twice as wide as a letter.
    """
    if cell_len(name) <= longest:
        return name
    end = round(longest * ending)
    return f"{_begin(name, longest - end - 1)}…{_begin(name[::-1], end)[::-1]}"


def _begin(name: str, longest: int) -> str:
    """Keep as many leading characters as fit."""
    widths = accumulate(cell_len(character) for character in name)
    return name[: sum(width <= longest for width in widths)]
