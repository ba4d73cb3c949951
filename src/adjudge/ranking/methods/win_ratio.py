"""Ratio of wins, ignoring ties, the reference left out.

score(A) = Σ_{B ≠ ref} count(A > B) / Σ_{B ≠ ref} [count(A > B) + count(B > A)]

What Bojar 2011 §2.3 recommends; BOJAR in Lopez 2012 eq. 3; E_win in Macháček 2014 §3.1.
"""

from adjudge.comparisons.counts import WinCounts
from adjudge.ranking.method import CountMethod, Scores
from adjudge.ranking.shares import share


def scores(counts: WinCounts) -> Scores:
    """Wins / (wins + losses)."""
    wins = counts.wins.sum(axis=-1)
    return share(wins, wins + counts.wins.sum(axis=-2))


METHOD = CountMethod(
    name="win-ratio",
    summary="wins / (wins + losses)",
    paper="Bojar 2011 §2.3, Lopez 2012 eq. 3, Macháček 2014 §3.1",
    ties="ignored",
    reference=False,
    scores=scores,
)
