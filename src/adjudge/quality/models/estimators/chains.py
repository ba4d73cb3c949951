"""Serialisation of linear-chain conditional random fields."""

from typing import Any

from adjudge.quality.learners.conditional_random_field import ConditionalRandomField
from adjudge.quality.models.estimators.kind import Arrays, Kind, Parameter
from adjudge.quality.models.estimators.linear import CLASSES, check_classes

_NAMES = ("classes", "weights", "bias", "transitions")


def _restore(made: Any, arrays: Arrays, members: dict[str, Any], columns: int) -> None:
    for name in _NAMES:
        setattr(made, f"{name}_", arrays[name])


KINDS: dict[type, Kind] = {
    ConditionalRandomField: Kind(
        {
            "classes": CLASSES,
            "weights": Parameter("f8", ("columns", "classes")),
            "bias": Parameter("f8", ("classes",)),
            "transitions": Parameter("f8", ("classes", "classes")),
        },
        lambda made: {name: getattr(made, f"{name}_") for name in _NAMES},
        _restore,
        check=check_classes,
    )
}
