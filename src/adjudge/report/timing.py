"""Time per item as a table (WMT07 §6)."""

from dataclasses import asdict

from adjudge.judgements.timing import Times
from adjudge.report.tables import Column, Table


def timing_table(found: Times) -> Table:
    """A row for each protocol, or for each judge, group or pair under each."""
    rows = [
        {"protocol": one.protocol, found.by or "part": one.part}
        | {key: value for key, value in asdict(one).items() if key not in ("protocol", "part")}
        | {"longest": found.longest}
        for one in found.rows
    ]
    if found.by is None:
        rows = [{key: value for key, value in row.items() if key != "part"} for row in rows]
    columns = [
        Column("protocol", "Protocol"),
        *([Column(found.by, found.by.capitalize())] if found.by else []),
        Column("items", "Items"),
        Column("mean", "Mean s", 1),
        Column("lower_quartile", "25 %", 1),
        Column("median", "Median", 1),
        Column("upper_quartile", "75 %", 1),
        Column("mean_per_output", "Mean per output", 1),
        Column("dropped", "Dropped"),
        *([Column("untimed", "Untimed")] if any(one.untimed for one in found.rows) else []),
    ]
    dropped = sum(one.dropped for one in found.rows)
    total = dropped + sum(one.items for one in found.rows)
    notes = [
        f"Dropped: {dropped:,} of {total:,} items, from sets that took over "
        f"{found.longest:g} seconds (WMT07 §6)."
    ]
    if any(one.protocol is None for one in found.rows):
        notes.append("Where no protocol is named, the file does not say how judges were asked.")
    return Table(rows, columns, notes=notes)
