"""Files of votes too large to be held: counted while they are read, and read whole only if need be.

`rank` and `compare` need no more than how many votes of every kind there are in every cell
(`comparisons.cells`). Whatever else is asked reads the votes into a table, as for any file.
"""

from collections.abc import Sequence
from dataclasses import fields
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from adjudge.analysis.analysis import Analysis, Settings, VoteAnalysis
from adjudge.door.data import signed_choice
from adjudge.door.judgements import Judgements
from adjudge.door.source import Source
from adjudge.errors import NotEnoughData
from adjudge.files.input_file import InputFile
from adjudge.files.memory import has_memory, require_memory
from adjudge.judgements.selection import Selection
from adjudge.parallel import Engine

if TYPE_CHECKING:
    import polars as pl

LEAST_STREAMED = 1 << 21  # bytes, as stored: smaller files are read whole
BYTES_A_VOTE = 500  # of memory, where votes are read whole


class Votes(Judgements):
    """The votes of files that are read again for every question, and held only if need be."""

    paths: tuple[str, ...]
    chosen: Selection

    def __init__(self, paths: Sequence[str], source: Source, chosen: Selection) -> None:
        for name, value in (("paths", tuple(paths)), ("source", source), ("chosen", chosen)):
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        """The table, read when it is first asked for."""
        if name != "table":
            raise AttributeError(f"votes have no {name}")
        object.__setattr__(self, name, self._read())
        return self.__dict__[name]

    def _read(self) -> "pl.DataFrame":
        """All votes that were chosen."""
        from adjudge.judgements.files import read_any
        from adjudge.judgements.selection import select

        require_memory(
            self.number * BYTES_A_VOTE,
            f"{self._where()}{self.number:,} votes at once need",
            "`rank` and `compare` count them as they are read, with any method that counts",
        )
        kept = select(read_any(*self.paths, kind="judgements").frame, self.chosen)
        if not len(kept):
            raise NotEnoughData(f"{self._where()}no judgement is left; ask for less")
        return kept

    @cached_property
    def number(self) -> int:
        """About how many votes the files hold."""
        from adjudge.comparisons.vote_files import about_votes

        return sum(map(about_votes, self.paths))

    def __len__(self) -> int:
        return 2 * self.number

    def _keep(self, selection: Selection) -> Judgements:  # type: ignore[override]
        from adjudge.comparisons.vote_files import can_stream

        if self.chosen != Selection() or not can_stream(self.paths[0], selection):
            return Judgements(self.table, self.source)._keep(selection)
        given = {field.name: getattr(selection, field.name) for field in fields(selection)}
        said = {name: signed_choice(v) for name, v in given.items() if v not in ((), False, None)}
        return Votes(self.paths, self.source.chosen(said) if said else self.source, selection)

    def _counted(self, settings: Settings, engine: Engine) -> tuple[Analysis, ...]:
        """By cells, where the method counts; else as other judgements are."""
        from adjudge.comparisons.vote_files import counted_apart
        from adjudge.ranking.method import RefitMethod

        method = settings.chosen
        if isinstance(method, RefitMethod) and not method.counts:
            return self._analyses(settings, engine)
        cells = counted_apart(self.paths, self.chosen, settings.resampling.unit, engine)
        if cells is None:  # something is wrong, and reading says what
            return self._analyses(settings, engine)
        if not cells:
            raise NotEnoughData(f"{self._where()}no judgement is left; ask for less")
        return tuple(
            VoteAnalysis(pair, partial(self._of_pair, pair), settings, engine, votes)
            for pair, votes in cells.items()
        )

    def _every_method(self, settings: Settings, engine: Engine) -> tuple[Analysis, ...]:
        """Methods that need the votes themselves take part where these can be held."""
        if has_memory(self.number * BYTES_A_VOTE):
            return self._analyses(settings, engine)
        return self._counted(settings, engine)

    def _of_pair(self, pair: str) -> "pl.DataFrame":
        import polars as pl

        return self.table.filter(pl.col("pair") == pair)


def votes_in(paths: Sequence[str]) -> Votes | None:
    """The votes of these files, if that is what they are, and large; else None."""
    from adjudge.comparisons.vote_files import can_stream

    if not paths or "-" in paths:
        return None
    files = [InputFile(path) for path in paths]
    if sum(file.stored_size for file in files) < LEAST_STREAMED:
        return None
    if not all(can_stream(path, Selection()) for path in paths):
        return None
    source = Source(tuple((file.name, file.sha256) for file in files))
    return Votes(paths, source, Selection())
