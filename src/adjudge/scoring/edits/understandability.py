"""Understandability of systems: the share of their data rows that are GOOD or ALMOST.

WMT13 §4.3, Table 9, with repeated edits left out. An output of several systems counts for each. The
average is over systems, each counting the same, without the human reference. How sure the shares
are is worked out in `shares`.

How far the shares move when one editor or one reviewer is left out is said beside (WMT13 §4.3),
and how many edits each system has, for a score of five edits says nothing (Bojar 2011 §4.1).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import ndtri

from adjudge.core.errors import NotEnoughData
from adjudge.data.judgement_table import is_reference
from adjudge.data.outputs import systems_of
from adjudge.scoring.edits.data_rows import STATUSES
from adjudge.scoring.edits.shares import Floats, Ints, Rows, shares, table_of
from adjudge.stats.resampling import Resampling
from adjudge.stats.simultaneous import Relation
from adjudge.stats.standings import Ranges
from adjudge.stats.uncertainty import wilson

ACCEPTABLE = 2  # of STATUSES, the first two


@dataclass(frozen=True, eq=False)
class Understandability:
    """Systems of one language pair, the best understood first."""

    pair: str
    resampling: Resampling  # with the unit that was taken
    ranges: Ranges  # as they were made
    holds_for: str  # other editors and documents, these reviewers, …
    drawn: bool  # are intervals from replicates? Else from variance components
    systems: tuple[str, ...]
    edits: Ints  # of each system, with a status
    counts: Ints  # (systems, STATUSES)
    share: Floats  # of rows that are GOOD or ALMOST
    low: Floats
    high: Floats
    rank: Ints  # 0: not placed
    rank_low: Ints
    rank_high: Ints
    cluster: Ints  # 0: not placed
    placed: NDArray[np.bool_]  # are there enough rows to place the system?
    told_apart: Relation  # [i, j]: system i is better than j by the rank ranges
    editor_effect: Floats  # the largest change when one editor is left out; NaN: only one
    reviewer_effect: Floats
    average: float  # over systems, the reference not among them; NaN: there are none
    average_low: float
    average_high: float
    own_reviews: int  # reviews of the editor's own edits
    notes: tuple[str, ...]

    def wilson(self, system: int) -> tuple[float, float]:
        """Wilson's interval of a share, right for a handful of rows, if they are independent."""
        accepted = int(self.counts[system, :ACCEPTABLE].sum())
        number = self.counts[system].sum()
        low, high = wilson(accepted / number, number, ndtri((1 + self.resampling.level) / 2))
        return float(low), float(high)

    def rows(self) -> list[dict[str, Any]]:
        """One flat row a system."""
        return [
            {
                "pair": self.pair,
                "system": system,
                "rank": int(self.rank[i]) if self.placed[i] else None,
                "understandable": self.share[i],
                "low": self.low[i],
                "high": self.high[i],
                "rank_low": self.rank_low[i],
                "rank_high": self.rank_high[i],
                "cluster": int(self.cluster[i]) if self.placed[i] else None,
                "placed": self.placed[i],
                **dict(zip(map(str.lower, STATUSES), self.counts[i], strict=True)),
                "rows": self.counts[i].sum(),
                "edits": self.edits[i],
                "editor_effect": self.editor_effect[i],
                "reviewer_effect": self.reviewer_effect[i],
                "unit": self.resampling.unit,
                "replicates": self.resampling.replicates,
                "seed": self.resampling.seed,
                "level": self.resampling.level,
                "ranges": self.ranges,
                "holds_for": self.holds_for,
                "variance": "replicates" if self.drawn else "components",
            }
            for i, system in enumerate(self.systems)
        ]

    def to_frame(self) -> pl.DataFrame:
        """One row a system."""
        return pl.DataFrame(self.rows(), infer_schema_length=None)


def understandability(
    rows: pl.DataFrame, resampling: Resampling | None = None
) -> Understandability:
    """The systems of one language pair, from its data rows."""
    credited = _credited(rows)
    systems, system = _codes(credited["system"])
    status = credited["status"].to_physical().to_numpy()
    counts = table_of(system, status, (len(systems), len(STATUSES)))
    machines = np.array([not is_reference(name) for name in systems])
    given = Rows(credited, tuple(systems), system, status < ACCEPTABLE, machines)
    shared = shares(given, resampling or Resampling())
    standing, order = shared.standing, shared.standing.order
    share = np.empty(len(systems))
    share[order] = standing.scores
    own = (rows["editor"].cast(pl.String) == rows["reviewer"].cast(pl.String)).sum()
    return Understandability(
        pair=str(rows["pair"][0]),
        resampling=shared.resampling,
        ranges="wmt13" if shared.drawn else "simultaneous",
        holds_for=shared.holds_for,
        drawn=shared.drawn,
        systems=tuple(systems[i] for i in order),
        edits=_edits(credited)[order],
        counts=counts[order],
        share=standing.scores,
        low=standing.low,
        high=standing.high,
        rank=standing.rank,
        rank_low=standing.rank_low,
        rank_high=standing.rank_high,
        cluster=standing.cluster,
        placed=shared.placed[order],
        told_apart=standing.told_apart,
        editor_effect=_largest_change(credited, "editor", system, share)[order],
        reviewer_effect=_largest_change(credited, "reviewer", system, share)[order],
        average=shared.average[0],
        average_low=shared.average[1],
        average_high=shared.average[2],
        own_reviews=int(own or 0),
        notes=shared.notes,
    )


def _credited(rows: pl.DataFrame) -> pl.DataFrame:
    """A row for every system that produced the output."""
    outputs = rows["output"].unique().to_list()
    systems = [list(systems_of(output)) for output in outputs]
    of_output = pl.DataFrame(
        {"output": outputs, "system": systems},
        schema={"output": pl.Categorical, "system": pl.List(pl.String)},
    )
    credited = (
        rows.with_row_index("row")
        .join(of_output, on="output", how="left", maintain_order="left")
        .explode("system", empty_as_null=False, keep_nulls=False)
    )
    if not len(credited):
        raise NotEnoughData("no edit is of a known system; name the systems")
    return credited


def _codes(column: pl.Series) -> tuple[list[str], Ints]:
    names = column.unique().drop_nulls().cast(pl.String).sort()
    codes = column.cast(pl.String).replace_strict(
        names, pl.int_range(len(names), eager=True), default=-1
    )
    return names.to_list(), codes.to_numpy().astype(np.int64)


def _edits(credited: pl.DataFrame) -> Ints:
    """How many edits, rather than data rows, every system has."""
    each = credited.group_by("system").agg(pl.col("item").n_unique()).sort("system")
    return each["item"].to_numpy().astype(np.int64)


def _largest_change(credited: pl.DataFrame, who: str, system: Ints, share: Floats) -> Floats:
    """By how much leaving out one editor (or reviewer) changes each share, at most.

    NaN where nothing of a system would be left.
    """
    names, person = _codes(credited[who])
    if not names:
        return np.full(len(share), np.nan)
    accepted = (credited["status"].to_physical() < ACCEPTABLE).to_numpy()
    known = person >= 0
    shape = (len(names), len(share))
    good = table_of(person[known & accepted], system[known & accepted], shape)
    every = table_of(person[known], system[known], shape)
    good_left = np.bincount(system[accepted], minlength=len(share)) - good
    left = np.bincount(system, minlength=len(share)) - every
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(good_left / left - share).max(axis=0))
