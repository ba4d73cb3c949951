"""Files of scores too large to be held: gathered while they are read, and read whole if need be.

`rank` goes through the scores piece by piece (`scoring.streamed`), `agreement` takes a sample of
segments (`scoring.sampled`). Whatever else is asked reads the scores into a table.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from adjudge.api.result import Result
from adjudge.api.scores import Scores
from adjudge.api.streamed_data import Streamed
from adjudge.api.table_data import names_of
from adjudge.core.errors import InputError, NotEnoughData
from adjudge.core.files.input_file import InputFile
from adjudge.core.parallel import doing
from adjudge.data.selection import Names, Selection, named_filters, require
from adjudge.data.source import Source
from adjudge.stats.resampling import Resampling

if TYPE_CHECKING:
    import polars as pl

    from adjudge.scoring.agreement import ScoreAgreement
    from adjudge.scoring.gathered_scores import Gathered, Gathering, Sample, Stratum
    from adjudge.scoring.span_agreement import SpanAgreement
    from adjudge.scoring.system_scores import SystemScores

LEAST_STREAMED = 1 << 20  # scores; fewer are read whole
_STREAMED = ("scores-jsonl", "scores-parquet")


class StreamedScores(Streamed, Scores):
    """The scores of files that are read when something is asked, and held only if need be."""

    rows = "scores"
    bytes_a_row = 600
    unread = "`adjudge scores` goes through them piece by piece"

    def __len__(self) -> int:
        return self.number

    @property
    def scales(self) -> tuple[str, ...]:
        """The scales, in the order of their names."""
        if self._gathered is None:
            return super().scales
        return tuple(sorted({stratum.scale for stratum in self._gathered.strata()}))

    def agreement(self, **asked: Any) -> "Result[ScoreAgreement]":
        """How far judges agree on scores, of a sample of segments: see `Scores.agreement`."""
        agreed = super().agreement(**asked)
        if self._gathered is None:
            return agreed
        notes = {sample.note: None for sample in self._samples.values() if sample.note}
        return replace(agreed, remark=" ".join([agreed.remark, *notes]).strip())

    @property
    def _whole(self) -> Scores:
        return Scores(self.table, self.source)

    def _can_choose(self, selection: Selection) -> bool:
        from adjudge.data.votes.count_wins import by_name_only

        return by_name_only(selection)

    def _rankings(
        self, scale: Names, normalise: str | None, resampling: Resampling
    ) -> "list[tuple[str, Callable[[], SystemScores]]]":
        from adjudge.scoring.streamed_scores import streamed_scores

        if self._gathered is None:
            return super()._rankings(scale, normalise, resampling)
        return [
            (
                f"{stratum.pair}, {stratum.scale}",
                partial(streamed_scores, stratum, normalise, resampling),
            )
            for stratum in self._strata(scale)
        ]

    def _agreed(self, scale: Names, resampling: Resampling) -> "list[ScoreAgreement]":
        from adjudge.scoring.agreement import score_agreement
        from adjudge.scoring.gathered_scores import sampled

        if self._gathered is None:
            return super()._agreed(scale, resampling)
        agreed: list[ScoreAgreement] = []
        for stratum in self._strata(scale):
            key = (stratum.pair, stratum.scale)
            sample = self._samples[key] = sampled(stratum)
            agreed += score_agreement(*key, sample.table, resampling)
        return agreed

    def _agreed_on_spans(self, resampling: Resampling) -> "Sequence[SpanAgreement]":
        return super()._agreed_on_spans(resampling) if self._gathered is None else ()

    @cached_property
    def _samples(self) -> "dict[tuple[str, str], Sample]":
        """What agreement was asked of, by pair and scale."""
        return {}

    def _strata(self, scale: Names) -> "list[Stratum]":
        assert self._gathered is not None
        scales = names_of(scale)
        require(scales, self.scales, "scale")
        strata = [s for s in self._gathered.strata() if not scales or s.scale in scales]
        if not strata:
            raise NotEnoughData("no score is left, only skipped items; ask for less")
        return strata

    @cached_property
    def _gathered(self) -> "Gathered | None":
        """The scores in parts; None where they must be read whole."""
        from adjudge.core.files.checked_table import READ_ERRORS
        from adjudge.core.files.parquet import quietly
        from adjudge.scoring.gathered_scores import Gathered, Gathering, NotSound

        gathering = Gathering(self.number, f"{self._where()}{self.number:,} scores, put in order,")
        try:
            for place, path in enumerate(self.paths):
                file = InputFile(path)
                with doing(f"Reading {file.name}"), quietly(file):
                    _gather(file, place, self.chosen, gathering)
            return Gathered(gathering, self.chosen)
        except (*READ_ERRORS, NotSound):
            return None


def scores_in(paths: Sequence[str]) -> StreamedScores | None:
    """The scores of these files, if that is what they are, and very many; else None."""
    from adjudge.data.table_files import recognise

    if not paths or "-" in paths:
        return None
    files = [InputFile(path) for path in paths]
    if sum(file.stored_size for file in files) < LEAST_STREAMED:  # a score takes some bytes
        return None
    if any(recognise(file).name not in _STREAMED for file in files):
        return None
    source = Source(tuple((file.name, file.sha256) for file in files))
    scores = StreamedScores(paths, source, Selection())
    return scores if scores.number >= LEAST_STREAMED else None


def _gather(file: InputFile, place: int, selection: Selection, gathering: "Gathering") -> None:
    """The scores of a file that were chosen; what is wrong is said with its line."""
    from adjudge.data.table_files import recognise
    from adjudge.scoring.gathered_scores import COLUMNS, NotSound

    chosen = recognise(file)
    assert chosen.batches is not None
    filters = list(named_filters(selection))
    columns = [*COLUMNS, *(n for n, _, _ in filters if n not in COLUMNS)]
    met: list[set[str]] = [set() for _ in filters]
    line = 1
    for given in chosen.batches(file, columns):
        batch = given
        for (column, _, keep), known in zip(filters, met, strict=True):
            known.update(batch[column].unique().drop_nulls())
            batch = batch.filter(keep)
        try:
            gathering.add(batch, place)
        except NotSound:
            _refuse(given.with_row_index("line", offset=line), file)
            raise
        line += len(given)
    for (column, names, _), known in zip(filters, met, strict=True):
        require(names, known, column)


def _refuse(rows: "pl.DataFrame", file: InputFile) -> None:
    """Say what is wrong with rows, if anything is."""
    from adjudge.data.native_tables import unpack
    from adjudge.data.score_table import score_table

    try:
        score_table(unpack(rows), file.name)
    except InputError as error:
        raise InputError(error.reason, file=error.file or file.name, line=error.line) from None
