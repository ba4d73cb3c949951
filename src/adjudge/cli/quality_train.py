"""`adjudge quality train` and `predict`: models of quality."""

from typing import Annotated

import typer

from adjudge.cli.options import Format, Seed, TableFormats, show
from adjudge.cli.quality import (
    Data,
    Families,
    HigherIsBetter,
    Labels,
    LabelsChoice,
    Pair,
    ResourcesFolder,
    Split,
    TaskChoice,
    quality,
)


@quality.command()
def train(
    data: Data,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="MODEL", help="Where the model goes.")
    ],
    task: Annotated[
        TaskChoice | None, typer.Option(help="Which task [default: what the data are of].")
    ] = None,
    predict: Annotated[
        str | None, typer.Option(help="The number to predict: hter, effort or another column.")
    ] = None,
    higher_is_better: HigherIsBetter = None,
    labels: Labels = LabelsChoice.binary,
    learner: Annotated[
        str | None,
        typer.Option(help="svr, elastic-net or another (docs/quality.md) [default: by task]."),
    ] = None,
    feature: Families = [],  # noqa: B006  (Typer reads the default, nothing changes it)
    resources: ResourcesFolder = None,
    split: Split = None,
    pair: Pair = None,
    seed: Seed = 1,
    workers: Annotated[int, typer.Option(min=1, help="Processes that try parameters.")] = 1,
    to: Format = TableFormats.table,
) -> None:
    """Train a model from translations whose quality is known, and say how good it is."""
    from adjudge.door.quality_training import train_quality

    trained = train_quality(
        *data,
        task=None if task is None else task.value,
        predict=predict,
        higher_is_better=higher_is_better,
        labels=labels.value,
        learner=learner,
        feature=feature,
        resources=resources,
        split=split,
        pair=pair,
        seed=seed,
        workers=workers,
    )
    trained[0].save(output)
    show([trained], to, "-")


@quality.command()
def predict(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="What `quality train` made.")],
    data: Data,
    resources: ResourcesFolder = None,
    split: Split = None,
    pair: Pair = None,
    output: Annotated[
        str, typer.Option("--output", "-o", help="Where predictions go; - is stdout.")
    ] = "-",
) -> None:
    """Predict quality: a number with its 90 % interval, ranks, or the tags of words (TSV)."""
    from adjudge.door.quality_training import predict_quality
    from adjudge.files.output import open_output

    predicted = predict_quality(model, data, resources=resources, split=split, pair=pair)
    with open_output(output) as stream:
        if "tags" in predicted.columns:
            stream.write("".join(f"{tags}\n" for tags in predicted["tags"]).encode())
        else:
            predicted.write_csv(stream, separator="\t", float_precision=6)
