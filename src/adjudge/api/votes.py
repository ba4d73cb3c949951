"""Files of votes too large to be held: counted while they are read, and read whole only if need be.

`rank` and `compare` need no more than how many votes of every kind there are in every cell
(`comparisons.cells`), `info` a census of them (`comparisons.census`), `agreement` sums over items
(`agreement.streamed`). What else is asked reads the votes into a table as long as they are at most
`MOST_HELD`. Of more, what needs the votes themselves is found from a sample of segments or of
judges (`comparisons.vote_sample`), and says so.
"""

from collections.abc import Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from adjudge.agreement.options import AgreementOptions
from adjudge.api.judgements import Judgements
from adjudge.api.streamed_data import Streamed
from adjudge.core.errors import NotEnoughData, one_of
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.memory import has_memory
from adjudge.core.options import choices
from adjudge.core.parallel import Engine
from adjudge.data.comparisons import Outputs
from adjudge.data.selection import Selection
from adjudge.data.source import Source
from adjudge.report.analysis import (
    Analysis,
    BesideSample,
    SampledAnalysis,
    Settings,
    VoteAnalysis,
)

if TYPE_CHECKING:
    import polars as pl

    from adjudge.agreement.pairwise import Agreement
    from adjudge.api.agreement import Answer as Agreed
    from adjudge.api.result import Result
    from adjudge.data.summary import Summaries
    from adjudge.data.votes.cells import Cells
    from adjudge.data.votes.census import Census
    from adjudge.data.votes.sample import VoteSample

LEAST_STREAMED = 1 << 21  # bytes, as stored: smaller files are read whole
MOST_HELD = 1 << 20  # votes that are read whole for what cannot be counted
UNNAMED = frozenset({"document", "hit"})  # units that no format of votes names


