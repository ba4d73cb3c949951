"""Schema of the state of one class of estimators: named arrays, their types, shapes and ranges."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]
Sizes = dict[str, int]  # what the names in shapes stand for


class BadArrays(Exception):
    """Arrays that do not fit the estimator."""


@dataclass(frozen=True)
class Parameter:
    """Schema of an array.

    A name in the `shape` stands for a size: a given one (`columns`, `labels`), or the size at its
    first occurrence. Floats are finite, unless `infinite`.
    """

    type: str  # as NumPy spells it: f8, i8, u1
    shape: tuple[str | int, ...] = ()
    least: float | None = None
    below: str | int | None = None  # a size, or a number
    infinite: bool = False


def _nothing(*_: Any) -> Any:
    return {}


@dataclass(frozen=True)
class Kind:
    """Serialisation of the estimators of one class."""

    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    taken: Callable[[Any], Mapping[str, Any]] = _nothing  # from a fitted estimator
    # (estimator, arrays, members, columns)
    restore: Callable[[Any, Arrays, dict[str, Any], int], None] = _nothing
    sizes: Callable[[Any, Sizes], Sizes] = _nothing  # further sizes, from unfitted estimators
    check: Callable[[Any, Arrays, Sizes], object] = _nothing  # raises `BadArrays`
    fitted_members: Callable[[Any], dict[str, Any]] = _nothing  # estimators inside of this one
    new_members: Callable[[Any], dict[str, Any]] = _nothing

    def arrays_of(self, estimator: Any) -> Arrays:
        """State of a fitted estimator, in the form used in files."""
        taken = self.taken(estimator)
        return {
            name: _in_order(np.asarray(taken[name]), f"<{parameter.type}")
            for name, parameter in self.parameters.items()
        }


def _in_order(array: NDArray[Any], dtype: str) -> NDArray[Any]:
    """Keep the memory order of the array, which can change the last bit of matrix products."""
    return np.asarray(array, np.dtype(dtype), order="A")


def require(kind: Kind, estimator: Any, arrays: Mapping[str, Any], sizes: Sizes, path: str) -> None:
    """Refuse arrays whose type, shape or range violates the schema."""
    sizes = sizes | kind.sizes(estimator, sizes)
    for name, parameter in kind.parameters.items():
        array = arrays[name]
        if not isinstance(array, np.ndarray):
            raise BadArrays(f"{path}/{name} is missing")
        if array.dtype != np.dtype(f"<{parameter.type}"):
            raise BadArrays(f"{path}/{name} is of type {array.dtype}, not {parameter.type}")
        _require_shape(array, parameter, sizes, f"{path}/{name}")
        _require_range(array, parameter, sizes, f"{path}/{name}")
    try:
        kind.check(estimator, dict(arrays), sizes)
    except BadArrays as error:
        raise BadArrays(f"{path}/{error}") from None


def _require_shape(array: NDArray[Any], parameter: Parameter, sizes: Sizes, name: str) -> None:
    if array.ndim != len(parameter.shape):
        raise BadArrays(f"{name} has {array.ndim} dimensions, not {len(parameter.shape)}")
    for asked, size in zip(parameter.shape, array.shape, strict=True):
        expected = asked if isinstance(asked, int) else sizes.setdefault(asked, size)
        if size != expected:
            raise BadArrays(f"{name} has the shape {array.shape}; {asked} is {expected}")


def _require_range(array: NDArray[Any], parameter: Parameter, sizes: Sizes, name: str) -> None:
    if array.dtype.kind == "f":
        sound = ~np.isnan(array) if parameter.infinite else np.isfinite(array)
        if not sound.all():
            raise BadArrays(f"{name} has a value that is not a finite number")
    if parameter.least is not None and (array < parameter.least).any():
        raise BadArrays(f"{name} has a value below {parameter.least}")
    below = parameter.below
    if below is not None:
        limit = sizes[below] if isinstance(below, str) else below
        if (array >= limit).any():
            raise BadArrays(f"{name} has a value that is not below {limit}")


def require_increasing(array: NDArray[Any], name: str, least: int = 0) -> None:
    """Refuse values that do not increase, or fewer than `least`."""
    if len(array) < least or (np.diff(array) <= 0).any():
        raise BadArrays(f"{name} does not increase, or is too short")
