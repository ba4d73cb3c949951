"""`adjudge metaeval`: how well metrics agree with people."""

from pathlib import Path
from typing import Annotated, Any, Literal

from adjudge.cli.options import Format, Output, show
from adjudge.cli.parser import Given, argument, option
from adjudge.cli.plot import drawable
from adjudge.core.options import Seed

LevelChoice = Literal["system", "segment"]


GroupingChoice = Literal["item", "none", "system"]


UndefinedChoice = Literal["leave-out", "zero"]


CorrectionChoice = Literal["bh", "holm", "none"]


# What a published table settles by itself, or does without.
_NOT_WITH_TABLE = (
    *("level", "statistic", "tau", "average_by", "undefined", "method", "without_outliers"),
    *("leave_out_of_average", "unit", "replicates", "confidence", "correction", "test", "seed"),
    *("p_values", "against", "figure", "report"),
)


def tables(
    options_given: Given,
    files: Annotated[
        list[str],
        argument(
            metavar="FILE…",
            help="Judgements or scores by people (docs/formats.md), or an mt-metrics-eval folder.",
        ),
    ],
    metric_scores: Annotated[
        list[str],
        option(help="Scores by metrics: *.score files or a folder (repeatable)."),
    ] = [],  # noqa: B006  (it is only read)
    lower: Annotated[
        list[str], option(help="A metric by which lower scores are better (repeatable).")
    ] = [],  # noqa: B006
    metric: Annotated[
        list[str], option("--metric", "-m", help="A metric of ours, from texts (repeatable).")
    ] = [],  # noqa: B006
    output_of: Annotated[
        list[str],
        option("--system", metavar="NAME=FILE", help="For --metric: outputs of a system."),
    ] = [],  # noqa: B006
    reference: Annotated[
        list[str], option("--reference", help="For --metric: a reference translation.")
    ] = [],  # noqa: B006
    testset: Annotated[
        str | None, option(help="For --metric: WMT XML or an mt-metrics-eval folder.")
    ] = None,
    pair: Annotated[list[str], option("--pair", help="Only this language pair (repeatable).")] = [],  # noqa: B006
    level: Annotated[LevelChoice, option(help="Scores of systems or of segments.")] = "system",
    statistic: Annotated[
        list[str], option(help="pearson, kendall, accuracy, … (repeatable).")
    ] = [],  # noqa: B006
    tau: Annotated[
        list[str],
        option(help="wmt12, wmt13, wmt14, hties, or a file with a matrix (repeatable)."),
    ] = [],  # noqa: B006
    table: Annotated[
        str | None,
        option(help="Instead, the average of the statistics of wmt23 or wmt24."),
    ] = None,
    average_by: Annotated[GroupingChoice, option(help="Groups of scores of segments.")] = "item",
    undefined: Annotated[
        UndefinedChoice, option(help="Groups without a value: left out, or 0.")
    ] = "leave-out",
    method: Annotated[str, option(help="How rankings become scores of systems.")] = "expected-wins",
    scale: Annotated[
        list[str], option(help="Only this scale of scores by people (repeatable).")
    ] = [],  # noqa: B006
    normalise: Annotated[str | None, option(help="Of scores by people: raw, wmt07 or z.")] = None,
    include_reference: Annotated[
        bool, option("--include-reference", help="The human reference is a system too.")
    ] = False,
    without_outliers: Annotated[
        bool,
        option("--without-outliers", help="Once more without outlier systems (Mathur 2020)."),
    ] = False,
    leave_out_of_average: Annotated[
        list[str], option(help="A language pair that no average counts (repeatable).")
    ] = [],  # noqa: B006
    unit: Annotated[str, option(help="What intervals hold for: what is drawn.")] = "auto",
    replicates: Annotated[int, option(min=1, help="How many replicates.")] = 1000,
    confidence: Annotated[float, option(help="Confidence level of intervals.")] = 0.95,
    correction: Annotated[
        CorrectionChoice, option(help="How p of two metrics is adjusted.")
    ] = "bh",
    test: Annotated[
        str, option(help="Two metrics at the level of systems: permutation or williams.")
    ] = "permutation",
    p_values: Annotated[
        bool, option("--p-values", help="Which metric beats which: p of every two.")
    ] = False,
    against: Annotated[
        str | None,
        option(help="A metric beside which every other one is shown, too."),
    ] = None,
    figure: Annotated[
        str | None,
        option("--figure", help="Draw systems, too: .svg, .pdf or .png.", check=drawable),
    ] = None,
    report: Annotated[
        str | None,
        option(help="Write a report on both levels, too: .html, .tex or .md."),
    ] = None,
    seed: Seed = 1,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """How well metrics agree with people: correlations with intervals, clusters of metrics."""
    from adjudge.api.metric_scores import metric_scores_of, read_metric_scores
    from adjudge.api.reading import read_as
    from adjudge.cli.metrics import texts_from
    from adjudge.core.errors import AdjudgeError

    human, beside = _sides(files, pair, scale)
    paths = [*beside, *metric_scores]
    given = []
    if lower and not paths:
        raise AdjudgeError("--lower is for --metric-scores; of our own metrics it is known")
    if paths:
        only = pair[0] if len(pair) == 1 else None
        given.append(read_metric_scores(*paths, pair=only, lower=lower))
    if metric:
        texts = texts_from(output_of, reference, testset, None, pair[0] if pair else "")
        given.append(metric_scores_of(texts, metric))
    if not given:
        raise AdjudgeError("there are no metrics: give --metric-scores, or --metric with texts")
    people = read_as(None, *human)
    if pair:
        people = people.select(pair=pair)
    if not hasattr(people, "metaeval"):
        raise AdjudgeError(f"{human[0]}: holds edits; metrics are set beside rankings or scores")
    metrics = given[0] if len(given) == 1 else given[0] + given[1]
    if table is not None:
        _refuse_beside_table(options_given)
        chosen = {"scale": scale, "normalise": normalise, "include_reference": include_reference}
        show([people.metaeval_table(metrics, table=table, **chosen)], to, output)
        return
    asked: dict[str, Any] = {
        "level": level,
        "statistic": statistic,
        "tau": tau,
        "average_by": average_by,
        "undefined": undefined,
        "method": method,
        "scale": scale,
        "normalise": normalise,
        "include_reference": include_reference,
        "without_outliers": without_outliers,
        "leave_out_of_average": leave_out_of_average,
        "unit": unit,
        "replicates": replicates,
        "seed": seed,
        "confidence": confidence,
        "correction": correction,
        "test": test,
        "p_values": p_values,
        "against": against,
    }
    result = people.metaeval(metrics, **asked)
    if figure is not None:
        result.plot().save(figure)
    if report is not None:
        people.metaeval_report(report, metrics, **asked)
    show([result], to, output)


def _refuse_beside_table(given: Given) -> None:
    """A published table has its own statistics."""
    from adjudge.core.errors import AdjudgeError

    for name in _NOT_WITH_TABLE:
        if name in given:
            flag = f"--{name.replace('_', '-')}"
            raise AdjudgeError(f"--table has its own statistics: leave out {flag}")


def _sides(files: list[str], pair: list[str], scale: list[str]) -> tuple[list[str], list[str]]:
    """Files by people, and folders of scores by metrics: an mt-metrics-eval folder has both."""
    from adjudge.core.errors import AdjudgeError

    human: list[str] = []
    metrics: list[str] = []
    for given in files:
        folder = Path(given)
        if not folder.is_dir():
            human.append(given)
            continue
        found = sorted((folder / "human-scores").glob("*.seg.score"))
        chosen = [
            each
            for each in found
            if (not pair or each.name.split(".")[0] in pair)
            and (not scale or each.name.removesuffix(".seg.score").partition(".")[2] in scale)
        ]
        if not chosen:
            there = ", ".join(each.name.removesuffix(".seg.score") for each in found) or "nothing"
            raise AdjudgeError(
                f"{given}: human-scores/ has {there}; is it an mt-metrics-eval folder with this "
                "--pair and --scale?"
            )
        human += map(str, chosen)
        pairs = sorted({each.name.split(".")[0] for each in chosen})
        metrics += [
            str(folder / "metric-scores" / each)
            for each in pairs
            if (folder / "metric-scores" / each).is_dir()
        ]
    return human, metrics
