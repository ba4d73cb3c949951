"""Comparison of a judge's answers with those of others on the same segments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import polars as pl

from adjudge.campaigns.models import Judge
from adjudge.campaigns.results.projects import TABLES
from adjudge.campaigns.results.tables import kinds_of
from adjudge.data.kinds import KINDS

_OF_SEGMENT = ["protocol", "document", "segment"]


@dataclass(frozen=True)
class Compared:
    """Output with the answers of the judge and of others."""

    systems: str
    text: str
    own: str
    others: tuple[str, ...]


@dataclass(frozen=True)
class AnswerBeside:
    """Single answer; `others` are the judges who met the segment under the same protocol."""

    protocol: str
    segment: str
    document: str
    source: str
    reference: str
    seconds: float | None
    time: datetime | None
    skipped: bool
    others: tuple[str, ...]
    outputs: tuple[Compared, ...]


def answers_beside(judge: Judge, start: int, count: int) -> tuple[list[AnswerBeside], int]:
    """Page of the judge's answers from number `start`, the newest first, and their total number."""
    answers: list[tuple[Any, AnswerBeside]] = []
    total = 0
    for kind in kinds_of(judge.campaign):
        number = KINDS[kind].number
        table = TABLES[kind](judge.campaign, True)
        table = table.with_columns(pl.col(pl.Categorical).cast(pl.String), said=_said(table))
        own = table.filter(pl.col("judge") == judge.name)
        latest = own.group_by(number).agg(pl.col("time").max()).sort("time", descending=True)
        total += len(latest)
        for chosen in latest[number].head(start + count):
            answer = _beside(own.filter(pl.col(number) == chosen), table, judge.name)
            answers.append((answer.time, answer))
    answers.sort(key=lambda pair: pair[0], reverse=True)
    return [answer for _, answer in answers[start : start + count]], total


def _said(table: pl.DataFrame) -> pl.Expr:
    """Short text of an answer about one output, for any kind of table."""
    if "rank" in table.columns:
        words = [pl.col("rank").cast(pl.String), pl.col("label").cast(pl.String)]
    elif "score" in table.columns:
        words = [pl.col("scale").cast(pl.String), pl.col("score").cast(pl.String)]
    else:
        words = [pl.col("verdict").cast(pl.String), pl.col("edit")]
    return pl.concat_str(words, separator=" ", ignore_nulls=True)


def _beside(rows: pl.DataFrame, table: pl.DataFrame, judge: str) -> AnswerBeside:
    first = rows.row(0, named=True)
    same = table.filter(*(pl.col(name).eq_missing(first[name]) for name in _OF_SEGMENT))
    others = same.filter(pl.col("judge") != judge).drop_nulls("output")
    names = tuple(sorted(others["judge"].unique()))
    by_output = _by(others)
    return AnswerBeside(
        protocol=first["protocol"] or "",
        segment=first["segment"] or "",
        document=first["document"] or "",
        source=first["source"] or "",
        reference=first["reference"] or "",
        seconds=first["seconds"],
        time=first["time"],
        skipped=first["output"] is None,
        others=names,
        outputs=tuple(
            Compared(
                systems=output.replace("+", ", "),
                text=text or "",
                own=said,
                others=tuple(by_output.get((output, name), "") for name in names),
            )
            for output, text, said in _outputs(rows.drop_nulls("output"))
        ),
    )


def _outputs(rows: pl.DataFrame) -> Sequence[tuple[str, str, str]]:
    grouped = rows.group_by("output", maintain_order=True)
    return grouped.agg(pl.col("text").first(), pl.col("said").str.join(", ")).rows()


def _by(rows: pl.DataFrame) -> Mapping[tuple[str, str], str]:
    grouped = rows.group_by("output", "judge", maintain_order=True)
    said = grouped.agg(pl.col("said").str.join(", "))
    return {(output, judge): words for output, judge, words in said.iter_rows()}
