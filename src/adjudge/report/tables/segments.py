"""Tables of segments: those extracted, the database of ranked ones, systems taken for unseen."""

from collections.abc import Sequence
from typing import Any

from adjudge.report.tables import shows
from adjudge.report.typesetting import Between, Column, Row, Table
from adjudge.report.typesetting.uncertainty import drawn_keys, interval, rules_between
from adjudge.segments.closest_ranks import COMPARED, ClosestRanks
from adjudge.segments.extraction import Extraction
from adjudge.segments.leave_one_out import LeftOut, mean_error
from adjudge.segments.overall import SegmentRanking
from adjudge.segments.summary import DatabaseSummary
from adjudge.statistics.resampling import Resampling


@shows(Extraction)
def extraction_tables(results: Sequence[Extraction]) -> list[Table]:
    """What came out, in one row."""
    columns = [
        Column("sentences", "sentences"),
        Column("segments", "segments"),
        Column("unmerged", "before merging"),
        Column("candidates", "candidates"),
        Column("candidates_a_segment", "a segment", 2),
        Column("unaligned", "without aligned words"),
        Column("covered", "words covered", percent=True),
        Column("covered_predicates", "predicates covered", percent=True),
    ]
    rows = [row for result in results for row in result.to_frame().to_dicts()]
    return [Table(rows, columns, title="Segments to be judged")]


@shows(DatabaseSummary)
def summary_tables(results: Sequence[DatabaseSummary]) -> list[Table]:
    """A row a language pair."""
    columns = [
        Column("pair", "pair"),
        Column("sentences", "sentences"),
        Column("segments", "segments"),
        Column("annotations", "annotations"),
        Column("repeated", "ranked twice or more"),
        Column("candidates", "candidates"),
        Column("candidates_a_segment", "a segment", 2),
        Column("unattributed", "of no known system"),
        Column("all_equal", "annotations that tell nothing apart"),
        Column("systems", "systems"),
        Column("judges", "judges"),
    ]
    return [Table([vars(result) for result in results], columns, title="Database of segments")]


@shows(SegmentRanking)
def ranking_tables(results: Sequence[SegmentRanking]) -> list[Table]:
    """One table a language pair, a line between clusters."""
    return [
        Table(
            rows=[row | _drawn(result.resampling) for row in result.to_frame().to_dicts()],
            columns=[
                Column("rank", "rank"),
                Column("system", "system"),
                Column("score", "ratio of wins", 4),
                interval(result.level, 4),
                Between("rank_low", "rank range", to="rank_high"),
                Column("cluster", "cluster"),
                Column("comparisons", "wins and losses"),
            ],
            title=f"{result.pair}: {result.annotations:,} annotations of segments, "
            f"{_replicates(result.resampling)}",
            notes=[
                f"Whole sentences were drawn, {result.sentences:,} of them: segments of one "
                "sentence are not independent."
            ],
            lines_after=rules_between(result.standing.cluster),
        )
        for result in results
    ]


@shows(LeftOut)
def left_out_tables(results: Sequence[LeftOut]) -> list[Table]:
    """A row a system that was taken for unseen; all scores of all systems for machines."""
    tables = []
    for pair in dict.fromkeys(result.pair for result in results):
        mine = [result for result in results if result.pair == pair]
        first = mine[0]
        rows: list[Row] = [
            {
                "left_out": result.system,
                "hit_rate": result.hit_rate,
                "edit_distance": result.distance,
                "known": result.known,
                "score": result.score,
                "low": float(result.standing.low[result.place]),
                "high": float(result.standing.high[result.place]),
                "error": result.error,
                "place": int(result.standing.rank[result.place]),
            }
            for result in mine
        ]
        signed, absolute, worst = mean_error(mine)
        tables.append(
            Table(
                rows,
                [
                    Column("left_out", "taken for unseen"),
                    Column("hit_rate", "hit rate", percent=True),
                    Column("edit_distance", "edit distance", 2),
                    Column("known", "by its own ranks", 4),
                    Column("score", f"by {first.matching} matching", 4),
                    interval(first.resampling.level, 4),
                    Column("error", "too high by", 4),
                    Column("place", "place"),
                ],
                title=f"{pair}: each system taken for unseen, {first.matching} matching, "
                f"{first.annotations:,} annotations, {_replicates(first.resampling)}",
                notes=[
                    f"Mean error {signed:+.3f}, mean |error| {absolute:.3f}, worst {worst:.3f} in "
                    "the ratio of wins.",
                    "The interval is of the drawn sentences only: it does not know that the "
                    "matching is wrong.",
                ],
                data=[
                    row | _drawn(result.resampling)
                    for result in mine
                    for row in result.to_frame().to_dicts()
                ],
            )
        )
    return tables


@shows(ClosestRanks)
def closest_tables(
    results: Sequence[ClosestRanks], *, by: str = "system", examples: int = 0, seed: int = 1
) -> list[Table]:
    """The rank of the nearest candidate beside the true one."""
    if examples:
        return [_examples(result, examples, seed) for result in results]
    shares = [Column(name, name, percent=True) for name in COMPARED]
    tables = []
    for result in results:
        frame = result.by_system() if by == "system" else result.by_distance()
        tables.append(
            Table(
                frame.to_dicts(),
                [Column(by, by), Column("misses", "misses"), *shares],
                title=f"{result.pair}: the rank of the nearest candidate, beside the true rank",
                notes=[
                    "Of candidates that no other system made. worse: the nearest one was ranked "
                    f"worse. Of several as near, the mean rank over {result.averaged}."
                ],
                totals=1 if by == "system" else 0,
                data=result.to_frame().to_dicts(),
            )
        )
    return tables


def _examples(result: ClosestRanks, number: int, seed: int) -> Table:
    return Table(
        result.examples(number, seed).to_dicts(),
        [
            Column("system", "system"),
            Column("unseen", "taken for unseen"),
            Column("closest", "nearest"),
            Column("distance", "distance"),
            Column("rank", "rank", 0),
            Column("given", "given", 1),
            Column("compared", "the nearest is ranked"),
        ],
        title=f"{result.pair}: candidates that only one system made, and the nearest of others",
    )


def _drawn(resampling: Resampling) -> dict[str, Any]:
    keys = drawn_keys(resampling.unit, resampling.replicates, resampling.seed)
    return keys | {"unit": "sentence", "level": resampling.level}


def _replicates(resampling: Resampling) -> str:
    return f"{resampling.replicates:,} replicates of sentences"
