"""Fatigue: decline of agreement or time per judgement over a session.

A session is a judge's blocks in order of time with no break of half an hour. With n the ordinal
number of a block in its session, both the mean credit of the block (agreement with the other
judges, `evidence.credit`) and log₂ of the seconds are regressed on n about the means of the
session:

    slope = Σ (n − mean n)(y − mean y) / Σ (n − mean n)²

with an interval clustered by session. The value is the change of credit over a hundred blocks.
Lopez 2012 §6 names the assessor among the sources of error that nobody models.
"""

from itertools import pairwise

import numpy as np
import polars as pl

from adjudge.core.errors import NotEnoughData
from adjudge.diagnosis.evidence import Evidence, credit
from adjudge.diagnosis.finding import NOTHING_TO_DO, Answer, Finding, Severity
from adjudge.stats.tests import Interval, ratio

BREAK = pl.duration(minutes=30)
PER = 100  # blocks
FEWEST_SESSIONS = 5
_BANDS = (1, 6, 11, 21, 51, 101)


def sessions(evidence: Evidence) -> pl.DataFrame:
    """Return one row per block: its judge, session, ordinal number in it, seconds and mean
    credit.
    """
    evidence.require_two_judges()
    data = evidence.comparisons
    number = np.bincount(data.ranking, minlength=len(data.rankings))
    total = np.bincount(data.ranking, credit(data), minlength=len(number))
    blocks = pl.DataFrame(
        {"ranking": data.rankings, "number": number, "credit": total / np.maximum(number, 1)}
    ).filter(pl.col("number") > 0)
    context = (
        evidence.table.select("ranking", "judge", "time", "seconds")
        .drop_nulls(["judge", "time"])
        .unique("ranking", maintain_order=True)
    )
    new = (pl.col("time").diff() > BREAK).over("judge").fill_null(True)
    return (
        blocks.join(context, on="ranking")
        .sort("judge", "time", "ranking")
        .with_columns(session=new.cum_sum())
        .with_columns(ordinal=pl.int_range(1, pl.len() + 1).over("judge", "session"))
    )


def _slope(blocks: pl.DataFrame, y: pl.Expr) -> Interval:
    """Slope of y on the ordinal number, centred within sessions."""
    known = blocks.with_columns(y=y).drop_nulls("y")
    x = pl.col("ordinal") - pl.col("ordinal").mean()
    sums = known.group_by("judge", "session", maintain_order=True).agg(
        together=(x * (pl.col("y") - pl.col("y").mean())).sum(), squares=(x**2).sum()
    )
    sums = sums.filter(pl.col("squares") > 0)
    if len(sums) < FEWEST_SESSIONS:
        raise NotEnoughData(f"fewer than {FEWEST_SESSIONS} sessions have two blocks or more")
    return ratio(sums["together"].to_numpy(), sums["squares"].to_numpy())


def _fatigue(evidence: Evidence) -> Answer:
    blocks = sessions(evidence)
    side = _slope(blocks, pl.col("credit"))
    meaning = (
        f"Over {PER} blocks of a session agreement with the others "
        + ("falls" if side.value < 0 else "rises")
        + f" by {abs(side.value) * PER:.2f} (of ±1)"
        if side.excludes_zero
        else "Agreement with the others does not change over a session beyond chance"
    )
    try:
        pace = _slope(blocks, pl.col("seconds").log(2))
        if pace.excludes_zero:
            more = 2 ** (PER * pace.value) - 1
            less_or_more = "more" if more > 0 else "less"
            meaning += (
                f"; after {PER} blocks a block takes {abs(100 * more):.0f} % {less_or_more} time"
            )
    except NotEnoughData:
        meaning += " (times per block are not known)"
    tired = side.high < 0
    return Answer(
        Severity.note if tired else Severity.none,
        meaning,
        "Ask for shorter sessions, and shuffle systems over the session."
        if tired
        else NOTHING_TO_DO,
        side.value * PER,
        side.low * PER,
        side.high * PER,
        details=[
            {
                "blocks": label,
                "rankings": len(part),
                "credit": part["credit"].mean(),
                "median_seconds": part["seconds"].median(),
            }
            for label, part in _bands(blocks)
            if len(part)
        ],
    )


def _bands(blocks: pl.DataFrame) -> list[tuple[str, pl.DataFrame]]:
    """Group blocks by position in the session."""
    late = pl.col("ordinal")
    bands = [
        (f"{first} to {after - 1}", blocks.filter((late >= first) & (late < after)))
        for first, after in pairwise(_BANDS)
    ]
    return [*bands, (f"{_BANDS[-1]} and later", blocks.filter(late >= _BANDS[-1]))]


FINDING = Finding(
    "fatigue",
    "Do judges get worse over a session?",
    f"change of agreement with the others (−1 to 1) over {PER} blocks",
    "number",
    "Lopez 2012 §6",
    _fatigue,
    needs=frozenset({"judge", "time"}),
    false_alarms=0.025,
)
