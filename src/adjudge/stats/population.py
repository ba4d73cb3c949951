"""Population of inference: the default resampling unit and its description.

A result should generalise to other people and other texts. The default unit is therefore people
(judges, editors, reviewers) and documents together if both are known; segments replace unknown
documents. Unknown units cannot be resampled, and hardly more than one judge says nothing about
others: the result then holds for these judges only, and says so.
"""

from collections.abc import Callable, Mapping
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from adjudge.core.errors import NotEnoughData
from adjudge.stats.resampling import Codes, Unit, plural, units_of

# Units of equal size, below which nothing is said of others. Four judges with unequal workloads are
# often worth fewer than two; to treat them as given would cost up to six points of coverage.
LEAST_EFFECTIVE = 1.25
PEOPLE: tuple[Unit, ...] = ("judge", "editor", "reviewer")
TEXTS: tuple[Unit, ...] = ("document", "segment")

Labels = Mapping[Unit, Codes]  # of every observation, −1 where it is unknown


def auto_unit(
    labels: Labels,
    size: ArrayLike | None = None,
    *,
    otherwise: Unit,
    least_people: float = LEAST_EFFECTIVE,
) -> Unit:
    """Choose people and documents, as far as the labels are known, or else `otherwise`.

    `size` is the weight of each observation. The first kind of people whose effective number is at
    least `least_people` is used.
    """
    return auto_unit_of(lambda unit: _worth(labels, unit, size), otherwise, least_people)


def auto_unit_of(
    worth: Callable[[Unit], float], otherwise: Unit, least_people: float = LEAST_EFFECTIVE
) -> Unit:
    """Choose the unit from the effective numbers of units of every kind (0: unknown)."""
    people, text = (
        next((unit for unit in kind if worth(unit) >= least - 1e-9), None)
        for kind, least in ((PEOPLE, least_people), (TEXTS, LEAST_EFFECTIVE))
    )
    known = [unit for unit in (people, text) if unit is not None]
    return cast(Unit, "+".join(known)) if known else otherwise


def population(labels: Labels, unit: Unit, people: str = "by") -> str:
    """Describe the population for which intervals, ranges and clusters hold, to follow a heading.

    `people` describes the role of people who are not resampled.
    """
    if unit == "none":
        return "for these judgements only"
    return population_of({kind: number_of(codes) for kind, codes in labels.items()}, unit, people)


def population_of(numbers: Mapping[Unit, int], unit: Unit, people: str = "by") -> str:
    """Describe the population from the numbers of units of every kind (0: unknown)."""
    if unit == "none":
        return "for these judgements only"
    taken = unit.split("+")
    fixed = [_fixed_people(numbers, taken, people), _fixed_texts(numbers, taken)]
    return ", ".join([f"for other {plural(unit)} like these", *filter(None, fixed)])


def _fixed_people(numbers: Mapping[Unit, int], taken: list[str], people: str) -> str:
    """People who are held fixed."""
    kinds = [unit for unit in PEOPLE if unit in numbers and unit not in taken]
    named = [_these(unit, numbers[unit]) for unit in kinds]
    return f"{people} {' and '.join(named)}" if named else ""


def _fixed_texts(numbers: Mapping[Unit, int], taken: list[str]) -> str:
    """Texts that are held fixed, by their largest known unit."""
    for unit in TEXTS:
        if unit in taken:
            return ""
        number = numbers.get(unit, 0)
        if number:
            return f"of {_these(unit, number)}"
    return ""


def _these(unit: Unit, number: int) -> str:
    match number:
        case 0:
            return f"unknown {unit}s"
        case 1:
            return f"this {unit}"
        case _:
            return f"these {number:,} {unit}s"


def number_of(codes: Codes) -> int:
    """Number of distinct known units."""
    return int(np.count_nonzero(np.bincount(codes[codes >= 0])))


def _worth(labels: Labels, unit: Unit, size: ArrayLike | None) -> float:
    codes = labels.get(unit)
    if codes is None or not (codes >= 0).any():
        return 0.0
    try:
        return units_of(codes, unit, size=size).effective_number
    except NotEnoughData:
        return 0.0
