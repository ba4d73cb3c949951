"""Speed: judges who are faster than reading allows.

With texts, a block's words are those of its source, its reference and its outputs, and a block
is too fast at more than 600 words a minute: adults read prose silently at about 240
(Brysbaert 2019), and outputs of one sentence repeat each other. Without texts nobody's reading
can be measured, so a block is too fast at less than a third of the median judge's median time.
A judge is accused when more than half of the judge's blocks are too fast beyond chance
(one-sided sign test, Holm over the judges at 1 %).

WMT07 §6 times judges and drops what took over five minutes as a break; those times do not
disturb a median.
"""

import numpy as np
import polars as pl

from adjudge.core.errors import NotEnoughData
from adjudge.diagnosis.evidence import Evidence
from adjudge.diagnosis.finding import FEWEST_RANKINGS, Answer, Finding, accuse, accused
from adjudge.stats.tests import at_least

WORDS_PER_MINUTE = 600
SHARE_OF_TYPICAL = 1 / 3


def _words(column: str) -> pl.Expr:
    return pl.col(column).cast(pl.String).str.split(" ").list.len().fill_null(0)


def block_times(evidence: Evidence) -> pl.DataFrame:
    """Return one row per block with a known time and judge: judge, seconds, words (null: no
    texts).
    """
    times = evidence.table.filter(pl.col("rank").is_not_null() & (pl.col("seconds") > 0))
    if times.is_empty():
        raise NotEnoughData("the judgements carry no times")
    words = (
        _words("source").first() + _words("reference").first() + _words("text").sum()
        if times["text"].null_count() == 0
        else pl.lit(None, pl.Int64)
    )
    return (
        times.group_by("ranking", maintain_order=True)
        .agg(pl.col("judge", "seconds").first(), words=words)
        .drop_nulls("judge")
    )


def _too_fast(evidence: Evidence, times: pl.DataFrame) -> tuple[pl.Expr, str]:
    """Expression for blocks judged too fast, and its wording."""
    if times["words"].null_count() == 0:
        fast = pl.col("words") * 60 / pl.col("seconds") > WORDS_PER_MINUTE
        return fast, f"went through more than {WORDS_PER_MINUTE} words a minute in most blocks"
    evidence.require_two_judges()
    medians = times.group_by("judge").agg(pl.col("seconds").median())["seconds"].to_numpy()
    limit = float(np.median(medians)) * SHARE_OF_TYPICAL
    return pl.col("seconds") < limit, (
        f"took less than {limit:.0f} s, a third of the median judge's time, for most blocks "
        "(no texts, so reading speed is not known)"
    )


def _speed(evidence: Evidence) -> Answer:
    times = block_times(evidence)
    fast, pace = _too_fast(evidence, times)
    per_judge = times.group_by("judge", maintain_order=True).agg(
        rankings=pl.len(),
        median_seconds=pl.col("seconds").median(),
        words_per_minute=(pl.col("words") * 60 / pl.col("seconds")).median(),
        too_fast_share=fast.mean(),
        too_fast=fast.sum(),
    )
    rankings, too_fast = per_judge["rankings"].to_numpy(), per_judge["too_fast"].to_numpy()
    p = at_least(too_fast, rankings, 0.5)
    p = np.where(rankings >= FEWEST_RANKINGS, p, np.nan)
    guilty = accused(p)
    tried = per_judge.drop("too_fast").with_columns(p=p, accused=guilty).filter(~np.isnan(p))
    names = set(tried.filter("accused")["judge"].to_list())
    return accuse(
        evidence,
        np.array([judge in names for judge in evidence.comparisons.judges], bool),
        f"{{judges}} {pace}",
        f"No judge {pace}",
        "See whether these judges' answers agree with the others' "
        '(`only="uninformative-judges"`); leave them out with `without_judge` if not.',
        tried.sort("p", maintain_order=True).to_dicts(),
    )


FINDING = Finding(
    "speed",
    "Who is much faster than one can read?",
    "judges accused",
    "count",
    "WMT07 §6 (timing)",
    _speed,
    needs=frozenset({"judge", "seconds"}),
    false_alarms=0.01,
)
