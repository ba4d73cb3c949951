"""Several goals over one pool: objectives whose statistics stand beside each other.

A goal is written as an objective prints itself: `bleu`, `exact-match + bleu` (equal shares) or
`0.7 bleu + 0.3 ter`. In one pool with the statistics of all goals, what was tuned towards one goal
can be scored by another, candidate by candidate.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from adjudge.core.errors import BadParameter
from adjudge.metrics.metric import Metric, References
from adjudge.tuning.candidate_statistics import count
from adjudge.tuning.candidates import Candidates, Floats
from adjudge.tuning.objective import Objective
from adjudge.tuning.pool import Pool, pooled

_BETWEEN = re.compile(r"\+(?![^()]*\))")  # a plus that is not within parentheses
_PART = re.compile(r"(?:(\d*\.?\d+)\s+)?(\S.*)")


@dataclass(frozen=True)
class Goal:
    """An objective, and its columns among the statistics of the pool."""

    name: str  # as it was asked for
    objective: Objective
    first: int
    end: int

    def __str__(self) -> str:
        return self.name

    def values(self, sums: Floats) -> Floats:
        """The objective of summed statistics of all goals, as people know it."""
        return self.own_values(sums[..., self.first : self.end])

    def own_values(self, sums: Floats) -> Floats:
        """The same of its own statistics."""
        return self.objective.shown(self.objective.values(sums))

    def of(self, pool: Pool) -> Pool:
        """The pool as it is tuned on towards this goal: without the other statistics."""
        own = np.ascontiguousarray(pool.statistics[:, self.first : self.end])
        return replace(pool, statistics=own, objective=self.objective)


def read_goal(text: str) -> tuple[list[str], list[float] | None]:
    """The metrics of a goal, and their shares where they are said."""
    metrics, shares = [], []
    for part in _BETWEEN.split(text):
        found = _PART.fullmatch(part.strip())
        if found is None:
            raise BadParameter(
                f"`metric` {text!r} lacks a name beside a +; write it as 'bleu + ter' or "
                "'0.7 bleu + 0.3 ter'"
            )
        metrics.append(found[2])
        shares += [float(found[1])] if found[1] else []
    if shares and len(shares) < len(metrics):
        raise BadParameter(f"`metric` {text!r} has shares of some metrics only; give each one")
    return metrics, shares or None


def pool_of_goals(
    lists: Sequence[Candidates],
    goals: Sequence[str],
    metric_of: Callable[[str], Metric],
    references: References,
) -> tuple[Pool, tuple[Goal, ...]]:
    """All lists as one pool, counted by the metrics of every goal."""
    counted, made, first = [], [], 0
    for text in goals:
        names, shares = read_goal(text)
        statistics, objective = count(
            lists, [metric_of(name) for name in names], references, shares
        )
        counted.append(statistics)
        end = first + statistics[0].shape[1]
        made.append(Goal(text.strip(), objective, first, end))
        first = end
    if len({str(goal.objective) for goal in made}) < len(made):
        raise BadParameter("name each `metric` once; one beside itself says nothing")
    beside = [np.column_stack(own) for own in zip(*counted, strict=True)]
    return pooled(lists, beside, made[0].objective), tuple(made)
