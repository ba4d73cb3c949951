"""`adjudge label-agreement`: how far judges agree on labels of any kind."""

from typing import Annotated

import typer

from adjudge.cli import app
from adjudge.cli.agreement import Over, OverChoice, Replicates
from adjudge.cli.help_pages import Panel
from adjudge.cli.options import Format, Output, Seed, TableFormats, show

LabelFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="CSV or TSV with columns item, judge, label; or judgements of two outputs side by "
        "side, in any format.",
    ),
]
Merge = Annotated[
    list[str], typer.Option("--merge", help="Count one label as another: ALMOST=GOOD (repeatable).")
]
Ranks = Annotated[
    bool,
    typer.Option(
        "--ranks", help="Turn values into relative ranks; columns segment, system, judge, label."
    ),
]


@app.command(rich_help_panel=Panel.trust)
def label_agreement(
    file: LabelFile,
    merge: Merge = [],  # noqa: B006
    ranks: Ranks = False,
    unit: Over = OverChoice.auto,
    replicates: Replicates = 1000,
    seed: Seed = 1,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """How far judges agree on labels: categories, acceptability, adequacy and fluency."""
    from adjudge.api.labels import label_agreement as agree

    agreed = agree(
        file, merge=merge, ranks=ranks, unit=unit.value, replicates=replicates, seed=seed
    )
    show([agreed], to, output)
