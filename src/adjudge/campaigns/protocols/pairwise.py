"""Pairwise comparison of two outputs: the better one, both fine, or both wrong.

Bojar 2011 §2.5.2. If the design has a `plain_tie`, a judge may also call the two equal without
rating them. Stored as `{"choice": "first"}`: the output shown first (left, or above on a phone) is
better; `second`, `both fine`, `both wrong` or `tie`. In the judgement table the better output has
rank 1 and the other rank 2; all else is a tie (1, 1), and both rows carry the label `both fine` or
`both wrong`.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import polars as pl
from django.utils.translation import gettext_lazy as _

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import Refused
from adjudge.campaigns.protocol_kit.protocol import Block, Passage, Payload, Protocol, Screen
from adjudge.campaigns.protocol_kit.sampling import Exposure, draw_block
from adjudge.data.judgement_table import BOTH

FIRST, SECOND, TIE = "first", "second", "tie"
CHOICES = (FIRST, SECOND, *BOTH)


def draw(
    passages: Sequence[Passage], design: Design, exposure: Exposure, rng: Random
) -> list[Block]:
    """Draw two outputs per segment; a segment with a single distinct output is skipped."""
    blocks = []
    for passage in passages:
        if len(passage.outputs) < 2:
            continue
        two = draw_block(passage.outputs, 2, design.balance, exposure, rng)
        exposure.add(two)
        blocks.append(Block(passage.segment, tuple(two)))
    return blocks


def scale(candidates: int, design: Design) -> dict[str, Any]:
    """Choices of the judge."""
    return {"choices": [*CHOICES, TIE] if design.plain_tie else [*CHOICES]}


def check(answer: Payload, screen: Screen) -> dict[str, Any]:
    """Validate the choice."""
    if set(answer) != {"choice"}:
        raise Refused("form", "an answer is one choice; reload the page")
    choice = answer["choice"]
    if choice is None:
        raise Refused("no_choice", "nothing is chosen yet; say which is better")
    if choice not in screen.scale["choices"]:
        raise Refused("choice", f"{choice!r} is none of {', '.join(screen.scale['choices'])}")
    return {"choice": choice}


def rows(answers: pl.DataFrame) -> pl.DataFrame:
    """Rows of ranks 1 and 2, or of a tie with its kind, two per screen."""
    choice = pl.col("choice")
    first = pl.when(choice == SECOND).then(2).otherwise(1)
    second = pl.when(choice == FIRST).then(2).otherwise(1)
    payload = pl.col("payload").str.json_decode(pl.Struct({"choice": pl.String}))
    return (
        answers.with_columns(payload.struct.field("choice"))
        .with_columns(
            pl.concat_list(first, second).cast(pl.List(pl.Int32)).alias("rank"),
            pl.when(choice.is_in(BOTH)).then(choice).alias("label"),
            pl.int_ranges(1, pl.col("shown").list.len() + 1).alias("position"),
        )
        .drop("payload", "choice")
        .explode("shown", "rank", "position")
        .rename({"shown": "output_key"})
    )


def simulated(screen: Screen, seen: Sequence[float], rng: Random) -> dict[str, Any]:
    """Simulate an answer: the clearly better output; otherwise both fine, both wrong or a tie."""
    difference, middle = seen[0] - seen[1], (seen[0] + seen[1]) / 2
    if abs(difference) > 1:
        return {"choice": FIRST if difference > 0 else SECOND}
    if TIE in screen.scale["choices"] and abs(middle) < 1:
        return {"choice": TIE}
    return {"choice": BOTH[0] if middle > 0 else BOTH[1]}


def agrees(ours: Payload, given: Payload) -> bool:
    """Test that the answer is not the opposite of ours."""
    return {ours["choice"], given["choice"]} not in ({FIRST, SECOND}, set(BOTH))


PROTOCOL = Protocol(
    name="pairwise",
    summary="which of two outputs is better, or are both fine, or both wrong",
    paper="Bojar 2011 §2.5.2",
    kind="judgements",
    draw=draw,
    scale=scale,
    check=check,
    rows=rows,
    simulated=simulated,
    agrees=agrees,
    refusals={
        "no_choice": _("Nothing is chosen yet."),
        "choice": _("This is not one of the answers."),
    },
)
