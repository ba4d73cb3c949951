"""File formats of judgements, scores and edits; a module takes part by defining `FORMAT`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import OutputFile
from adjudge.core.registry import Registry
from adjudge.data.kinds import KindName

Reader = Callable[[InputFile], pl.DataFrame]
Writer = Callable[[pl.DataFrame, OutputFile], None]
Batches = Callable[[InputFile, Sequence[str]], Iterator[pl.DataFrame]]


@dataclass(frozen=True, kw_only=True)
class Format:
    """How to recognise, read and write one format.

    `recognise` looks at the content of a file, cheaply, and must not claim a file of another
    format. `read` returns a table of the `kind` (`kinds.KINDS`) or raises `InputError`; where a
    file may hold tables of other kinds too, `also` reads those. `example` is a small valid file of
    ours by its name, with the files it needs beside it after it; one that is not text may be a
    function that makes it. The common tests of formats live on it. `write` refuses a table it
    cannot express; what it merely has no column for it leaves out: `carries` names what it keeps,
    `skipped` whether it can hold what a judge skipped. `beside` writes the other tables of a
    format that has several, by the names they must have in the same folder. `votes`, for a format
    in which every row is one comparison, scans the file lazily: pair, judge, left, right (outputs)
    and whatever columns `outcome` makes the outcome of: +1 where left is better, −1 where right
    is, 0 for a tie, null where the row is not sound. Where each such row is a ranking of its own,
    `votes` has the columns segment and time, too, if they are known, and `rankings` makes the rows
    of a table of it. `batches` gives columns of the table, as our own files store them, some rows
    at a time.
    """

    name: str
    description: str
    kind: KindName
    suffix: str
    recognise: Callable[[InputFile], bool]
    read: Reader
    example: Mapping[str, bytes | Callable[[], bytes]]
    also: Mapping[KindName, Reader] = field(default_factory=dict)
    write: Writer | None = None
    beside: Mapping[str, Writer] = field(default_factory=dict)
    carries: frozenset[str] = frozenset()
    skipped: bool = False
    votes: Callable[[InputFile], pl.LazyFrame] | None = None
    outcome: pl.Expr | None = None
    rankings: Callable[[pl.DataFrame], pl.DataFrame] | None = None
    batches: Batches | None = None

    @property
    def each_a_ranking(self) -> bool:
        """Is every row a ranking of its own?"""
        return self.rankings is not None

    @property
    def readers(self) -> dict[KindName, Reader]:
        """How to read each kind of table that a file may hold, the format's own kind first."""
        return {self.kind: self.read, **self.also}

    def example_files(self) -> dict[str, bytes]:
        """The example as bytes by file name, the one to read first."""
        return {
            name: content if isinstance(content, bytes) else content()
            for name, content in self.example.items()
        }


def _suffix(format_: Format) -> tuple[str, ...]:
    """Two formats of one kind cannot both be what an ending stands for."""
    return (f"{format_.suffix} of {format_.kind}",) if format_.write is not None else ()


FORMATS = Registry(__name__, "FORMAT", Format, "format", distinct=_suffix)
