"""Judgements analysed by language pair: what every question put to them shares."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeVar

from adjudge.api.result import Result
from adjudge.api.table_data import Data
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
        parts = [ask(analysis) for analysis in one_by_one(analyses)]
        return self._result(verb, options.signed(), parts, analyses=analyses)


def one_by_one(analyses: Sequence[Analysis]) -> Iterator[Analysis]:
    """The analyses, with a progress bar on a terminal."""
    return progress([(analysis.pair, analysis) for analysis in analyses])
