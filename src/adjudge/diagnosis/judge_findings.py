"""What findings about single judges share: whom to accuse, and how to say it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.data.comparisons import MISSING
from adjudge.diagnosis.evidence import Evidence
from adjudge.diagnosis.finding import NOTHING_TO_DO, Answer, DetailRow, grade
from adjudge.diagnosis.order_change import Numbers
from adjudge.diagnosis.wording import counted
from adjudge.stats.multiple_testing import adjusted

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
