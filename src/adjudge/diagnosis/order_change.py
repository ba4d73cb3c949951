"""Order of the systems, and its change when judgements are removed or reweighted."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.core.short_names import short_names
from adjudge.data.win_counts import WinCounts
from adjudge.diagnosis.wording import counted
from adjudge.stats.ranks import Ranks, best_ranks
from adjudge.stats.tests import sign_test

TOLD_APART = 0.05  # two-sided level of the sign test on a pair's direct comparisons

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Change:
    """Difference between two orders of the systems."""

    systems: tuple[str, ...]
    before: Numbers  # scores
    after: Numbers
    overturned: int  # significantly different pairs that change places

    @property
    def moved(self) -> int:
        """Number of systems whose rank changes."""
        return int((ranks(self.before) != ranks(self.after)).sum())

    @property
    def new_first(self) -> str | None:
        """System that comes first only in the new order."""
        best = int(np.argmin(ranks(self.after)))
        return self.systems[best] if ranks(self.before)[best] > 1 else None

    def rows(self) -> list[dict[str, str | int | float]]:
        """Both orders, best first."""
        old, new = ranks(self.before), ranks(self.after)
        return [
            {
                "system": self.systems[i],
                "score": float(self.before[i]),
                "rank": int(old[i]),
                "score_after": float(self.after[i]),
                "rank_after": int(new[i]),
            }
            for i in np.argsort(old, kind="stable")
        ]

    def __str__(self) -> str:
        if not self.moved:
            return "the order of the systems stays as it is"
        text = f"{self.moved} of {len(self.systems)} systems change rank"
        if self.new_first:
            short = short_names(self.systems)[self.systems.index(self.new_first)]
            text += f", {short} comes first"
        if self.overturned:
            verb = "changes" if self.overturned == 1 else "change"
            text += f", {counted(self.overturned, 'significantly different pair')} {verb} places"
        return text


def ranks(scores: Numbers) -> Ranks:
    """Ranks from 1 for the best; equal scores share a rank."""
    return best_ranks(scores)


def told_apart(counts: WinCounts) -> NDArray[np.bool_]:
    """Matrix `[i, j]`: i beat j significantly in their direct comparisons."""
    wins, losses = counts.wins, np.swapaxes(counts.wins, -1, -2)
    return (wins > losses) & (sign_test(wins, losses) <= TOLD_APART)


def overturned(before: Numbers, after: Numbers, settled: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Pairs that differed significantly before and have the opposite order after."""
    was = ranks(before)[..., :, None] < ranks(before)[..., None, :]
    now_reversed = ranks(after)[..., :, None] > ranks(after)[..., None, :]
    turned: NDArray[np.int64] = (settled & was & now_reversed).sum(axis=(-1, -2))
    return turned


def change(
    systems: tuple[str, ...], before: Numbers, after: Numbers, settled: NDArray[np.bool_]
) -> Change:
    """Compare the scores `before` and `after`; `settled` is the matrix of significant pairs."""
    return Change(systems, before, after, int(overturned(before, after, settled)))
