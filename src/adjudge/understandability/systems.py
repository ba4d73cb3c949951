"""Understandability of systems: the share of their data rows that are GOOD or ALMOST.

WMT13 §4.3, Table 9, with repeated edits left out: the intervals and rank ranges are those of a
thousand samples of the data, of the same size and with repetition, in which the number of rows
of a system varies. Besides rows, which WMT13 drew, all rows of a segment, document, editor or
reviewer can be drawn together. An output of several systems counts for each. The average is over
systems, each counting the same, without the human reference.

How far the shares move when one editor or one reviewer is left out is said beside (WMT13 §4.3),
and how many edits each system has, for a score of five edits says nothing (Bojar 2011 §4.1).
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.stats import binomtest

from adjudge.agreement.bootstrap import Bootstrap
from adjudge.errors import NotEnoughData
from adjudge.judgements.judgement_table import is_reference
from adjudge.judgements.outputs import systems_of
from adjudge.ranking.units import expanded_tail
from adjudge.statistics import ranges
from adjudge.understandability.data_rows import STATUSES

Unit = Literal["row", "segment", "document", "editor", "reviewer"]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
ACCEPTABLE = 2  # of STATUSES, the first two


@dataclass(frozen=True, eq=False)
class Understandability:
    """Systems of one language pair, the best understood first."""

    pair: str
    unit: Unit
    bootstrap: Bootstrap
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
        found = test.proportion_ci(self.bootstrap.level, method="wilson")
        return float(found.low), float(found.high)

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
                "unit": self.unit,
                "replicates": self.bootstrap.replicates,
                "seed": self.bootstrap.seed,
                "level": self.bootstrap.level,
            }
            for i, system in enumerate(self.systems)
        ]


def understandability(
    rows: pl.DataFrame, unit: Unit = "row", bootstrap: Bootstrap | None = None
) -> Understandability:
    """The systems of one language pair, from its data rows."""
    bootstrap = bootstrap or Bootstrap()
    pair = str(rows["pair"][0])
    credited = _credited(rows)
    systems, system = _codes(credited["system"])
    status = credited["status"].to_physical().to_numpy()
    counts = _table(system, status, (len(systems), len(STATUSES)))
    share = counts[:, :ACCEPTABLE].sum(axis=1) / counts.sum(axis=1)
    by_unit = _by_unit(credited, unit, system, status < ACCEPTABLE, len(systems))
    drawn = _drawn_shares(by_unit, share, bootstrap)
    sizes = by_unit[:, 1].sum(axis=1)
    tail = expanded_tail(bootstrap.level, float(sizes.sum() ** 2 / (sizes**2).sum()))
    order = np.argsort(-np.round(share, ranges.DIGITS), kind="stable")
    low, high = ranges.intervals(drawn[:, order], tail)
    rank_low, rank_high = ranges.rank_ranges(drawn[:, order], tail)
    average = _average(systems, share, drawn, tail)
    own = (rows["editor"].cast(pl.String) == rows["reviewer"].cast(pl.String)).sum()
    return Understandability(
        pair=pair,
        unit=unit,
        bootstrap=bootstrap,
        systems=tuple(systems[i] for i in order),
        edits=_edits(credited)[order],
        counts=counts[order],
        share=share[order],
        low=low,
        high=high,
        rank=ranges.best_ranks(share[order]),
        rank_low=rank_low,
        rank_high=rank_high,
        cluster=ranges.clusters(rank_low, rank_high),
        editor_effect=_largest_change(credited, "editor", system, share)[order],
        reviewer_effect=_largest_change(credited, "reviewer", system, share)[order],
        average=average[0],
        average_low=average[1],
        average_high=average[2],
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


def _by_unit(
    credited: pl.DataFrame, unit: Unit, system: Ints, accepted: NDArray[np.bool_], systems: int
) -> Ints:
    """`[unit, 0 acceptable or 1 all, system]`: how many rows."""
    if unit == "row":
        code = credited["row"].to_numpy().astype(np.int64)
    else:
        columns = ["document", "segment"] if unit == "segment" else [unit]
        if credited.select(pl.col(columns[-1]).is_null().all()).item():
            raise NotEnoughData(f"no {unit} is known; choose another --unit than {unit}")
        # A row of nobody known stands for itself.
        known = pl.struct(columns).rank("dense").cast(pl.Int64)
        alone = -1 - pl.col("row").cast(pl.Int64)
        code = (
            credited.select(pl.when(pl.col(columns[-1]).is_null()).then(alone).otherwise(known))
            .to_series()
            .to_numpy()
        )
    _, unit_of_row = np.unique(code, return_inverse=True)
    shape = (int(unit_of_row.max()) + 1, systems)
    if shape[0] < 2:
        remedy = "have more edits reviewed" if unit == "row" else "choose another --unit"
        raise NotEnoughData(f"only one {unit}, which tells nothing of others; {remedy}")
    good = _table(unit_of_row[accepted], system[accepted], shape)
    return np.stack([good, _table(unit_of_row, system, shape)], axis=1)


def _drawn_shares(by_unit: Ints, share: Floats, bootstrap: Bootstrap) -> Floats:
    """The shares in every replicate: as many units as there are, with repetition.

    Units that say the same are drawn together: how often is multinomial.
    """
    said, times = np.unique(by_unit, axis=0, return_counts=True)
    random = np.random.default_rng(bootstrap.seed)
    drawn = random.multinomial(len(by_unit), times / len(by_unit), size=bootstrap.replicates)
    good, every = np.moveaxis(np.tensordot(drawn, said, axes=1), 1, 0)
    # A sample without any row of a system says nothing of it: the share stays what it is.
    with np.errstate(invalid="ignore"):
        return np.where(every > 0, good / every, share)


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


def _average(
    systems: list[str], share: Floats, drawn: Floats, tail: float
) -> tuple[float, float, float]:
    machines = np.array([not is_reference(system) for system in systems])
    if not machines.any():
        return np.nan, np.nan, np.nan
    low, high = ranges.intervals(drawn[:, machines].mean(axis=1), tail)
    return float(share[machines].mean()), float(low), float(high)
