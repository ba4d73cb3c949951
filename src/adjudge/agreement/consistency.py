"""How one judge agrees with others, or with themselves, and for whom that holds.

Intervals are by the rule of the whole (`crossed`), with P(E) as it is. What this judge says is
given; what varies are the others who judged the same, and the texts.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from adjudge.agreement.chance import Floats, corrected, known, ratio
from adjudge.agreement.chance_corrected import cohen_expected
from adjudge.agreement.conventions import Evidence
from adjudge.agreement.crossed_variance import coefficient_spreads, kappa_ends, population, resolved
from adjudge.agreement.intervals import interval_ends
from adjudge.agreement.labels import Ints, Kind, Labels, Matches, dense
from adjudge.stats.resampling import Resampling, Unit
from adjudge.stats.tests import Ends


@dataclass(frozen=True)
class Consistency:
    """How one judge agrees with others, or with themselves."""

    agree: int
    comparable: int
    kappa: float | None  # P(E) from everybody's ties
    low: float | None
    high: float | None
    cohen: float | None  # P(E) from the judges' own ties
    unit: Unit  # that was taken
    holds_for: str | None  # whom the interval holds for; None: nothing is comparable

    def row(self, prefix: str) -> dict[str, Any]:
        """Flat keys that begin with `prefix`."""
        return {
            f"{prefix}_agree": self.agree,
            f"{prefix}_comparable": self.comparable,
            f"{prefix}_kappa": self.kappa,
            f"{prefix}_kappa_low": self.low,
            f"{prefix}_kappa_high": self.high,
            f"{prefix}_cohen": self.cohen,
            f"{prefix}_unit": self.unit,
            f"{prefix}_holds_for": self.holds_for,
        }


@dataclass(frozen=True)
class LabelUse:
    """How all labels were used, more than those that can be compared."""

    p_e: float  # from everybody's ties
    shares: Floats  # (judges, categories): each judge's own


def consistencies(
    labels: Labels, kind: Kind, use: LabelUse, resampling: Resampling
) -> list[Consistency]:
    """One per judge, from the labels that share an item with another."""
    across = kind == "inter"
    evidence = Evidence(labels, across, not across, np.ones(len(labels), bool))
    matches = evidence.matches
    columns = [
        np.bincount(labels.judge, column, len(labels.judges))
        for column in (matches.agree, matches.comparable, cohen_expected(evidence, use.shares))
    ]
    ends = 1 if across else 2  # how often a pair of labels is met among one judge's labels
    p_a = ratio(columns[0], columns[1])
    kappa = corrected(p_a, use.p_e)
    cohen = corrected(p_a, ratio(columns[2], columns[1]))
    compared = _Compared(labels.where(matches.comparable > 0))
    results = []
    for j in range(len(labels.judges)):
        own = compared.with_others(j) if across else compared.with_themselves(j)
        unit = resolved(resampling, own).unit
        people = "compared with" if across else "by"
        results.append(
            Consistency(
                int(columns[0][j]) // ends,
                int(columns[1][j]) // ends,
                known(kappa[j]),
                *_interval(own, use.p_e, unit, resampling.level),
                known(cohen[j]),
                unit,
                population(own, unit, people) if columns[1][j] else None,
            )
        )
    return results


class _Compared:
    """The labels that have something to be compared with, to be found by judge and by item."""

    def __init__(self, labels: Labels) -> None:
        item = dense(labels.item)
        order = np.argsort(item, kind="stable")
        self._labels = labels.where(order)
        self._item = item[order]
        self._starts = np.searchsorted(self._item, np.arange(int(item.max(initial=-1)) + 2))
        judge = self._labels.judge
        self._by_judge = np.argsort(judge, kind="stable")
        self._of_judge = np.searchsorted(judge[self._by_judge], np.arange(len(labels.judges) + 1))

    def _mine(self, judge: int) -> Ints:
        return self._by_judge[self._of_judge[judge] : self._of_judge[judge + 1]]

    def with_themselves(self, judge: int) -> Evidence:
        """A judge's own repeats."""
        labels = self._few(self._mine(judge))
        return Evidence(labels, across=False, within=True, counted=np.ones(len(labels), bool))

    def with_others(self, judge: int) -> Evidence:
        """The labels of others that a judge's are compared with."""
        mine = self._mine(judge)
        items, place = np.unique(self._item[mine], return_inverse=True)
        sizes = self._starts[items + 1] - self._starts[items]
        on_them = np.arange(int(sizes.sum())) + np.repeat(
            self._starts[items] - np.cumsum(sizes) + sizes, sizes
        )
        theirs = self._labels.judge[on_them] != judge
        others, item = on_them[theirs], np.repeat(np.arange(len(items)), sizes)[theirs]
        k = len(self._labels.categories)
        label = self._labels.label
        said = np.bincount(place * k + label[mine], minlength=len(items) * k)
        met = said.reshape(len(items), k).sum(axis=1)
        matches = Matches(said[item * k + label[others]], met[item])
        labels = self._few(others)
        every = np.ones(len(labels), bool)
        # Every pair has one end among these labels, so that it belongs to one judge.
        return Evidence(labels, across=False, within=False, counted=every, only=matches)

    def _few(self, rows: Ints) -> Labels:
        """Some labels, coded by themselves; their judges are known, or nothing would compare."""
        few = self._labels.where(rows)
        codes = [np.unique(code, return_inverse=True)[1] for code in (few.judge, few.segment)]
        names = tuple(map(str, range(int(codes[0].max(initial=-1)) + 1)))
        return replace(few, item=self._item[rows], judge=codes[0], segment=codes[1], judges=names)


def _interval(evidence: Evidence, p_e: float, unit: Unit, level: float) -> Ends:
    """Of κ, with P(E) as it is."""
    columns = evidence.columns[:, :2].astype(float)
    agree, comparable = columns.sum(axis=0)

    def kappa(sums: Floats) -> Floats:
        return corrected(ratio(sums[..., 0], sums[..., 1]), p_e)

    value = kappa(np.array([[agree, comparable]]))
    spreading = coefficient_spreads(evidence, columns, 2, kappa, unit) if comparable else None
    if spreading is None or not np.isfinite(value[0]):
        return (None, None)
    spread = spreading.variance, spreading.degrees
    pairs = comparable / 2 if evidence.within else comparable
    return interval_ends(*kappa_ends(value, np.array([p_e]), *spread, pairs, level))[0]
