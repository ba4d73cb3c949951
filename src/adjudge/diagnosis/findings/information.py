"""Judges whose answers carry no information about the systems.

Every comparison of a judge is credited +1 where it sides with the other judges' verdict on the same
two outputs (`evidence.credit`), −1 where it goes against it. A judge clicking at random has mean
credit 0. A judge is accused whose mean credit, block by block, is significantly below the median
judge's (one-sided t, Holm over the judges at 1 %) and less than a quarter of it: that catches
random clickers, judges who tie everything and those who rank upside down, and spares a judge who
has done too little to tell. Beside it stands the mutual information of the judge's answer (>, =, <)
and the verdict, I = Σ p(a, v) log₂ p(a, v) / (p(a) p(v)) in bits a comparison, and what N
comparisons give by chance, (rows − 1)(columns − 1) / (2 N ln 2).

The mean credit asks for the malicious assessor of Lopez 2012 §6, the chance level is that
of Bojar 2011 §2.2.2's random clicker.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from adjudge.core.errors import NotEnoughData
from adjudge.data.comparisons import MISSING, Comparisons
from adjudge.diagnosis.evidence import Evidence, others_verdict
from adjudge.diagnosis.finding import FEWEST_RANKINGS, Answer, Finding, accuse, accused
from adjudge.diagnosis.order_change import Numbers

LEAST_INFORMATION = 0.25  # of the median judge's


def mutual_information(table: Numbers) -> tuple[Numbers, Numbers]:
    """Mutual information in bits per comparison in tables (…, answers, verdicts), and its
    expectation by chance.
    """
    number = np.maximum(table.sum(axis=(-1, -2), keepdims=True), 1)
    joint = table / number
    answer, verdict = joint.sum(axis=-1, keepdims=True), joint.sum(axis=-2, keepdims=True)
    apart = np.where(joint > 0, answer * verdict, 1)
    bits = np.where(joint > 0, joint * np.log2(np.where(joint > 0, joint, 1) / apart), 0)
    rows, columns = (answer > 0).sum(axis=(-1, -2)), (verdict > 0).sum(axis=(-1, -2))
    freedom = np.maximum(rows - 1, 0) * np.maximum(columns - 1, 0)
    return bits.sum(axis=(-1, -2)), freedom / (2 * np.log(2) * number[..., 0, 0])


@dataclass(frozen=True, eq=False)
class Credits:
    """Credits of each judge's blocks."""

    rankings: NDArray[np.int64]
    mean: Numbers
    error: Numbers  # of the mean
    bits: Numbers
    chance_bits: Numbers


def credits_of(data: Comparisons) -> Credits:
    """Mean credit of every judge; the comparisons of one block count as one answer."""
    verdict = others_verdict(data)
    size = len(data.judges)
    number = np.bincount(data.ranking, minlength=len(data.rankings))
    total = np.bincount(data.ranking, data.outcome * verdict, minlength=len(number))
    judge_of = np.full(len(number), MISSING, np.int64)
    judge_of[data.ranking] = data.judge
    used = (number > 0) & (judge_of != MISSING)
    block, judge = total[used] / number[used], judge_of[used]
    rankings = np.bincount(judge, minlength=size)
    mean = np.bincount(judge, block, minlength=size) / np.maximum(rankings, 1)
    squares = np.bincount(judge, (block - mean[judge]) ** 2, minlength=size)
    error = np.sqrt(squares / np.maximum(rankings - 1, 1) / np.maximum(rankings, 1))
    known = data.judge != MISSING
    cell = (data.judge[known].astype(np.int64) * 3 + data.outcome[known] + 1) * 3
    tables = np.bincount(cell + verdict[known] + 1, minlength=9 * size).reshape(size, 3, 3)
    return Credits(rankings, mean, error, *mutual_information(tables.astype(float)))


def _uninformative(evidence: Evidence) -> Answer:
    evidence.require_two_judges()
    credits = credits_of(evidence.comparisons)
    tested = credits.rankings >= FEWEST_RANKINGS
    if tested.sum() < 2:
        raise NotEnoughData(f"fewer than two judges have {FEWEST_RANKINGS} rankings")
    typical = float(np.median(credits.mean[tested]))
    if typical <= 0:
        raise NotEnoughData("the judges do not agree enough to measure one of them by the others")
    t = (credits.mean - typical) / np.maximum(credits.error, 1e-12)
    p = np.where(tested, stdtr(np.maximum(credits.rankings - 1, 1), t), np.nan)
    guilty = accused(p) & (credits.mean < LEAST_INFORMATION * typical)
    few = f"Of {int(tested.sum())} judges with {FEWEST_RANKINGS} rankings or more"
    return accuse(
        evidence,
        guilty,
        "The answers of {judges} carry next to no information about the systems",
        f"{few}, none is shown to answer without information about the systems",
        "Read some of their blocks; leave them out with `without_judge` if nothing speaks for "
        "them, or rank with a method that weighs judges (judge-aware).",
        [
            {
                "judge": evidence.comparisons.judges[j],
                "rankings": int(credits.rankings[j]),
                "credit": float(credits.mean[j]),
                "typical_credit": typical,
                "bits": float(credits.bits[j]),
                "chance_bits": float(credits.chance_bits[j]),
                "p": float(p[j]),
                "accused": bool(guilty[j]),
            }
            for j in np.argsort(credits.mean, kind="stable")
            if tested[j]
        ],
    )


FINDING = Finding(
    "uninformative-judges",
    "Whose answers carry no information?",
    "judges accused",
    "count",
    "Bojar 2011 §2.2.2, Lopez 2012 §6",
    _uninformative,
    needs=frozenset({"judge"}),
    false_alarms=0.01,
)
