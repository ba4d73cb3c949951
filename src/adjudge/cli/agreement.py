"""`adjudge agreement` and `adjudge label-agreement`: how far judges agree."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli import app
from adjudge.cli.options import (
    Format,
    Output,
    OutputChoice,
    Seed,
    TableFormats,
    emit,
    on_judgements,
    show,
)
from adjudge.cli.rank import Level

if TYPE_CHECKING:
    import polars as pl

    from adjudge.agreement.labels import Labels
    from adjudge.door.judgements import Judgements
    from adjudge.report.typesetting import Table
    from adjudge.statistics.resampling import Resampling


class ConventionChoice(StrEnum):
    """Which pairs of judgements count."""

    sound = "sound"
    wmt15 = "wmt15"


class ByChoice(StrEnum):
    """What the table is broken down by."""

    pair = "pair"
    coefficient = "coefficient"
    judge = "judge"
    judges = "judges"
    group = "group"
    controls = "controls"
    length = "length"
    document = "document"
    block_size = "block-size"
    distance = "distance"
    order = "order"
    hour = "hour"


class OverChoice(StrEnum):
    """What the bootstrap draws."""

    auto = "auto"
    segment = "segment"
    judge = "judge"


Convention = Annotated[
    ConventionChoice,
    typer.Option("--convention", help="Count soundly, or as a published table did."),
]
By = Annotated[ByChoice, typer.Option("--by", help="One row for each of these.")]
Candidates = Annotated[
    OutputChoice | None,
    typer.Option("--outputs", help="An output of several systems: one candidate, or one each?"),
]
Over = Annotated[OverChoice, typer.Option("--unit", help="What the bootstrap draws.")]
Replicates = Annotated[int, typer.Option(min=1, help="How many bootstrap replicates.")]
Trusted = Annotated[
    list[str],
    typer.Option("--trusted", help="Group whose consensus makes the controls (repeatable)."),
]
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


@app.command()
@on_judgements
def agreement(
    judgements: "Judgements",
    convention: Convention = ConventionChoice.sound,
    by: By = ByChoice.pair,
    outputs: Candidates = None,
    trusted: Trusted = [],  # noqa: B006  (Typer reads the default, nothing changes it)
    unit: Over = OverChoice.auto,
    replicates: Replicates = 1000,
    level: Level = 0.95,
    seed: Seed = 1,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """How far judges agree with each other (inter) and with themselves (intra)."""
    agreed = judgements.agreement(
        by.value,
        convention=convention.value,
        outputs=None if outputs is None else outputs.value,
        trusted=trusted,
        unit=unit.value,
        replicates=replicates,
        seed=seed,
        level=level,
    )
    show([agreed], to, output)


@app.command()
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
    from adjudge.agreement.categorical import load, merging, read_labels, relative_ranks
    from adjudge.files.input_file import InputFile
    from adjudge.judgements.files import is_known, read_as
    from adjudge.statistics.resampling import Resampling

    bootstrap = Resampling(unit.value, replicates, seed)
    given = InputFile(file)
    if is_known(given) and not ranks:
        tables = _choice_tables(read_as("judgements", given), merging(merge), bootstrap)
    else:
        frame = load(given)
        labels = relative_ranks(frame) if ranks else read_labels(frame, merging(merge))
        tables = _label_tables(labels, bootstrap)
    emit(tables, to, output)


def _label_tables(labels: "Labels", bootstrap: "Resampling") -> "list[Table]":
    from adjudge.agreement.categorical import agreement_of, confusions
    from adjudge.report.tables import tables_for

    agreed = agreement_of(labels, bootstrap)
    return tables_for(agreed, confusions=confusions(labels), resampling=bootstrap)


def _choice_tables(
    table: "pl.DataFrame", merge: "dict[str, str]", bootstrap: "Resampling"
) -> "list[Table]":
    """Agreement on the labels as they are, then with both kinds of tie merged; and the counts."""
    from adjudge.agreement.categorical import confusions, pooled
    from adjudge.agreement.choices import MERGED, choice_labels, choices_of_systems, side_by_side
    from adjudge.report.tables import tables_for

    frame = side_by_side(table)
    labels = choice_labels(frame, merge)
    tables = _label_tables(labels, bootstrap)
    confused = confusions(labels)
    if len(confused) > 1:
        tables += tables_for(pooled(confused))
    used = frame["label"].unique()
    if not merge and all(label in used for label in MERGED):
        tables += _label_tables(choice_labels(frame, MERGED), bootstrap)
    systems = choices_of_systems(frame)
    tables += tables_for(systems)
    if len(systems) == 1:
        tables += tables_for(choices_of_systems(frame, by_judge=True))
    return tables
