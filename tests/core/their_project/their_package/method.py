"""A ranking method: the share of wins."""

from dataclasses import replace

import numpy as np

from adjudge.data.win_counts import WinCounts
from adjudge.ranking.method import Scores
from adjudge.ranking.methods import expected_wins


def scores(counts: WinCounts) -> Scores:
    """Wins among wins and losses."""
    wins = counts.wins.sum(axis=-1)
    decided = wins + counts.wins.sum(axis=-2)
    return np.divide(wins, decided, out=np.full(wins.shape, 0.5), where=decided > 0)


METHOD = replace(expected_wins.METHOD, name="their-method", summary="share of wins", scores=scores)
