"""Objectives of tuning: a metric, or several interpolated.

What tuning makes as high as it can: a metric, or several of them interpolated.

    objective = Σ share · value,   value = metric, or 100 − metric where lower is better

Shares add up to 1. (Moses says 1 − error; our errors go to 100.) `scores:NAME` is the mean of
scores that candidates bring along, by a metric of segments or by quality estimation. Whatever gives
numbers that add up over sentences, and a function of their sums, can be a term: every metric of
`adjudge metrics` that reads words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
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
from adjudge.tuning.candidates import Floats, Numbers

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
