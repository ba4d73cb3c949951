"""For whom a result holds: the unit that is taken by default, and the words for it.

A ranking is asked for so as to know what other judges would say of other texts. So the default
unit is judges and documents together where both are known; segments stand in where documents are
not. What is unknown cannot be drawn, and of what is hardly more than one judge nothing follows
about others: the result then holds for these judges, and says so.
"""

import numpy as np

from adjudge.comparisons.comparisons import Codes, Comparisons
from adjudge.errors import NotEnoughData
from adjudge.ranking.resampling import ranking_units
from adjudge.statistics.resampling import Unit, plural

# Units of equal size, below which nothing is said of others. Four judges with unequal workloads are
# often worth fewer than two; to treat them as given would cost up to six points of coverage.
LEAST_EFFECTIVE = 1.25
TEXTS: tuple[Unit, ...] = ("document", "segment")


def auto_unit(comparisons: Comparisons) -> Unit:
    """Judges and documents, or as much of that as the judgements can tell."""
    judges = _enough(comparisons, "judge")
    text = next((unit for unit in TEXTS if _enough(comparisons, unit)), None)
    match judges, text:
        case True, "document":
            return "judge+document"
        case True, "segment":
            return "judge+segment"
        case True, _:
            return "judge"
        case _:
            return text or "ranking"


def population(comparisons: Comparisons, unit: Unit) -> str:
    """For whom intervals, ranges and clusters by this unit hold, to follow a heading."""
    if unit == "none":
        return "for these judgements only"
    fixed = [
        words
        for words in (_fixed_judges(comparisons, unit), _fixed_texts(comparisons, unit))
        if words
    ]
    return ", ".join([f"for other {plural(unit)} like these", *fixed])


def _fixed_judges(comparisons: Comparisons, unit: Unit) -> str:
    if "judge" in unit:
        return ""
    number = _number(comparisons.judge)
    match number:
        case 0:
            return "by unknown judges"
        case 1:
            return "by this judge"
        case _:
            return f"by these {number:,} judges"


def _fixed_texts(comparisons: Comparisons, unit: Unit) -> str:
    """The texts that were not drawn, by the largest of their units that is known."""
    if "document" in unit:
        return ""
    for name in TEXTS:
        number = _number(getattr(comparisons, name))
        if number and name not in unit:
            return f"of this {name}" if number == 1 else f"of these {number:,} {name}s"
        if name in unit:
            return ""
    return ""


def _number(codes: Codes) -> int:
    return len(np.unique(codes[codes >= 0]))


def _enough(comparisons: Comparisons, unit: Unit) -> bool:
    if not (getattr(comparisons, unit) >= 0).any():
        return False
    try:
        (units,) = ranking_units(comparisons, unit)
    except NotEnoughData:
        return False
    return units.effective_number >= LEAST_EFFECTIVE
