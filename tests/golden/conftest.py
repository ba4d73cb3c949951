"""Shared by the golden tests: the comparison with a golden file, and its renewal."""

import json
import re
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from golden_files import Difference, differences, store, stored

RENEW = "pytest tests/golden --renew-goldens"
SHOWN = 40  # differences


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that renews golden files."""
    parser.addoption("--renew-goldens", action="store_true", help="write golden files anew")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, dict[str, Any]], None]:
    """`golden(name, value)`: nothing of the golden file has moved in the value.

    What is only in the value is a warning, until the file is renewed.
    """

    def golden(name: str, value: dict[str, Any]) -> None:
        came = json.loads(json.dumps(value))
        if request.config.getoption("--renew-goldens", default=False):
            store(name, came)
            pytest.skip(f"golden file {name}.json written; read its changes in `git diff`")
        frozen = stored(name)
        if frozen is None:
            pytest.fail(f"no golden file {name}.json; write it: {RENEW}", pytrace=False)
        found = list(differences(frozen, came))
        if moved := [each for each in found if not each.added]:
            told = "\n".join(_lines(moved))
            pytest.fail(f"{name}.json, old → new:\n{told}\nIf meant: {RENEW}", pytrace=False)
        if found:
            told = "\n".join(_lines(found))
            warnings.warn(f"not yet in {name}.json ({RENEW}):\n{told}", stacklevel=2)

    return golden


def _lines(found: list[Difference]) -> list[str]:
    """A line a difference; those that are the same in many rows are one."""
    alike: dict[tuple[str, ...], list[Difference]] = {}
    for each in found:
        key = (re.sub(r"\[\d+\]", "[]", each.path), repr(each.old), repr(each.new))
        alike.setdefault(key, []).append(each)
    lines = [
        f"{first}" + (f" (and {len(rest)} rows more)" if rest else "")
        for first, *rest in alike.values()
    ]
    more = [f"… and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    return [*lines[:SHOWN], *more]
