"""Golden files: how values are stored, and how a difference is told.

What may change is not stored: wording, versions, times, links. Names and numbers are.
"""

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

EXPECTED = Path(__file__).parent / "expected"
TEXT = "…"  # stands for a text
DIGITS = 9
RELATIVE, ABSOLUTE = 1e-8, 1e-12  # closer numbers are equal: sums differ by processor
# Keys of wording.
WORDING = {"message", "notes", "reason", "remedy", "scikit_learn", "version", "what", "who"}
# Keys of names and of fixed terms, the only texts that are stored of data that are not ours.
NAMES = {
    *("pair", "system", "system_a", "system_b", "other", "other_system", "metric", "scale"),
    *("method", "statistic", "tau", "coefficient", "convention", "other_convention", "test"),
    *("correction", "unit", "variance", "ranges", "outputs", "normalisation", "level", "human"),
    *("finding", "part", "kind", "severity", "landis_koch", "krippendorff", "average_by"),
    *("task", "predicts", "learner", "chosen", "families", "column", "feature", "tokenize"),
    *("tuner", "by_length", "ranks", "ranks_again"),
}


class _Missing:
    def __repr__(self) -> str:
        return "(none)"


MISSING = _Missing()


class Difference(NamedTuple):
    """Where a value moved."""

    path: str
    old: Any
    new: Any

    @property
    def added(self) -> bool:
        """Is it new, and nothing else has changed?"""
        return self.old is MISSING

    def __str__(self) -> str:
        return f"{self.path}: {_short(self.old)} → {_short(self.new)}"


def _short(value: Any) -> str:
    text = repr(value) if value is MISSING else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 500 else f"{text[:500]}…"


def normalised(value: Any, public: bool = True, key: str = "") -> Any:
    """A value of JSON as it is stored; of data that are not public only names and numbers."""
    if isinstance(value, dict):
        return {k: normalised(v, public, k) for k, v in sorted(value.items())}
    if isinstance(value, list):
        return [normalised(each, public, key) for each in value]
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return _normalised_text(value, key, public)
    return value


def _normalised_text(text: str, key: str, public: bool) -> str:
    if key == "signature":
        return without_version(text)
    if key in NAMES:
        return TEXT if text.startswith("(") else text  # `(no sole winner)`
    sentence, link, time, path = r"\s", "://", r"^\d{4}-\d\d-\d\d", r"^/|\\"
    wording = key in WORDING or re.search("|".join((sentence, link, time, path)), text)
    return text if public and not wording else TEXT


def without_version(signature: str) -> str:
    """A signature without the version that made it."""
    return re.sub(r"\|version:[^|]*", "", signature)


def differences(old: Any, new: Any, path: str = "") -> Iterator[Difference]:
    """Every value that moved or is new."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            below = f"{path} › {key}" if path else str(key)
            yield from differences(old.get(key, MISSING), new.get(key, MISSING), below)
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield Difference(f"{path} › how many", len(old), len(new))
        for number, (one, other) in enumerate(zip(old, new, strict=False)):
            yield from differences(one, other, f"{path}[{number}]")
    elif not _same(old, new):
        yield Difference(path, old, new)


def _same(old: Any, new: Any) -> bool:
    exact = type(old) is type(new) and bool(old == new)
    numbers = {type(old), type(new)} <= {int, float} and {type(old), type(new)} != {int}
    return exact or (numbers and math.isclose(old, new, rel_tol=RELATIVE, abs_tol=ABSOLUTE))


def stored(name: str) -> Any:
    """What the golden file of this name holds; None where there is none yet."""
    file = EXPECTED / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else None


def store(name: str, value: dict[str, Any]) -> None:
    """Write a golden file; what did not move stays as it was."""
    before = stored(name) or {}
    kept = {
        key: each if any(differences(before.get(key), each)) else before[key]
        for key, each in value.items()
    }
    EXPECTED.mkdir(exist_ok=True)
    (EXPECTED / f"{name}.json").write_text(f"{_written(kept, '')}\n", encoding="utf-8")


def _written(value: Any, indent: str) -> str:
    """JSON with an innermost object a line, so that a change can be read."""
    inner = value.values() if isinstance(value, dict) else value
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or not any(
        isinstance(each, (dict, list)) and each for each in inner
    ):
        return flat
    deeper = f"{indent} "
    if isinstance(value, dict):
        names = [f"{json.dumps(key, ensure_ascii=False)}: " for key in value]
        opened, closed = "{", "}"
    else:
        names, opened, closed = [""] * len(value), "[", "]"
    parts = (
        f"{deeper}{name}{_written(each, deeper)}" for name, each in zip(names, inner, strict=True)
    )
    return f"{opened}\n" + ",\n".join(parts) + f"\n{indent}{closed}"
