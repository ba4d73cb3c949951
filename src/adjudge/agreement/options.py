"""Options of the question how far judges agree."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

from adjudge.core.errors import BadParameter
from adjudge.core.options import Level, Option, Options, Outputs, Replicates, Seed

By = Annotated[
    Literal[
        "pair",
        "coefficient",
        "judge",
        "judges",
        "group",
        "controls",
        "length",
        "document",
        "segment-length",
        "block-size",
        "distance",
        "order",
        "hour",
    ],
    Option("One row for each of these.", '"judges" are every two of them.'),
]
Convention = Annotated[
    Literal["sound", "wmt15"],
    Option(
        "Count soundly, or as a published table did.",
        '"wmt15": as the tables of WMT15 and WMT16 did.',
    ),
]
OutputsOrBoth = Annotated[
    Literal["expanded", "collapsed"] | None,
    Option(
        "An output of several systems: one candidate, or one each?",
        'One candidate by default; the convention "wmt15" shows both where none is chosen.',
    ),
]
Trusted = Annotated[
    str | Iterable[str],
    Option("Group whose consensus makes the controls (repeatable).", parse=list[str]),
]
Unit = Annotated[
    Literal["auto", "segment", "judge"],
    Option(
        "What intervals are to hold for.",
        '"auto": other judges and texts, as far as the labels tell. The others are what a'
        " bootstrap draws.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class AgreementOptions(Options):
    """Options of `agreement`."""

    in_signature: ClassVar[tuple[str, ...]] = (
        "by",
        "convention",
        "outputs",
        "trusted",
        "unit",
        "replicates",
        "seed",
        "level",
    )

    by: By = field(default="pair", kw_only=False)
    convention: Convention = "sound"
    outputs: OutputsOrBoth = None
    trusted: Trusted = ()
    unit: Unit = "auto"
    replicates: Replicates = 1000
    level: Level = 0.95
    seed: Seed = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.by != "pair" and self.convention != "sound":
            raise BadParameter(
                f'`by="{self.by}"` counts the sound way only; leave `convention` out'
            )
        if self.by in ("judges", "controls") and self.unit != "auto":
            raise BadParameter(f'`by="{self.by}"` has no intervals; leave `unit` out')
        if self.trusted and self.by != "controls":
            raise BadParameter('`trusted` judges make controls; add `by="controls"`')

    @property
    def forms(self) -> tuple[Outputs, ...]:
        """Treatment of an output that several systems produced; WMT15 published both."""
        if self.outputs is None and self.convention == "wmt15":
            return ("collapsed", "expanded")
        return (self.form,)

    @property
    def form(self) -> Outputs:
        """Treatment of shared outputs where a page shows only one of the two."""
        return "expanded" if self.outputs == "expanded" else "collapsed"
