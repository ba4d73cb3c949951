"""> others: share of comparisons that a system wins, including the reference.

score(A) = Σ_B count(A > B) / Σ_B count(A, B)

Bojar 2011 §2.1 and §2.3. Since ties count as not won, it favours systems with few ties.
"""

from adjudge.data.win_counts import WinCounts
from adjudge.ranking.counting.cells import share
from adjudge.ranking.counting.influence import influence_of_share
from adjudge.ranking.method import CountMethod, Scores


def scores(counts: WinCounts) -> Scores:
    """Compute wins / all."""
    return share(counts.wins.sum(axis=-1), counts.comparisons.sum(axis=-1))


METHOD = CountMethod(
    name="others-strict",
    summary="wins / all comparisons (> others)",
    paper="Bojar 2011 §2.1, §2.3",
    ties="count as not won",
    reference=True,
    scores=scores,
    scale="share",
    influence=influence_of_share(tie=0.0),
)
