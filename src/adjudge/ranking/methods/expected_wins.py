"""Expected Wins: probability of beating a random opponent, ignoring ties.

score(A) = mean over opponents B of win(A, B) / (win(A, B) + win(B, A))

WMT13 §3.3. Every opponent counts the same however often it was met, so a system is not punished
for meeting strong ones more often. An opponent with whom there are only ties, or whom the system
never met, says nothing and is left out of the mean.
"""

import numpy as np

from adjudge.data.win_counts import WinCounts
from adjudge.ranking.counting.cells import share
from adjudge.ranking.counting.influence import influence_of_expected_wins
from adjudge.ranking.method import CountMethod, Scores


def scores(counts: WinCounts) -> Scores:
    """Mean share of wins over the opponents."""
    decided = counts.wins + np.swapaxes(counts.wins, -1, -2)
    met = decided > 0
    shares = np.divide(counts.wins, decided, out=np.zeros(decided.shape), where=met)
    return share(shares.sum(axis=-1), met.sum(axis=-1))


METHOD = CountMethod(
    name="expected-wins",
    summary="mean over opponents of wins / (wins + losses)",
    paper="WMT13 §3.3",
    ties="ignored",
    reference=False,
    scores=scores,
    scale="share",
    influence=influence_of_expected_wins,
)
