"""`adjudge metrics`: outputs of systems scored against references."""

from typing import TYPE_CHECKING, Annotated, Literal

from adjudge.cli.options import Format, Output, emit, show
from adjudge.cli.parser import option
from adjudge.core.options import Seed

if TYPE_CHECKING:
    from adjudge.api.texts import Texts


MetricUnitChoice = Literal["auto", "none", "segment", "document"]


LevelOfScores = Literal["system", "segment"]


LayoutChoice = Literal["mt-metrics-eval", "wmt14"]


ScalingChoice = Literal["minmax", "z"]


SystemFile = Annotated[
    list[str], option("--system", metavar="NAME=FILE", help="A system (repeatable).")
]
Reference = Annotated[
    list[str], option("--reference", help="A reference translation (repeatable).")
]
MetricOption = Annotated[
    list[str],
    option(
        "--metric",
        "-m",
        choices_from="adjudge.metrics.metric:METRICS",
        metavar="SIGNATURE",
        help="bleu, or bleu(tokenize=intl); repeatable. By default bleu, chrf and ter.",
    ),
]


TestSetOption = Annotated[
    str | None, option(help="Instead: a WMT XML file or an mt-metrics-eval folder.")
]
DocumentsOption = Annotated[str | None, option(help="The document of each segment, line by line.")]


def metrics(
    system: SystemFile = [],  # noqa: B006  (it is only read)
    reference: Reference = [],  # noqa: B006
    testset: TestSetOption = None,
    documents: DocumentsOption = None,
    pair: Annotated[str, option(help="Language pair, such as en-de.")] = "",
    metric: MetricOption = [],  # noqa: B006
    paired: Annotated[bool, option("--paired", help="Test every two systems instead.")] = False,
    combine: Annotated[
        bool, option("--combine", help="All metrics as one: the mean of scaled scores.")
    ] = False,
    human: Annotated[
        list[str],
        option("--human", help="Learn the weights of --combine from these judgements."),
    ] = [],  # noqa: B006
    weight: Annotated[
        list[float],
        option("--weight", help="Weights of --combine, one a metric (repeatable)."),
    ] = [],  # noqa: B006
    scaling: Annotated[ScalingChoice, option(help="Scale of --combine.")] = "minmax",
    scores_of: Annotated[
        LevelOfScores, option("--level", help="Scores of systems, or of every segment.")
    ] = "system",
    unit: Annotated[MetricUnitChoice, option(help="What the bootstrap draws.")] = "auto",
    replicates: Annotated[int, option(min=1, help="How many replicates.")] = 1000,
    confidence: Annotated[float, option(help="Confidence level of intervals.")] = 0.95,
    layout: Annotated[
        LayoutChoice, option(help="The columns of files of scores.")
    ] = "mt-metrics-eval",
    workers: Annotated[
        int | None, option(min=1, help="Processes for slow metrics [as many as processors].")
    ] = None,
    seed: Seed = 1,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Score systems against references by any metric; without files, list the metrics.

    With --level segment and a folder as --output (scores/), files METRIC.seg.score and
    METRIC.sys.score are written there.
    """
    if not (system or reference or testset or documents):
        from adjudge.metrics.metric import METRICS
        from adjudge.metrics.tables import metrics_list

        emit([metrics_list(list(METRICS.values()))], to, output)
        return
    from adjudge.api.texts import USUAL
    from adjudge.core.errors import AdjudgeError, within

    if paired + combine + (scores_of == "segment") > 1:
        raise AdjudgeError("ask for one of --paired, --combine and --level segment")
    if human and not combine:
        raise AdjudgeError("--human teaches the weights of --combine; give both")
    if weight and not combine:
        raise AdjudgeError("--weight is of --combine; give both")
    within(confidence, "confidence", 0, 1, open_ends=True)  # the door calls it level
    texts = texts_from(system, reference, testset, documents, pair, workers)
    chosen = metric or list(USUAL)
    drawing = {"unit": unit, "replicates": replicates, "seed": seed, "level": confidence}
    if scores_of == "segment":
        if output.endswith("/"):
            for path in texts.write_scores(output, chosen, layout):
                print(path)
            return
        show([texts.segment_scores(chosen)], to, output)
    elif combine:
        how = {"human": human, "weights": weight or None, "scaling": scaling}
        show([texts.combined(chosen, **how, **drawing)], to, output)  # type: ignore[arg-type]
    elif paired:
        show([texts.paired(chosen, **drawing)], to, output)  # type: ignore[arg-type]
    else:
        show([texts.metrics(chosen, **drawing)], to, output)  # type: ignore[arg-type]


def texts_from(
    system: list[str],
    reference: list[str],
    testset: str | None,
    documents: str | None,
    pair: str,
    workers: int | None = None,
) -> "Texts":
    """The texts that options name."""
    from os import cpu_count

    from adjudge.api.text_reading import read_texts

    systems = named_files(system, "--system")
    return read_texts(
        systems,
        reference,
        documents=documents,
        testset=testset,
        pair=pair or None,
        workers=workers or cpu_count() or 1,
    )


def named_files(given: list[str], option: str) -> dict[str, str]:
    """The files that an option gives as NAME=FILE, by name."""
    from adjudge.core.errors import AdjudgeError

    files: dict[str, str] = {}
    for pair in given:
        name, equals, path = pair.partition("=")
        if not (name and equals and path) or name in files:
            raise AdjudgeError(f"{option} {pair!r} is no NAME=FILE, or its name is taken")
        files[name] = path
    return files
