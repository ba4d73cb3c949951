"""≥ others: share of comparisons that a system wins or ties, including the reference.

score(A) = Σ_B [count(A > B) + count(A = B)] / Σ_B count(A, B)

The official score of WMT up to 2011: Bojar 2011 §2.1, Lopez 2012 eq. 1. It rewards systems
that are often tied and punishes those that often meet the reference.
"""

from adjudge.data.win_counts import WinCounts
from adjudge.ranking.counting.cells import share
from adjudge.ranking.counting.influence import influence_of_share
from adjudge.ranking.method import CountMethod, Scores


def scores(counts: WinCounts) -> Scores:
    """Compute (wins + ties) / all."""
    return share(
        counts.wins.sum(axis=-1) + counts.ties.sum(axis=-1), counts.comparisons.sum(axis=-1)
    )


METHOD = CountMethod(
    name="at-least-others",
    aliases=("wmt-official",),
    summary="(wins + ties) / all comparisons (≥ others)",
    paper="Bojar 2011 §2.1, Lopez 2012 eq. 1",
    ties="count as wins",
    reference=True,
    scores=scores,
    scale="share",
    influence=influence_of_share(tie=1.0),
)
