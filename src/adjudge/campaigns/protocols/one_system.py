"""What protocols share that score one output a screen, in its document (today's practice).

A HIT is one system's translation of a run of consecutive segments, screen by screen, so that a
judge reads it as a text: beside each output stand the same system's outputs before and after.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from adjudge.campaigns.design import Design
from adjudge.campaigns.models import Assignment, Output
from adjudge.campaigns.protocols.protocol import Block, Passage
from adjudge.campaigns.sampling import Candidate, Exposure, draw_block


def draw(
    passages: Sequence[Passage], design: Design, exposure: Exposure, rng: Random
) -> list[Block]:
    """One system's outputs of a run, the system drawn as the design's `balance` says."""
    systems = {system for one in passages for output in one.outputs for system in output.systems}
    # A system stands for its outputs here, so its key takes their place.
    whole = [Candidate(system, (system,)) for system in sorted(systems)]
    return [
        Block(one.segment, (output,))
        for drawn in draw_block(whole, 1, design.balance, exposure, rng)
        for one in passages
        for output in one.outputs
        if drawn.output in output.systems
    ]


def neighbours(assignment: Assignment) -> dict[str, Any]:
    """The same system's outputs before and after this one, as far as they are in the HIT."""
    item = assignment.item
    order = item.segment.order
    nearby = Output.objects.filter(
        items__hit=item.hit_id,
        segment__document=item.segment.document_id,
        segment__order__in=(order - 1, order + 1),
    )
    texts = dict(nearby.values_list("segment__order", "text"))
    return {"before": texts.get(order - 1), "after": texts.get(order + 1)}
