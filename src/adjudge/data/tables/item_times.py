"""Time per item as a table (WMT07 §6)."""

from collections.abc import Sequence
from dataclasses import asdict

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Table
from adjudge.data.item_times import Times


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
