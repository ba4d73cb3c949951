"""Ranking of short segments: every phrase of a sentence on one screen (Macháček 2014 §2.2).

The distinct candidates of a phrase are ranked from 1 (best) to their number, ties and gaps allowed,
or called "Garbage": the meaning cannot be guessed. Stored as `{"ranks": [[2, 1, 4], …]}`, a list a
phrase in the order shown; garbage is the rank after the last, for it counts as one more rank, the
worst (§3.1). A phrase with a single candidate is asked about too: it may be garbage.
"""

from collections.abc import Sequence
from itertools import groupby
from random import Random
from typing import Any

import polars as pl
from django.utils.translation import gettext_lazy as _

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import Refused
from adjudge.campaigns.protocol_kit.practice_feedback import none_reversed, pattern_of
from adjudge.campaigns.protocol_kit.protocol import Block, Passage, Payload, Protocol, Screen
from adjudge.campaigns.protocol_kit.sampling import Exposure
from adjudge.campaigns.protocols.constituent import reads
from adjudge.campaigns.protocols.ranking import REFUSALS, ranks_of
from adjudge.data.segranks import GARBAGE

_HOPELESS = -4.0  # the quality below which a simulated judge sees no meaning


def draw(
    passages: Sequence[Passage], design: Design, exposure: Exposure, rng: Random
) -> list[Block]:
    """Draw all candidates of all phrases of a sentence, one screen per sentence."""
    blocks = []
    for passage in passages:
        candidates = tuple(candidate for part in passage.parts for candidate in part)
        if candidates:
            blocks.append(Block(passage.segment, candidates))
    return blocks


def scale(candidates: int, design: Design) -> dict[str, Any]:
    """Scale of each phrase."""
    return {}


def check(answer: Payload, screen: Screen) -> dict[str, Any]:
    """Validate one whole rank within the phrase's scale for every candidate."""
    ranks = answer.get("ranks")
    if set(answer) != {"ranks"} or not isinstance(ranks, list):
        raise Refused("form", "an answer is a list of ranks for each phrase; reload the page")
    sizes = phrase_sizes(screen)
    if len(ranks) != len(sizes):
        raise Refused("phrase", f"ranks for {len(ranks)} of {len(sizes)} phrases; rank them all")
    for number, (given, size) in enumerate(zip(ranks, sizes, strict=True), 1):
        if not isinstance(given, list) or len(given) != size:
            raise Refused("phrase", f"phrase {number} has {size} translations; rank each one once")
        for rank in given:
            if rank is None:
                raise Refused("missing", f"a translation of phrase {number} has no rank yet")
            if isinstance(rank, bool) or not isinstance(rank, int) or not 1 <= rank <= size + 1:
                raise Refused("rank", f"phrase {number}: no rank from 1 to {size}, nor garbage")
    return {"ranks": ranks}


def phrase_sizes(screen: Screen) -> list[int]:
    """Number of candidates of each phrase on the screen."""
    return [
        len(list(candidates))
        for _, candidates in groupby(candidate.part for candidate in screen.candidates)
    ]


def rows(answers: pl.DataFrame) -> pl.DataFrame:
    """Rows of ranks, one per candidate, with the number of its phrase on the screen."""
    ranks = pl.col("payload").str.json_decode(pl.Struct({"ranks": pl.List(pl.List(pl.Int32))}))
    ranked = (
        answers.select("ranking", ranks.struct.field("ranks").alias("rank"))
        .explode("rank")
        .with_columns(
            pl.int_range(1, pl.len() + 1).over("ranking").alias("part"),
            pl.int_ranges(1, pl.col("rank").list.len() + 1).alias("position"),
            pl.col("rank").list.len().alias("size"),
        )
        .explode("rank", "position")
        .drop("ranking")
    )
    shown = answers.drop("payload").explode("shown").rename({"shown": "output_key"})
    return (
        pl.concat([shown, ranked], how="horizontal")
        .with_columns(pl.when(pl.col("rank") > pl.col("size")).then(pl.lit(GARBAGE)).alias("label"))
        .drop("size")
    )


def simulated(screen: Screen, seen: Sequence[float], rng: Random) -> dict[str, Any]:
    """Simulate an answer: clearly better candidates get better ranks, hopeless ones are garbage."""
    left = list(seen)
    ranks = []
    for size in phrase_sizes(screen):
        of_phrase, left = left[:size], left[size:]
        ranked = zip(ranks_of(of_phrase), of_phrase, strict=True)
        ranks.append([size + 1 if quality < _HOPELESS else rank for rank, quality in ranked])
    return {"ranks": ranks}


def agrees(ours: Payload, given: Payload) -> bool:
    """Test for equal garbage, and no reversed pair of candidates of a phrase."""
    return all(
        none_reversed(mine, theirs)
        and [rank > len(mine) for rank in mine] == [rank > len(mine) for rank in theirs]
        for mine, theirs in zip(ours["ranks"], given["ranks"], strict=True)
    )


def says(payload: Payload, screen: Screen) -> object:
    """Ranks of every phrase, or their pattern."""
    return pattern_of(payload["ranks"])


PROTOCOL = Protocol(
    name="segments",
    summary="put the translations of each phrase of a sentence into ranks, or garbage",
    paper="Macháček 2014 §2.2",
    kind="judgements",
    draw=draw,
    scale=scale,
    check=check,
    rows=rows,
    simulated=simulated,
    agrees=agrees,
    says=says,
    reads=reads,
    needs_parts=True,
    refusals={
        **REFUSALS,
        "phrase": _("A phrase lacks ranks, or has too many. Reload the page."),
    },
)
