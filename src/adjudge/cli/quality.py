"""`adjudge quality`: how good a translation is, without a reference."""

from typing import Annotated, Literal

from adjudge.cli.options import Format, Output, show
from adjudge.cli.parser import argument, option
from adjudge.core.options import Seed

TaskChoice = Literal["scoring", "selection", "time", "words"]


LabelsChoice = Literal["binary", "edits"]


HigherIsBetter = Annotated[
    bool | None,
    option("--higher-is-better/--lower-is-better", help="Of a number that is none of ours."),
]
Labels = Annotated[
    LabelsChoice, option(help="Of words: OK and BAD, or keep, substitute and delete.")
]
Data = Annotated[list[str], argument(metavar="DATA…", help="Translations (docs/quality.md).")]
Families = Annotated[
    list[str],
    option(help="A family (repeatable) [default: all that need no more than is given]."),
]
ResourcesFolder = Annotated[
    str | None, option(metavar="FOLDER", help="What `quality resources` made.")
]
PseudoReferences = Annotated[
    list[str],
    option(
        "--pseudo-reference",
        metavar="NAME=FILE",
        help="Another system's translations (repeatable).",
    ),
]
SourceTags = Annotated[str | None, option(metavar="FILE", help="Parts of speech of the sources.")]
TargetTags = Annotated[
    str | None, option(metavar="FILE", help="Parts of speech of the translations.")
]
Metrics = Annotated[
    list[str],
    option(
        "--metric",
        "-m",
        help="Asked of other translations (repeatable) [default: sentbleu, ter, chrf].",
    ),
]
Split = Annotated[str | None, option(help="Only this part of the data.")]
Pair = Annotated[str | None, option(help="Only this language pair.")]


def evaluate(
    gold: Annotated[str, argument(metavar="GOLD", help="Data with the truth (docs/quality.md).")],
    predictions: Annotated[
        list[str], argument(metavar="PREDICTION…", help="Predictions, a file a submission.")
    ],
    task: Annotated[
        TaskChoice | None,
        option(help="Which task [default: what data and predictions fit]."),
    ] = None,
    predict: Annotated[
        str | None, option(help="The number that was predicted: hter, effort or another.")
    ] = None,
    higher_is_better: HigherIsBetter = None,
    labels: Labels = "binary",
    baseline: Annotated[
        str | None, option(help="The submission that others are held against.")
    ] = None,
    oracles: Annotated[
        bool,
        option("--oracles/--no-oracles", help="Rows of those who see what people wrote."),
    ] = True,
    split: Split = None,
    pair: Pair = None,
    unit: Annotated[str, option(help="What is drawn: segment, document or none.")] = "auto",
    replicates: Annotated[int, option(min=1, help="How many replicates.")] = 10_000,
    confidence: Annotated[float, option(help="Confidence level of intervals.")] = 0.95,
    seed: Seed = 1,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Predictions beside the truth: measures, winners, what differs from the baseline."""
    from typing import cast

    from adjudge.api.quality_evaluation import evaluate_quality
    from adjudge.stats.resampling import Unit

    result = evaluate_quality(
        gold,
        *predictions,
        task=task,
        predict=predict,
        higher_is_better=higher_is_better,
        labels=labels,
        baseline=baseline,
        oracles=oracles,
        split=split,
        pair=pair,
        unit=cast(Unit, unit),
        replicates=replicates,
        seed=seed,
        confidence=confidence,
    )
    show([result], to, output)
