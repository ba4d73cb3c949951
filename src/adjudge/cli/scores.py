"""`adjudge scores`: systems by the scores judges gave them."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from adjudge.cli.options import Format, Output, TableFormats, on_scores, show
from adjudge.cli.parser import option
from adjudge.core.options import Seed

if TYPE_CHECKING:
    from adjudge.api.scores import Scores
    from adjudge.stats.resampling import Unit


class NormaliseChoice(StrEnum):
    """How scores of different judges are made comparable."""

    raw = "raw"
    wmt07 = "wmt07"
    z = "z"


class ScoreUnitChoice(StrEnum):
    """What the bootstrap draws."""

    auto = "auto"
    none = "none"
    item = "item"
    hit = "hit"
    segment = "segment"
    document = "document"
    judge = "judge"


Normalise = Annotated[
    NormaliseChoice | None,
    option(help="Normalise scores per judge; by default z with a --unit other than auto."),
]
Scale = Annotated[list[str], option("--scale", help="Only this scale (repeatable).")]
UnitOption = Annotated[ScoreUnitChoice, option("--unit", help="What intervals are to hold for.")]
Replicates = Annotated[int, option(min=1, help="How many bootstrap replicates.")]
Write = Annotated[
    str | None,
    option(
        metavar="FILE",
        help="Also write the scores: JSONL, Parquet, marked errors as WMT's .tsv, or means as "
        "mt-metrics-eval's PAIR.SCALE.seg.score and .sys.score.",
    ),
]
Level = Annotated[float, option(help="Confidence level of intervals and ranges.")]


@on_scores
def scores(
    given: "Scores",
    normalise: Normalise = None,
    scale: Scale = [],  # noqa: B006  (it is only read)
    unit: UnitOption = ScoreUnitChoice.auto,
    replicates: Replicates = 1000,
    level: Level = 0.95,
    write: Write = None,
    seed: Seed = 1,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """Systems by their scores (adequacy, direct assessment, …), and how far judges agree."""
    if write is not None:
        given.write(write)
    ranking = given.rank(
        scale=scale,
        normalise=None if normalise is None else normalise.value,
        unit=unit.value,
        replicates=replicates,
        seed=seed,
        level=level,
    )
    among: Unit = "judge" if unit is ScoreUnitChoice.judge else "auto"
    agreed = given.agreement(
        scale=scale,
        unit=among,
        replicates=replicates,
        seed=seed,
        level=level,
    )
    show([ranking, agreed, given.span_agreement(unit=among, level=level)], to, output)
