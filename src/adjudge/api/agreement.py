"""The question how far judges agree, broken down by what was asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.agreement.intervals import agreement_resampling
from adjudge.agreement.parts import BY
from adjudge.core.errors import BadParameter, one_of
from adjudge.data.selection import Selection
from adjudge.stats.resampling import Resampling, Unit

if TYPE_CHECKING:
    import polars as pl

    from adjudge.data.comparisons import Outputs
    from adjudge.data.table_files import Path
    from adjudge.data.votes.census import Census

WHOLE = ("pair", "coefficient", "judge", "judges", "controls")


class Answer(NamedTuple):
    """The parts of an answer, what `tables_for` is told about them, and notes below them all."""

    parts: Sequence[Any]
    how: Mapping[str, Any]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Question:
    """The parameters of `Judgements.agreement`, checked."""

    by: str
    convention: str
    outputs: str | None
    trusted: tuple[str, ...]
    unit: Unit
    replicates: int
    seed: int
    level: float

    def __post_init__(self) -> None:
        one_of(self.by, (*WHOLE, *BY), "by")
        one_of(self.convention, ("sound", "wmt15"), "convention")
        if self.outputs is not None:
            one_of(self.outputs, ("expanded", "collapsed"), "outputs")
        if self.by != "pair" and self.convention != "sound":
            raise BadParameter(
                f'`by="{self.by}"` counts the sound way only; leave `convention` out'
            )
        if self.by in ("judges", "controls") and self.unit != "auto":
            raise BadParameter(f'`by="{self.by}"` has no intervals; leave `unit` out')
        if self.trusted and self.by != "controls":
            raise BadParameter('`trusted` judges make controls; add `by="controls"`')

    def parameters(self) -> dict[str, Any]:
        """What a signature says of it."""
        return asdict(self) | {"trusted": list(self.trusted), "unit": self.resampling.unit}

    @property
    def resampling(self) -> Resampling:
        """What is drawn."""
        asked = Resampling(self.unit, self.replicates, self.seed, self.level)
        return agreement_resampling(asked)

    @property
    def forms(self) -> "tuple[Outputs, ...]":
        """How an output of several systems counts; WMT15 published both."""
        if self.outputs is None and self.convention == "wmt15":
            return ("collapsed", "expanded")
        return (self.form,)

    @property
    def form(self) -> "Outputs":
        """The same where only one of them is shown."""
        return "expanded" if self.outputs == "expanded" else "collapsed"

    def answer(self, table: "pl.DataFrame") -> Answer:
        """From all judgements."""
        from adjudge.agreement.coefficients import agreement_by_coefficient
        from adjudge.agreement.controls import agreement_by_controls
        from adjudge.agreement.judges import agreement_by_judge, agreement_by_judges
        from adjudge.agreement.pairwise import agreement
        from adjudge.agreement.parts import agreement_by

        resampling, form = self.resampling, self.form
        drawn = {"resampling": resampling}
        match self.by:
            case "pair":
                parts = agreement(table, self.forms, self.convention, resampling)
                return Answer(parts, drawn)
            case "coefficient":
                return Answer(agreement_by_coefficient(table, form, resampling), drawn)
            case "judge":
                return Answer(agreement_by_judge(table, form, resampling), drawn)
            case "judges":
                return Answer(agreement_by_judges(table, form), {})
            case "controls":
                trusted = {"trusted": self.trusted}
                return Answer(agreement_by_controls(table, self.trusted, form), trusted)
        return Answer(agreement_by(table, self.by, form, resampling), drawn)

    def answer_of_votes(
        self, paths: Sequence["Path"], chosen: Selection, census: "Census"
    ) -> Answer | None:
        """From sums over the votes of files; None where they do not say it."""
        from adjudge.agreement.vote_agreement import (
            agreement_of_votes,
            judges_of_votes,
            parts_of_votes,
        )

        files = (paths, chosen, census)
        drawn = {"resampling": self.resampling}
        if self.by in BY:
            parts = parts_of_votes(*files, self.by, self.form, self.resampling)
            return Answer(parts, drawn)
        if self.by == "judge":
            judges = judges_of_votes(*files, self.resampling)
            return None if judges is None else Answer(judges, drawn)
        if self.by == "pair" and self.unit == "auto":
            pairs = agreement_of_votes(*files, self.forms, self.convention, self.level)
            return Answer(pairs, drawn)
        return None
