"""Sufficient statistics of candidates by metrics, against the references.

The first distinct text of every sentence forms one pseudo-system, the second another, and so on:
metrics count them like systems, and quantities taken from the references (such as NIST's
information) are those of the test set.
"""

from collections.abc import Callable, Sequence

import numpy as np

from adjudge.core.errors import BadParameter, InputError
from adjudge.metrics.metric import Metric, References, Statistics
from adjudge.tuning.candidates import Candidates, Floats
from adjudge.tuning.objective import GivenScores, Objective, interpolated

Counter = Callable[[Candidates], Floats]


def counter(metric: Metric, references: References) -> Counter:
    """Function that counts the candidates of a list; the references are read once."""
    if isinstance(metric, GivenScores):
        return lambda candidates: _given(candidates, metric.of)
    if not references:
        raise BadParameter(f"give a `reference`; {metric.short} compares candidates with one")
    counted = metric.statistics(references)
    return lambda candidates: _counted(candidates, counted, references)


def _given(candidates: Candidates, name: str) -> Floats:
    if name not in candidates.scores:
        known = ", ".join(candidates.scores) or "none"
        raise InputError(f"has no scores called {name!r}; there are: {known}", file=candidates.file)
    return np.column_stack([candidates.scores[name], np.ones(len(candidates))])


def _counted(candidates: Candidates, counted: Statistics, references: References) -> Floats:
    if candidates.sentences != len(references[0]):
        raise InputError(
            f"has candidates of {candidates.sentences:,} sentences, the reference has "
            f"{len(references[0]):,} lines; they must be parallel",
            file=candidates.file,
        )
    number = np.empty(len(candidates), np.int64)  # of a candidate's text among its sentence's
    distinct: list[list[str]] = []
    for first, end in zip(candidates.starts, candidates.starts[1:], strict=False):
        known: dict[str, int] = {}
        for place in range(first, end):
            number[place] = known.setdefault(candidates.texts[place], len(known))
        distinct.append(list(known))
    sentence = np.repeat(np.arange(candidates.sentences), np.diff(candidates.starts))
    result: Floats | None = None
    for which in range(int(number.max()) + 1):
        lines = tuple(own[which] if which < len(own) else "" for own in distinct)
        counts = counted(lines)
        if result is None:
            result = np.empty((len(candidates), counts.shape[1]))
        mine = number == which
        result[mine] = counts[sentence[mine]]
    assert result is not None  # a list has a candidate
    return result


def count(
    lists: Sequence[Candidates],
    metrics: Sequence[Metric],
    references: References,
    shares: Sequence[float] | None = None,
) -> tuple[list[Floats], Objective]:
    """Count every list by all metrics side by side; return the statistics and the objective."""
    counters = [counter(metric, references) for metric in metrics]
    each = [[count_list(candidates) for count_list in counters] for candidates in lists]
    widths = [counts.shape[1] for counts in each[0]]
    return [np.column_stack(counts) for counts in each], interpolated(metrics, widths, shares)
