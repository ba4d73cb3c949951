"""Objectives of tuning: a metric, or several interpolated.

Tuning maximises a metric, or an interpolation of several.

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
    """Metric whose value is the ratio of its first two statistics, whatever else it counts."""

    def values(self, sums: Floats) -> Floats:
        """Ratio of sums, 0 for a zero denominator."""
        return mean_of(sums)


@dataclass(frozen=True)
class GivenScores(Share):
    """Mean of scores supplied with the candidates."""

    name: ClassVar[str] = "scores"
    title: ClassVar[str] = "scores"
    summary: ClassVar[str] = "mean of given scores of segments"
    paper: ClassVar[str] = ""
    scale: ClassVar[str] = "that of the scores"

    of: str = ""

    def statistics(self, references: References) -> Statistics:
        """Refuse to count, since scores are supplied."""
        raise BadParameter(f"`metric` {self} is given with the candidates, not counted")

    def __str__(self) -> str:
        return f"{_SCORES}{self.of}"

    @property
    def short(self) -> str:
        """Name as given by the user."""
        return str(self)


@dataclass(frozen=True)
class Term:
    """Metric of the objective: its share, and its columns among the statistics."""

    metric: Metric
    share: float
    first: int
    end: int

    def gain(self, sums: Floats) -> Floats:
        """Value, oriented so that higher is better."""
        value = self.metric.values(sums[..., self.first : self.end])
        return value if self.metric.higher_is_better else np.asarray(100 - value)


@dataclass(frozen=True)
class Compiled:
    """Objective whose metrics are supported by the compiled kernels."""

    kinds: Numbers
    firsts: Numbers
    orders: Numbers
    shares: Floats


@dataclass(frozen=True)
class Objective:
    """Metrics with their shares, over the columns of a pool's statistics."""

    terms: tuple[Term, ...]

    def values(self, sums: Floats) -> Floats:
        """Objective of summed statistics, from (…, statistics) to (…)."""
        return np.asarray(sum(term.share * term.gain(sums) for term in self.terms))

    def value(self, sums: Floats) -> float:
        """Objective of a single corpus; fast, since it is evaluated at every search step."""
        own = self.compiled
        if own is None:
            return float(self.values(sums))
        return float(kernels.score(sums, own.kinds, own.firsts, own.orders, own.shares))

    @property
    def single(self) -> Metric | None:
        """Metric, if there is only one."""
        return self.terms[0].metric if len(self.terms) == 1 else None

    @property
    def higher_is_better(self) -> bool:
        """Test whether the displayed value is better if higher; false only for a single error
        metric.
        """
        return self.single is None or self.single.higher_is_better

    def shown(self, values: Floats) -> Floats:
        """Values for display: those of a single error metric are errors again."""
        return values if self.higher_is_better else np.asarray(100 - values)

    def __str__(self) -> str:
        if self.single is not None:
            return self.single.short
        return " + ".join(f"{term.share:g} {term.metric.short}" for term in self.terms)

    @cached_property
    def compiled(self) -> Compiled | None:
        """Parameters for the kernels; None if they do not support a metric."""
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
    """Kernel code of a metric; None for a subclass with its own scoring."""
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
    """Parse a metric signature, including `scores:NAME`; refuse metrics that do not read words."""
    if isinstance(signature, str) and signature.startswith(_SCORES):
        return GivenScores(signature.removeprefix(_SCORES))
    metric = metric_named(signature)
    if metric.reads != "words":
        raise BadParameter(f"`metric` {metric.short} reads {metric.reads}; candidates are words")
    return metric


def shares_of(number: int, shares: Sequence[float] | None) -> list[float]:
    """Shares of the metrics, equal by default."""
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
    """Interpolate metrics whose statistics are concatenated with these numbers of columns."""
    firsts = np.concatenate([[0], np.cumsum(widths)]).tolist()
    each = shares_of(len(metrics), shares)
    return Objective(
        tuple(
            Term(metric, share, first, end)
            for metric, share, first, end in zip(metrics, each, firsts, firsts[1:], strict=False)
        )
    )
