"""`adjudge quality features`: features of translations or of their words."""

from typing import Annotated, Literal

from adjudge.cli.metrics import named_files
from adjudge.cli.options import Format, Output, show
from adjudge.cli.parser import option
from adjudge.cli.quality import (
    Data,
    Families,
    Metrics,
    Pair,
    PseudoReferences,
    ResourcesFolder,
    SourceTags,
    Split,
    TargetTags,
)

FeatureLevel = Literal["sentence", "word"]


def features(
    data: Data,
    resources: ResourcesFolder = None,
    feature: Families = [],  # noqa: B006  (it is only read)
    level: Annotated[
        FeatureLevel, option(help="A row a translation, or a row a word.")
    ] = "sentence",
    pseudo_reference: PseudoReferences = [],  # noqa: B006
    metric: Metrics = [],  # noqa: B006
    source_tags: SourceTags = None,
    target_tags: TargetTags = None,
    tokenize: Annotated[
        str | None,
        option(help="How texts become tokens [default: as data and resources say]."),
    ] = None,
    predict: Annotated[
        str | None,
        option(help="The number that style is learned from: hter, effort or another column."),
    ] = None,
    model: Annotated[
        str | None,
        option(
            metavar="MODEL", help="The columns of this model, with what it has learned, instead."
        ),
    ] = None,
    split: Split = None,
    pair: Pair = None,
    write: Annotated[
        str | None,
        option(metavar="FILE", help="Write the values here: .csv, .tsv, .jsonl, .parquet."),
    ] = None,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Compute features; prints what each is and how it is spread, --write has the values."""
    from adjudge.api.quality_features import quality_features

    result = quality_features(
        data,
        resources=resources,
        feature=feature,
        level=level,
        pseudo_reference=named_files(pseudo_reference, "--pseudo-reference"),
        metric=metric,
        source_tags=source_tags,
        target_tags=target_tags,
        tokenize=tokenize,
        predict=predict,
        model=model,
        split=split,
        pair=pair,
    )
    if write is not None:
        result[0].write(write)
    show([result], to, output)
