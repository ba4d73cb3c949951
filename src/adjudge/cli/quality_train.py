"""`adjudge quality train`, `show` and `predict`: models of quality."""

from typing import Annotated, Literal

from adjudge.cli.metrics import named_files
from adjudge.cli.options import CheckpointFile, Format, Output, show
from adjudge.cli.parser import argument, option
from adjudge.cli.quality import (
    Data,
    Families,
    HigherIsBetter,
    Labels,
    Metrics,
    Pair,
    PseudoReferences,
    ResourcesFolder,
    SourceTags,
    Split,
    TargetTags,
    TaskChoice,
)
from adjudge.core.options import EngineAddress, Seed

ModelFile = Annotated[str, argument(metavar="MODEL", help="What `quality train` made.")]


def train(
    data: Data,
    output: Annotated[str, option("--output", "-o", metavar="MODEL", help="Where the model goes.")],
    task: Annotated[
        TaskChoice | None, option(help="Which task [default: what the data are of].")
    ] = None,
    predict: Annotated[
        str | None, option(help="The number to predict: hter, effort or another column.")
    ] = None,
    higher_is_better: HigherIsBetter = None,
    labels: Labels = "binary",
    learner: Annotated[
        str | None,
        option(help="svr, elastic-net or another (docs/quality.md) [default: by task]."),
    ] = None,
    feature: Families = [],  # noqa: B006  (it is only read)
    metric: Metrics = [],  # noqa: B006
    resources: ResourcesFolder = None,
    pseudo_reference: PseudoReferences = [],  # noqa: B006
    source_tags: SourceTags = None,
    target_tags: TargetTags = None,
    split: Split = None,
    pair: Pair = None,
    seed: Seed = 1,
    workers: Annotated[int, option(min=1, help="Processes that try parameters.")] = 1,
    engine: EngineAddress = None,
    checkpoint: CheckpointFile = None,
    to: Format = "table",
) -> None:
    """Train a model from translations whose quality is known, and say how good it is."""
    from adjudge.api.quality_training import train_quality
    from adjudge.core.files.checkpoint import resumable
    from adjudge.core.files.output import require_folder

    require_folder(output)
    with resumable(checkpoint):
        trained = train_quality(
            *data,
            task=task,
            predict=predict,
            higher_is_better=higher_is_better,
            labels=labels,
            learner=learner,
            feature=feature,
            metric=metric,
            resources=resources,
            pseudo_reference=named_files(pseudo_reference, "--pseudo-reference"),
            source_tags=source_tags,
            target_tags=target_tags,
            split=split,
            pair=pair,
            seed=seed,
            workers=workers,
            engine=engine,
        )
        trained[0].save(output)  # before what was kept goes
    show([trained], to, "-")


def show_model(
    model: ModelFile,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Show what a model is: task, learner, features, what it was made from, how good it was."""
    from adjudge.api.quality_training import quality_model

    show([quality_model(model)], to, output)


PredictionFormats = Literal["tsv", "csv", "json"]


def predict(
    model: ModelFile,
    data: Annotated[
        list[str],
        argument(metavar="DATA…", help="Translations (docs/quality.md); - is stdin."),
    ],
    resources: ResourcesFolder = None,
    pseudo_reference: PseudoReferences = [],  # noqa: B006
    source_tags: SourceTags = None,
    target_tags: TargetTags = None,
    split: Split = None,
    pair: Pair = None,
    to: Annotated[
        PredictionFormats, option("--format", "-f", help="How to write predictions.")
    ] = "tsv",
    output: Annotated[
        str, option("--output", "-o", help="Where predictions go; - is stdout.")
    ] = "-",
) -> None:
    """Predict quality: a number with its 90 % interval, ranks, or the tags of words."""
    from adjudge.api.quality_training import predict_quality
    from adjudge.core.files.output import open_output
    from adjudge.quality.models.predictions import write_predictions

    predicted = predict_quality(
        model,
        data,
        resources=resources,
        pseudo_reference=named_files(pseudo_reference, "--pseudo-reference"),
        source_tags=source_tags,
        target_tags=target_tags,
        split=split,
        pair=pair,
    )
    with open_output(output) as stream:
        write_predictions(predicted, stream, to)
