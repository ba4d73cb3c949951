"""`adjudge label-agreement`: how far judges agree on labels of any kind."""

from typing import Annotated

from adjudge.agreement.options import Unit
from adjudge.cli.options import Format, Output, show
from adjudge.cli.parser import argument, option
from adjudge.core.options import Replicates, Seed

LabelFile = Annotated[
    str,
    argument(
        metavar="FILE",
        help="CSV or TSV with columns item, judge, label; or judgements of two outputs side by "
        "side, in any format.",
    ),
]
Merge = Annotated[
    list[str], option("--merge", help="Count one label as another: ALMOST=GOOD (repeatable).")
]
Ranks = Annotated[
    bool,
    option(
        "--ranks", help="Turn values into relative ranks; columns segment, system, judge, label."
    ),
]


def label_agreement(
    file: LabelFile,
    merge: Merge = [],  # noqa: B006
    ranks: Ranks = False,
    unit: Unit = "auto",
    replicates: Replicates = 1000,
    seed: Seed = 1,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """How far judges agree on labels: categories, acceptability, adequacy and fluency."""
    from adjudge.api.labels import label_agreement as agree

    agreed = agree(file, merge=merge, ranks=ranks, unit=unit, replicates=replicates, seed=seed)
    show([agreed], to, output)
