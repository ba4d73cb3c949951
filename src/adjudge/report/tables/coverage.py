"""Tables of coverage: what is in the data by what the bootstrap draws."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from adjudge.report.typesetting import Column, Table
from adjudge.simulation.coverage import Coverage

Situations = Mapping[str, Sequence[Coverage]]


def coverage_table(results: Situations) -> Table:
    """A row for every situation, a column for every unit.

    Its data are a row for every situation and unit.
    """
    rows = [
        {"situation": name}
        | {unit.unit: f"{100 * unit.covered:.1f} % ({unit.width:.3f})" for unit in row}
        for name, row in results.items()
    ]
    every = [unit for row in results.values() for unit in row]
    units = dict.fromkeys(unit.unit for unit in every)
    first = every[0]
    return Table(
        rows,
        [Column("situation", "in the data"), *(Column(name, name) for name in units)],
        title=f"Share of {100 * first.level:g} % intervals that hold the true score (mean width)",
        notes=[
            f"{first.campaigns:,} simulated campaigns a row; the standard error of a share is at "
            f"most {100 * max(unit.error for unit in every):.1f} points."
        ],
        data=[{"situation": name} | asdict(unit) for name, row in results.items() for unit in row],
    )
