"""The table of what is in edits: language pairs and protocols."""

from collections.abc import Sequence

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Table
from adjudge.data.tables.summary import filled
from adjudge.scoring.edits.results import EditSummaries

_COLUMNS = (
    Column("pair", "Pair"),
    Column("protocol", "Protocol"),
    Column("systems", "Systems"),
    Column("judges", "Judges"),
    Column("groups", "Groups"),
    Column("documents", "Documents"),
    Column("segments", "Segments"),
    Column("items", "Items"),
    Column("skipped", "Skipped"),
    Column("incomprehensible", "Incomprehensible"),
    Column("accepted", "Accepted"),
    Column("seconds_median", "Median s", digits=0),
)
_SHOWN_EMPTY = ("pair", "protocol", "systems", "judges", "items")


@shows(EditSummaries)
def edit_summaries_tables(results: Sequence[EditSummaries]) -> list[Table]:
    """One row for every language pair and protocol; columns that say nothing are left out."""
    return [_table(summaries) for summaries in results]


def _table(summaries: EditSummaries) -> Table:
    rows, columns = filled(summaries.parts, _COLUMNS, _SHOWN_EMPTY)
    items = sum(summary.items for summary in summaries.parts)
    notes = [
        f"In all {items:,} edits and reviews by {summaries.judges:,} judges. "
        "`adjudge understandability` says what they show."
    ]
    return Table(rows, columns, notes=notes)
