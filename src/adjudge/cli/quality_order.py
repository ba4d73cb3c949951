"""`adjudge quality order`: which translations to have annotated next."""

from typing import Annotated

import typer

from adjudge.cli.quality import Data, Pair, ResourcesFolder, Split, quality
from adjudge.cli.quality_train import ModelFile, PredictionFormats


@quality.command()
def order(
    model: ModelFile,
    data: Data,
    number: Annotated[int | None, typer.Option(min=1, help="How many [default: all].")] = None,
    resources: ResourcesFolder = None,
    split: Split = None,
    pair: Pair = None,
    to: Annotated[
        PredictionFormats, typer.Option("--format", "-f", help="How to write the order.")
    ] = PredictionFormats.tsv,
    output: Annotated[
        str, typer.Option("--output", "-o", help="Where the order goes; - is stdout.")
    ] = "-",
) -> None:
    """In which order to have translations annotated, by a model with a Gaussian process."""
    from adjudge.door.quality_order import annotation_order
    from adjudge.files.output import open_output
    from adjudge.quality.models.predictions import write_predictions

    asked = annotation_order(
        model, data, number=number, resources=resources, split=split, pair=pair
    )
    with open_output(output) as stream:
        write_predictions(asked, stream, to.value)
