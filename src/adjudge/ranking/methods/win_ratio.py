"""Win ratio, ignoring ties, excluding the reference.

score(A) = Σ_{B ≠ ref} count(A > B) / Σ_{B ≠ ref} [count(A > B) + count(B > A)]

Recommended by Bojar 2011 §2.3; BOJAR in Lopez 2012 eq. 3; E_win in Macháček 2014 §3.1.
"""

from adjudge.ranking.counting.cells import win_ratio
from adjudge.ranking.counting.influence import influence_of_share
from adjudge.ranking.method import CountMethod

METHOD = CountMethod(
    name="win-ratio",
    summary="wins / (wins + losses)",
    paper="Bojar 2011 §2.3, Lopez 2012 eq. 3, Macháček 2014 §3.1",
    ties="ignored",
    reference=False,
    scores=win_ratio,
    scale="share",
    influence=influence_of_share(tie=None),
)
