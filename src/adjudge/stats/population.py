"""For whom a result holds: the unit that is taken by default, and the words for it.

A result is asked for so as to know what other people would say of other texts. So the default
unit is people (judges, editors, reviewers) and documents together where both are known; segments
stand in where documents are not. What is unknown cannot be drawn, and of what is hardly more than
one judge nothing follows about others: the result then holds for these judges, and says so.
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
    """People and documents, or as much of that as the observations can tell; or `otherwise`.

    `size` is what each observation holds. Of several kinds of people the first is taken, if they
    are worth `least_people` of equal size.
    """
    return auto_unit_of(lambda unit: _worth(labels, unit, size), otherwise, least_people)


def auto_unit_of(
    worth: Callable[[Unit], float], otherwise: Unit, least_people: float = LEAST_EFFECTIVE
) -> Unit:
    """The same, of how many units of equal size those of a kind are worth (0: nothing is known)."""
    people, text = (
        next((unit for unit in kind if worth(unit) >= least - 1e-9), None)
        for kind, least in ((PEOPLE, least_people), (TEXTS, LEAST_EFFECTIVE))
    )
    known = [unit for unit in (people, text) if unit is not None]
    return cast(Unit, "+".join(known)) if known else otherwise


def population(labels: Labels, unit: Unit, people: str = "by") -> str:
    """For whom intervals, ranges and clusters by this unit hold, to follow a heading.

    `people` is what people who are not drawn have to do with it.
    """
    if unit == "none":
        return "for these judgements only"
    return population_of({kind: number_of(codes) for kind, codes in labels.items()}, unit, people)


def population_of(numbers: Mapping[Unit, int], unit: Unit, people: str = "by") -> str:
    """The same, of so many units of every kind (0: unknown)."""
    if unit == "none":
        return "for these judgements only"
    taken = unit.split("+")
    fixed = [_fixed_people(numbers, taken, people), _fixed_texts(numbers, taken)]
    return ", ".join([f"for other {plural(unit)} like these", *filter(None, fixed)])


def _fixed_people(numbers: Mapping[Unit, int], taken: list[str], people: str) -> str:
    """The people who were not drawn."""
    kinds = [unit for unit in PEOPLE if unit in numbers and unit not in taken]
    named = [_these(unit, numbers[unit]) for unit in kinds]
    return f"{people} {' and '.join(named)}" if named else ""


def _fixed_texts(numbers: Mapping[Unit, int], taken: list[str]) -> str:
    """The texts that were not drawn, by the largest of their units that is known."""
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
    """How many distinct units are known."""
    return int(np.count_nonzero(np.bincount(codes[codes >= 0])))


def _worth(labels: Labels, unit: Unit, size: ArrayLike | None) -> float:
    codes = labels.get(unit)
    if codes is None or not (codes >= 0).any():
        return 0.0
    try:
        return units_of(codes, unit, size=size).effective_number
    except NotEnoughData:
        return 0.0
