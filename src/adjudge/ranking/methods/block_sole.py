"""> all in block: share of blocks of which the system is the sole winner.

score(A) = blocks in which A strictly wins every comparison / blocks in which A appears

Bojar 2011 §2.1 and Table 4. It finds systems that are at times far ahead of all others, which
is what a system combination can use.
"""

from adjudge.ranking.counting.blocks import SOLE, BlockCounts
from adjudge.ranking.counting.cells import share
from adjudge.ranking.counting.influence import influence_of_blocks
from adjudge.ranking.method import BlockMethod, Scores


def scores(counts: BlockCounts) -> Scores:
    """Compute blocks won alone / blocks."""
    return share(counts.sole, counts.blocks)


METHOD = BlockMethod(
    name="block-sole",
    summary="blocks in which it strictly wins every comparison / blocks (> all in block)",
    paper="Bojar 2011 §2.1, Table 4",
    ties="count as not won",
    reference=True,
    scores=scores,
    scale="share",
    influence=influence_of_blocks(SOLE),
)
