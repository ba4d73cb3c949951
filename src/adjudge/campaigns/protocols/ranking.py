"""Relative ranking: outputs of one segment from best to worst, ties allowed.

WMT07 §3, WMT13 §3.1, Bojar 2011 §2. A block of k outputs takes ranks from 1 (best) to k, so
that a total order is always possible; every output needs one. Stored as `{"ranks": [2, 1, …]}`
in the order shown.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import polars as pl

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import Refused
from adjudge.campaigns.protocols.protocol import Payload, Protocol
from adjudge.campaigns.sampling import Candidate, Exposure, draw_balanced, draw_uniformly

FEWEST_RANKS = 5  # the labels on the screen since WMT07, also for smaller blocks


def draw(
    candidates: Sequence[Candidate], words: int, design: Design, exposure: Exposure, rng: Random
) -> list[Candidate]:
    """A block; a segment with fewer than two distinct outputs has nothing to rank."""
    if len(candidates) < 2:
        return []
    chosen = draw_uniformly if design.balance == "uniform" else draw_balanced
    return chosen(candidates, design.outputs_for(words), exposure, rng)


def scale(candidates: int) -> dict[str, Any]:
    """The ranks one may give."""
    return {"ranks": list(range(1, max(candidates, FEWEST_RANKS) + 1))}


def check(answer: Payload, texts: Sequence[str]) -> dict[str, Any]:
    """Exactly one whole rank within the scale for every text."""
    ranks = answer.get("ranks")
    if set(answer) != {"ranks"} or not isinstance(ranks, list):
        raise Refused("form", "an answer is a list of ranks; reload the page")
    if len(ranks) != len(texts):
        raise Refused(
            "candidate", f"{len(ranks)} ranks for {len(texts)} translations; rank each one once"
        )
    highest = scale(len(texts))["ranks"][-1]
    for position, rank in enumerate(ranks, 1):
        if rank is None:
            raise Refused("missing", f"translation {position} has no rank yet; give it one")
        if isinstance(rank, bool) or not isinstance(rank, int) or not 1 <= rank <= highest:
            raise Refused("rank", f"translation {position} has no rank from 1 to {highest}")
    return {"ranks": ranks}


def judgements(answers: pl.DataFrame) -> pl.DataFrame:
    """One row per ranked output."""
    payload = pl.col("payload").str.json_decode(pl.Struct({"ranks": pl.List(pl.Int32)}))
    return (
        answers.with_columns(payload.struct.field("ranks").alias("rank"))
        .with_columns(pl.int_ranges(1, pl.col("shown").list.len() + 1).alias("position"))
        .drop("payload")
        .explode("shown", "rank", "position")
        .rename({"shown": "output_key"})
        .with_columns(pl.lit(None, pl.String).alias("label"))
    )


PROTOCOL = Protocol(
    name="ranking",
    summary="rank the outputs of a segment from best to worst, ties allowed",
    paper="WMT07 §3, WMT13 §3.1",
    draw=draw,
    scale=scale,
    check=check,
    judgements=judgements,
)
