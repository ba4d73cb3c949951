"""Findings: a question about the judgements of one language pair, and its answer.


A module of `findings/` takes part by defining `FINDING` (one finding or a tuple of them).

Findings about single judges share the tests and the wording.
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
    """Degree to which a finding could change the order of the systems."""

    unanswered = 0  # the judgements cannot say
    none = 1  # nothing beyond chance
    note = 2  # present, but only close systems change places
    warning = 3  # the order depends on it: see `grade`


@dataclass(frozen=True, eq=False)
class Answer:
    """Value, interpretation and remedy of a finding."""

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
    """Question about judgements; `examine` raises `NotEnoughData` if they cannot answer it.

    Special properties of a finding are fields here, so that the common tests need no lists of
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
        """Examine the evidence; raise `NotEnoughData` if the judgements lack a required item.

        A change of order under unused methods only is no reason for a warning.
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
    """Grade a trouble by the `change` of order after its removal.

    A warning is a trouble without which another system comes first, or two significantly different
    systems change places. If chance was tested (`beyond_chance` is not None), an effect explained
    by chance is graded as nothing.
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
    """Reject by Holm's procedure (1979) at `level`; select the guilty judges.

    NaN marks untested judges.
    """
    tested = ~np.isnan(p)
    guilty = np.zeros(len(p), bool)
    guilty[tested] = adjusted(p[tested], "holm") <= level
    return guilty


def per_judge(evidence: Evidence, values: Numbers) -> Numbers:
    """Sum one value per block over the blocks of each judge."""
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
    """Build the answer of a finding about judges; `charge` names them at `{judges}`."""
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
