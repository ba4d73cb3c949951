"""Predictions of quality beside the truth."""

import hashlib
from typing import TYPE_CHECKING, Any

from adjudge.api.result import Result
from adjudge.core.signature import Signature

if TYPE_CHECKING:
    from adjudge.quality.evaluation.system_ranking import QualityEvaluation
    from adjudge.stats.resampling import Unit


def evaluate_quality(
    gold: str,
    *predictions: str,
    task: str | None = None,
    predict: str | None = None,
    higher_is_better: bool | None = None,
    labels: str = "binary",
    baseline: str | None = None,
    oracles: bool = True,
    split: str | None = None,
    pair: str | None = None,
    unit: "Unit" = "auto",
    replicates: int = 10_000,
    seed: int = 1,
    confidence: float = 0.95,
) -> "Result[QualityEvaluation]":
    """How good predictions of quality are: the tables of WMT13 §6.8.

    Parameters
    ----------
    gold : str
        Data with the truth: a folder, the beginning that the names of files share, or a file, in
        any layout of docs/quality.md.
    *predictions : str
        Files of predictions, one a submission.
    task : {"scoring", "selection", "time", "words"}, optional
        Task 1.1, 1.2, 1.3 or 2; by default what data and predictions fit.
    predict : str, optional
        The number that was predicted, as "hter" or "effort", where the data have several.
    higher_is_better : bool, optional
        Of a number that is none of ours: is a higher one better?
    labels : {"binary", "edits"}
        Of words: OK and BAD, or keep, substitute and delete.
    baseline : str, optional
        The submission that others are held against; by default the one with "baseline" in its
        name, or the baseline that the task itself has.
    oracles : bool
        Show what somebody would reach who sees post-edits or references.
    split, pair : str, optional
        Only this part of the data ("test"), only this language pair.
    unit : {"auto", "segment", "document", "none"}
        What is drawn; "auto" draws documents where at least ten are known.
    replicates, seed, confidence
        How often is drawn, from which seed, and the level of intervals.

    Returns
    -------
    Result
        One `QualityEvaluation` a table.

    Raises
    ------
    InputError
        If data and predictions do not fit each other; the message names file and line.
    BadParameter
        If a parameter is none that there is.
    NotEnoughData
        If the data do not hold the truth of the task.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> def file(name, numbers):
    ...     with open(os.path.join(folder, name), "w") as stream:
    ...         _ = stream.write("".join(f"{number}\\n" for number in numbers))
    ...     return os.path.join(folder, name)
    >>> gold = file("test.hter", [0.1, 0.2, 0.4, 0.9, 0.3, 0.0])
    >>> ours = file("ours.txt", [0.2, 0.2, 0.3, 0.8, 0.1, 0.1])
    >>> scoring = adjudge.evaluate_quality(gold, ours)[1]
    >>> [round(float(value), 2) for value in scoring.values[0]]
    [10.0, 11.55, 0.93]
    """
    from adjudge.quality.evaluation.evaluate import evaluate
    from adjudge.quality.evaluation.submissions import read_submission
    from adjudge.quality.reading import read_quality
    from adjudge.stats.resampling import Resampling

    resampling = Resampling(unit, replicates, seed, confidence)
    data = read_quality([gold], split=split, pair=pair)
    submissions = [read_submission(path) for path in predictions]
    asked: dict[str, Any] = {
        "task": task,
        "predict": predict,
        "higher_is_better": higher_is_better,
        "labels": labels,
        "baseline": baseline,
        "oracles": oracles,
    }
    parts = evaluate(data.table, submissions, resampling, **asked)
    asked |= {"split": split, "pair": pair, "unit": unit, "replicates": replicates}
    asked |= {"seed": seed, "confidence": confidence}
    told = {name: value for name, value in asked.items() if value is not None}
    digests = [data.hash, *(submission.sha256 for submission in submissions)]
    digest = hashlib.sha256("\n".join(digests).encode()).hexdigest()
    return Result(tuple(parts), Signature("evaluate_quality", {}, told, f"sha256-{digest}"))
