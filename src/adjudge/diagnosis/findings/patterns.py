"""Patterns: rankings that look filled in without judging.

- `constant-ranks`: all outputs of the block got one rank.
- `straight-lines`: the ranks run strictly up or down the page, 1 2 3 4 5 or 5 4 3 2 1. Of k!
  equally likely strict orders, 2 do: 1 in 60 for five outputs.

Blocks of fewer than three outputs say nothing. A judge is accused whose share of such rankings is
larger than the other judges' beyond chance (one-sided binomial, Holm over the judges at 1 %) and at
least a fifth of that judge's rankings; for straight lines "the others' share" is at
least what strict orders at random would give. Both ask for the random clicker of
Bojar 2011 §2.1, who is not random at all.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import factorial

from adjudge.core.errors import NotEnoughData
from adjudge.diagnosis.evidence import Evidence
from adjudge.diagnosis.finding import FEWEST_RANKINGS, Answer, Finding, accuse, accused, per_judge
from adjudge.diagnosis.order_change import Numbers
from adjudge.stats.tests import at_least

SMALLEST_BLOCK = 3
LEAST_SHARE = 0.2


def _extreme_step(evidence: Evidence) -> tuple[Numbers, Numbers]:
    """Smallest and largest step between the ranks of adjacent outputs, in every block."""
    blocks = evidence.blocks
    step = np.diff(blocks.rank, append=0).astype(float)
    inside = np.ones(len(step), bool)
    inside[blocks.starts + blocks.sizes - 1] = False  # the step into the next block
    smallest = np.minimum.reduceat(np.where(inside, step, np.inf), blocks.starts)
    largest = np.maximum.reduceat(np.where(inside, step, -np.inf), blocks.starts)
    return smallest, largest


def constant(evidence: Evidence) -> NDArray[np.bool_]:
    """Blocks in which all outputs got one rank."""
    smallest, largest = _extreme_step(evidence)
    return np.asarray((smallest == 0) & (largest == 0))


def straight(evidence: Evidence) -> NDArray[np.bool_]:
    """Blocks whose ranks run strictly up or down in display order."""
    smallest, largest = _extreme_step(evidence)
    return np.asarray((smallest > 0) | (largest < 0))


def _pattern(
    evidence: Evidence, shows_it: NDArray[np.bool_], by_chance: Numbers, what: str, few: str
) -> Answer:
    evidence.require_two_judges()
    usable = evidence.blocks.sizes >= SMALLEST_BLOCK
    if not usable.any():
        raise NotEnoughData(f"no block ranks {SMALLEST_BLOCK} outputs or more")
    rankings = per_judge(evidence, usable.astype(float))
    hits = per_judge(evidence, (usable & shows_it).astype(float))
    chance = per_judge(evidence, np.where(usable, by_chance, 0)) / np.maximum(rankings, 1)
    others = (hits.sum() - hits) / np.maximum(rankings.sum() - rankings, 1)
    normal = np.maximum(others, chance)
    # With no case among n blocks, the rate may still be about 1/n.
    normal = np.maximum(normal, 1 / np.maximum(rankings.sum() - rankings, 1))
    p = at_least(hits, rankings, np.minimum(normal, 1))
    p = np.where(rankings >= FEWEST_RANKINGS, p, np.nan)
    guilty = accused(p) & (hits >= LEAST_SHARE * rankings)
    return accuse(
        evidence,
        guilty,
        f"{{judges}} {what} far more often than the others",
        few,
        "Look at their blocks; leave them out with `without_judge` if they did not read.",
        [
            {
                "judge": evidence.comparisons.judges[j],
                "rankings": int(rankings[j]),
                "found": int(hits[j]),
                "found_share": float(hits[j] / rankings[j]),
                "others_share": float(others[j]),
                "p": float(p[j]),
                "accused": bool(guilty[j]),
            }
            for j in np.argsort(p, kind="stable")
            if not np.isnan(p[j]) and hits[j]
        ],
    )


def _constant(evidence: Evidence) -> Answer:
    never = np.zeros(len(evidence.blocks.sizes))
    return _pattern(
        evidence,
        constant(evidence),
        never,
        "gave all outputs of a block one rank",
        "No judge gives whole blocks one rank more often than the others beyond chance",
    )


def _straight(evidence: Evidence) -> Answer:
    return _pattern(
        evidence,
        straight(evidence),
        2 / factorial(evidence.blocks.sizes),
        "ranked straight up or down the page",
        "No judge ranks straight up or down the page more often than chance allows",
    )


FINDING = (
    Finding(
        "constant-ranks",
        "Who gives every output the same rank?",
        "judges accused",
        "count",
        "Bojar 2011 §2.1",
        _constant,
        needs=frozenset({"judge"}),
        false_alarms=0.01,
    ),
    Finding(
        "straight-lines",
        "Who ranks straight up or down the page?",
        "judges accused",
        "count",
        "Bojar 2011 §2.1",
        _straight,
        needs=frozenset({"judge", "position"}),
        false_alarms=0.01,
    ),
)
