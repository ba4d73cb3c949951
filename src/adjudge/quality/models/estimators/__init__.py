"""Serialisation of fitted estimators as plain arrays: one module per family, one `Kind` per class.

    arrays = fitted_arrays(estimator)
    require_arrays(fresh, arrays, columns=17, labels=2)
    restore(fresh, arrays, columns=17)

The structure comes from our own code: a learner of the registry makes an unfitted estimator, and a
file has only the numbers that such an estimator takes. Nothing of a file names a class, a function
or a method. Every array is checked, by type, shape, range and against the others, before the first
is used: scikit-learn's compiled kernels follow indices without looking.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from adjudge.quality.models.estimators import chains, composed, linear, processes, scaling, trees
from adjudge.quality.models.estimators.kind import Arrays, BadArrays, Kind, require

__all__ = ["KINDS", "Arrays", "BadArrays", "fitted_arrays", "require_arrays", "restore"]

KINDS: dict[type, Kind] = {
    **chains.KINDS,
    **composed.KINDS,
    **linear.KINDS,
    **processes.KINDS,
    **scaling.KINDS,
    **trees.KINDS,
}


def fitted_arrays(estimator: Any, name: str = "estimator") -> Arrays:
    """State of a fitted estimator; names of arrays are prefixed by the names of members."""
    kind = _kind(estimator)
    arrays = {f"{name}/{key}": value for key, value in kind.arrays_of(estimator).items()}
    for key, member in kind.fitted_members(estimator).items():
        arrays |= fitted_arrays(member, f"{name}/{key}")
    return arrays


def require_arrays(
    estimator: Any, arrays: Mapping[str, Any], columns: int, labels: int, name: str = "estimator"
) -> None:
    """Refuse (`BadArrays`) arrays that do not fit an estimator of this structure."""
    known: set[str] = set()
    for path, member in _members(estimator, name):
        kind = _kind(member)
        own = {key: arrays.get(f"{path}/{key}") for key in kind.parameters}
        require(kind, member, own, {"columns": columns, "labels": labels}, path)
        known |= {f"{path}/{key}" for key in own}
    unknown = sorted({key for key in arrays if key.startswith(f"{name}/")} - known)
    if unknown:
        raise BadArrays(f"{unknown[0]} is not an array of this learner")


def restore(
    estimator: Any, arrays: Mapping[str, Any], columns: int, name: str = "estimator"
) -> None:
    """Restore the state of an unfitted estimator; the arrays were checked before."""
    kind = _kind(estimator)
    members = kind.new_members(estimator)
    for key, member in members.items():
        restore(member, arrays, columns, f"{name}/{key}")
    own = {key: arrays[f"{name}/{key}"] for key in kind.parameters}
    kind.restore(estimator, own, members, columns)


def _members(estimator: Any, name: str) -> Iterator[tuple[str, Any]]:
    yield name, estimator
    for key, member in _kind(estimator).new_members(estimator).items():
        yield from _members(member, f"{name}/{key}")


def _kind(estimator: Any) -> Kind:
    kind = KINDS.get(type(estimator))
    if kind is None:
        raise BadArrays(f"{type(estimator).__name__} cannot be written as arrays")
    return kind
