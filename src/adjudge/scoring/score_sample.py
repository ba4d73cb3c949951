"""A sample of very many scores, for questions that need every score by itself.

Segments are chosen by the hash of their names, with all their scores, so that judges who scored the
same output stay together. Where a few segments would be all, judges are chosen by hash as well.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.data.score_table import score_table
from adjudge.data.votes.hashed_names import Hashes, mixed
from adjudge.scoring.gathered_scores import Stratum

SAMPLE = 400_000  # scores
LEAST_SEGMENTS = 1_000
_ALL = 2.0**64


@dataclass(frozen=True, eq=False)
class Sample:
    """Some scores of a stratum as a table, and what to say of it where they are not all."""

    table: pl.DataFrame
    note: str


def sampled(stratum: Stratum) -> Sample:
    """The scores of some segments; all, if they are few enough."""
    spill = stratum.gathered.gathering.spill
    number = sum(map(spill.size, stratum.parts))
    segments = stratum.gathered.gathering.different_segments.number
    of_segments = min(1.0, max(SAMPLE / number, LEAST_SEGMENTS / segments))
    of_judges = min(1.0, SAMPLE / (number * of_segments))
    table = _table(stratum, of_segments, of_judges)
    if of_segments == of_judges == 1:
        return Sample(table, "")
    of = f"{table['segment'].n_unique():,} of {segments:,} segments"
    by = "" if of_judges == 1 else f" by {table['judge'].n_unique():,} judges"
    note = f"Agreement is that of a sample: {len(table):,} scores of {of}{by}, chosen by hash."
    return Sample(table, note)


def _table(stratum: Stratum, of_segments: float, of_judges: float) -> pl.DataFrame:
    """The scores of these shares of segments and of judges as a score table."""
    gathered = stratum.gathered
    chosen = []
    for part in stratum.parts:  # in the order of hashes
        rows = gathered.gathering.spill.read(part)
        taken = _below(rows["segment"], of_segments)
        taken &= _below(mixed(gathered.rank["judge"][rows["judge"]].astype(np.uint64)), of_judges)
        if not taken.any() and of_judges == 1:
            break
        chosen.append(rows[taken])
    rows = np.concatenate(chosen)
    frame = pl.DataFrame(
        {
            "pair": pl.repeat(stratum.pair, len(rows), eager=True),
            "scale": pl.repeat(stratum.scale, len(rows), eager=True),
            "segment": pl.Series(rows["segment"]).cast(pl.String),
            "item": rows["item"],
            "score": rows["score"],
            **{name: gathered.named(name, rows[name]) for name in ("document", "judge", "output")},
        }
    )
    return score_table(frame.drop_nulls("output").sort("item", maintain_order=True))


def _below(hashes: Hashes, share: float) -> NDArray[np.bool_]:
    """Is a hash among this share of all?"""
    if share == 1:
        return np.ones(len(hashes), bool)
    return np.asarray(hashes < np.uint64(share * _ALL))
