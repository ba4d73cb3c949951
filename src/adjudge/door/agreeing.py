"""The question how far judges agree, broken down by what was asked for."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from adjudge.agreement.parts import BY
from adjudge.errors import BadParameter, one_of
from adjudge.statistics.resampling import Resampling, Unit

if TYPE_CHECKING:
    import polars as pl

    from adjudge.comparisons.comparisons import Outputs
    from adjudge.report.tables import Table

Shown = Callable[[Sequence[Any]], "Sequence[Table]"]

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
        if self.by not in ("pair", "coefficient") and self.unit not in ("auto", "segment"):
            raise BadParameter(f'`by="{self.by}"` draws segments only; leave `unit` out')

    def parameters(self) -> dict[str, Any]:
        """What a signature says of it."""
        return asdict(self) | {"trusted": list(self.trusted)}

    @property
    def bootstrap(self) -> Resampling:
        """What is drawn."""
        return Resampling(self.unit, self.replicates, self.seed, self.level)

    def answer(self, table: "pl.DataFrame") -> tuple[Sequence[Any], Shown]:
        """The parts of the answer, and how they become a table."""
        from adjudge import agreement as agree
        from adjudge.agreement.coefficients import coefficient_rows
        from adjudge.report import agreement as tables

        bootstrap = self.bootstrap
        form: Outputs = "expanded" if self.outputs == "expanded" else "collapsed"
        match self.by:
            case "pair":
                # Both were published for WMT15.
                both = self.outputs is None and self.convention == "wmt15"
                forms: tuple[Outputs, ...] = ("collapsed", "expanded") if both else (form,)
                return (
                    agree.agreement(table, forms, self.convention, bootstrap),
                    lambda parts: [tables.agreement_table(parts, bootstrap)],
                )
            case "coefficient":
                return (
                    coefficient_rows(table, form, bootstrap),
                    lambda parts: [tables.coefficient_table(parts, bootstrap)],
                )
            case "judge":
                return (
                    agree.agreement_by_judge(table, form, bootstrap),
                    lambda parts: [tables.judge_table(parts, bootstrap)],
                )
            case "judges":
                return (
                    agree.agreement_by_judges(table, form),
                    lambda parts: [tables.judge_pair_table(parts)],
                )
            case "controls":
                return (
                    agree.agreement_by_controls(table, list(self.trusted), form),
                    lambda parts: [tables.controls_table(parts, self.trusted)],
                )
        return (
            agree.agreement_by(table, self.by, form, bootstrap),
            lambda parts: [tables.part_table(parts, self.by, bootstrap)],
        )
