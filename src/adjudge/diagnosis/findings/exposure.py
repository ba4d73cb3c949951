"""Exposure: dependence of scores on the number of judgements and on the opponents.

The score is "≥ others", (wins + ties) / comparisons, which pools all comparisons of a system.

- `block-count`: Pearson's r of the number of blocks that showed a system, ranked in them or not,
  and its score (Bojar 2011 §2.4; so counted, Table 5 comes out).
- `reference-share`: r of the share of a system's blocks that showed the reference too and its
  score (Bojar 2011 §3.2, Table 10). The reference is not among the systems.
- `opponent-strength`: r of the mean strength of the opponents met, less what an even draw from
  the other systems would give, and the score. Strength is the score under equal exposure.
- `equal-exposure`: score under equal exposure, the mean over opponents of (wins + ties) /
  comparisons, against the pooled one: what a system owes to whom it happened to meet.
"""

import numpy as np
from numpy.typing import NDArray

from adjudge.diagnosis.evidence import Evidence
from adjudge.diagnosis.finding import NOTHING_TO_DO, Answer, DetailRow, Finding, Severity, grade
from adjudge.diagnosis.order_change import Numbers, ranks
from adjudge.ranking.methods.at_least_others import scores as at_least_others
from adjudge.stats.tests import Interval, correlation

_Column = Numbers | NDArray[np.int64]

_EVEN = (
    "Rank with a method that weighs opponents evenly or models them (expected-wins, "
    "bradley-terry), and draw systems evenly next time."
)


def block_count(evidence: Evidence) -> NDArray[np.int64]:
    """Number of blocks that showed each system."""
    _, system = evidence.shown
    return np.bincount(system, minlength=len(evidence.counts.systems))


def reference_share(evidence: Evidence) -> Numbers:
    """Share of each system's blocks that showed the reference."""
    evidence.require({"reference"})
    block, system = evidence.shown
    has_reference = np.zeros(int(block.max()) + 1)
    has_reference[block[~evidence.proper[system]]] = 1
    met = np.bincount(system, has_reference[block], minlength=len(evidence.counts.systems))
    return met / np.maximum(block_count(evidence), 1)


def equal_exposure(evidence: Evidence) -> Numbers:
    """Scores ≥ others if every system had met each opponent equally often."""
    met = evidence.counts.comparisons
    rates = (evidence.counts.wins + evidence.counts.ties) / np.maximum(met, 1)
    return np.asarray(rates.sum(axis=1) / np.maximum((met > 0).sum(axis=1), 1))


def opponent_strength(evidence: Evidence) -> Numbers:
    """Mean strength of the opponents met, less the mean strength of all the others."""
    strength = equal_exposure(evidence)
    met = evidence.counts.comparisons
    mean_met = met @ strength / np.maximum(met.sum(axis=1), 1)
    return np.asarray(mean_met - (strength.sum() - strength) / max(len(strength) - 1, 1))


def _details(evidence: Evidence, **columns: _Column) -> list[DetailRow]:
    """Rows of the systems proper, best pooled score first, with the given columns and both
    scores.
    """
    proper = np.flatnonzero(evidence.proper)
    pooled, even = at_least_others(evidence.counts)[proper], equal_exposure(evidence)[proper]
    return [
        {
            "system": evidence.counts.systems[proper[i]],
            **{name: values[proper[i]].item() for name, values in columns.items()},
            "at_least_others": float(pooled[i]),
            "rank": int(ranks(pooled)[i]),
            "equal_exposure": float(even[i]),
            "equal_exposure_rank": int(ranks(even)[i]),
        }
        for i in np.argsort(-pooled, kind="stable")
    ]


def _correlated(evidence: Evidence, x: _Column, column: str, what: str) -> Answer:
    """Correlate `x` with the score, and test whether equal exposure changes the order."""
    pooled = at_least_others(evidence.counts)
    r = correlation(x[evidence.proper].astype(float), pooled[evidence.proper], what)
    change = evidence.change(pooled[evidence.proper], equal_exposure(evidence)[evidence.proper])
    severity = grade(change, r.excludes_zero)
    return Answer(
        severity,
        _meaning(r, what) + (f"; under equal exposure {change}" if r.excludes_zero else ""),
        NOTHING_TO_DO if severity is Severity.none else _EVEN,
        r.value,
        r.low,
        r.high,
        change,
        _details(evidence, **{column: x}),
    )


def _meaning(r: Interval, what: str) -> str:
    if not r.excludes_zero:
        return f"{what.capitalize()} does not go with the score beyond chance"
    return f"The higher {what}, the {'higher' if r.value > 0 else 'lower'} the score"


def _block_count(evidence: Evidence) -> Answer:
    blocks = block_count(evidence)
    return _correlated(evidence, blocks, "blocks", "the number of blocks a system was judged in")


def _reference_share(evidence: Evidence) -> Answer:
    met = reference_share(evidence)
    return _correlated(evidence, met, "reference_share", "the share of blocks with the reference")


def _opponent_strength(evidence: Evidence) -> Answer:
    excess = opponent_strength(evidence)
    return _correlated(evidence, excess, "opponent_strength", "the strength of the opponents met")


def _equal_exposure(evidence: Evidence) -> Answer:
    pooled = at_least_others(evidence.counts)[evidence.proper]
    gain = pooled - equal_exposure(evidence)[evidence.proper]
    change = evidence.change(pooled, pooled - gain)
    most = int(np.argmax(np.abs(gain)))
    severity = grade(change)
    return Answer(
        severity,
        f"{evidence.short[most]} owes the most to whom it met, {100 * gain[most]:+.1f} points of "
        f"≥ others; under equal exposure {change}",
        NOTHING_TO_DO if severity is Severity.none else _EVEN,
        float(np.abs(gain[most])),
        change=change,
        details=_details(evidence, opponent_strength=opponent_strength(evidence)),
    )


ABOUT = frozenset({"at-least-others"})  # whose order these findings change

FINDING = (
    Finding(
        "block-count",
        "Does the number of judgements go with the score?",
        "Pearson's r of blocks and ≥ others",
        "number",
        "Bojar 2011 §2.4, Table 5",
        _block_count,
        false_alarms=0.05,
        about=ABOUT,
    ),
    Finding(
        "reference-share",
        "Does meeting the reference more often go with the score?",
        "Pearson's r of share of blocks with the reference and ≥ others",
        "number",
        "Bojar 2011 §3.2, Table 10",
        _reference_share,
        needs=frozenset({"reference"}),
        false_alarms=0.05,
        about=ABOUT,
    ),
    Finding(
        "opponent-strength",
        "Does meeting strong or weak systems more often go with the score?",
        "Pearson's r of opponents' strength beyond an even draw and ≥ others",
        "number",
        "Bojar 2011 §3.2",
        _opponent_strength,
        false_alarms=0.05,
        about=ABOUT,
    ),
    Finding(
        "equal-exposure",
        "What does a system owe to whom it met?",
        "largest difference of ≥ others, pooled against equal exposure",
        "number",
        "Bojar 2011 §2.5.1",
        _equal_exposure,
        about=ABOUT,
    ),
)
