"""Tuning with a decoder in the loop."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.api.nbest_io import hash_of, segment_database
from adjudge.api.result import Result
from adjudge.api.search_settings import Names, Searching, names_of
from adjudge.core.errors import BadParameter
from adjudge.core.files.input_file import InputFile
from adjudge.core.parallel import Engine
from adjudge.core.signature import Signature
from adjudge.stats.resampling import Resampling

if TYPE_CHECKING:
    from adjudge.metrics.metric import Metric
    from adjudge.tuning.decoder import Decoder
    from adjudge.tuning.line_search import Neighbours
    from adjudge.tuning.loop import Loop
    from adjudge.tuning.search import Choice, Directions


def tune_decoder(
    decoder: str,
    *,
    reference: Names = (),
    weights: str | Mapping[str, float],
    folder: str,
    iterations: int = 10,
    metric: "str | Metric | Iterable[str | Metric]" = "bleu",
    share: Sequence[float] | None = None,
    segments: Names = (),
    test_decoder: str | None = None,
    test_reference: Names = (),
    tuner: str = "mert",
    restarts: int = 20,
    rounds: int = 3,
    directions: "Directions" = "axes",
    random_directions: int = 20,
    neighbours: "Neighbours" = "none",
    window: int = 3,
    choice: "Choice" = "best",
    positive: Names = (),
    negative: Names = (),
    frozen: Names = (),
    replicates: int = 1000,
    level: float = 0.95,
    seed: int = 1,
    workers: int = 1,
    engine: str | None = None,
) -> "Result[Loop]":
    """Tune a decoder: decode, merge its list with those before, tune, and again.

    Parameters
    ----------
    decoder : str
        A command that reads the file of weights {weights} and writes its n-best list to {nbest},
        or prints it. What it decodes is its own affair; it is the same each time.
    reference : str or iterable of str
        The file of the reference of these sentences, or of several.
    weights : str or mapping of str to float
        Where the loop begins: a file, or a weight for every feature, by name.
    folder : str
        Where weights, lists and scores of all iterations are kept. A loop that was stopped goes on
        from there.
    iterations : int
        How often the decoder is asked, at most.
    metric, share : optional
        As for `Candidates.tune`.
    segments : str or iterable of str
        Judgements of short segments of these sentences, to be tuned towards.
    test_decoder : str, optional
        The command that decodes other sentences, with the first and with the best weights.
    test_reference : str or iterable of str
        Their reference.
    tuner : str
        "mert", "pro", "mira" or "expected".
    restarts, rounds, directions, random_directions, neighbours, window, choice
        As for `Candidates.tune`.
    positive, negative, frozen : str or iterable of str
        As for `Candidates.tune`.
    replicates, level
        Of the bootstrap of sentences for intervals.
    seed : int
        Makes everything that is drawn repeatable; every iteration draws anew.
    workers : int
        Threads, or processes, to search with; results are the same on any number.
    engine : str, optional
        A Dask cluster instead, as ``dask://HOST:PORT``.

    Returns
    -------
    Result
        One `Loop`: `iterations`, and `weights` with the best decoded score.

    Raises
    ------
    BadParameter
        If a parameter cannot be, or the folder is of another loop.
    AdjudgeError
        If the decoder fails or its list is not whole; what was done before is kept.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> lines = ["0 ||| the cat ||| lm=-2 tm=-1", "0 ||| cat the ||| lm=-1 tm=-2"]
    >>> for name, text in {"list": "\\n".join(lines), "reference": "the cat"}.items():
    ...     with open(os.path.join(folder, name), "w") as file:
    ...         _ = file.write(text)
    >>> looped = adjudge.tune_decoder(  # this decoder knows one list only
    ...     f"sh -c 'cat {folder}/list # {{weights}}'",
    ...     reference=os.path.join(folder, "reference"),
    ...     weights={"lm": 1, "tm": 0.5},
    ...     folder=os.path.join(folder, "work"),
    ...     metric="wer",
    ... )
    >>> looped.ended, len(looped.iterations)
    ('nothing new', 2)
    """
    from adjudge.tuning.decoder import Decoder
    from adjudge.tuning.loop import LoopFolder, Task, run_loop
    from adjudge.tuning.read_nbest import read_references
    from adjudge.tuning.tuner import TUNERS

    references, ranked, tested = map(names_of, (reference, segments, test_reference))
    metrics, shares = _metrics(metric, share, ranked)
    searching = Searching(
        restarts,
        rounds,
        directions,
        random_directions,
        neighbours,
        window,
        choice,
        positive,
        negative,
        frozen,
    )
    task = Task(
        Decoder(decoder),
        read_references(references),
        metrics,
        shares,
        TUNERS.named(tuner),
        searching.search(seed),
        searching.limits,
        Resampling("segment", replicates, seed, level),
        _test_decoder(test_decoder, tested, ranked),
        read_references(tested),
    )
    start = _start(weights)
    asked = {
        "decoder": decoder,
        "weights": start,
        "metric": [str(each) for each in metrics],
        "share": shares,
        "test_decoder": test_decoder,
        "tuner": tuner,
        **searching.told,
        "seed": seed,
    }
    digest = f"sha256-{hash_of(map(InputFile, [*references, *ranked, *tested]))}"
    kept = LoopFolder(Path(folder))
    with kept.begun({**asked, "input": digest}):
        loop = run_loop(task, start, kept, iterations, Engine(workers, engine))
    told = {**asked, "iterations": iterations, "replicates": replicates, "level": level}
    return Result((loop,), Signature("tune_decoder", {}, told, digest))


def _metrics(
    metric: "str | Metric | Iterable[str | Metric]",
    share: Sequence[float] | None,
    ranked: list[str],
) -> "tuple[list[Metric], list[float]]":
    """What to tune towards, and how much each counts."""
    from adjudge.tuning.objective import shares_of
    from adjudge.tuning.segranks import metric_of_segments

    given = [metric] if not isinstance(metric, Iterable) or isinstance(metric, str) else metric
    database = segment_database(ranked) if ranked else None
    metrics = [metric_of_segments(each, database) for each in given]
    if not metrics:
        raise BadParameter("name a `metric`; `adjudge.METRICS` lists them")
    return metrics, shares_of(len(metrics), share)


def _start(weights: str | Mapping[str, float]) -> dict[str, float]:
    """The first weights by name: the features are not known before the first list."""
    from adjudge.tuning.weights import named_weights, weights_of

    start = named_weights(weights) if isinstance(weights, str) else dict(weights)
    weights_of(start, tuple(start))  # finite, and not all 0
    return {name: float(weight) for name, weight in start.items()}


def _test_decoder(
    command: str | None, references: list[str], ranked: list[str]
) -> "Decoder | None":
    """The decoder of other sentences, which have a reference of their own."""
    from adjudge.tuning.decoder import Decoder

    if (command is None) != (not references):
        raise BadParameter("`test_decoder` and `test_reference` go together; give both or none")
    if command is not None and ranked:
        raise BadParameter("`segments` are of other sentences than `test_decoder` decodes")
    return None if command is None else Decoder(command)
