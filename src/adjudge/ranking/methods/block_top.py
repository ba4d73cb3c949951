"""≥ all in block: share of blocks in which no output beats the system's.

score(A) = blocks in which A wins or ties every comparison / blocks in which A appears

Bojar 2011 §2.1. The reference takes part, so a block that shows it is hard to top.
"""

from adjudge.ranking.counting.blocks import SHARED, BlockCounts
from adjudge.ranking.counting.cells import share
from adjudge.ranking.counting.influence import influence_of_blocks
from adjudge.ranking.method import BlockMethod, Scores


def scores(counts: BlockCounts) -> Scores:
    """Compute blocks topped / blocks."""
    return share(counts.top, counts.blocks)


METHOD = BlockMethod(
    name="block-top",
    summary="blocks in which it wins or ties every comparison / blocks (≥ all in block)",
    paper="Bojar 2011 §2.1",
    ties="count as wins",
    reference=True,
    scores=scores,
    scale="share",
    influence=influence_of_blocks(SHARED),
)
