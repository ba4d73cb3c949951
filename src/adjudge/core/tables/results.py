"""Tables of results, found by the type of the result.

`tables_for(results)` returns the tables of any result, or of a list of results of one type. A
subject's tables live with the subject, in `adjudge.SUBJECT.tables`, and register themselves with
`shows`. If that is a package, its `TABLES` names the modules that show the results of each module
of the subject, so that only those are imported (printing a ranking does not load what edits need).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import singledispatch
from importlib import import_module
from typing import Any, TypeVar

from adjudge.core.errors import BadParameter
from adjudge.core.tables.table import Table

Make = TypeVar("Make", bound=Callable[..., Sequence[Table]])


def tables_for(results: object, signature: str = "", **how: Any) -> list[Table]:
    """Return the tables of a result, or of a list of results of one kind.

    `signature` is the line that reproduces them. `how` passes what some results do not store: the
    `resampling` of agreement, the `trusted` groups of controls, the `details` of a diagnosis.
    """
    given = isinstance(results, Sequence) and not isinstance(results, str)
    parts: Sequence[Any] = results if given else [results]  # type: ignore[assignment]
    if not parts:
        return []
    kind = type(parts[0])
    _load_tables_of(kind)
    tables = _make.dispatch(kind)(parts, **how)
    return [replace(table, signature=signature) for table in tables]


def shows(kind: type) -> Callable[[Make], Make]:
    """Register a function that makes the tables of a list of results of this kind."""

    def register(make: Make) -> Make:
        _make.register(kind, make)
        return make

    return register


@singledispatch
def _make(parts: Sequence[object], **how: Any) -> Sequence[Table]:
    kind = type(parts[0]).__name__
    raise BadParameter(f"`results` cannot be of the kind {kind}: no table is known for it")


def _load_tables_of(kind: type) -> None:
    """Import the modules that register the tables of a result of this type."""
    package, *path = kind.__module__.split(".")
    if package != "adjudge":
        return  # another package registers its tables before it shows them
    subject = path.pop(0)
    tables = import_module(f"adjudge.{subject}.tables")
    modules: dict[str, tuple[str, ...]] = getattr(tables, "TABLES", {})
    while path and ".".join(path) not in modules:
        path.pop()
    for name in modules.get(".".join(path), ()):
        import_module(f"{tables.__name__}.{name}")
