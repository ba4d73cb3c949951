"""Files too large to be held: read again for every question, and held only if need be."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

from adjudge.api.table_data import Data, signed_choices
from adjudge.core.errors import NotEnoughData
from adjudge.core.files.memory import require_memory
from adjudge.data.selection import Selection
from adjudge.data.source import Source

if TYPE_CHECKING:
    import polars as pl

    from adjudge.data.kinds import KindName


class Streamed(Data):
    """The rows of files, as a table only when that is asked for."""

    paths: tuple[str, ...]
    chosen: Selection

    rows: ClassVar[str]  # what they are called
    bytes_a_row: ClassVar[int]  # of memory, where they are read whole
    unread: ClassVar[str]  # what can be asked without reading them whole

    def __init__(self, paths: Sequence[str], source: Source, chosen: Selection) -> None:
        for name, value in (("paths", tuple(paths)), ("source", source), ("chosen", chosen)):
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        """The table, read when it is first asked for."""
        if name != "table":
            raise AttributeError(f"{self.rows} have no {name}")
        object.__setattr__(self, name, self._read())
        return self.__dict__[name]

    def _read(self) -> "pl.DataFrame":
        """All rows that were chosen."""
        from adjudge.data.selection import select
        from adjudge.data.table_files import read_any

        require_memory(
            self.memory, f"{self._where()}{self.number:,} {self.rows} at once need", self.unread
        )
        kind = cast("KindName", self.kind)
        kept = select(read_any(*self.paths, kind=kind).frame, self.chosen)
        if not len(kept):
            raise NotEnoughData(f"{self._where()}no judgement is left; ask for less")
        return kept

    @cached_property
    def number(self) -> int:
        """About how many rows the files hold."""
        from adjudge.data.votes.files import about_votes

        return sum(map(about_votes, self.paths))

    @property
    def memory(self) -> int:
        """The bytes that the table needs."""
        return self.number * self.bytes_a_row

    def _keep(self, selection: Selection) -> Any:
        """Chosen while they are read, where that can be; else of the table."""
        if self.chosen != Selection() or not self._can_choose(selection):
            return self._whole._keep(selection)
        return type(self)(self.paths, self.source.chosen(signed_choices(selection)), selection)

    @property
    @abstractmethod
    def _whole(self) -> Data:
        """The same, held in memory."""

    @abstractmethod
    def _can_choose(self, selection: Selection) -> bool:
        """Can rows be chosen so, each by itself?"""
