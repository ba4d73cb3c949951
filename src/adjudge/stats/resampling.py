"""How a bootstrap is asked for: what is drawn, how often, from which seed, at which level.

One class for every analysis. An analysis says which units it can draw, its own default first;
`Resampling.among` puts that default in the place of `auto` and refuses the others.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Literal, cast, get_args

from adjudge.core.errors import BadParameter, one_of, within

# What is drawn with replacement. Two units joined by + are drawn independently of each other, and
# an observation counts as often as its one and its other together say.
Unit = Literal[
    "auto",  # what the analysis draws by default
    "none",  # nothing
    "comparison",
    "ranking",
    "item",  # what one score is of
    "row",  # one review of one edit
    "hit",
    "segment",
    "document",
    "system",
    "judge",
    "editor",
    "reviewer",
    "judge+segment",
    "judge+document",
    "editor+segment",
    "editor+document",
    "reviewer+segment",
    "reviewer+document",
]
UNITS: tuple[Unit, ...] = get_args(Unit)


@dataclass(frozen=True)
class Resampling:
    """What is drawn with replacement, how often, from which seed, and the level of intervals."""

    unit: Unit = "auto"
    replicates: int = 1000
    seed: int = 1
    level: float = 0.95

    def __post_init__(self) -> None:
        one_of(self.unit, UNITS, "unit")
        for parameter, least in (("replicates", 1), ("seed", 0)):
            value = getattr(self, parameter)
            if not isinstance(value, Integral):
                raise BadParameter(f"`{parameter}` is a whole number, not {value!r}")
            within(int(value), parameter, least)
        if not isinstance(self.level, Real):
            raise BadParameter(f"`level` is a number between 0 and 1, not {self.level!r}")
        within(self.level, "level", 0, 1, open_ends=True)

    def among(self, units: Iterable[Unit]) -> "Resampling":
        """The same with a unit that the analysis can draw; `auto` is the first of them."""
        possible = tuple(units)
        if self.unit == "auto":
            return replace(self, unit=possible[0])
        return replace(self, unit=cast(Unit, one_of(self.unit, possible, "unit")))


def plural(unit: Unit) -> str:
    """`judge+segment` as `judges and segments`."""
    return " and ".join(f"{part}s" for part in unit.split("+"))
