"""Relative ranking: outputs of one segment from best to worst, ties allowed.

WMT07 §3, WMT13 §3.1, Bojar 2011 §2. A block of k outputs takes ranks from 1 (best) to k, so
that a total order is always possible; every output needs one. Stored as `{"ranks": [2, 1, …]}`
in the order shown.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import polars as pl
from django.utils.translation import gettext_lazy as _

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import Refused
from adjudge.campaigns.protocol_kit.practice_feedback import none_reversed, pattern_of
from adjudge.campaigns.protocol_kit.protocol import Block, Passage, Payload, Protocol, Screen
from adjudge.campaigns.protocol_kit.sampling import Exposure, draw_block

REFUSALS = {
    "rank": _("A rank is outside the scale."),
    "missing": _("A translation has no rank yet."),
}
FEWEST_RANKS = 5  # the labels on the screen since WMT07, also for smaller blocks


def draw(
    passages: Sequence[Passage], design: Design, exposure: Exposure, rng: Random
) -> list[Block]:
    """Draw one block per segment; a segment with fewer than two distinct outputs is skipped."""
    blocks = []
    for passage in passages:
        if len(passage.outputs) < 2:
            continue
        size = design.outputs_for(passage.words)
        chosen = draw_block(passage.outputs, size, design.balance, exposure, rng)
        exposure.add(chosen)
        blocks.append(Block(passage.segment, tuple(chosen)))
    return blocks


def scale(candidates: int, design: Design) -> dict[str, Any]:
    """Available ranks."""
    return {"ranks": list(range(1, max(candidates, FEWEST_RANKS) + 1))}


def check(answer: Payload, screen: Screen) -> dict[str, Any]:
    """Validate one whole rank within the scale for every text."""
    ranks = answer.get("ranks")
    if set(answer) != {"ranks"} or not isinstance(ranks, list):
        raise Refused("form", "an answer is a list of ranks; reload the page")
    if len(ranks) != len(screen.texts):
        raise Refused(
            "candidate",
            f"{len(ranks)} ranks for {len(screen.texts)} translations; rank each one once",
        )
    highest = screen.scale["ranks"][-1]
    for position, rank in enumerate(ranks, 1):
        if rank is None:
            raise Refused("missing", f"translation {position} has no rank yet; give it one")
        if isinstance(rank, bool) or not isinstance(rank, int) or not 1 <= rank <= highest:
            raise Refused("rank", f"translation {position} has no rank from 1 to {highest}")
    return {"ranks": ranks}


def rows(answers: pl.DataFrame) -> pl.DataFrame:
    """Rows of ranks, one per ranked output."""
    payload = pl.col("payload").str.json_decode(pl.Struct({"ranks": pl.List(pl.Int32)}))
    return (
        answers.with_columns(payload.struct.field("ranks").alias("rank"))
        .with_columns(pl.int_ranges(1, pl.col("shown").list.len() + 1).alias("position"))
        .drop("payload")
        .explode("shown", "rank", "position")
        .rename({"shown": "output_key"})
        .with_columns(pl.lit(None, pl.String).alias("label"))
    )


def simulated(screen: Screen, seen: Sequence[float], rng: Random) -> dict[str, Any]:
    """Simulate an answer: clearly better outputs get better ranks."""
    return {"ranks": ranks_of(seen)}


def ranks_of(seen: Sequence[float]) -> list[int]:
    """Ranks from 1: an output opens a new rank if it is clearly below the first of the current
    one.
    """
    rank, first = 0, float("inf")
    ranks = [0] * len(seen)
    for position in sorted(range(len(seen)), key=lambda place: -seen[place]):
        if first - seen[position] > 1:
            rank, first = rank + 1, seen[position]
        ranks[position] = rank
    return ranks


def agrees(ours: Payload, given: Payload) -> bool:
    """Test that no pair of outputs is reversed."""
    return none_reversed(ours["ranks"], given["ranks"])


def says(payload: Payload, screen: Screen) -> object:
    """Ranks, or their pattern."""
    return pattern_of([payload["ranks"]])


PROTOCOL = Protocol(
    name="ranking",
    summary="rank the outputs of a segment from best to worst, ties allowed",
    paper="WMT07 §3, WMT13 §3.1",
    kind="judgements",
    draw=draw,
    scale=scale,
    check=check,
    rows=rows,
    simulated=simulated,
    agrees=agrees,
    says=says,
    refusals=REFUSALS,
)
