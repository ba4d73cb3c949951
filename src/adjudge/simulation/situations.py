"""Situations in which intervals are tried: one value for each factor of a campaign.

Effects are the standard deviation of what a judge adds to every system, and a document to every
system. What two looks at one system differ by otherwise has a standard deviation of about 0.8, so
mild effects are a fifth of it and strong ones two fifths. Qualities lie evenly between ±0.4.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from typing import Any

import numpy as np

from adjudge.core.errors import BadParameter, one_of
from adjudge.ranking.method import METHODS
from adjudge.ranking.resampling import RANKING_UNITS
from adjudge.simulation.design import Design, Judges, Tasks

EFFECTS: Mapping[str, float] = {"none": 0.0, "mild": 0.16, "strong": 0.32}
WORKLOADS: Mapping[str, float] = {"even": 0.0, "heavy": 1.0}  # SD of the logarithm
OVERLAPS: Mapping[str, float] = {"none": 0.0, "pools": 0.1}  # share of pools, and of repeats
TRUTHS = ("distinct", "pairs", "equal")
BEST = 0.4
BLOCK = 5
DOCUMENT_LENGTH = 20


@dataclass(frozen=True)
class Situation:
    """A kind of campaign, and how its systems are ranked."""

    judges: int = 30
    documents: int = 30
    effects: str = "mild"  # of judges and of documents
    workloads: str = "even"  # heavy: some judges do ten times as much as others
    overlap: str = "pools"  # a tenth of the rankings is done by three judges, a tenth is repeated
    systems: int = 6
    rankings: int = 900
    truth: str = "distinct"  # pairs: two and two are equal
    method: str = "expected-wins"
    unit: str = "auto"

    def __post_init__(self) -> None:
        for name in NUMBERS:
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 2:
                raise BadParameter(f"`{name}` is a whole number, 2 or more, not {value!r}")
        for name, known in NAMES.items():
            one_of(getattr(self, name), known, name)
        METHODS.named(self.method)
        self.design()  # which refuses what does not fit together or into memory

    def design(self) -> Design:
        """What is simulated."""
        effect, share = EFFECTS[self.effects], OVERLAPS[self.overlap]
        return Design(
            systems=self.systems,
            documents=self.documents,
            document_length=DOCUMENT_LENGTH,
            document_effect=effect,
            qualities=qualities(self.systems, self.truth),
            identical=0.0,
            tasks=Tasks(
                rankings=self.rankings,
                block=min(BLOCK, self.systems),
                hit_length=1,
                repeats=share,
                pool=share,
            ),
            judges=Judges(
                count=self.judges,
                preference=effect,
                workload=WORKLOADS[self.workloads],
                skipped=0.0,
                missing=0.0,
            ),
        )


NUMBERS = ("judges", "documents", "systems", "rankings")
NAMES: Mapping[str, Sequence[str]] = {
    "effects": tuple(EFFECTS),
    "workloads": tuple(WORKLOADS),
    "overlap": tuple(OVERLAPS),
    "truth": TRUTHS,
    "unit": ("auto", *RANKING_UNITS),
}
FACTORS = tuple(field.name for field in fields(Situation))
# What a real campaign says of itself; the others can still be chosen.
OF_CAMPAIGN = ("judges", "documents", "effects", "workloads", "overlap", "systems", "rankings")


def qualities(systems: int, truth: str) -> tuple[float, ...]:
    """The true qualities, the best first."""
    match truth:
        case "equal":
            return (0.0,) * systems
        case "pairs":
            steps = np.linspace(BEST, -BEST, max((systems + 1) // 2, 2))
            return tuple(np.repeat(steps, 2)[:systems].tolist())
    return tuple(np.linspace(BEST, -BEST, systems).tolist())


def grid(factors: Mapping[str, Any]) -> Iterator[Situation]:
    """The situations of all combinations of values; a factor has one value, or a list of them."""
    for name in factors:
        one_of(name, FACTORS, "factor")
    values = [_listed(value, name) for name, value in factors.items()]
    for combination in product(*values):
        yield replace(Situation(), **dict(zip(factors, combination, strict=True)))


def _listed(value: Any, name: str) -> list[Any]:
    given = list(value) if isinstance(value, list | tuple) else [value]
    if not given:
        raise BadParameter(f"`{name}` has no value; give one or more")
    return list(dict.fromkeys(given))
