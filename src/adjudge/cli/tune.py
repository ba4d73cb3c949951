"""`adjudge tune`: weights of features that make the best candidates win."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from adjudge.cli.options import CheckpointFile, Format, Output, show
from adjudge.cli.parser import option
from adjudge.cli.tune_options import (
    Confidence,
    Directions,
    Frozen,
    Lists,
    Negative,
    Neighbours,
    Optimum,
    Positive,
    RandomDirections,
    ReferenceFiles,
    Replicates,
    ReportFile,
    Restarts,
    Rounds,
    Segments,
    Statistics,
    Weights,
    Window,
    Workers,
    many,
)
from adjudge.core.errors import BadParameter, within
from adjudge.core.options import EngineAddress, Seed

if TYPE_CHECKING:
    from adjudge.api.result import Result


_loop = partial(option, group="A decoder in the loop")


def tune(
    lists: Lists = [],  # noqa: B006
    reference: ReferenceFiles = [],  # noqa: B006
    statistics: Statistics = [],  # noqa: B006
    segments: Segments = [],  # noqa: B006
    metric: Annotated[
        list[str],
        option("--metric", "-m", help="By default bleu; several are interpolated."),
    ] = [],  # noqa: B006
    share: Annotated[list[float], many("--share", "How much each of several metrics counts")] = [],  # noqa: B006
    tuner: Annotated[list[str], many("--tuner", "mert, pro, mira or expected")] = ["mert"],  # noqa: B006
    weights: Weights = None,
    restarts: Restarts = 20,
    rounds: Rounds = 3,
    directions: Directions = "axes",
    random_directions: RandomDirections = 20,
    neighbours: Neighbours = "none",
    window: Window = 3,
    choice: Optimum = "best",
    positive: Positive = [],  # noqa: B006
    negative: Negative = [],  # noqa: B006
    frozen: Frozen = [],  # noqa: B006
    decoder: Annotated[
        str | None,
        _loop("--decoder", help="Instead of lists: the command that makes them."),
    ] = None,
    folder: Annotated[
        str, _loop("--folder", help="Where iterations are kept, and gone on from.")
    ] = "tuning",
    iterations: Annotated[
        int, _loop("--iterations", min=1, help="How often the decoder is asked, at most.")
    ] = 10,
    test_decoder: Annotated[
        str | None, _loop("--test-decoder", help="The command that decodes other sentences.")
    ] = None,
    test_reference: Annotated[
        list[str], _loop("--test-reference", help="Their reference (repeatable).")
    ] = [],  # noqa: B006
    demo: Annotated[
        bool, _loop("--demo", help="Train a decoder on a parallel corpus and tune that.")
    ] = False,
    corpus: Annotated[
        str | None,
        _loop(
            "--corpus", help="The folder of its texts. [default: Multi30k in ADJUDGE_SHARED_DATA]"
        ),
    ] = None,
    pair: Annotated[str, _loop("--pair", help="The language pair of --demo.")] = "en-de",
    hold_out: Annotated[
        float, option(help="The share of sentences that no tuner sees, to test on.")
    ] = 0.0,
    save_weights: Annotated[
        str | None, option(help="Write the weights of the first tuner to this file.")
    ] = None,
    save_chosen: Annotated[
        str | None, option(help="Write the texts that they choose, a line a sentence.")
    ] = None,
    save_pool: Annotated[
        str | None,
        option(help="Write the merged lists into this folder, as Moses' extractor does."),
    ] = None,
    report: ReportFile = None,
    replicates: Replicates = 1000,
    confidence: Confidence = 0.95,
    workers: Workers = 1,
    engine: EngineAddress = None,
    checkpoint: CheckpointFile = None,
    seed: Seed = 1,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Find weights of features with which the best candidates of n-best lists win."""
    from adjudge.api.decoder_tuning import tune_decoder
    from adjudge.api.nbest_io import read_candidates
    from adjudge.api.tuning_report import tuning_report
    from adjudge.core.files.checkpoint import resumable

    within(confidence, "confidence", 0, 1, open_ends=True)  # the door calls it level
    searching: dict[str, Any] = {
        "share": share or None,
        "restarts": restarts,
        "rounds": rounds,
        "directions": directions,
        "random_directions": random_directions,
        "neighbours": neighbours,
        "window": window,
        "choice": choice,
        "positive": positive,
        "negative": negative,
        "frozen": frozen,
        "replicates": replicates,
        "level": confidence,
        "seed": seed,
        "workers": workers,
        "engine": engine,
    }
    result: Result[Any]
    if demo:
        from adjudge.web.demo.tuning import tuned_decoder

        _refuse(
            "is nothing for the `demo`; leave it out",
            {
                "NBEST": lists,
                "`decoder`": decoder,
                "`reference`": reference,
                "`metric`": metric,
                "`checkpoint`": checkpoint,
            },
        )
        result = tuned_decoder(
            corpus, folder, pair, iterations=iterations, tuner=tuner[0], **searching
        )
    elif decoder is not None:
        _refuse(
            "is nothing for a `decoder`; leave it out",
            {"NBEST": lists, "`statistics`": statistics, "`hold_out`": hold_out}
            | {"`save_pool`": save_pool, "a second `tuner`": tuner[1:]}
            | {"`checkpoint`": checkpoint},  # the folder keeps what is done
        )
        if weights is None:
            raise BadParameter("give `weights` for the `decoder` to begin with, by name")
        result = tune_decoder(
            decoder,
            reference=reference,
            weights=weights,
            folder=folder,
            iterations=iterations,
            metric=metric or "bleu",
            segments=segments,
            test_decoder=test_decoder,
            test_reference=test_reference,
            tuner=tuner[0],
            **searching,
        )
    else:
        _refuse("needs a `decoder`", {"`test_decoder`": test_decoder})
        candidates = read_candidates(
            *lists, reference=reference, statistics=statistics, segments=segments
        )
        with resumable(checkpoint):
            result = candidates.tune(
                metric or None, tuner=tuner, weights=weights, hold_out=hold_out, **searching
            )
        if save_pool is not None:
            candidates.write_pool(save_pool, metric or "bleu", share or None)
    if save_weights is not None:
        result[0].write_weights(save_weights)
    if save_chosen is not None:
        result[0].write_chosen(save_chosen)
    if report is not None:
        tuning_report(report, result)
    show([result], to, output)


def _refuse(said: str, given: dict[str, object]) -> None:
    """Refuse what does not go with the rest."""
    for name, value in given.items():
        if value:
            raise BadParameter(f"{name} {said}")
