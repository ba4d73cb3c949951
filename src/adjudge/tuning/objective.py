"""Objectives of tuning: a metric, or several interpolated.

What tuning makes as high as it can: a metric, or several of them interpolated.

    objective = Σ share · value,   value = metric, or 100 − metric where lower is better

Shares add up to 1. (Moses says 1 − error; our errors go to 100.) `scores:NAME` is the mean of
scores that candidates bring along, by a metric of segments or by quality estimation. Whatever gives
numbers that add up over sentences, and a function of their sums, can be a term: every metric of
`adjudge metrics` that reads words.

Several goals over one pool: objectives whose statistics stand beside each other.

A goal is written as an objective prints itself: `bleu`, `exact-match + bleu` (equal shares) or
`0.7 bleu + 0.3 ter`. In one pool with the statistics of all goals, what was tuned towards one goal
can be scored by another, candidate by candidate.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from adjudge.core.errors import BadParameter
from adjudge.metrics.catalogue.bleu import Bleu
from adjudge.metrics.catalogue.cder import Cder
from adjudge.metrics.catalogue.moses_ter import MosesTer
from adjudge.metrics.catalogue.per import Per
from adjudge.metrics.catalogue.ter import Ter
from adjudge.metrics.catalogue.wer import Wer
from adjudge.metrics.edits import mean_of
from adjudge.metrics.metric import Metric, References, Statistics, metric_named
from adjudge.tuning import kernels
from adjudge.tuning.candidate_statistics import count
from adjudge.tuning.candidates import Candidates, Floats, Numbers
from adjudge.tuning.pool import Pool, pooled

_SCORES = "scores:"
_KINDS: dict[type[Metric], int] = {Per: kernels.PER}
_KINDS |= dict.fromkeys((Wer, Cder, Ter, MosesTer), kernels.RATE)


@dataclass(frozen=True)
class Share(Metric):
    """A metric whose value is the first statistic over the second, whatever else it counts."""

    def values(self, sums: Floats) -> Floats:
        """Their ratio, 0 where there is nothing."""
        return mean_of(sums)


@dataclass(frozen=True)
class GivenScores(Share):
    """The mean of scores that candidates bring along."""

    name: ClassVar[str] = "scores"
    title: ClassVar[str] = "scores"
    summary: ClassVar[str] = "mean of given scores of segments"
    paper: ClassVar[str] = ""
    scale: ClassVar[str] = "that of the scores"

    of: str = ""

    def statistics(self, references: References) -> Statistics:
        """They are given, not counted."""
        raise BadParameter(f"`metric` {self} is given with the candidates, not counted")

    def __str__(self) -> str:
        return f"{_SCORES}{self.of}"

    @property
    def short(self) -> str:
        """As it is asked for."""
        return str(self)


@dataclass(frozen=True)
class Term:
    """A metric of the objective: its share, and its columns among the statistics."""

    metric: Metric
    share: float
    first: int
    end: int

    def gain(self, sums: Floats) -> Floats:
        """Its value with higher ones better."""
        value = self.metric.values(sums[..., self.first : self.end])
        return value if self.metric.higher_is_better else np.asarray(100 - value)


@dataclass(frozen=True)
class Compiled:
    """An objective whose metrics the kernels know."""

    kinds: Numbers
    firsts: Numbers
    orders: Numbers
    shares: Floats


@dataclass(frozen=True)
class Objective:
    """Metrics with their shares, over the columns of a pool's statistics."""

    terms: tuple[Term, ...]

    def values(self, sums: Floats) -> Floats:
        """The objective of summed statistics, from (…, statistics) to (…)."""
        return np.asarray(sum(term.share * term.gain(sums) for term in self.terms))

    def value(self, sums: Floats) -> float:
        """The same of one corpus; fast, for the search asks at every step."""
        own = self.compiled
        if own is None:
            return float(self.values(sums))
        return float(kernels.score(sums, own.kinds, own.firsts, own.orders, own.shares))

    @property
    def single(self) -> Metric | None:
        """The metric, where there is but one."""
        return self.terms[0].metric if len(self.terms) == 1 else None

    @property
    def higher_is_better(self) -> bool:
        """As people know it; only a single error is better the lower it is."""
        return self.single is None or self.single.higher_is_better

    def shown(self, values: Floats) -> Floats:
        """Values as people know them: those of a single error are errors again."""
        return values if self.higher_is_better else np.asarray(100 - values)

    def __str__(self) -> str:
        if self.single is not None:
            return self.single.short
        return " + ".join(f"{term.share:g} {term.metric.short}" for term in self.terms)

    @cached_property
    def compiled(self) -> Compiled | None:
        """For the kernels; None where a metric is not among those they know."""
        kinds = [_kind(term.metric) for term in self.terms]
        if None in kinds:
            return None
        orders = [getattr(term.metric, "order", 0) for term in self.terms]
        return Compiled(
            np.array(kinds, np.int64),
            np.array([term.first for term in self.terms], np.int64),
            np.array(orders, np.int64),
            np.array([term.share for term in self.terms], np.float64),
        )


def _kind(metric: Metric) -> int | None:
    """Which of the kernels' metrics it is; a subclass that scores otherwise is none."""
    scored = (type(metric).values, getattr(type(metric), "_score", None))
    if isinstance(metric, Bleu) and scored == (Bleu.values, Bleu._score):
        if metric.effective not in ("auto", "no"):
            return None
        smoothed = {"none": kernels.BLEU, "exp": kernels.BLEU_SMOOTHED}
        return smoothed.get(metric.smooth)
    if isinstance(metric, Share):
        return kernels.MEAN
    return _KINDS.get(type(metric))


def tunable(signature: str | Metric) -> Metric:
    """The metric of a signature, `scores:NAME` included; one that reads no words is refused."""
    if isinstance(signature, str) and signature.startswith(_SCORES):
        return GivenScores(signature.removeprefix(_SCORES))
    metric = metric_named(signature)
    if metric.reads != "words":
        raise BadParameter(f"`metric` {metric.short} reads {metric.reads}; candidates are words")
    return metric


def shares_of(number: int, shares: Sequence[float] | None) -> list[float]:
    """The share of each of so many metrics, by default the same."""
    if not shares:
        return [1 / number] * number
    if len(shares) != number:
        raise BadParameter(f"`share` has {len(shares)} numbers for {number} metrics; give one each")
    if min(shares) <= 0 or not np.isfinite(sum(shares)):
        raise BadParameter(f"`share` is above 0, not {min(shares):g}")
    return [share / sum(shares) for share in shares]


def interpolated(
    metrics: Sequence[Metric], widths: Sequence[int], shares: Sequence[float] | None = None
) -> Objective:
    """Metrics whose statistics, so many columns each, stand beside each other."""
    firsts = np.concatenate([[0], np.cumsum(widths)]).tolist()
    each = shares_of(len(metrics), shares)
    return Objective(
        tuple(
            Term(metric, share, first, end)
            for metric, share, first, end in zip(metrics, each, firsts, firsts[1:], strict=False)
        )
    )


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
