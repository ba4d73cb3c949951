"""The question how far judges agree, broken down by what was asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from adjudge.agreement.intervals import agreement_resampling
from adjudge.agreement.parts import BY
from adjudge.errors import BadParameter, one_of
from adjudge.statistics.resampling import Resampling, Unit

if TYPE_CHECKING:
    import polars as pl

    from adjudge.comparisons.comparisons import Outputs

Answer = tuple[Sequence[Any], Mapping[str, Any]]
WHOLE = ("pair", "coefficient", "judge", "judges", "controls")


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
        return ("expanded" if self.outputs == "expanded" else "collapsed",)

    @property
    def adds_up(self) -> bool:
        """Can it be answered from sums over votes (`agreement.streamed`)?"""
        return self.by == "pair" and self.unit == "auto"

    def answer(self, table: "pl.DataFrame") -> Answer:
        """The parts of the answer, and what `tables_for` is told about them."""
        from adjudge import agreement as agree
        from adjudge.agreement.coefficients import agreement_by_coefficient

        resampling = self.resampling
        drawn = {"resampling": resampling}
        form: Outputs = "expanded" if self.outputs == "expanded" else "collapsed"
        match self.by:
            case "pair":
                return agree.agreement(table, self.forms, self.convention, resampling), drawn
            case "coefficient":
                return agreement_by_coefficient(table, form, resampling), drawn
            case "judge":
                return agree.agreement_by_judge(table, form, resampling), drawn
            case "judges":
                return agree.agreement_by_judges(table, form), {}
            case "controls":
                trusted = {"trusted": self.trusted}
                return agree.agreement_by_controls(table, self.trusted, form), trusted
        return agree.agreement_by(table, self.by, form, resampling), drawn
