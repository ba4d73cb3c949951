"""Constituent ranking: only the highlighted phrase of each output, seen inside its sentence.

WMT07 §3. A phrase of the source is highlighted, and so is what the alignment projected it to in
each output; judges rank these phrases only, ties allowed, on the scale of `ranking`. Outputs with
the same phrase are merged and shown in one of their sentences. A phrase with fewer than two
translations is skipped (WMT07 §6: they only raise agreement), nor is a translation that nobody is
known to have made while others are, for it has no sentence.
"""

from collections.abc import Sequence
from random import Random

from adjudge.campaigns.design import Design
from adjudge.campaigns.protocol_kit.protocol import Block, Passage, Protocol, Screen
from adjudge.campaigns.protocol_kit.sampling import Exposure, draw_block
from adjudge.campaigns.protocols import ranking


def draw(
    passages: Sequence[Passage], design: Design, exposure: Exposure, rng: Random
) -> list[Block]:
    """Draw one screen per phrase."""
    blocks = []
    for passage in passages:
        for part in passage.parts:
            known = [candidate for candidate in part if candidate.systems] or part
            if len(known) > 1:
                size = design.outputs_for(passage.words)
                chosen = draw_block(known, size, design.balance, exposure, rng)
                exposure.add(chosen)
                blocks.append(Block(passage.segment, tuple(chosen)))
    return blocks


def reads(screen: Screen) -> list[str]:
    """Phrases to be read; the sentences around them may be skimmed."""
    return [*(part.text for part in screen.parts), *screen.texts]


PROTOCOL = Protocol(
    name="constituent",
    summary="rank only the highlighted phrase of each output, seen inside its sentence",
    paper="WMT07 §3",
    kind="judgements",
    draw=draw,
    scale=ranking.scale,
    check=ranking.check,
    rows=ranking.rows,
    simulated=ranking.simulated,
    agrees=ranking.agrees,
    says=ranking.says,
    reads=reads,
    needs_parts=True,
    refusals=ranking.REFUSALS,
    batch=10,  # as WMT07 §3: phrases are judged sooner than sentences
)
