"""HEURISTIC 2: share of comparisons that a system wins, excluding the reference.

score(A) = Σ_{B ≠ ref} count(A > B) / Σ_{B ≠ ref} count(A, B)

Lopez 2012 eq. 2. The formula of `others-strict`; leaving the reference out no longer punishes
a system for meeting it often.
"""

from adjudge.ranking.counting.influence import influence_of_share
from adjudge.ranking.method import CountMethod
from adjudge.ranking.methods.others_strict import scores

METHOD = CountMethod(
    name="heuristic2",
    summary="wins / all comparisons, without the reference",
    paper="Lopez 2012 eq. 2",
    ties="count as not won",
    reference=False,
    scores=scores,
    scale="share",
    influence=influence_of_share(tie=0.0),
)
