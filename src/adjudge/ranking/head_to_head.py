"""Head to head: how each two systems compare, ignoring ties, and how sure that is.

WMT13 appendix A. The exact sign test (`statistics.significance`) on the decided comparisons of two
systems. With n systems there are n(n−1)/2 tests, so p is adjusted over all pairs
(`statistics.multiple_testing`): by default to control the false discovery rate, on request the
chance of any false one.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.comparisons.counts import WinCounts
from adjudge.errors import NotEnoughData, within
from adjudge.ranking.methods.expected_wins import scores
from adjudge.statistics.multiple_testing import Correction, adjusted
from adjudge.statistics.significance import sign_test

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
    """Compare every two systems of a language pair that met."""
    within(level, "level", 0, 1, open_ends=True)
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
        p_adjusted=adjusted(p, correction),
    )


def mark(p: float) -> str:
    """The mark WMT13 puts beside a percentage."""
    return next((sign for limit, sign in MARKS if p <= limit), "")
