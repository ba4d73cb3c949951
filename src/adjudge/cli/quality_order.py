"""`adjudge quality order`: which translations to have annotated next."""

from typing import Annotated

from adjudge.cli.metrics import named_files
from adjudge.cli.parser import option
from adjudge.cli.quality import (
    Data,
    Pair,
    PseudoReferences,
    ResourcesFolder,
    SourceTags,
    Split,
    TargetTags,
)
from adjudge.cli.quality_train import ModelFile, PredictionFormats


def order(
    model: ModelFile,
    data: Data,
    number: Annotated[int | None, option(min=1, help="How many [default: all].")] = None,
    resources: ResourcesFolder = None,
    pseudo_reference: PseudoReferences = [],  # noqa: B006
    source_tags: SourceTags = None,
    target_tags: TargetTags = None,
    split: Split = None,
    pair: Pair = None,
    to: Annotated[
        PredictionFormats, option("--format", "-f", help="How to write the order.")
    ] = "tsv",
    output: Annotated[
        str, option("--output", "-o", help="Where the order goes; - is stdout.")
    ] = "-",
) -> None:
    """In which order to have translations annotated, by a model with a Gaussian process."""
    from adjudge.api.quality_order import annotation_order
    from adjudge.core.files.output import open_output
    from adjudge.quality.models.predictions import write_predictions

    asked = annotation_order(
        model,
        data,
        number=number,
        resources=resources,
        pseudo_reference=named_files(pseudo_reference, "--pseudo-reference"),
        source_tags=source_tags,
        target_tags=target_tags,
        split=split,
        pair=pair,
    )
    with open_output(output) as stream:
        write_predictions(asked, stream, to)
