"""What the formats of SegRanks share (Macháček 2014, appendices B and C): short segments.

A segment is written `name:indices`: which words of the source sentence it covers. Its candidates
have ranks from 1 to as many as there are, and a rank beyond is the category "garbage", which
counts as one more rank, the worst (§3.1).
"""

import polars as pl

CAMPAIGN = "segranks"
GARBAGE = "garbage"
_INDICES = r"\d+(?:,\d+)*"


def indices() -> pl.Expr:
    """The indices of the segment's words, separated by commas."""
    return pl.col("segment").cast(pl.String).str.extract(f":({_INDICES})$")


def words_at() -> pl.Expr:
    """The words of the source sentence that the segment's indices name."""
    words = pl.col("source").cast(pl.String).str.split(" ")
    numbers = indices().str.split(",").list.eval(pl.element().cast(pl.Int64))
    return words.list.gather(numbers, null_on_oob=True)


def sentence() -> pl.Expr:
    """The sentence a segment is of: what its name says in a campaign of ours, which names its
    protocol; in SegRanks's own files the HIT, for all segments of a sentence share one screen."""
    named = pl.col("segment").cast(pl.String).str.extract(f"^(.*):{_INDICES}$")
    own = pl.col("protocol").is_null()
    return pl.when(own).then(pl.col("hit").cast(pl.String)).otherwise(named).alias("sentence")


def own_ranks() -> pl.Expr:
    """Ranks as SegRanks has them: only garbage is beyond the number of candidates.

    Ranks on a longer scale are numbered anew, without gaps.
    """
    garbage = (pl.col("label").cast(pl.String) == GARBAGE).fill_null(False)
    size = pl.len().over("ranking").cast(pl.Int32)
    kept = pl.when(~garbage).then("rank")
    beyond = (kept > size).any().over("ranking")
    anew = kept.rank("dense").over("ranking").cast(pl.Int32)
    return (
        pl.when(garbage)
        .then(pl.max_horizontal("rank", size + 1))
        .when(beyond)
        .then(anew)
        .otherwise("rank")
        .alias("rank")
    )
