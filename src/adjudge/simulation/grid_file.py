"""Design files of `adjudge coverage`: grids of situations, in TOML or JSON.

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
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files.input_file import InputFile
from adjudge.simulation.situations import FACTORS, Situation, grid

Grids = Mapping[str, Mapping[str, Any]]
OWN_CAMPAIGNS = "campaigns"
MOST_SITUATIONS = 100_000


def whole_design() -> str:
    """The design file of the tables in docs/coverage.md."""
    return files("adjudge.simulation").joinpath("coverage.toml").read_text()


def read_grids(file: InputFile) -> dict[str, list[tuple[Situation, int | None]]]:
    """The situations of every grid, with how many campaigns it asks for."""
    grids = _parsed(file)
    if not isinstance(grids, dict) or not grids:
        raise InputError("holds no grid; write a table such as [intervals]", file=file.name)
    return {name: _situations(file, name, table) for name, table in grids.items()}


def _parsed(file: InputFile) -> Any:
    try:
        text = bytes(file.data).decode()
    except UnicodeDecodeError:
        raise InputError("is no text in UTF-8", file=file.name) from None
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
        raise InputError(f"{name} is no grid; put it below a table such as [grid]", file=file.name)
    factors = dict(table)
    campaigns = factors.pop(OWN_CAMPAIGNS, None)
    if campaigns is not None and (not isinstance(campaigns, int) or campaigns < 2):
        raise InputError(f"[{name}] campaigns is a number, 2 or more", file=file.name)
    unknown = [factor for factor in factors if factor not in FACTORS]
    if unknown:
        raise InputError(
            f"[{name}] {unknown[0]} is no factor; there are: {', '.join(FACTORS)}, campaigns",
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
