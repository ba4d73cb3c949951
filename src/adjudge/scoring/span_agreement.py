"""How far judges mark the same characters (F1), and how far they would by chance.

    F1 = 2 Σ |a ∩ b| / Σ (|a| + |b|)

over every two markings a and b of the same output, by different judges (inter) or by one judge
(intra), each a set of marked characters. With severity, only characters that both call minor or
both call major are common. Chance is the F1 of as many characters placed anywhere in an output
of length L: |a| |b| / L in common. Nothing marked in either adds nothing to any of the sums, so
how often that was so stands beside them. What was left out of an output has no characters and
does not count.

F1 is a ratio of sums over markings, each pair counted from both its ends, and has its variance over
other judges and texts by the rule of agreement (`agreement.crossed`). A marking weighs its share of
the characters. The interval is Wilson's, for F1 is a share of characters.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl

from adjudge.agreement.chance import Floats, known, ratio
from adjudge.agreement.conventions import Evidence
from adjudge.agreement.crossed_variance import coefficient_spreads, kappa_ends, population, resolved
from adjudge.agreement.intervals import agreement_resampling, interval_ends
from adjudge.agreement.labels import KINDS, Ints, Kind, Labels, Matches
from adjudge.core.results import Results
from adjudge.stats.resampling import Resampling, Unit
from adjudge.stats.tests import Ends

_OUTPUT = ("pair", "document", "segment", "output")
_COMMON = ("common", "common_severity")
_ADDED = (*_COMMON, "characters")


@dataclass(frozen=True)
class SpanAgreement:
    """Agreement on where errors are."""

    pair: str
    between: Kind
    compared: int  # pairs of markings of one output
    both_marked: int  # pairs in which both mark something
    none_marked: int
    f1: float | None
    f1_low: float | None
    f1_high: float | None
    f1_with_severity: float | None
    f1_with_severity_low: float | None
    f1_with_severity_high: float | None
    f1_by_chance: float | None
    unit: Unit  # that was taken
    holds_for: str  # whom the intervals hold for

    def row(self) -> dict[str, Any]:
        """The agreement as flat keys."""
        return asdict(self)


def span_agreement(
    table: pl.DataFrame, resampling: Resampling | None = None
) -> Results[SpanAgreement]:
    """Agreement on the spans of a score table, per language pair; inter, intra where there is.

    Of `resampling` the unit and the level are used: nothing is drawn.
    """
    resampling = agreement_resampling(resampling)
    marked = table.filter(pl.col("spans").is_not_null()).unique("item", maintain_order=True)
    marked = marked.drop_nulls(["segment", "judge", "text"])
    if not len(marked):
        return Results()
    items = marked.select(
        pl.struct(_OUTPUT).rank("dense").alias("place"),
        pl.struct("pair", "document", "segment").rank("dense").alias("segment"),
        pl.when(pl.col("document").is_not_null())
        .then(pl.struct("pair", "document").rank("dense"))
        .alias("document"),
        pl.col("pair", "judge").cast(pl.String),
        "item",
        pl.col("text").cast(pl.String).str.len_chars().alias("length"),
        "spans",
    )
    characters = _characters(items)
    sizes = characters.group_by("item").len("size")
    items = items.drop("spans").join(sizes, on="item", how="left")
    pairs = _pairs(items.with_columns(pl.col("size").fill_null(0)), characters)
    return Results(
        _agreed(str(pair), KINDS[bool(same)], part, resampling)
        for (pair, same), part in sorted(pairs.group_by("pair", "same_judge"))
    )


def _agreed(pair: str, kind: Kind, part: pl.DataFrame, resampling: Resampling) -> SpanAgreement:
    total = float((part["size"] + part["size_other"]).sum())
    chance = float((part["size"] * part["size_other"] / part["length"]).sum())
    values = [ratio(2 * float(part[name].sum()), total) for name in _COMMON]
    none_marked = int(((part["size"] == 0) & (part["size_other"] == 0)).sum())
    evidence, columns = _markings(part, kind)
    unit = resolved(resampling, evidence).unit
    marked = len(part) - none_marked  # what the variance of independent pairs would come from
    f1, severe = _intervals(evidence, columns, np.array(values), unit, marked, resampling.level)
    return SpanAgreement(
        pair=pair,
        between=kind,
        compared=len(part),
        both_marked=int(((part["size"] > 0) & (part["size_other"] > 0)).sum()),
        none_marked=none_marked,
        f1=known(values[0]),
        f1_low=f1[0],
        f1_high=f1[1],
        f1_with_severity=known(values[1]),
        f1_with_severity_low=severe[0],
        f1_with_severity_high=severe[1],
        f1_by_chance=known(ratio(2 * chance, total)),
        unit=unit,
        holds_for=population(evidence, unit),
    )


def _markings(part: pl.DataFrame, kind: Kind) -> tuple[Evidence, Floats]:
    """Every marking with what it adds: its characters, and those in common, from both ends."""
    both_ends = [
        part.select(
            "place",
            "segment",
            "document",
            *_COMMON,
            judge=judge,
            item=item,
            characters=pl.col("size") + pl.col("size_other"),
        )
        for judge, item in (("judge", "item"), ("judge_other", "item_other"))
    ]
    markings = (
        pl.concat(both_ends)
        .group_by("item", maintain_order=True)
        .agg(pl.col("place", "segment", "document", "judge").first(), pl.col(_ADDED).sum())
    )
    judges, judge = np.unique(markings["judge"].to_numpy(), return_inverse=True)
    columns = markings.select(_ADDED).to_numpy().astype(np.float64)

    def codes(name: str) -> Ints:
        return markings[name].cast(pl.Int64).fill_null(-1).to_numpy()

    everything = np.ones(len(markings), bool)
    labels = Labels(
        item=codes("place"),
        judge=judge.astype(np.int64),
        label=np.zeros(len(markings), np.int64),
        segment=codes("segment"),
        judges=tuple(judges),
        categories=("marked",),
        document=codes("document"),
    )
    matches = Matches(columns[:, 0].astype(np.int64), columns[:, -1].astype(np.int64))
    return Evidence(labels, kind == "inter", kind == "intra", everything, matches), columns


def _intervals(
    evidence: Evidence, columns: Floats, values: Floats, unit: Unit, pairs: int, level: float
) -> list[Ends]:
    def f1(sums: Floats) -> Floats:
        return 2 * ratio(sums[..., :2], sums[..., 2:])

    spreading = coefficient_spreads(evidence, columns, 3, f1, unit) if columns.any() else None
    if spreading is None:
        return [(None, None), (None, None)]
    spread = spreading.variance, spreading.degrees
    return interval_ends(*kappa_ends(values, np.zeros(2), *spread, pairs, level))


def _characters(items: pl.DataFrame) -> pl.DataFrame:
    """One row for every marked character."""
    return (
        items.select("item", "place", "spans")
        .explode("spans", empty_as_null=False)
        .unnest("spans")
        .drop_nulls("start")
        .select("item", "place", "severity", at=pl.int_ranges("start", "end"))
        .explode("at")
        .unique(["item", "at"], maintain_order=True)  # where spans overlap, the first
    )


def _pairs(items: pl.DataFrame, characters: pl.DataFrame) -> pl.DataFrame:
    """Every two markings of one output, with the characters they have in common."""
    each = ["item", "item_other"]
    both = characters.join(characters, on=["place", "at"], suffix="_other")
    common = both.group_by(each).agg(
        pl.len().alias("common"),
        (pl.col("severity") == pl.col("severity_other")).sum().alias("common_severity"),
    )
    return (
        items.join(items, on=["place", "pair"], suffix="_other")
        .filter(pl.col("item") < pl.col("item_other"))
        .join(common, on=each, how="left")
        .with_columns(
            pl.col("common", "common_severity").fill_null(0),
            (pl.col("judge") == pl.col("judge_other")).alias("same_judge"),
        )
    )
