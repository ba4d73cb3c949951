"""Adequacy and fluency: two five-point scales for every output on the screen.

WMT07 §3, after the scales of the Linguistic Data Consortium (2005): how much of the meaning of
the reference is in the output, from 1 (none of it) to 5 (all of it), and how well it reads,
whatever it says, from 1 (cannot be understood) to 5 (flawless). Outputs of a segment are scored
on one screen, sets of five in WMT07. Stored as `{"adequacy": [4, 2, …], "fluency": [5, 1, …]}` in
the order shown.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import polars as pl
from django.utils.translation import gettext_lazy as _

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import Refused
from adjudge.campaigns.protocol_kit.practice_feedback import all_close, pattern_of
from adjudge.campaigns.protocol_kit.protocol import Block, Passage, Payload, Protocol, Screen
from adjudge.campaigns.protocol_kit.sampling import Exposure, draw_block

SCALES = ("adequacy", "fluency")
POINTS = (1, 2, 3, 4, 5)
_PAYLOAD = pl.Struct({name: pl.List(pl.Float64) for name in SCALES})


def draw(
    passages: Sequence[Passage], design: Design, exposure: Exposure, rng: Random
) -> list[Block]:
    """Draw one block per segment; single outputs are scored too."""
    blocks = []
    for passage in passages:
        if not passage.outputs:
            continue
        size = design.outputs_for(passage.words)
        chosen = draw_block(passage.outputs, size, design.balance, exposure, rng)
        exposure.add(chosen)
        blocks.append(Block(passage.segment, tuple(chosen)))
    return blocks


def scale(candidates: int, design: Design) -> dict[str, Any]:
    """Scales and their points."""
    return {"scales": list(SCALES), "points": list(POINTS)}


def check(answer: Payload, screen: Screen) -> dict[str, Any]:
    """Validate one point of either scale for every text."""
    if set(answer) != set(SCALES) or not all(isinstance(answer[scale], list) for scale in SCALES):
        raise Refused("form", "an answer is a list of scores for either scale; reload the page")
    for name in SCALES:
        if len(answer[name]) != len(screen.texts):
            raise Refused(
                "candidate",
                f"{len(answer[name])} scores of {name} for {len(screen.texts)} translations; "
                "score each one once",
            )
        for position, point in enumerate(answer[name], 1):
            if point is None:
                raise Refused("no_point", f"translation {position} has no {name} yet; give it one")
            if isinstance(point, bool) or not isinstance(point, int) or point not in POINTS:
                raise Refused("point", f"translation {position} has no {name} from 1 to 5")
    return {name: answer[name] for name in SCALES}


def rows(answers: pl.DataFrame) -> pl.DataFrame:
    """Rows of adequacy and fluency, two per output."""
    said = pl.col("payload").str.json_decode(_PAYLOAD)
    return pl.concat(
        answers.with_columns(
            said.struct.field(name).alias("score"),
            pl.lit(name).alias("scale"),
            pl.int_ranges(1, pl.col("shown").list.len() + 1).alias("position"),
        )
        .drop("payload")
        .explode("shown", "score", "position")
        .rename({"shown": "output_key"})
        for name in SCALES
    )


def simulated(screen: Screen, seen: Sequence[float], rng: Random) -> dict[str, Any]:
    """Simulate an answer: points follow perceived quality, with fluency correlated with
    adequacy.
    """
    return {
        "adequacy": [_point(quality) for quality in seen],
        "fluency": [_point(quality + rng.gauss(0, 0.7)) for quality in seen],
    }


def _point(quality: float) -> int:
    return min(POINTS[-1], max(POINTS[0], round(3 + quality)))


def agrees(ours: Payload, given: Payload) -> bool:
    """Test that no score is more than a point away from ours."""
    return all(all_close(ours[name], given[name], 1) for name in SCALES)


def says(payload: Payload, screen: Screen) -> object:
    """Points, or a single point if all are equal."""
    points = {point for name in SCALES for point in payload[name]}
    return sorted(points) if len(points) == 1 else pattern_of(payload[name] for name in SCALES)


PROTOCOL = Protocol(
    name="adequacy-fluency",
    summary="score how much of the meaning an output has, and how well it reads, from 1 to 5",
    paper="WMT07 §3",
    kind="scores",
    draw=draw,
    scale=scale,
    check=check,
    rows=rows,
    simulated=simulated,
    agrees=agrees,
    says=says,
    refusals={
        "no_point": _("A translation has no score yet."),
        "point": _("A score is outside the scale from 1 to 5."),
    },
    ends=dict.fromkeys(SCALES, (POINTS[0], POINTS[-1])),
)