class Votes(Streamed, Judgements):
    """The votes of files that are read again for every question, and held only if need be."""

    rows = "votes"
    bytes_a_row = 500
    unread = "what is asked by language pair, by a method that counts, needs counts alone"

    def __len__(self) -> int:
        return 2 * self.number

    @property
    def _large(self) -> bool:
        """Are they too many to be read whole without need?"""
        return self.number > MOST_HELD

    @cached_property
    def census(self) -> "Census | None":
        """What is in the files, counted in one pass; None where only reading them whole tells."""
        from adjudge.data.votes.census import census_of
        from adjudge.data.votes.files import read_apart

        census = read_apart(census_of, self.paths, self.chosen)
        if census is not None and not census.pairs:
            raise NotEnoughData(f"{self._where()}no judgement is left; ask for less")
        return census

    @property
    def pairs(self) -> tuple[str, ...]:
        """The language pairs, in the order of their names."""
        return super().pairs if self.census is None else tuple(sorted(self.census.pairs))

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order of their names."""
        return self._whole.systems if self.census is None else self.census.systems()

    @property
    def _whole(self) -> Judgements:
        return Judgements(self.table, self.source)

    def _can_choose(self, selection: Selection) -> bool:
        from adjudge.data.votes.files import can_stream

        return can_stream(self.paths[0], selection)

    def info(self, outputs: "Outputs" = "expanded") -> "Result[Summaries]":
        """What is in them; see `Judgements.info`."""
        if self.census is None:
            return self._whole.info(outputs)
        one_of(outputs, choices(Outputs), "outputs")
        return self._result("info", {"outputs": outputs}, [self.census.summaries(outputs)])

    def _analyses(self, settings: Settings, engine: Engine | None = None) -> tuple[Analysis, ...]:
        """Of all votes; of very many, from counts and a sample."""
        if self._large:
            return self._of_cells(settings, engine or Engine())
        return super()._analyses(settings, engine)

    def _drawn_from(self, settings: Settings, of_times: bool) -> tuple[Analysis, ...]:
        return self._analyses(settings)

    def _counted(self, settings: Settings, engine: Engine) -> tuple[Analysis, ...]:
        """By cells, unless the method needs votes that can be held."""
        from adjudge.ranking.method import RefitMethod

        method = settings.chosen
        if isinstance(method, RefitMethod) and not method.counts and not self._large:
            return super()._analyses(settings, engine)
        return self._of_cells(settings, engine)

    def _every_method(self, settings: Settings, engine: Engine) -> tuple[Analysis, ...]:
        """Methods that need the votes themselves take part where these, or some, can be held."""
        if self._large or has_memory(self.memory):
            return self._analyses(settings, engine)
        return self._of_cells(settings, engine)

    def _of_cells(self, settings: Settings, engine: Engine) -> tuple[Analysis, ...]:
        from adjudge.data.votes.files import counted_apart

        unit = settings.resampling.unit
        for name in UNNAMED.intersection(unit.split("+")):
            raise NotEnoughData(
                f'{self._where()}no {name} is known; choose another `unit` than "{name}"'
            )
        cells = counted_apart(self.paths, self.chosen, unit, engine)
        if cells is None:  # something is wrong, and reading says what
            return super()._analyses(settings, engine)
        if not cells:
            raise NotEnoughData(f"{self._where()}no judgement is left; ask for less")
        return tuple(self._of_votes(votes, settings, engine) for votes in cells.values())

    def _of_votes(self, votes: "Cells", settings: Settings, engine: Engine) -> Analysis:
        pair = votes.pair
        if not self._large:
            return VoteAnalysis(pair, partial(self._of_pair, pair), settings, engine, votes)
        sample, beside = partial(self._sample_of, pair), partial(self._beside, pair)
        return SampledAnalysis(pair, sample, settings, engine, votes, beside)

    def _sample_of(self, pair: str) -> "pl.DataFrame":
        return self._on_segments.tables[pair]

    def _beside(self, pair: str) -> BesideSample:
        assert self.census is not None
        judges = self._by_judges
        return BesideSample(
            self._on_segments.shares[pair].note,
            self.census.summary(pair),
            partial(self._agreement_of, pair),
            judges.shares[pair].note,
            lambda: judges.tables[pair],
        )

    @cached_property
    def _on_segments(self) -> "VoteSample":
        """All votes on some segments."""
        return self._sample("segment")

    @cached_property
    def _by_judges(self) -> "VoteSample":
        """All votes by some judges, where there are many."""
        sample = self._sample("judge")
        return self._on_segments if sample.shares == self._on_segments.shares else sample

    def _sample(self, of: str) -> "VoteSample":
        from adjudge.data.votes.sample import VoteSample, shares

        assert self.census is not None
        return VoteSample(self.paths, self.chosen, shares(self.census, of))

    def _agreement_of(self, pair: str, level: float) -> "list[Agreement]":
        from adjudge.agreement.vote_agreement import agreement_of_votes
        from adjudge.data.votes.files import read_apart

        if level not in self._agreements:
            assert self.census is not None
            asked = (self.paths, self.chosen, self.census)
            agreed = read_apart(agreement_of_votes, *asked, level=level)
            self._agreements[level] = agreed
        return [one for one in self._agreements[level] if one.pair == pair]

    @cached_property
    def _agreements(self) -> "dict[float, Sequence[Agreement]]":
        """By the level of their intervals."""
        return {}

    def _agreed(self, options: AgreementOptions) -> "Agreed":
        """Of very many from sums over them, where these say it; else from a sample."""
        if not (self._large and self.census):
            return super()._agreed(options)
        from adjudge.api.agreement import answer, answer_of_votes
        from adjudge.data.votes.files import read_apart

        asked = (self.paths, self.chosen, self.census)
        summed = read_apart(answer_of_votes, *asked, options=options)
        if summed is not None:
            return summed
        import polars as pl

        sample = self._on_segments
        agreed = answer(pl.concat(sample.tables.values()), options)
        return agreed._replace(notes=[share.note for share in sample.shares.values()])

    def _of_pair(self, pair: str) -> "pl.DataFrame":
        import polars as pl

        return self.table.filter(pl.col("pair") == pair)


def votes_in(paths: Sequence[str]) -> Votes | None:
    """The votes of these files, if that is what they are, and large; else None."""
    from adjudge.data.any_table import TABLE
    from adjudge.data.table_files import recognise
    from adjudge.data.votes.files import can_stream

    if not paths or "-" in paths:
        return None
    files = [InputFile(path) for path in paths]
    if sum(file.stored_size for file in files) < LEAST_STREAMED:
        return None
    if not all(can_stream(path, Selection()) for path in paths):
        return None
    notes = dict.fromkeys(one.description for one in map(recognise, files) if one.name == TABLE)
    if notes:
        notes |= {"Repeated votes are not looked for in files of this size.": None}
    source = Source(tuple((file.name, file.sha256) for file in files), notes=tuple(notes))
    return Votes(paths, source, Selection())
