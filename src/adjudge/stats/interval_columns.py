"""Common parts of tables with uncertainty: intervals, clusters, resampling units."""

from typing import Any

import numpy as np

from adjudge.core.tables.table import Between
from adjudge.stats.resampling import Resampling, Unit, plural
from adjudge.stats.standings import Ranges


def interval(level: float, digits: int | None, low: str = "low", high: str = "high") -> Between:
    """Interval column, headed by its confidence level."""
    return Between(low, f"{100 * level:g} % interval", digits, to=high)


def drawn(unit: Unit, replicates: int) -> str:
    """Describe the replicates: `1,000 replicates of judges`."""
    if unit == "none":
        return "nothing resampled"
    return f"{replicates:,} replicates of {plural(unit)}"


def variance_of(resampling: Resampling, from_replicates: bool) -> str:
    """Describe the source of intervals: `1,000 replicates of judges`, `variance of judges`."""
    if from_replicates:
        return drawn(resampling.unit, resampling.replicates)
    return f"variance of {plural(resampling.unit)}"


def at_once_note(ranges: Ranges, level: float, placed: Any, told_apart: Any) -> list[str]:
    """Note on simultaneous rank ranges and on the pairs that differ significantly."""
    if ranges != "simultaneous":
        return []
    number = int(placed.sum())
    return [
        f"Rank ranges hold for all systems at once at {100 * level:g} %: "
        f"{int(told_apart.sum())} of {number * (number - 1) // 2} pairs differ significantly."
    ]


def rules_between(cluster: Any) -> frozenset[int]:
    """Last row of every cluster but the last, after which a rule is drawn."""
    return frozenset(int(end) for end in np.flatnonzero(np.diff(cluster)))


def drawn_keys(unit: Unit, replicates: int, seed: int) -> dict[str, Any]:
    """Row keys that describe the resampling."""
    return {"unit": unit, "replicates": replicates, "seed": seed}
