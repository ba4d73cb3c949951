"""What is in a file of judgements, by language pair and protocol."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

import numpy as np
import polars as pl

from adjudge.data.comparisons import Outputs, by_pair, compare
from adjudge.data.judgement_table import SCHEMA
from adjudge.data.outputs import includes_reference, systems_among, systems_of
from adjudge.data.selection import by_protocol
from adjudge.data.win_counts import count


@dataclass(frozen=True)
class Summary:
    """The numbers of one language pair and protocol; None where the judgements do not say."""

    pair: str
    protocol: str | None
    systems: int
    judges: int
    groups: int
    documents: int
    segments: int
    rankings: int
    skipped: int  # rankings the judge left without an answer
    unfinished: int  # rankings shown but without a single label
    missing: int  # outputs shown without a label in rankings that have some
    duplicates: int  # rankings that repeat an earlier one in every respect
    comparisons: int
    ties: int
    reference_share: float | None  # of the comparisons, those that involve the reference
    seconds_median: float | None  # per ranking
    first: datetime | None
    last: datetime | None
    estimated: tuple[str, ...] = ()  # the numbers that are known about, not exactly


@dataclass(frozen=True)
class SystemSummary:
    """How one system fared, in comparisons of systems."""

    system: str
    outputs: int  # judged outputs of it
    comparisons: int
    wins: int
    ties: int
    losses: int


def summarise(table: pl.DataFrame, outputs: Outputs = "expanded") -> list[Summary]:
    """One summary per language pair and protocol."""
    return [
        _summary(pair, protocol, judgements, outputs)
        for pair, part in by_pair(table)
        for protocol, judgements in by_protocol(part)
    ]


def _summary(pair: str, protocol: str | None, table: pl.DataFrame, outputs: Outputs) -> Summary:
    comparisons = compare(table, outputs)
    labelled = pl.col("rank").is_not_null().any()
    rankings = table.group_by("ranking").agg(
        labelled.alias("labelled"),
        pl.col("output").is_null().all().alias("skipped"),
        (pl.col("output").is_not_null() & pl.col("rank").is_null()).sum().alias("missing"),
        pl.col("seconds").first(),
    )
    started = rankings.filter("labelled")
    return Summary(
        pair=pair,
        protocol=protocol,
        systems=len(systems_among(_distinct(table, "output"))),
        judges=len(_distinct(table, "judge")),
        groups=len(_distinct(table, "group")),
        documents=len(_distinct(table, "document")),
        segments=len(_distinct(table, "segment")),
        rankings=len(rankings),
        skipped=int(rankings["skipped"].sum()),
        unfinished=len(rankings) - len(started) - int(rankings["skipped"].sum()),
        missing=int(started["missing"].sum()),
        duplicates=count_duplicates(table),
        comparisons=len(comparisons),
        ties=int(np.count_nonzero(comparisons.outcome == 0)),
        reference_share=_reference_share(comparisons.systems, comparisons.left, comparisons.right),
        seconds_median=cast(float | None, rankings["seconds"].median()),
        first=cast(datetime | None, table["time"].min()),
        last=cast(datetime | None, table["time"].max()),
    )


def _distinct(table: pl.DataFrame, column: str) -> list[str]:
    return table[column].unique().drop_nulls().to_list()


def _reference_share(systems: tuple[str, ...], left: Any, right: Any) -> float | None:
    """Nothing where no reference was among the systems."""
    reference = np.array([includes_reference(name) for name in systems], bool)
    if not len(left) or not reference.any():
        return None
    return float((reference[left] | reference[right]).mean())


def count_duplicates(table: pl.DataFrame) -> int:
    """How many rankings repeat another one in every column but their number.

    A judge asked again who answers the same is no duplicate where the times tell them apart. Of
    rankings with neither judge nor time nobody can say whose they are: two people may well have
    said the same.
    """
    table = table.filter(pl.col("judge").is_not_null() | pl.col("time").is_not_null())
    said = pl.struct(name for name in SCHEMA if name != "ranking").hash()
    rankings = table.group_by("ranking").agg(said.sort().alias("said"))
    return len(rankings) - rankings["said"].n_unique()


def summarise_systems(table: pl.DataFrame) -> list[SystemSummary]:
    """How the systems of one language pair fared."""
    counts = count(compare(table))
    judged = (
        table.filter(pl.col("output").is_not_null() & pl.col("rank").is_not_null())
        .group_by("output")
        .agg(pl.len())
    )
    shown: dict[str, int] = {}
    for output, times in judged.iter_rows():
        for system in systems_of(output):
            shown[system] = shown.get(system, 0) + times
    wins, losses, ties = counts.wins.sum(1), counts.wins.sum(0), counts.ties.sum(1)
    return [
        SystemSummary(
            system,
            shown.get(system, 0),
            int(wins[i] + ties[i] + losses[i]),
            int(wins[i]),
            int(ties[i]),
            int(losses[i]),
        )
        for i, system in enumerate(counts.systems)
    ]


@dataclass(frozen=True)
class Summaries:
    """All that is in a table of judgements."""

    pairs: tuple[Summary, ...]  # one for every language pair and protocol
    systems: tuple[SystemSummary, ...]  # where there is one language pair and protocol
    judges: int  # in all
    outputs: Outputs  # how an output of several systems counts
    estimated: tuple[str, ...] = ()  # as in `Summary`


def summarise_all(table: pl.DataFrame, outputs: Outputs = "expanded") -> Summaries:
    """What is in the judgements, with the systems where they are of one language pair."""
    pairs = tuple(summarise(table, outputs))
    systems = tuple(summarise_systems(table)) if len(pairs) == 1 else ()
    judges = table["judge"].n_unique() - bool(table["judge"].null_count())
    return Summaries(pairs, systems, judges, outputs)
