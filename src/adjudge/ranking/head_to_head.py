"""Head-to-head comparisons of systems, ignoring ties, with tests.

The `clustered` test asks whether two systems have the same expected wins, with the variance over
other judges and documents that rankings have by default (`assessment`): comparisons of one judge
or of one document are not independent. The `sign` test is WMT13's (appendix A): the exact sign
test (`stats.tests`) on the decided comparisons of the two, as if these were independent. With n
systems there are n(n−1)/2 tests, so p is adjusted over all pairs (`stats.tests`): by default to
control the false discovery rate, on request the chance of any false one.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.errors import BadParameter, NotEnoughData, one_of, within
from adjudge.core.options import choices
from adjudge.core.parallel import Engine
from adjudge.data.votes.cells import Judged
from adjudge.data.votes.votes import in_cells
from adjudge.data.win_counts import WinCounts, count
from adjudge.ranking.assessment import assess, placeable
from adjudge.ranking.methods.expected_wins import METHOD, scores
from adjudge.ranking.options import Test
from adjudge.ranking.participants import among
from adjudge.ranking.population import auto_unit, population
from adjudge.stats.resampling import Resampling
from adjudge.stats.tests import Correction, adjusted, sign_test

Floats = NDArray[np.float64]

MARKS = ((0.01, "‡"), (0.05, "†"), (0.10, "⋆"))


@dataclass(frozen=True, eq=False)
class HeadToHead:
    """Compared pairs of systems; systems and pairs from best to worst."""

    pair: str
    systems: tuple[str, ...]
    scores: Floats  # expected wins, by which the systems are ordered
    test: Test  # that was made
    holds_for: str  # other judges and documents, or these judgements only
    correction: Correction
    level: float
    a: NDArray[np.int64]  # the better placed of two systems, as index into `systems`
    b: NDArray[np.int64]
    wins_a: NDArray[np.int64]
    wins_b: NDArray[np.int64]
    ties: NDArray[np.int64]
    p: Floats
    p_adjusted: Floats
    better: Floats  # the probability that the first is better; NaN where it is not known

    @property
    def share(self) -> Floats:
        """Share of decided comparisons won by the first system (NaN: only ties)."""
        decided = self.wins_a + self.wins_b
        nothing = np.full(len(decided), np.nan)
        return np.asarray(np.divide(self.wins_a, decided, out=nothing, where=decided > 0))

    def to_frame(self) -> pl.DataFrame:
        """Return one row per pair; the share is null for pairs with ties only."""
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
                "better": pl.Series(self.better).fill_nan(None),
            }
        )


def head_to_head(
    judged: Judged | WinCounts,
    correction: Correction = "bh",
    level: float = 0.95,
    pair: str = "",
    test: Test = "auto",
) -> HeadToHead:
    """Compare all pairs of systems of a language pair that met."""
    within(level, "level", 0, 1, open_ends=True)
    if not isinstance(judged, WinCounts):
        judged = in_cells(judged)
    counts = judged if isinstance(judged, WinCounts) else count(judged)
    if one_of(test, choices(Test), "test") == "auto":
        test = "sign" if isinstance(judged, WinCounts) else "clustered"
    if not isinstance(judged, WinCounts):
        pair = pair or judged.pair
    if not counts.comparisons.any():
        raise NotEnoughData("no two systems were compared; there is nothing to test")
    score = scores(counts)
    order = np.argsort(-score, kind="stable")
    wins = counts.wins[order[:, None], order]
    ties = counts.ties[order[:, None], order]
    a, b = np.nonzero(np.triu(wins + wins.T + ties))
    if test == "sign":
        p, holds_for = sign_test(wins[a, b], wins[b, a]), "for these judgements only"
        better = np.full(len(p), np.nan)
    elif isinstance(judged, WinCounts):
        raise BadParameter('`test="clustered"` needs the comparisons themselves, not only counts')
    else:
        of_systems, chances, holds_for = _clustered(judged)
        p, better = (table[order[a], order[b]] for table in (of_systems, chances))
    return HeadToHead(
        pair=pair,
        systems=tuple(counts.systems[i] for i in order),
        scores=score[order],
        test=test,
        holds_for=holds_for,
        correction=correction,
        level=level,
        a=a,
        b=b,
        wins_a=wins[a, b],
        wins_b=wins[b, a],
        ties=ties[a, b],
        p=p,
        p_adjusted=adjusted(p, correction),
        better=better,
    )


def _clustered(comparisons: Judged) -> tuple[Floats, Floats, str]:
    """p-values of all pairs, the probability that the first is better, and the population.

    If one of the two cannot be placed, p is 1 and the probability is unknown.
    """
    unit = auto_unit(comparisons)
    placed = placeable(comparisons, METHOD, unit)
    assessed = assess(among(comparisons, placed), METHOD, Resampling(unit), Engine())
    both = np.ix_(placed, placed)
    p = np.ones((len(placed), len(placed)))
    better = np.full_like(p, np.nan)
    p[both], better[both] = assessed.uncertainty.p(), assessed.uncertainty.better()
    return p, better, population(comparisons, unit)


def mark(p: float) -> str:
    """Significance mark that WMT13 prints beside a percentage."""
    return next((sign for limit, sign in MARKS if p <= limit), "")
