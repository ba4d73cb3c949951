"""Judgements analysed by language pair: what every question put to them shares."""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from adjudge.analysis.analysis import Analysis, Settings, analyse
from adjudge.door.data import Data
from adjudge.door.result import Result
from adjudge.parallel import Engine, progress

if TYPE_CHECKING:
    import polars as pl

T = TypeVar("T")


@dataclass(frozen=True, eq=False, repr=False)
class AnalysedJudgements(Data):
    """Judgements, and how a question is put to each of their language pairs."""

    kind: ClassVar[str] = "judgements"

    def _ranked(self) -> "pl.DataFrame":
        """The table, of one protocol: several measure differently and do not mix."""
        from adjudge.judgements.selection import one_protocol

        return one_protocol(self.table)

    def _analyses(self, settings: Settings, engine: Engine | None = None) -> tuple[Analysis, ...]:
        return tuple(analyse(self._ranked(), settings, engine))

    def _of_pairs(
        self,
        verb: str,
        settings: Settings,
        parameters: Sequence[str],
        ask: Callable[[Analysis], T],
        engine: Engine | None = None,
    ) -> Result[T]:
        """The answer of every language pair by itself."""
        analyses = self._analyses(settings, engine)
        parts = [ask(analysis) for analysis in one_by_one(analyses)]
        asked = settings.parameters(*parameters)
        return self._result(verb, asked, parts, analyses=analyses)

    def _command(self, verb: str, settings: Settings, more: Mapping[str, Any]) -> str:
        """The command line that asks the same; none where no file was read."""
        if not self.source.files:
            return ""
        usual = Settings()
        names = [field.name for field in fields(Settings)]
        said = settings.parameters(*names)
        unusual = {n: said[n] for n in names if said[n] != usual.parameters(*names)[n]}
        words = ["adjudge", verb, *(name for name, _ in self.source.files)]
        for name, value in {**self.source.selection, **unusual, **more}.items():
            for given in value if isinstance(value, list) else [value]:
                flag = "--" + name.replace("_", "-")
                words += [] if given is None else [flag] if given is True else [flag, str(given)]
        return shlex.join(words)


def one_by_one(analyses: Sequence[Analysis]) -> Iterator[Analysis]:
    """The analyses, with a progress bar on a terminal."""
    return progress([(analysis.pair, analysis) for analysis in analyses])
