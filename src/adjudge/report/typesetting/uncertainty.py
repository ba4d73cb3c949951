"""What tables of results with uncertainty have in common: intervals, clusters, what was drawn."""

from typing import Any

import numpy as np

from adjudge.report.typesetting.table import Between
from adjudge.statistics.resampling import Unit, plural


def interval(level: float, digits: int | None, low: str = "low", high: str = "high") -> Between:
    """The column of an interval, headed by its confidence level."""
    return Between(low, f"{100 * level:g} % interval", digits, to=high)


def drawn(unit: Unit, replicates: int) -> str:
    """`1,000 replicates of judges`."""
    if unit == "none":
        return "nothing resampled"
    return f"{replicates:,} replicates of {plural(unit)}"


def rules_between(cluster: Any) -> frozenset[int]:
    """The last row of every cluster but the last: a rule follows it."""
    return frozenset(int(end) for end in np.flatnonzero(np.diff(cluster)))


def drawn_keys(unit: Unit, replicates: int, seed: int) -> dict[str, Any]:
    """The keys that say how intervals were made."""
    return {"unit": unit, "replicates": replicates, "seed": seed}
