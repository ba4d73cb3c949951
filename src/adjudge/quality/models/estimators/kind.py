"""What one class of estimators has learned: named arrays, their types, shapes and ranges."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]
Sizes = dict[str, int]  # what the names in shapes stand for


class BadArrays(Exception):
    """These arrays are not those of the estimator."""


@dataclass(frozen=True)
class Parameter:
    """An array of an estimator.

    A name in the `shape` stands for a size: one that is given (`columns`, `labels`), or the one
    that it has where it is first met. Floats are finite, unless `infinite`.
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
    """How estimators of one class are taken apart and put together again."""

    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    taken: Callable[[Any], Mapping[str, Any]] = _nothing  # from a fitted estimator
    # (estimator, arrays, members, columns)
    restore: Callable[[Any, Arrays, dict[str, Any], int], None] = _nothing
    sizes: Callable[[Any, Sizes], Sizes] = _nothing  # further sizes, from unfitted estimators
    check: Callable[[Any, Arrays, Sizes], object] = _nothing  # raises `BadArrays`
    fitted_members: Callable[[Any], dict[str, Any]] = _nothing  # estimators inside of this one
    new_members: Callable[[Any], dict[str, Any]] = _nothing

    def arrays_of(self, estimator: Any) -> Arrays:
        """What a fitted estimator has learned, as files have it."""
        taken = self.taken(estimator)
        return {
            name: _in_order(np.asarray(taken[name]), f"<{parameter.type}")
            for name, parameter in self.parameters.items()
        }


def _in_order(array: NDArray[Any], dtype: str) -> NDArray[Any]:
    """Rows or columns first, as it is: products of matrices may differ by it in their last bit."""
    return np.asarray(array, np.dtype(dtype), order="A")


def require(kind: Kind, estimator: Any, arrays: Mapping[str, Any], sizes: Sizes, path: str) -> None:
    """Refuse arrays of another type, shape or range than the kind says."""
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
            raise BadArrays(f"{name} has a value that is no finite number")
    if parameter.least is not None and (array < parameter.least).any():
        raise BadArrays(f"{name} has a value below {parameter.least}")
    below = parameter.below
    if below is not None:
        limit = sizes[below] if isinstance(below, str) else below
        if (array >= limit).any():
            raise BadArrays(f"{name} has a value that is not below {limit}")


def require_increasing(array: NDArray[Any], name: str, least: int = 0) -> None:
    """Refuse values that do not increase, and fewer than `least`."""
    if len(array) < least or (np.diff(array) <= 0).any():
        raise BadArrays(f"{name} does not increase, or is too short")
