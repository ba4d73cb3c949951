"""Situations for coverage studies, and the design files that list them.

A situation has one value for each factor of a campaign.

Effects are standard deviations of judge-by-system and document-by-system effects. The remaining
difference between two looks at one system has a standard deviation of about 0.8, so mild effects
are a fifth of it and strong ones two fifths. Qualities lie evenly between ±0.4.

Design files of `adjudge coverage`: grids of situations, in TOML or JSON.

    [intervals]
    judges = [4, 30]
    effects = ["none", "mild"]
    campaigns = 1000

Every table is a grid: all combinations of the values of its factors (`situations.Situation`), each
simulated `campaigns` times.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from importlib.resources import files
from itertools import product
from typing import Any

import numpy as np

from adjudge.core.errors import AdjudgeError, BadParameter, InputError, one_of
from adjudge.core.files.input_file import InputFile
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
    """Kind of campaign, and the ranking method."""

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
        """Design of the simulation."""
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
    """True qualities, best first."""
    match truth:
        case "equal":
            return (0.0,) * systems
        case "pairs":
            steps = np.linspace(BEST, -BEST, max((systems + 1) // 2, 2))
            return tuple(np.repeat(steps, 2)[:systems].tolist())
    return tuple(np.linspace(BEST, -BEST, systems).tolist())


def grid(factors: Mapping[str, Any]) -> Iterator[Situation]:
    """Situations of all combinations of values; a factor has one value, or a list of them."""
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


Grids = Mapping[str, Mapping[str, Any]]
OWN_CAMPAIGNS = "campaigns"
MOST_SITUATIONS = 100_000


def whole_design() -> str:
    """Design file of the tables in docs/coverage.md."""
    return files("adjudge.simulation").joinpath("coverage.toml").read_text()


def read_grids(file: InputFile) -> dict[str, list[tuple[Situation, int | None]]]:
    """Read the situations of every grid, with their number of campaigns."""
    grids = _parsed(file)
    if not isinstance(grids, dict) or not grids:
        raise InputError("holds no grid; write a table such as [intervals]", file=file.name)
    return {name: _situations(file, name, table) for name, table in grids.items()}


def _parsed(file: InputFile) -> Any:
    try:
        text = bytes(file.data).decode()
    except UnicodeDecodeError:
        raise InputError("is not text in UTF-8", file=file.name) from None
    try:
        return json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"no JSON: {error.msg}", file=file.name, line=error.lineno) from None
    except tomllib.TOMLDecodeError as error:
        reason, _, where = str(error).partition(" (at ")
        line = re.match(r"line (\d+)", where)
        raise InputError(
            f"no TOML: {reason}", file=file.name, line=int(line[1]) if line else None
        ) from None


def _situations(file: InputFile, name: str, table: Any) -> list[tuple[Situation, int | None]]:
    if not isinstance(table, dict):
        raise InputError(
            f"{name} is not a grid; put it below a table such as [grid]", file=file.name
        )
    factors = dict(table)
    campaigns = factors.pop(OWN_CAMPAIGNS, None)
    if campaigns is not None and (not isinstance(campaigns, int) or campaigns < 2):
        raise InputError(f"[{name}] campaigns is a number, 2 or more", file=file.name)
    unknown = [factor for factor in factors if factor not in FACTORS]
    if unknown:
        raise InputError(
            f"[{name}] {unknown[0]} is not a factor; there are: {', '.join(FACTORS)}, campaigns",
            file=file.name,
        )
    number = 1
    for value in factors.values():
        number *= len(value) if isinstance(value, list) else 1
    if number > MOST_SITUATIONS:
        raise InputError(f"[{name}] has {number:,} situations; give fewer values", file=file.name)
    try:
        return [(situation, campaigns) for situation in grid(factors)]
    except (AdjudgeError, TypeError) as error:
        reason = "values are numbers and names" if isinstance(error, TypeError) else str(error)
        raise InputError(f"[{name}] {reason}", file=file.name) from None
