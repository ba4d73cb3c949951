"""Head to head: how each two systems compare, ignoring ties, and how sure that is.

WMT13 appendix A. The exact sign test asks how likely a split of the decided comparisons at least
as uneven would be if either system were as likely to win: p = 2 · P(X ≤ min(wins)), X binomial
with probability 1/2, at most 1. With n systems there are n(n−1)/2 tests, of which some come out
by chance alone, so p is adjusted over all pairs: by default to control the false discovery rate
(Benjamini and Hochberg 1995), on request the chance of any false one (Holm 1979).
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.stats import binom, false_discovery_control

from adjudge.comparisons.counts import WinCounts
from adjudge.errors import AdjudgeError, NotEnoughData
from adjudge.ranking.methods.expected_wins import scores

Correction = Literal["bh", "holm", "none"]
Floats = NDArray[np.float64]

MARKS = ((0.01, "‡"), (0.05, "†"), (0.10, "⋆"))


@dataclass(frozen=True, eq=False)
class HeadToHead:
    """Every pair of systems that was compared; systems and pairs from best to worst."""

    pair: str
    systems: tuple[str, ...]
    scores: Floats  # expected wins, by which the systems are ordered
    correction: Correction
    level: float
    a: NDArray[np.int64]  # the better placed of two systems, as index into `systems`
    b: NDArray[np.int64]
    wins_a: NDArray[np.int64]
    wins_b: NDArray[np.int64]
    ties: NDArray[np.int64]
    p: Floats
    p_adjusted: Floats

    @property
    def share(self) -> Floats:
        """How often the first of two won, of the times either did (NaN: they only tied)."""
        decided = self.wins_a + self.wins_b
        nothing = np.full(len(decided), np.nan)
        return np.asarray(np.divide(self.wins_a, decided, out=nothing, where=decided > 0))

    def to_frame(self) -> pl.DataFrame:
        """One row a pair; the share is null where the two only tied."""
        return pl.DataFrame(
            {
                "pair": [self.pair] * len(self.a),
                "system_a": [self.systems[i] for i in self.a],
                "system_b": [self.systems[i] for i in self.b],
                "wins_a": self.wins_a,
                "wins_b": self.wins_b,
                "ties": self.ties,
                "share": pl.Series(self.share).fill_nan(None),
                "p": self.p,
                "p_adjusted": self.p_adjusted,
                "mark": [mark(p) for p in self.p_adjusted],
                "significant": self.p_adjusted <= 1 - self.level,
            }
        )


def head_to_head(
    counts: WinCounts, correction: Correction = "bh", level: float = 0.95, pair: str = ""
) -> HeadToHead:
    """Compare every two systems that met."""
    if not 0 < level < 1:
        raise AdjudgeError(f"a confidence level lies between 0 and 1, not at {level:g}")
    if not counts.comparisons.any():
        raise NotEnoughData("no two systems were compared; there is nothing to test")
    score = scores(counts)
    order = np.argsort(-score, kind="stable")
    wins = counts.wins[order[:, None], order]
    ties = counts.ties[order[:, None], order]
    a, b = np.nonzero(np.triu(wins + wins.T + ties))
    p = sign_test(wins[a, b], wins[b, a])
    return HeadToHead(
        pair=pair,
        systems=tuple(counts.systems[i] for i in order),
        scores=score[order],
        correction=correction,
        level=level,
        a=a,
        b=b,
        wins_a=wins[a, b],
        wins_b=wins[b, a],
        ties=ties[a, b],
        p=p,
        p_adjusted=adjust(p, correction),
    )


def sign_test(wins: NDArray[np.int64], losses: NDArray[np.int64]) -> Floats:
    """The exact two-sided p; 1 where nothing was decided."""
    return np.asarray(np.minimum(1.0, 2 * binom.cdf(np.minimum(wins, losses), wins + losses, 0.5)))


def adjust(p: Floats, correction: Correction) -> Floats:
    """The p of many tests, adjusted for their number."""
    match correction:
        case "bh":
            return np.asarray(false_discovery_control(p, method="bh"))
        case "holm":
            order = np.argsort(p)
            steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
            adjusted = np.empty_like(p)
            adjusted[order] = np.minimum(steps, 1.0)
            return adjusted
        case "none":
            return p


def mark(p: float) -> str:
    """The mark WMT13 puts beside a percentage."""
    return next((sign for limit, sign in MARKS if p <= limit), "")
