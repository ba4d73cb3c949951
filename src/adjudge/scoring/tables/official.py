"""The table of an official analysis of scores."""

from collections.abc import Sequence

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Between, Column, Table
from adjudge.scoring.method import SCORE_METHODS, OfficialRanking
from adjudge.stats.interval_columns import rules_between


@shows(OfficialRanking)
def official_tables(results: Sequence[OfficialRanking]) -> list[Table]:
    """For every language pair and scale: the systems."""
    return [official_table(result) for result in results]


def official_table(result: OfficialRanking) -> Table:
    """The systems from best to worst, a line between clusters."""
    method = SCORE_METHODS[result.method]
    return Table(
        rows=[{"kind": "system", **row} for row in result.to_frame().to_dicts()],
        columns=[
            Column("system", "system"),
            Column("score", "score", 3),
            Between("rank_low", "rank range", to="rank_high"),
            Column("cluster", "cluster"),
        ],
        title=f"{result.pair}, {result.scale}: {method.name}, {method.summary}",
        notes=[f"As in {method.paper}."],
        lines_after=rules_between(result.cluster),
    )
