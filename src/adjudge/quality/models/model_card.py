"""What `model.json` of a model may hold, key by key; anything else is refused.

A specification is a type, several (`int | None` as a tuple), a list of one kind, an object of any
keys and one kind of values (`{str: …}`), or an object of exactly these keys.
"""

import math
from collections.abc import Mapping
from typing import Any

_NUMBER = (int, float)
CARD: dict[str, Any] = {
    "data": str,
    "learned_from": str,
    "translations": int,
    "resources": (str, type(None)),
    "tokenize": str,
    "metrics": [str],
    "seed": int,
    "measured": {str: _NUMBER},
    "version": str,
    "scikit_learn": str,
    "signature": str,
}
_MODEL: dict[str, Any] = {
    "format": int,
    "task": str,
    "card": CARD,
    "words": {str: [str]},
    "design": {"numbers": [str], "labels": {str: [str]}, "closed": bool},
    "learner": str,
    "chosen": {str: (int, float, str, bool, type(None))},
    "families": [str],
}
_OF_A_NUMBER: dict[str, Any] = {
    "quantity": {
        "name": str, "title": str, "higher_is_better": bool,
        "low": "number", "high": "number", "factor": "number",
    },
    "scale": {"centre": "finite", "spread": "finite", "reach": "finite"},
}  # fmt: skip


def specification(task: str) -> dict[str, Any]:
    """What a model of a task says."""
    if task == "words":
        return _MODEL | {"classes": [str]}
    return _MODEL if task == "selection" else _MODEL | _OF_A_NUMBER


def matches(value: Any, specified: Any) -> bool:
    """Is it just that?"""
    match specified:
        case "number":  # infinite ends are written as text
            return isinstance(value, str) and _is_number(value)
        case "finite":
            return type(value) in _NUMBER and math.isfinite(value)
        case [each]:
            return isinstance(value, list) and all(matches(one, each) for one in value)
        case _ if isinstance(specified, tuple):
            return type(value) in specified
        case _ if isinstance(specified, Mapping):
            return isinstance(value, dict) and _matches_object(value, specified)
    return type(value) is specified


def _matches_object(value: dict[str, Any], specified: Mapping[Any, Any]) -> bool:
    if str in specified:
        return all(matches(one, specified[str]) for one in value.values())
    return value.keys() == specified.keys() and all(
        matches(value[key], each) for key, each in specified.items()
    )


def _is_number(text: str) -> bool:
    try:
        return not math.isnan(float(text))
    except ValueError:
        return False
