"""Position bias: effect of an output's display position on its rank.

Ranks and positions are centred within blocks. Over all blocks b,

    slope = Σ_b s_b / Σ_b x_b,   s_b = Σ (position − mean)(rank − mean),  x_b = Σ (position − mean)²

is how much later ranks get per place further down; its interval is clustered by block. For one
judge, chance is the judge's own ranks dealt to the positions at random, block by block:
s_b then has mean 0 and variance x_b y_b / (k_b − 1), y_b = Σ (rank − mean)², so
z = Σ s_b / √Σ x_b y_b / (k_b − 1) is exact in its first two moments. Judges are accused at 1 %
over all of them together (Holm).

Outputs are shown in random order (WMT13 §3.1), so a campaign without the bias has slope 0. What
the bias does to the order is seen by weighing "A shown before B" and "B shown before A" equally.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from adjudge.core.errors import NotEnoughData
from adjudge.data.win_counts import WinCounts
from adjudge.diagnosis.evidence import Evidence
from adjudge.diagnosis.finding import (
    FEWEST_RANKINGS,
    NOTHING_TO_DO,
    Answer,
    Finding,
    Severity,
    accuse,
    accused,
    grade,
    per_judge,
)
from adjudge.diagnosis.order_change import Numbers
from adjudge.stats.tests import ratio


@dataclass(frozen=True, eq=False)
class _Moments:
    """Sums over each block: s, x and the variance of s under random permutation of ranks."""

    together: Numbers
    position: Numbers
    variance: Numbers


def _moments(evidence: Evidence) -> _Moments:
    blocks = evidence.blocks

    def centred(values: Numbers) -> Numbers:
        mean = np.add.reduceat(values, blocks.starts) / blocks.sizes
        return values - mean[blocks.block]

    if not len(blocks.starts):
        raise NotEnoughData("no block ranks two outputs")
    place, rank = centred(blocks.position.astype(float)), centred(blocks.rank.astype(float))
    x = np.add.reduceat(place**2, blocks.starts)
    y = np.add.reduceat(rank**2, blocks.starts)
    s = np.add.reduceat(place * rank, blocks.starts)
    return _Moments(s, x, x * y / (blocks.sizes - 1))


def evenly_shown(evidence: Evidence) -> WinCounts:
    """Counts rebalanced so that each system of a pair was shown first equally often."""
    data = evidence.comparisons
    n = len(data.systems)
    cell = (data.left.astype(np.int64) * n + data.right) * 3 + data.outcome + 1
    shown_first = np.bincount(cell, minlength=3 * n * n).reshape(n, n, 3).astype(float)
    total = shown_first.sum(axis=2)
    both = (total > 0) & (total.T > 0)
    weight = np.where(both, (total + total.T) / (2 * np.maximum(total, 1)), 1.0)
    even = shown_first * weight[..., None]
    return WinCounts(
        data.systems,
        even[..., 2] + even[..., 0].T,
        even[..., 1] + even[..., 1].T,
    )


def _position(evidence: Evidence) -> Answer:
    sums = _moments(evidence)
    slope = ratio(sums.together, sums.position)
    change = evidence.change(evidence.scores, evidence.scores_of(evenly_shown(evidence)))
    severity = grade(change, slope.excludes_zero)
    if slope.excludes_zero:
        better = "earlier" if slope.value > 0 else "later"
        meaning = (
            f"Outputs shown {better} are ranked better, by {abs(slope.value):.3f} of a rank per "
            f"place; were every pair shown equally often either way, {change}"
        )
    else:
        meaning = "Where an output is shown does not move its rank beyond chance"
    blocks = evidence.blocks
    positions = np.unique(blocks.position)
    mean_rank = (np.add.reduceat(blocks.rank, blocks.starts) / blocks.sizes)[blocks.block]
    return Answer(
        severity,
        meaning,
        NOTHING_TO_DO
        if severity is Severity.none
        else "Shuffle outputs afresh for every judge, see which judges it is "
        '(`only="position-judges"`), and weigh either order of a pair equally.',
        slope.value,
        slope.low,
        slope.high,
        change,
        [
            {
                "position": int(p),
                "outputs": int(here.sum()),
                "mean_rank": float(blocks.rank[here].mean()),
                "rank_against_block": float((blocks.rank - mean_rank)[here].mean()),
            }
            for p in positions
            for here in [blocks.position == p]
        ],
    )


def _position_judges(evidence: Evidence) -> Answer:
    sums = _moments(evidence)
    judges = evidence.comparisons.judges
    rankings = per_judge(evidence, np.ones(len(sums.together)))
    together, places, variance = (
        per_judge(evidence, values) for values in (sums.together, sums.position, sums.variance)
    )
    slope = together / np.maximum(places, 1)
    z = together / np.sqrt(np.maximum(variance, 1e-12))
    p = np.where((rankings >= FEWEST_RANKINGS) & (variance > 0), 2 * ndtr(-abs(z)), np.nan)
    guilty = accused(p)
    return accuse(
        evidence,
        guilty,
        "The ranks of {judges} follow the shown position",
        "No judge's ranks follow the shown position beyond chance",
        "Look at the blocks of these judges; if they clicked by place, leave them out with "
        "`without_judge`.",
        [
            {
                "judge": judges[j],
                "rankings": int(rankings[j]),
                "ranks_per_place": float(slope[j]),
                "low": float(slope[j] - 1.96 * np.sqrt(variance[j]) / places[j]),
                "high": float(slope[j] + 1.96 * np.sqrt(variance[j]) / places[j]),
                "p": float(p[j]),
                "accused": bool(guilty[j]),
            }
            for j in np.argsort(p, kind="stable")
            if not np.isnan(p[j])
        ],
    )


FINDING = (
    Finding(
        "position",
        "Does the shown position move the rank?",
        "ranks later per place further down",
        "number",
        "WMT13 §3.1 (random order)",
        _position,
        needs=frozenset({"position"}),
        false_alarms=0.05,
    ),
    Finding(
        "position-judges",
        "Whose ranks follow the shown position?",
        "judges accused",
        "count",
        "Lopez 2012 §6",
        _position_judges,
        needs=frozenset({"judge", "position"}),
        false_alarms=0.01,
    ),
)
