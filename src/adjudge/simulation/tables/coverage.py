"""Tables of coverage: all situations, or the margins of each factor if there are many."""

from collections.abc import Iterator, Sequence
from typing import Any

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Row, Table
from adjudge.simulation.coverage import Coverage
from adjudge.simulation.situations import FACTORS

MOST_ROWS = 60  # situations that people are shown one by one
SHORT, LONG = 0.02, 0.01  # less, or more, coverage than this beside the level is counted


@shows(Coverage)
def coverage_tables(results: Sequence[Coverage]) -> list[Table]:
    """One table per grid."""
    grids: dict[str, list[Coverage]] = {}
    for result in results:
        grids.setdefault(result.cell.grid, []).append(result)
    return [_table(name, parts) for name, parts in grids.items()]


def _table(name: str, results: Sequence[Coverage]) -> Table:
    data = [result.row() for result in results]
    first = data[0]
    varying = [f for f in ("pair", *FACTORS) if len({row[f] for row in data}) > 1]
    same = ", ".join(_named(f, first[f]) for f in FACTORS if f not in varying)
    numbers = sorted({row["campaigns"] for row in data})
    worst = max(row["error"] for row in data)
    notes = [
        f"In all of them: {same}." if same else "",
        f"{' or '.join(f'{n:,}' for n in numbers)} simulated campaigns each; the standard error "
        f"of a share of intervals is at most {100 * worst:.1f} points. Needed: the width with "
        f"which intervals of this shape hold the truth in {100 * first['level']:g} %; oracle: "
        "that if the variance were known.",
    ]
    many = len(data) > MOST_ROWS
    if many:
        notes.append(
            "Below and above: how many situations; clearly: by more than two standard errors. "
            "Every single situation is in JSON and CSV."
        )
    title = f"{name}: how often {100 * first['level']:g} % intervals, ranges and clusters are right"
    return Table(
        list(_margins(data, varying)) if many else data,
        _margin_columns(first["level"]) if many else _columns(varying),
        title=title,
        notes=[note for note in notes if note],
        data=data,
    )


def _named(factor: str, value: Any) -> str:
    if value is None:
        return f"{factor} unknown"
    return f"{value:,} {factor}" if isinstance(value, int) else f"{factor} {value}"


def _columns(varying: Sequence[str]) -> list[Column]:
    return [
        *(Column(factor, factor) for factor in varying),
        Column("covered", "intervals hold", 1, percent=True),
        Column("least_covered", "of one system", 1, percent=True),
        *_widths(),
        Column("ranks_covered", "all ranges hold", 1, percent=True),
        Column("false_boundary", "false boundary", 1, percent=True),
        Column("false_pair", "false pair", 1, percent=True),
        Column("boundaries_found", "boundaries found", 2),
        Column("boundaries", "of"),
        Column("pairs_found", "pairs found", 0, percent=True),
    ]


def _widths() -> list[Column]:
    return [
        Column("width", "width", 3),
        Column("needed_width", "needed", 3),
        Column("oracle_width", "oracle", 3),
    ]


def _margin_columns(level: float) -> list[Column]:
    return [
        Column("factor", "factor"),
        Column("value", "value"),
        Column("situations", "situations"),
        Column("covered", "intervals hold", 1, percent=True),
        Column("lowest", "lowest", 1, percent=True),
        Column("highest", "highest", 1, percent=True),
        Column("short", f"below {100 * (level - SHORT):g} %"),
        Column("clearly_short", "clearly"),
        Column("long", f"above {100 * (level + LONG):g} %"),
        Column("clearly_long", "clearly"),
        *_widths(),
        Column("false_boundary", "false boundary", 1, percent=True),
        Column("false_pair", "false pair", 1, percent=True),
    ]


def _margins(data: Sequence[dict[str, Any]], varying: Sequence[str]) -> Iterator[Row]:
    """Means over all situations with one value of a factor."""
    yield _margin(data, "all", "")
    for factor in varying:
        for value in dict.fromkeys(row[factor] for row in data):
            yield _margin([row for row in data if row[factor] == value], factor, value)


def _margin(rows: Sequence[dict[str, Any]], factor: str, value: Any) -> Row:
    def mean(key: str) -> float:
        return float(sum(row[key] for row in rows) / len(rows))

    shares = [row["covered"] for row in rows]
    low, high = rows[0]["level"] - SHORT, rows[0]["level"] + LONG
    averaged = (
        "covered",
        "width",
        "needed_width",
        "oracle_width",
        "false_boundary",
        "false_pair",
    )
    return {
        "factor": factor,
        "value": str(value),
        "situations": len(rows),
        **{key: mean(key) for key in averaged},
        "lowest": min(shares),
        "highest": max(shares),
        "short": sum(share < low for share in shares),
        "clearly_short": sum(row["covered"] + 2 * row["error"] < low for row in rows),
        "long": sum(share > high for share in shares),
        "clearly_long": sum(row["covered"] - 2 * row["error"] > high for row in rows),
    }
