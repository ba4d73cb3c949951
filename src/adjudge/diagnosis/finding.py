"""Findings: a question about the judgements of one language pair, and its answer.


A module of `findings/` takes part by defining `FINDING` (one finding or a tuple of them).

What findings about single judges share: whom to accuse, and how to say it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from adjudge.core.registry import Registry
from adjudge.data.comparisons import MISSING
from adjudge.diagnosis.evidence import Evidence
from adjudge.diagnosis.order_change import Change, Numbers
from adjudge.diagnosis.wording import counted
from adjudge.stats.tests import adjusted

DetailRow = Mapping[str, Any]

NOTHING_TO_DO = "Nothing to do."


class Severity(IntEnum):
    """How much a finding could change the order of the systems."""

    unanswered = 0  # the judgements cannot say
    none = 1  # nothing beyond chance
    note = 2  # it is there, but no more than close systems change places
    warning = 3  # the order hangs on it: see `grade`


@dataclass(frozen=True, eq=False)
class Answer:
    """The number that answers the question, what it means and what to do about it."""

    severity: Severity
    meaning: str
    remedy: str = NOTHING_TO_DO
    value: float | None = None
    low: float | None = None  # 95 % interval
    high: float | None = None
    change: Change | None = None  # what setting the trouble aside does to the order
    details: Sequence[DetailRow] = field(default=())


@dataclass(frozen=True)
class Finding:
    """One question; `examine` raises `NotEnoughData` where the judgements cannot answer it.

    What is particular about a finding is said here, so that the common tests need no lists of
    names.
    """

    name: str
    question: str
    measure: str  # what the value is
    shown: Literal["share", "count", "number"]  # how people see the value
    paper: str
    examine: Callable[[Evidence], Answer]
    needs: frozenset[str] = frozenset()  # of `evidence.NEEDS`; with these it is answered
    false_alarms: float | None = None  # chance of a note or warning in a campaign without trouble
    about: frozenset[str] = frozenset()  # the methods whose order changes; none: the one in use

    def answer(self, evidence: Evidence) -> Answer:
        """The answer; `NotEnoughData` where the judgements lack what it needs.

        What changes only the order by methods that are not in use is no reason for a warning.
        """
        evidence.require(self.needs)
        answer = self.examine(evidence)
        if not self.about or evidence.method.name in self.about:
            return answer
        if answer.severity < Severity.note:
            return answer
        return replace(
            answer,
            severity=Severity.note,
            meaning=f"{answer.meaning}; this does not touch {evidence.method.name}",
        )


FINDINGS = Registry("adjudge.diagnosis.findings", "FINDING", Finding, "finding")


def grade(change: Change | None, beyond_chance: bool | None = None) -> Severity:
    """The severity of a trouble whose removal makes `change` to the order.

    A warning is a trouble without which another system comes first, or without which two systems
    change places that the ranking had told apart. Where chance was tested
    (`beyond_chance` is not None), what chance explains is nothing.
    """
    if beyond_chance is False:
        return Severity.none
    if change is not None and (change.overturned or change.new_first):
        return Severity.warning
    moved = change is not None and change.moved > 0
    return Severity.note if beyond_chance or moved else Severity.none


JUDGE_LEVEL = 0.01  # chance that a finding accuses anyone in a campaign of good judges
FEWEST_RANKINGS = 10  # a judge with fewer is not tested
_NAMED = 5  # judges named in a sentence


def accused(p: Numbers, level: float = JUDGE_LEVEL) -> NDArray[np.bool_]:
    """Whose p-value is too small for chance, however many were tested (Holm 1979).

    NaN marks those who were not tested.
    """
    tested = ~np.isnan(p)
    guilty = np.zeros(len(p), bool)
    guilty[tested] = adjusted(p[tested], "holm") <= level
    return guilty


def per_judge(evidence: Evidence, values: Numbers) -> Numbers:
    """Sums of one value per block over the blocks of each judge."""
    judge = evidence.blocks.judge
    known = judge != MISSING
    size = len(evidence.comparisons.judges)
    return np.bincount(judge[known], values[known], minlength=size).astype(float)


def accuse(
    evidence: Evidence,
    guilty: NDArray[np.bool_],
    charge: str,
    acquittal: str,
    remedy: str,
    details: Sequence[DetailRow],
) -> Answer:
    """The answer of a finding about judges; `charge` names them at `{judges}`."""
    number = int(guilty.sum())
    if not number:
        return Answer(grade(None, False), acquittal, NOTHING_TO_DO, 0, details=details)
    named = [evidence.comparisons.judges[j] for j in np.flatnonzero(guilty)]
    listed = ", ".join(named[:_NAMED])
    if number > _NAMED:
        listed += f" and {number - _NAMED} more"
    accused_ones = f"{counted(number, 'judge')} ({listed})"
    change = evidence.without_judges(guilty)
    return Answer(
        grade(change, True),
        f"{charge.format(judges=accused_ones)}; "
        f"without {'them' if number > 1 else 'this judge'} {change}",
        remedy,
        number,
        change=change,
        details=details,
    )
