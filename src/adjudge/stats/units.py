"""Units: what observations have in common, and what a bootstrap therefore draws as a whole.

An observation is whatever statistics are given for: a ranking, a score, a label. Its units come
as integer codes, −1 where the judge (document, …) is unknown; such an observation is a unit of
its own.
"""

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from adjudge.core.codes import distinct
from adjudge.core.errors import NotEnoughData

Codes = NDArray[np.integer]
Floats = NDArray[np.float64]

FEW_UNITS = 10  # an interval from fewer is rough


@dataclass(frozen=True, eq=False)
class Units:
    """The unit of every observation, counted from 0, and how much each unit holds."""

    name: str
    code: Codes  # of each observation; any unit's where the observation holds nothing
    size: Floats  # of each unit

    @property
    def number(self) -> int:
        """How many units there are."""
        return len(self.size)

    @property
    def effective_number(self) -> float:
        """How many units of equal size would say as much."""
        return float(effective_number(self.size))


def units_of(
    label: Codes,
    name: str,
    *,
    size: ArrayLike | None = None,
    alone: Codes | None = None,
    about: str = "",
) -> Units:
    """The units that the codes of one label make; refuses a label that tells nothing apart.

    `size` is what each observation holds (default 1); one that holds nothing is in no unit.
    Observations without a label are a unit each, or those together that have the same `alone`.
    `about` begins the message of an error.
    """
    where = f"{about}: " if about else ""
    if (label < 0).all():
        raise NotEnoughData(f'{where}no {name} is known; choose another `unit` than "{name}"')
    holds = np.ones(len(label)) if size is None else np.asarray(size, np.float64)
    code = label
    if label.min() < 0:
        own = np.arange(len(label), dtype=np.int64) if alone is None else alone
        code = np.where(label < 0, label.max() + np.int64(1) + own, label)
    present = np.bincount(code[holds > 0]) > 0
    number = int(present.sum())
    if number < 2:
        raise NotEnoughData(
            f"{where}only one {name}, and nothing can be learnt from drawing it again; "
            "choose another `unit`"
        )
    renumber = np.zeros(int(code.max()) + 1, np.int32)
    renumber[: len(present)] = np.maximum(np.cumsum(present) - 1, 0)
    unit = renumber[code]
    return Units(name, unit, np.bincount(unit, holds, number).astype(np.float64))


def crossed(units: tuple[Units, ...]) -> tuple[Codes, tuple[Codes, ...]]:
    """The combinations of units that occur: that of each observation, and the units of each."""
    if len(units) == 1:
        return units[0].code, (np.arange(units[0].number),)
    numbers = tuple(kind.number for kind in units)
    key = np.ravel_multi_index(tuple(kind.code for kind in units), numbers)
    combinations, of_observation = distinct(key, prod(numbers))
    return of_observation, np.unravel_index(combinations, numbers)


def effective_number(size: Floats) -> Floats:
    """(Σ size)² / Σ size² (Kish 1965) over the first axis: units of equal size as good as these.

    Ten judges of whom one made nine tenths of the comparisons are hardly more than one. Where
    units hold nothing at all it is 1.
    """
    squares = (size**2).sum(axis=0)
    total = size.sum(axis=0)
    return np.asarray(np.divide(total**2, squares, out=np.ones_like(total), where=squares > 0))
