"""A ranking method: the share of wins."""

from dataclasses import replace

from adjudge.comparisons.counts import WinCounts
from adjudge.ranking.method import Scores
from adjudge.ranking.methods import expected_wins
from adjudge.ranking.shares import share


def scores(counts: WinCounts) -> Scores:
    """Wins among wins and losses."""
    wins = counts.wins.sum(axis=-1)
    return share(wins, wins + counts.wins.sum(axis=-2))


METHOD = replace(expected_wins.METHOD, name="their-method", summary="share of wins", scores=scores)
