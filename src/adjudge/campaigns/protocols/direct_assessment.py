"""Direct assessment: one output at a time, from 0 to 100, in its document.

Today's practice (Graham et al. 2013, WMT16 onwards; in document context since WMT19). A HIT is
one system's run of segments (`one_system`): above the output stands what the judge needs to read
it as a text, the segments of the document before it with the same system's translations. The
slider has no position until it is moved. Stored as `{"score": 71}`.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import polars as pl

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import Refused
from adjudge.campaigns.protocol_kit.one_system import (
    HIGHEST,
    LOWEST,
    REFUSALS,
    about_as_high,
    checked_score,
    draw,
    so_far,
)
from adjudge.campaigns.protocol_kit.protocol import Payload, Protocol, Screen


def scale(candidates: int, design: Design) -> dict[str, Any]:
    """Limits of the slider."""
    return {"lowest": LOWEST, "highest": HIGHEST}


def check(answer: Payload, screen: Screen) -> dict[str, Any]:
    """Validate a whole score from 0 to 100."""
    if set(answer) != {"score"}:
        raise Refused("form", "an answer is one score; reload the page")
    return {"score": checked_score(answer["score"])}


def rows(answers: pl.DataFrame) -> pl.DataFrame:
    """Rows of scores, one per output."""
    said = pl.col("payload").str.json_decode(pl.Struct({"score": pl.Float64}))
    return answers.with_columns(
        pl.col("shown").list.first().alias("output_key"),
        pl.lit(1).alias("position"),
        pl.lit(PROTOCOL.name).alias("scale"),
        said.struct.field("score"),
    ).drop("shown", "payload")


def simulated(screen: Screen, seen: Sequence[float], rng: Random) -> dict[str, Any]:
    """Simulate an answer: one threshold of perceived quality is about ten points."""
    score = round(65 + 10 * seen[0] + rng.uniform(-4, 4))
    return {"score": min(HIGHEST, max(LOWEST, score))}


PROTOCOL = Protocol(
    name="direct-assessment",
    summary="score an output from 0 to 100, segment by segment in its document",
    paper="Graham et al. 2013, WMT16 and later",
    kind="scores",
    draw=draw,
    scale=scale,
    check=check,
    rows=rows,
    simulated=simulated,
    agrees=about_as_high,
    alone={"so_far": []},
    hides=frozenset({"before"}),
    shows_reference=False,
    details=so_far,
    refusals=REFUSALS,
    ends={"direct-assessment": (LOWEST, HIGHEST)},
)
