"""Tables of coverage: what is in the data by what the bootstrap draws."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from adjudge.report.tables import Column, Table
from adjudge.simulation.coverage import Coverage

Situations = Mapping[str, Sequence[Coverage]]


def coverage_rows(results: Situations) -> Table:
    """One flat row for every situation and unit: the JSON and CSV."""
    return Table(
        [{"situation": name} | asdict(one) for name, row in results.items() for one in row], []
    )


def coverage_table(results: Situations) -> Table:
    """A row for every situation, a column for every unit."""
    rows = [
        {"situation": name}
        | {one.unit: f"{100 * one.covered:.1f} % ({one.width:.3f})" for one in row}
        for name, row in results.items()
    ]
    every = [one for row in results.values() for one in row]
    units = dict.fromkeys(one.unit for one in every)
    first = every[0]
    return Table(
        rows,
        [Column("situation", "in the data"), *(Column(unit, unit) for unit in units)],
        title=f"Share of {100 * first.level:g} % intervals that hold the true score (mean width)",
        notes=[
            f"{first.campaigns:,} simulated campaigns a row; the standard error of a share is at "
            f"most {100 * max(one.error for one in every):.1f} points."
        ],
    )
