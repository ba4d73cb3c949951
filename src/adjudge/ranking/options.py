"""Options of questions about the order of the systems."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from adjudge.core.options import (
    Correction,
    EngineAddress,
    Level,
    Option,
    Options,
    Outputs,
    Ranges,
    Replicates,
    Runs,
    Seed,
    Workers,
)

if TYPE_CHECKING:
    from adjudge.ranking.method import Method

MethodName = Annotated[
    "str | Method",
    Option(
        "See `adjudge methods`.",
        "A name in `adjudge.METHODS`, or a method of your own.",
        parse=str,
        choices_from="adjudge.ranking.method:METHODS",
    ),
]
Unit = Annotated[
    Literal[
        "auto",
        "none",
        "comparison",
        "ranking",
        "hit",
        "segment",
        "document",
        "judge",
        "judge+segment",
        "judge+document",
    ],
    Option(
        "What the result is to hold for; auto: other judges and documents.",
        "The others are what a bootstrap draws.",
    ),
]
Test = Annotated[
    Literal["auto", "clustered", "sign"],
    Option(
        "clustered: over other judges and documents; sign: as in WMT13.",
        '"auto" is "clustered" where more than counts is known. "sign" takes comparisons as'
        " independent.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class FigureOptions(Options):
    """Options of a figure, which `rank` has, too."""

    method: MethodName = field(default="expected-wins", kw_only=False)
    unit: Unit = "auto"
    replicates: Replicates = 1000
    level: Level = 0.95
    seed: Seed = 1
    outputs: Outputs = "expanded"


@dataclass(frozen=True, kw_only=True)
class RankOptions(FigureOptions):
    """Options of `rank`."""

    in_signature: ClassVar[tuple[str, ...]] = (
        "method",
        "unit",
        "replicates",
        "seed",
        "level",
        "outputs",
        "ranges",
    )

    ranges: Ranges = "auto"
    workers: Workers = 1
    engine: EngineAddress = None


@dataclass(frozen=True, kw_only=True)
class CompareOptions(Options):
    """Options of `compare`."""

    in_signature: ClassVar[tuple[str, ...]] = ("correction", "level", "outputs", "test")

    correction: Correction = "bh"
    level: Level = 0.95
    outputs: Outputs = "expanded"
    test: Test = "auto"


@dataclass(frozen=True, kw_only=True)
class MethodsOptions(Options):
    """Options of `methods`."""

    in_signature: ClassVar[tuple[str, ...]] = ("runs", "seed", "outputs")

    runs: Runs = 100
    seed: Seed = 1
    outputs: Outputs = "expanded"
