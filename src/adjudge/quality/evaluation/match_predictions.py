"""Matching of predictions with the data: reordered, and refused if they do not fit.

Predictions may cover all rows of the data or those with a known truth.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.errors import BadParameter, InputError, NotEnoughData
from adjudge.quality.evaluation.submissions import Submission
from adjudge.quality.quantities import Quantity
from adjudge.quality.tasks.words import Labels, WordTask, coded
from adjudge.quality.translations import Codes
from adjudge.stats.resampling import Floats


def refuse_same_names(submissions: Sequence[Submission]) -> None:
    """Refuse submissions with equal names."""
    names = [submission.name for submission in submissions]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise BadParameter(
                f"{submissions[place].file}: a second submission is called {name}; rename one"
            )


def row_order(submission: Submission, table: pl.DataFrame, known: Codes) -> NDArray[np.int64]:
    """Line of the submission (from 0) for every row in `known` of the data."""
    lines = submission.lines
    if lines not in (len(table), len(known)):
        raise InputError(
            f"has {lines:,} predictions, the data have {len(table):,}; give one for each",
            file=submission.file,
            line=min(lines, len(table)) + 1,
        )
    if submission.segment is None:
        return known if lines == len(table) else np.arange(len(known))
    wanted = table["segment"].to_list() if lines == len(table) else None
    place = _places(submission, wanted or [table["segment"][int(row)] for row in known])
    return place[known] if wanted else place


def _places(submission: Submission, segments: list[str]) -> NDArray[np.int64]:
    """Line of every segment, by its name or, if segments are numbered, by its number."""
    given = submission.segment or ()
    if list(given) == segments:  # in the order of the data, where several may be of one segment
        return np.arange(len(segments))
    place = {name: line for line, name in enumerate(given)}
    if len(place) < len(given):
        twice = next(name for line, name in enumerate(given) if place[name] != line)
        line = max(line for line, name in enumerate(given) if name == twice) + 1
        raise InputError(f"predicts segment {twice} twice", file=submission.file, line=line)
    if set(segments) != place.keys():
        for first in (1, 0):
            numbers = [str(first + number) for number in range(len(segments))]
            if set(numbers) == place.keys():
                segments = numbers
                break
        else:
            unknown = next((name for name in given if name not in set(segments)), given[0])
            raise InputError(
                f"segment {unknown[:60]} is not among the data; call segments as the data do, or "
                "number them from 1",
                file=submission.file,
                line=place[unknown] + 1,
            )
    return np.array([place[name] for name in segments])


def predicted_numbers(
    submission: Submission, quantity: Quantity, table: pl.DataFrame, known: Codes
) -> tuple[Floats | None, Floats]:
    """Predicted values, if any, and the goodness by which translations are ordered."""
    goodness = submission.numbers(ranks_first=True)
    if goodness is None:
        raise InputError("predicts labels, not numbers", file=submission.file, line=1)
    order = row_order(submission, table, known)
    score = None if submission.score is None else submission.score[order]
    if score is not None and quantity.name == "hter" and np.median(score) > 1:
        raise InputError(
            f"half of its predictions are above 1 (their median is {np.median(score):g}), but HTER "
            "lies between 0 and 1; divide by 100",
            file=submission.file,
        )
    if submission.rank is not None or score is None:
        return score, goodness[order]
    return score, quantity.sign * score


def predicted_ranks(submission: Submission, table: pl.DataFrame) -> Floats:
    """Predicted goodness of every candidate in data order; plain numbers are ranks.

    In a column `score`, higher is better.
    """
    goodness = submission.numbers(ranks_first=True)
    if goodness is None:
        raise InputError("predicts labels, not ranks", file=submission.file, line=1)
    in_order = replace(submission, segment=None)  # candidates of a segment share its name
    order = row_order(in_order, table, np.arange(len(table)))
    if submission.system is not None:
        wrong = np.flatnonzero(np.array(submission.system) != table["system"].to_numpy())
        if len(wrong):
            raise InputError(
                f"candidate {wrong[0] + 1} is of {submission.system[wrong[0]]}, in the data of "
                f"{table['system'][int(wrong[0])]}; keep the order of the data",
                file=submission.file,
            )
    return -goodness[order] if submission.plain else goodness[order]


def predicted_labels(
    submission: Submission, task: WordTask, table: pl.DataFrame, known: Codes
) -> Labels:
    """Predicted label of every word."""
    if submission.tags is None:
        raise InputError("predicts numbers, not labels of words", file=submission.file, line=1)
    order = row_order(submission, table, known)
    lengths = np.diff(task.start)
    for place, line in enumerate(order):
        if len(submission.tags[line]) != lengths[place]:
            raise InputError(
                f"has {len(submission.tags[line])} labels for the {lengths[place]} words of the "
                "translation; give one for each word",
                file=submission.file,
                line=int(line) + 1,
            )
    try:
        return coded([tag for line in order for tag in submission.tags[line]], task.labels)
    except NotEnoughData as error:
        raise InputError(str(error), file=submission.file) from None
