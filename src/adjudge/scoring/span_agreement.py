"""How far judges mark the same characters (F1), and how far they would by chance.

    F1 = 2 Σ |a ∩ b| / Σ (|a| + |b|)

over every two markings a and b of the same output, by different judges (inter) or by one judge
(intra), each a set of marked characters. With severity, only characters that both call minor or
both call major are common. Chance is the F1 of as many characters placed anywhere in an output
of length L: |a| |b| / L in common. Nothing marked in either adds nothing to any of the sums, so
how often that was so stands beside them. What was left out of an output has no characters and
does not count.
"""

from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from adjudge.agreement.chance import known, ratio
from adjudge.agreement.labels import KINDS, Kind
from adjudge.results import Results

_OUTPUT = ("pair", "document", "segment", "output")


@dataclass(frozen=True)
class SpanAgreement:
    """Agreement on where errors are."""

    pair: str
    between: Kind
    compared: int  # pairs of markings of one output
    both_marked: int  # pairs in which both mark something
    none_marked: int
    f1: float | None
    f1_with_severity: float | None
    f1_by_chance: float | None

    def row(self) -> dict[str, Any]:
        """The agreement as flat keys."""
        return asdict(self)


def span_agreement(table: pl.DataFrame) -> Results[SpanAgreement]:
    """Agreement on the spans of a score table, per language pair; inter, intra where there is."""
    marked = table.filter(pl.col("spans").is_not_null()).unique("item", maintain_order=True)
    marked = marked.drop_nulls(["segment", "judge", "text"])
    if not len(marked):
        return Results()
    items = marked.select(
        pl.struct(_OUTPUT).rank("dense").alias("place"),
        pl.col("pair", "judge").cast(pl.String),
        "item",
        pl.col("text").cast(pl.String).str.len_chars().alias("length"),
        "spans",
    )
    characters = _characters(items)
    sizes = characters.group_by("item").len("size")
    items = items.drop("spans").join(sizes, on="item", how="left")
    pairs = _pairs(items.with_columns(pl.col("size").fill_null(0)), characters)
    agreed = []
    for (pair, same), part in sorted(pairs.group_by("pair", "same_judge")):
        total = float((part["size"] + part["size_other"]).sum())
        chance = float((part["size"] * part["size_other"] / part["length"]).sum())
        agreed.append(
            SpanAgreement(
                pair=str(pair),
                between=KINDS[bool(same)],
                compared=len(part),
                both_marked=int(((part["size"] > 0) & (part["size_other"] > 0)).sum()),
                none_marked=int(((part["size"] == 0) & (part["size_other"] == 0)).sum()),
                f1=known(ratio(2 * float(part["common"].sum()), total)),
                f1_with_severity=known(ratio(2 * float(part["common_severity"].sum()), total)),
                f1_by_chance=known(ratio(2 * chance, total)),
            )
        )
    return Results(agreed)


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
