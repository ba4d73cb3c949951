"""`adjudge scores`: systems by the scores judges gave them."""

from typing import TYPE_CHECKING, Annotated, Literal

from adjudge.cli.options import Format, Output, on_scores, show
from adjudge.cli.parser import option
from adjudge.core.options import Seed

if TYPE_CHECKING:
    from adjudge.api.scores import Scores
    from adjudge.stats.resampling import Unit


NormaliseChoice = Literal["raw", "wmt07", "z"]


ScoreUnitChoice = Literal["auto", "none", "item", "hit", "segment", "document", "judge"]


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
    unit: UnitOption = "auto",
    replicates: Replicates = 1000,
    level: Level = 0.95,
    write: Write = None,
    seed: Seed = 1,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Systems by their scores (adequacy, direct assessment, …), and how far judges agree."""
    if write is not None:
        given.write(write)
    ranking = given.rank(
        scale=scale,
        normalise=normalise,
        unit=unit,
        replicates=replicates,
        seed=seed,
        level=level,
    )
    among: Unit = "judge" if unit == "judge" else "auto"
    agreed = given.agreement(
        scale=scale,
        unit=among,
        replicates=replicates,
        seed=seed,
        level=level,
    )
    show([ranking, agreed, given.span_agreement(unit=among, level=level)], to, output)
