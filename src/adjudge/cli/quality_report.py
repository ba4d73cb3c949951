"""`adjudge quality report` and `gain`: what a model is worth on data it was not trained on."""

from typing import Annotated

from adjudge.cli.metrics import named_files
from adjudge.cli.options import Format, Output, show
from adjudge.cli.parser import argument, option
from adjudge.cli.plot import drawable
from adjudge.cli.quality import (
    Pair,
    PseudoReferences,
    ResourcesFolder,
    SourceTags,
    Split,
    TargetTags,
)
from adjudge.cli.quality_train import ModelFile
from adjudge.core.options import EngineAddress, Seed

HeldOutData = Annotated[
    list[str],
    argument(
        metavar="DATA…", help="Translations with the truth, which the model was not trained on."
    ),
]
UnitName = Annotated[str, option(help="What is drawn: segment, document or none.")]
Replicates = Annotated[int, option(min=1, help="How many replicates.")]
Confidence = Annotated[float, option(help="Confidence level of intervals.")]


def gain(
    model: ModelFile,
    data: HeldOutData,
    resources: ResourcesFolder = None,
    pseudo_reference: PseudoReferences = [],  # noqa: B006
    source_tags: SourceTags = None,
    target_tags: TargetTags = None,
    split: Split = None,
    pair: Pair = None,
    unit: UnitName = "auto",
    replicates: Replicates = 1000,
    confidence: Confidence = 0.95,
    figure: Annotated[
        str | None,
        option("--figure", help="Draw it, too: .svg, .pdf or .png.", check=drawable),
    ] = None,
    seed: Seed = 1,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """What using a model would bring: HTER saved by editing the worst first; picks of the best."""
    from typing import cast

    from adjudge.api.quality_report import quality_gain
    from adjudge.stats.resampling import Unit

    result = quality_gain(
        model,
        *data,
        resources=resources,
        pseudo_reference=named_files(pseudo_reference, "--pseudo-reference"),
        source_tags=source_tags,
        target_tags=target_tags,
        split=split,
        pair=pair,
        unit=cast(Unit, unit),
        replicates=replicates,
        seed=seed,
        confidence=confidence,
    )
    if figure is not None:
        result.plot().save(figure)
    show([result], to, output)


def report(
    model: ModelFile,
    data: HeldOutData,
    output: Annotated[str, option("--output", "-o", help="page.html, page.tex or page.md.")],
    training: Annotated[
        list[str],
        option(help="What the model was trained on, for its learning curve (repeatable)."),
    ] = [],  # noqa: B006  (it is only read)
    baseline: Annotated[
        str | None, option(metavar="PREDICTION", help="Predictions to be held against.")
    ] = None,
    resources: ResourcesFolder = None,
    pseudo_reference: PseudoReferences = [],  # noqa: B006
    source_tags: SourceTags = None,
    target_tags: TargetTags = None,
    split: Split = None,
    pair: Pair = None,
    unit: UnitName = "auto",
    replicates: Replicates = 1000,
    confidence: Confidence = 0.95,
    title: Annotated[str | None, option(help="Heading of the report.")] = None,
    seed: Seed = 1,
    workers: Annotated[int, option(min=1, help="Processes that ask the model.")] = 1,
    engine: EngineAddress = None,
) -> None:
    """Write a report on a model: scores, intervals, features, learning curve, gain, errors."""
    from typing import cast

    from adjudge.api.quality_report import quality_report
    from adjudge.stats.resampling import Unit

    quality_report(
        output,
        model,
        *data,
        training=training,
        baseline=baseline,
        resources=resources,
        pseudo_reference=named_files(pseudo_reference, "--pseudo-reference"),
        source_tags=source_tags,
        target_tags=target_tags,
        split=split,
        pair=pair,
        unit=cast(Unit, unit),
        replicates=replicates,
        seed=seed,
        confidence=confidence,
        title=title,
        workers=workers,
        engine=engine,
    )
