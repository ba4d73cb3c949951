"""Tables of what a file of judgements holds.

Tables of what is in judgements: language pairs, and how each system fared.

Time per item as a table (WMT07 §6).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Row, Table
from adjudge.data.item_times import Times
from adjudge.data.summary import Summaries

_COLUMNS = (
    Column("pair", "Pair"),
    Column("protocol", "Protocol"),
    Column("systems", "Systems"),
    Column("judges", "Judges"),
    Column("groups", "Groups"),
    Column("documents", "Documents"),
    Column("segments", "Segments"),
    Column("rankings", "Rankings"),
    Column("skipped", "Skipped"),
    Column("unfinished", "Unlabelled"),
    Column("comparisons", "Comparisons"),
    Column("ties", "Ties"),
    Column("missing", "Missing labels"),
    Column("duplicates", "Duplicates"),
    Column("reference_share", "With reference", percent=True),
    Column("seconds_median", "Median s", digits=0),
)
# Shown even where nothing is known of them, or where there is none.
_SHOWN_EMPTY = ("pair", "systems", "judges", "rankings", "comparisons", "ties")


@shows(Summaries)
def summaries_tables(results: Sequence[Summaries]) -> list[Table]:
    """The language pairs, and the systems where there is one pair."""
    tables = []
    for summaries in results:
        tables.append(pairs_table(summaries))
        if summaries.systems:
            tables.append(systems_table(summaries))
    return tables


def pairs_table(summaries: Summaries) -> Table:
    """One row for every language pair and protocol; columns that say nothing are left out."""
    rows, columns = filled(summaries.pairs, _COLUMNS, _SHOWN_EMPTY)
    for row in rows:
        row["estimated"] = ", ".join(row["estimated"]) or None
    shown = [_About(**vars(column)) for column in columns]
    return Table(rows, shown, notes=_notes(summaries))


@dataclass(frozen=True)
class _About(Column):
    """A number that says of itself whether it is an estimate."""

    def show(self, row: Row) -> str:
        """The number, or about which it is."""
        number = super().show(row)
        return f"about {number}" if self.key in (row["estimated"] or "").split(", ") else number


def filled(
    summaries: Sequence[Any],
    columns: Sequence[Column],
    shown_empty: Sequence[str],
) -> tuple[list[dict[str, Any]], list[Column]]:
    """The rows of summaries, and those of the columns that say something or are always shown."""
    rows = [
        {
            **asdict(summary),
            "first": summary.first and summary.first.isoformat(timespec="seconds"),
            "last": summary.last and summary.last.isoformat(timespec="seconds"),
        }
        for summary in summaries
    ]
    shown = [
        column
        for column in columns
        if column.key in shown_empty or any(row[column.key] for row in rows)
    ]
    return rows, shown


def _notes(summaries: Summaries) -> list[str]:
    """What the table alone does not say; only what applies."""
    rankings = sum(summary.rankings for summary in summaries.pairs)
    comparisons = sum(summary.comparisons for summary in summaries.pairs)
    ties = sum(summary.ties for summary in summaries.pairs)
    tied = f", {100 * ties / comparisons:.0f} % of them ties" if comparisons else ""
    about = "about " if summaries.estimated else ""
    notes = [
        f"In all {rankings:,} rankings by {about}{summaries.judges:,} judges; "
        f"{comparisons:,} comparisons{tied}.",
        "An output that several systems share counts as one candidate."
        if summaries.outputs == "collapsed"
        else "An output that several systems share counts once for each of them.",
    ]
    first = min((summary.first for summary in summaries.pairs if summary.first), default=None)
    last = max((summary.last for summary in summaries.pairs if summary.last), default=None)
    if first and last:
        notes.append(f"Judged from {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M} (UTC).")
    if any(summary.skipped for summary in summaries.pairs):
        notes.append("Skipped: the judge saw the ranking and left it without an answer.")
    if any(summary.duplicates for summary in summaries.pairs):
        notes.append("Duplicates: rankings that repeat another one in every respect.")
    if any(summary.estimated for summary in summaries.pairs):
        notes.append("“About”: estimated from a sample, as there are too many to keep apart.")
    return notes


def systems_table(summaries: Summaries) -> Table:
    """How each system fared; for people only."""
    return Table(
        [asdict(summary) for summary in summaries.systems],
        [
            Column("system", "System"),
            Column("outputs", "Outputs judged"),
            Column("comparisons", "Comparisons"),
            Column("wins", "Wins"),
            Column("ties", "Ties"),
            Column("losses", "Losses"),
        ],
        data=(),
    )


@shows(Times)
def timing_tables(results: Sequence[Times]) -> list[Table]:
    """A table for each."""
    return [timing_table(times) for times in results]


def timing_table(times: Times) -> Table:
    """A row for each protocol, or for each judge, group or pair under each."""
    rows = [
        {"protocol": time.protocol, times.by or "part": time.part}
        | {key: value for key, value in asdict(time).items() if key not in ("protocol", "part")}
        | {"longest": times.longest}
        for time in times.rows
    ]
    if times.by is None:
        rows = [{key: value for key, value in row.items() if key != "part"} for row in rows]
    columns = [
        Column("protocol", "Protocol"),
        *([Column(times.by, times.by.capitalize())] if times.by else []),
        Column("items", "Items"),
        Column("mean", "Mean s", 1),
        Column("lower_quartile", "25 %", 1),
        Column("median", "Median", 1),
        Column("upper_quartile", "75 %", 1),
        Column("mean_per_output", "Mean per output", 1),
        Column("dropped", "Dropped"),
        *([Column("untimed", "Untimed")] if any(time.untimed for time in times.rows) else []),
    ]
    dropped = sum(time.dropped for time in times.rows)
    total = dropped + sum(time.items for time in times.rows)
    notes = [
        f"Dropped: {dropped:,} of {total:,} items, from sets that took over "
        f"{times.longest:g} seconds (WMT07 §6)."
    ]
    if any(time.protocol is None for time in times.rows):
        notes.append("Where no protocol is named, the file does not say how judges were asked.")
    return Table(rows, columns, notes=notes)
