"""Two outputs side by side: one better, both fine, both wrong (Bojar 2011 §2.5.2, Tables 7, 8).

The labels come from a judgement table: the ranks give the better output, and the column `label` the
kind of tie. An item is a pair of outputs of a segment. Which of them comes first is decided by
their names, never by the order in which they were shown. Where all judgements are of the same two
systems, the labels name them; where there are more systems, being first says nothing, so the labels
`first better` and `second better` have a mirror (`labels.Labels`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from adjudge.agreement.categorical import read_labels
from adjudge.agreement.labels import Labels, dense
from adjudge.core.errors import BadParameter, NotEnoughData
from adjudge.data.judgement_table import BOTH
from adjudge.data.outcomes import BOTH_BAD
from adjudge.data.outputs import attributed, list_systems, shown_name

FIRST, SECOND, TIE = "first better", "second better", "tie"
MERGED = dict.fromkeys(BOTH, "both")  # Bojar 2011 §2.5.2 merges them to see whether κ rises
_ITEM = ("pair", "document", "segment", "first", "second")


@dataclass(frozen=True)
class Choices:
    """Label counts for two systems, or for one judge's pairs."""

    first: int  # better
    second: int
    both_fine: int
    both_wrong: int
    ties: int

    @property
    def total(self) -> int:
        """Number of labels."""
        return self.first + self.second + self.both_fine + self.both_wrong + self.ties

    def row(self) -> dict[str, Any]:
        """Return the counts as flat keys."""
        return {
            "first_better": self.first,
            "second_better": self.second,
            "both_fine": self.both_fine,
            "both_wrong": self.both_wrong,
            "ties": self.ties,
            "total": self.total,
        }


@dataclass(frozen=True)
class SystemChoices:
    """Label counts for two systems; `judge`: of that judge only."""

    pair: str
    first: str
    second: str
    judge: str | None
    said: Choices


def side_by_side(table: pl.DataFrame) -> pl.DataFrame:
    """Return one row for every two outputs judged side by side, with the columns of `_ITEM`, judge,
    label.

    If the table records the mode of judging, these are its `pairwise` judgements; otherwise every
    ranking of two outputs.
    """
    if table["protocol"].null_count() < len(table):
        table = table.filter(pl.col("protocol").cast(pl.String) == "pairwise")
    shown = table.drop_nulls("output").group_by("ranking").len()["len"]
    if (shown > 2).any():
        raise BadParameter(
            f"{int((shown > 2).sum()):,} of {len(shown):,} rankings show more than two outputs, "
            "and labels are of two side by side; for rankings ask for agreement (`adjudge "
            "agreement`)"
        )
    ranked = table.drop_nulls(["output", "rank"]).with_columns(
        pl.col("pair", "document", "segment", "judge", "output", "label").cast(pl.String)
    )
    two = ranked.filter(pl.len().over("ranking") == 2).sort("ranking", "output")
    if not len(two):
        raise NotEnoughData("no two outputs were judged side by side; give a pairwise campaign")
    rank = pl.col("rank")
    said = (
        pl.when(rank.first() < rank.last())
        .then(pl.lit(FIRST))
        .when(rank.first() > rank.last())
        .then(pl.lit(SECOND))
        .otherwise(pl.col("label").first().replace(BOTH_BAD, BOTH[1]).fill_null(TIE))
    )
    return two.group_by("ranking", maintain_order=True).agg(
        pl.col("pair", "document", "segment", "judge").first(),
        pl.col("output").first().alias("first"),
        pl.col("output").last().alias("second"),
        said.alias("label"),
    )


def choice_labels(frame: pl.DataFrame, merge: Mapping[str, str] | None = None) -> Labels:
    """Convert the rows of `side_by_side` to labels, for known judges and segments."""
    known = frame.drop_nulls(["segment", "judge"])
    named = _named(known)
    item = pl.struct(_ITEM).rank("dense").alias("item")
    segment = pl.struct(_ITEM[:3]).rank("dense").cast(pl.Int64)
    labels = read_labels(known.select(item, "judge", named.alias("label")), merge)
    labels = replace(labels, segment=dense(known.select(segment).to_series().to_numpy()))
    if _two_systems(known) is not None:
        return labels
    swapped = {FIRST: SECOND, SECOND: FIRST}
    reverse = [swapped.get(name, name) for name in labels.categories]
    # The mirror image of an unused label is missing: add it, unused.
    categories = (*labels.categories, *sorted(set(reverse) - set(labels.categories)))
    mirror = tuple(categories.index(swapped.get(name, name)) for name in categories)
    return replace(labels, categories=categories, mirror=mirror)


def _two_systems(frame: pl.DataFrame) -> tuple[str, str] | None:
    """Only two systems of all judgements; None if there are others."""
    pairs = frame.select("first", "second").unique()
    return (pairs["first"][0], pairs["second"][0]) if len(pairs) == 1 else None


def _named(frame: pl.DataFrame) -> pl.Expr:
    both = _two_systems(frame)
    if both is None:
        return pl.col("label")
    better = [f"{shown_name(name)} better" for name in both]
    return pl.col("label").replace([FIRST, SECOND], better)


def choices_of_systems(frame: pl.DataFrame, by_judge: bool = False) -> list[SystemChoices]:
    """Count the labels of all pairs of systems (and by judge); an output of several systems counts
    for each.
    """
    both = ("first", "second")
    known = frame.filter(attributed(name) for name in both)
    lists = (list_systems(name).alias(name) for name in both)
    outputs = known.with_columns(lists).explode("first").explode("second")
    # Of two systems, the one first by name, whichever output came first.
    swap = pl.col("first") > pl.col("second")
    swapped = {FIRST: SECOND, SECOND: FIRST}
    ordered = outputs.with_columns(
        pl.when(swap).then("second").otherwise("first").alias("first"),
        pl.when(swap).then("first").otherwise("second").alias("second"),
        pl.when(swap).then(pl.col("label").replace(swapped)).otherwise("label").alias("label"),
        pl.col("judge") if by_judge else pl.lit(None, pl.String).alias("judge"),
    )
    key = ["pair", "first", "second", "judge"]
    said = [(pl.col("label") == label).sum().alias(label) for label in (FIRST, SECOND, *BOTH, TIE)]
    counted = ordered.group_by(key).agg(*said).sort(key)
    return [
        SystemChoices(pair, first, second, judge, Choices(*numbers))
        for pair, first, second, judge, *numbers in counted.iter_rows()
    ]
