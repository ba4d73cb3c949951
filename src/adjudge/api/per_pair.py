"""Judgements analysed by language pair: what every question put to them shares."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeVar

from adjudge.api.result import Result
from adjudge.api.table_data import Data
from adjudge.core.errors import NotEnoughData
from adjudge.core.options import Options
from adjudge.core.parallel import Engine, progress
from adjudge.report.analysis import Analysis, Settings, analyse

if TYPE_CHECKING:
    import polars as pl

T = TypeVar("T")


@dataclass(frozen=True, eq=False, repr=False)
class AnalysedJudgements(Data):
    """Judgements, and how a question is put to each of their language pairs."""

    kind: ClassVar[str] = "judgements"

    def _one_protocol(self) -> "pl.DataFrame":
        """The table, of one protocol: several measure differently and do not mix."""
        from adjudge.data.selection import one_protocol as only_protocol

        return only_protocol(self.table)

    def _analyses(self, settings: Settings, engine: Engine | None = None) -> tuple[Analysis, ...]:
        return tuple(analyse(self._one_protocol(), settings, engine))

    def _counted(self, settings: Settings, engine: Engine) -> tuple[Analysis, ...]:
        """Analyses that are asked for rankings by one method."""
        return self._analyses(settings, engine)

    def _every_method(self, settings: Settings, engine: Engine) -> tuple[Analysis, ...]:
        """Analyses that are asked for rankings by every method."""
        return self._analyses(settings, engine)

    def _of_pairs(self, verb: str, options: Options, ask: Callable[[Analysis], T]) -> Result[T]:
        """The answer of every language pair by itself."""
        settings = Settings.of(options)
        analysed = self._every_method if verb == "methods" else self._counted
        analyses = analysed(settings, settings.work)
        parts, lacking = answers((a.pair, partial(ask, a)) for a in one_by_one(analyses))
        answered = tuple(analysis for analysis in analyses if analysis.pair not in lacking)
        return self._result(verb, options.signed(), parts, analyses=answered, unanswered=lacking)


def one_by_one(analyses: Sequence[Analysis]) -> Iterator[Analysis]:
    """The analyses, with a progress bar on a terminal."""
    return progress([(analysis.pair, analysis) for analysis in analyses])


def answers(asked: Iterable[tuple[str, Callable[[], T]]]) -> tuple[list[T], dict[str, str]]:
    """The answers of language pairs, and by pair why others have too little data for one.

    Raises
    ------
    NotEnoughData
        If none has an answer: the reason of the first.
    """
    found: list[T] = []
    lacking: dict[str, NotEnoughData] = {}
    for pair, ask in asked:
        try:
            found.append(ask())
        except NotEnoughData as error:
            lacking[pair] = error
    if lacking and not found:
        raise next(iter(lacking.values()))
    reasons = {pair: str(error).removeprefix(f"{pair}: ") for pair, error in lacking.items()}
    notes = {pair: f"{pair} has no table: {reason}." for pair, reason in reasons.items()}
    return found, notes
