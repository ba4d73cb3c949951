"""Conventions for counting pairs of judgements: the sound one, and those of published tables.

`sound`, the default: two judgements of the same two outputs of the same segment are comparable
whatever order the outputs were shown in; `inter` is between different judges only, `intra`
within one judge only; P(E) comes from the ties among all comparisons, for both kinds alike
(Macháček 2014 §2.2.1 counted so).

`wmt15`, as the tables of WMT15 and WMT16 were made: two judgements are comparable only where
both showed the pair in the same order; `inter` also counts two judgements by one judge;
`intra` looks at a judge's comparisons on a segment only where that judge saw some pair of it
twice, and takes P(E) from those alone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from adjudge.agreement.labels import TIE, Ints, Kind, Labels, Matches, dense, pairwise_labels
from adjudge.core.errors import one_of
from adjudge.data.comparisons import Comparisons


@dataclass(frozen=True, eq=False)
class Evidence:
    """Labels of one kind of agreement, under one convention."""

    labels: Labels
    across: bool  # do labels of different judges compare?
    within: bool  # do labels of one judge compare?
    counted: NDArray[np.bool_]  # the labels that P(E) is taken from
    only: Matches | None = None  # the pairs of labels that count, where those are not all

    @cached_property
    def matches(self) -> Matches:
        """Number of comparable and agreeing labels, for every label."""
        if self.only is not None:
            return self.only
        if self.across and self.within:
            return self.labels.inter + self.labels.intra
        return self.labels.inter if self.across else self.labels.intra

    @property
    def columns(self) -> Ints:
        """Columns per label: agree and comparable (each pair from both its ends), tie, counted."""
        tie = self.counted & (self.labels.label == TIE)
        return np.column_stack([self.matches.agree, self.matches.comparable, tie, self.counted])


@dataclass(frozen=True)
class Convention:
    """Named convention for counting pairs."""

    name: str
    summary: str
    evidence: Callable[[Comparisons], Mapping[Kind, Evidence]]


def _sound(comparisons: Comparisons) -> Mapping[Kind, Evidence]:
    labels = pairwise_labels(comparisons)
    everything = np.ones(len(labels), bool)
    return {
        "inter": Evidence(labels, across=True, within=False, counted=everything),
        "intra": Evidence(labels, across=False, within=True, counted=everything),
    }


def _wmt15(comparisons: Comparisons) -> Mapping[Kind, Evidence]:
    labels = pairwise_labels(comparisons, ordered=True)
    everything = np.ones(len(labels), bool)
    seen = dense(labels.segment * len(labels.judges) + labels.judge)
    repeated = np.bincount(seen, labels.intra.comparable > 0) > 0
    return {
        "inter": Evidence(labels, across=True, within=True, counted=everything),
        "intra": Evidence(labels, across=False, within=True, counted=repeated[seen]),
    }


CONVENTIONS: Mapping[str, Convention] = {
    convention.name: convention
    for convention in (
        Convention(
            "sound",
            "the same two outputs in any order; inter between judges, intra within one",
            _sound,
        ),
        Convention(
            "wmt15",
            "as published for WMT15/16: only pairs shown in the same order; inter counts one "
            "judge's repeats too; intra takes P(E) from the segments a judge repeated",
            _wmt15,
        ),
    )
}


def convention_named(name: str) -> Convention:
    """Return the convention of that name; raise an error for an unknown name."""
    return CONVENTIONS[one_of(name, CONVENTIONS, "convention")]
