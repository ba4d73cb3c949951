"""Understandability of systems: the share of their data rows that are GOOD or ALMOST.

WMT13 §4.3, Table 9, with repeated edits left out: the intervals and rank ranges are those of a
thousand samples of the data, of the same size and with repetition, in which the number of rows
of a system varies. Besides rows, which WMT13 drew, all rows of a segment, document, editor or
reviewer can be drawn together. An output of several systems counts for each. The average is over
systems, each counting the same, without the human reference.

How far the shares move when one editor or one reviewer is left out is said beside (WMT13 §4.3),
and how many edits each system has, for a score of five edits says nothing (Bojar 2011 §4.1).
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.stats import binomtest

from adjudge.errors import NotEnoughData
from adjudge.judgements.judgement_table import is_reference
from adjudge.judgements.outputs import systems_of
from adjudge.statistics.bootstrap import Bootstrapped, bootstrap
from adjudge.statistics.resampling import Resampling, Unit
from adjudge.statistics.standings import standings
from adjudge.statistics.units import Units, units_of
from adjudge.understandability.data_rows import STATUSES

# The first, which WMT13 drew, is the default.
EDIT_UNITS: tuple[Unit, ...] = ("row", "segment", "document", "editor", "reviewer")
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
ACCEPTABLE = 2  # of STATUSES, the first two


@dataclass(frozen=True, eq=False)
class Understandability:
    """Systems of one language pair, the best understood first."""

    pair: str
    resampling: Resampling
    systems: tuple[str, ...]
    edits: Ints  # of each system, with a status
    counts: Ints  # (systems, STATUSES)
    share: Floats  # of rows that are GOOD or ALMOST
    low: Floats
    high: Floats
    rank: Ints
    rank_low: Ints
    rank_high: Ints
    cluster: Ints
    editor_effect: Floats  # the largest change when one editor is left out; NaN: only one
    reviewer_effect: Floats
    average: float  # over systems, the reference not among them; NaN: there are none
    average_low: float
    average_high: float
    own_reviews: int  # reviews of the editor's own edits

    def wilson(self, system: int) -> tuple[float, float]:
        """Wilson's interval of a share, right for a handful of rows, if they are independent."""
        accepted = int(self.counts[system, :ACCEPTABLE].sum())
        test = binomtest(accepted, int(self.counts[system].sum()))
        wilson = test.proportion_ci(self.resampling.level, method="wilson")
        return float(wilson.low), float(wilson.high)

    def rows(self) -> list[dict[str, Any]]:
        """One flat row a system."""
        return [
            {
                "pair": self.pair,
                "system": system,
                "rank": self.rank[i],
                "understandable": self.share[i],
                "low": self.low[i],
                "high": self.high[i],
                "rank_low": self.rank_low[i],
                "rank_high": self.rank_high[i],
                "cluster": self.cluster[i],
                **dict(zip(map(str.lower, STATUSES), self.counts[i], strict=True)),
                "rows": self.counts[i].sum(),
                "edits": self.edits[i],
                "editor_effect": self.editor_effect[i],
                "reviewer_effect": self.reviewer_effect[i],
                "unit": self.resampling.unit,
                "replicates": self.resampling.replicates,
                "seed": self.resampling.seed,
                "level": self.resampling.level,
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
    resampling = (resampling or Resampling()).among(EDIT_UNITS)
    credited = _credited(rows)
    systems, system = _codes(credited["system"])
    status = credited["status"].to_physical().to_numpy()
    counts = _table(system, status, (len(systems), len(STATUSES)))
    machines = np.array([not is_reference(name) for name in systems])
    drawn = _drawn_shares(credited, system, status < ACCEPTABLE, machines, resampling)
    share = drawn.estimate[:-1]
    standing = standings(replace(drawn, estimate=share, replicates=drawn.replicates[:, :-1]))
    order = standing.order
    low, high = drawn.interval()
    own = (rows["editor"].cast(pl.String) == rows["reviewer"].cast(pl.String)).sum()
    return Understandability(
        pair=str(rows["pair"][0]),
        resampling=resampling,
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
        editor_effect=_largest_change(credited, "editor", system, share)[order],
        reviewer_effect=_largest_change(credited, "reviewer", system, share)[order],
        average=float(drawn.estimate[-1]),
        average_low=float(low[-1]),
        average_high=float(high[-1]),
        own_reviews=int(own or 0),
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


def _table(row: Ints, column: Ints, shape: tuple[int, int]) -> Ints:
    return np.bincount(row * shape[1] + column, minlength=shape[0] * shape[1]).reshape(shape)


def _edit_units(credited: pl.DataFrame, unit: Unit) -> Units:
    """The unit of every credited row; what nobody known did is drawn row by row."""
    row = credited["row"].to_numpy().astype(np.int64)
    if unit == "row":
        label = row
    else:
        columns = ["document", "segment"] if unit == "segment" else [unit]
        known = pl.struct(columns).rank("dense").cast(pl.Int64)
        label = (
            credited.select(pl.when(pl.col(columns[-1]).is_null()).then(-1).otherwise(known))
            .to_series()
            .to_numpy()
        )
    return units_of(label, unit, alone=row)


def _drawn_shares(
    credited: pl.DataFrame,
    system: Ints,
    accepted: NDArray[np.bool_],
    machines: NDArray[np.bool_],
    resampling: Resampling,
) -> Bootstrapped:
    """The share of every system, and last their average without the reference."""
    units = _edit_units(credited, resampling.unit)
    shape = (units.number, len(machines))
    code = units.code.astype(np.int64)
    acceptable = _table(code[accepted], system[accepted], shape)
    statistics = np.concatenate([acceptable, _table(code, system, shape)], axis=1).astype(float)
    share = np.divide(*np.split(statistics.sum(axis=0), 2))

    def shares(sums: Floats) -> Floats:
        good, every = np.split(sums, 2, axis=-1)
        # A sample without any row of a system says nothing of it: the share stays what it is.
        drawn = np.divide(
            good, every, out=np.broadcast_to(share, good.shape).copy(), where=every > 0
        )
        average = drawn[..., machines].mean(axis=-1, keepdims=True) if machines.any() else np.nan
        return np.concatenate([drawn, np.broadcast_to(average, (*drawn.shape[:-1], 1))], axis=-1)

    each = Units(units.name, np.arange(units.number), units.size)
    return bootstrap(statistics, shares, (each,), resampling)


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
    good = _table(person[known & accepted], system[known & accepted], shape)
    every = _table(person[known], system[known], shape)
    good_left = np.bincount(system[accepted], minlength=len(share)) - good
    left = np.bincount(system, minlength=len(share)) - every
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(good_left / left - share).max(axis=0))
