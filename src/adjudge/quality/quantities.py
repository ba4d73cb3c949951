"""Quantities of translation quality: HTER, effort, seconds, or any other number.

A quantity has an orientation, bounds, and a factor for printing: WMT13 §6.6 prints HTER as
percentage points.
"""

from dataclasses import dataclass
from math import inf

import polars as pl

from adjudge.core.errors import BadParameter, InputError


@dataclass(frozen=True)
class Quantity:
    """Number to be predicted for every translation."""

    name: str  # the column of the table
    title: str
    higher_is_better: bool
    low: float = -inf
    high: float = inf
    factor: float = 1.0  # where it is printed

    @property
    def sign(self) -> int:
        """Orientation: 1 if higher is better, else −1."""
        return 1 if self.higher_is_better else -1


QUANTITIES: dict[str, Quantity] = {
    quantity.name: quantity
    for quantity in (
        Quantity("hter", "HTER × 100", higher_is_better=False, low=0, high=1, factor=100),
        Quantity("effort", "effort from 1 (worst) to 5 (best)", True, 1, 5),
        Quantity("seconds", "seconds of post-editing", higher_is_better=False, low=0),
        Quantity("da", "direct assessment", higher_is_better=True),
        Quantity("direct-assessment", "direct assessment", True, 0, 100),
        Quantity("error-spans", "score from 0 to 100", True, 0, 100),
        Quantity("adequacy", "adequacy", True, 1, 5),
        Quantity("fluency", "fluency", True, 1, 5),
        Quantity("mqm", "MQM", higher_is_better=True),
        Quantity("score", "score", higher_is_better=True),
    )
}


def quantity_named(name: str, higher_is_better: bool | None = None) -> Quantity:
    """Return a known quantity, or create one for any other column with its orientation."""
    known = QUANTITIES.get(name)
    if known is not None:
        if higher_is_better not in (None, known.higher_is_better):
            better = "higher" if known.higher_is_better else "lower"
            raise BadParameter(
                f"{name} is better where it is {better}; leave out `higher_is_better`, or give "
                "the column another name"
            )
        return known
    if higher_is_better is None:
        raise BadParameter(
            f"nobody knows whether {name} is better where it is higher or lower; give "
            "`higher_is_better`"
        )
    return Quantity(name, name, higher_is_better)


def refuse_outside(table: pl.DataFrame, quantity: Quantity) -> None:
    """Refuse the first translation whose value is out of bounds."""
    column = table[quantity.name]
    bad = ~column.is_between(quantity.low, quantity.high)
    if bad.any():
        row = bad.fill_null(False).arg_max() or 0
        ends = f"between {quantity.low:g} and {quantity.high:g}"
        if quantity.high == inf:
            ends = f"{quantity.low:g} or more"
        raise InputError(
            f"{quantity.name} {column[row]:g} is not {ends}; correct it",
            file=table["file"][row],
            line=table["line"][row],
        )
