"""Registries of items defined by one module each: formats, methods, findings, figures, protocols.

A module registers by being in the package of its kind and defining the agreed attribute (`FORMAT`,
`METHOD`, …), one item or a tuple of them. Another installed package registers through an entry
point of the kind's group, which names such a module or item:

    [project.entry-points."adjudge.methods"]
    my-method = "my_package.my_method"

A module of ours is named after its item (`expected-wins`: `expected_wins`), so that one item is
had without importing the others. What is wrong with a module, ours or another package's, is said
at once, with both names where two modules want the same.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Generic, Protocol, TypeVar

from adjudge.core.errors import AdjudgeError, one_of


class Named(Protocol):
    """Protocol of registered items."""

    @property
    def name(self) -> str:
        """Name of the item in every listing."""
        ...


T = TypeVar("T", bound=Named)


class BadRegistration(AdjudgeError):
    """Invalid registration of a module."""


class Registry(Mapping[str, T], Generic[T]):
    """Registry of the items of one kind, by name.

    `package` holds the modules, `attribute` is what they define, `kind` is the type of an item
    and `called` what people call it, which is also the parameter that takes such a name.
    `distinct` gives for an item what no other may have too (the ending of a file, say).
    """

    def __init__(
        self,
        package: str,
        attribute: str,
        kind: type[T],
        called: str,
        distinct: Callable[[T], Iterable[str]] = lambda item: (),
    ) -> None:
        self._package = package
        self._attribute = attribute
        self._kind = kind
        self._called = called
        self._distinct = distinct
        self.group = f"adjudge.{called}s"  # of entry points
        self._all: dict[str, T] | None = None
        self._asked: dict[str, T] = {}  # found alone; looking for others' items takes milliseconds

    def named(self, name: object) -> T:
        """Return the item of that name, or raise an error with the nearest match; an item is
        returned as is.
        """
        if isinstance(name, self._kind):
            return name
        if isinstance(name, str) and self._all is None:
            item = self._alone(name)
            if item is not None:
                return item
        every = self._every()
        aliases = {alias: item for item in every.values() for alias in _aliases(item)}
        if isinstance(name, str) and name in aliases:
            return aliases[name]
        return every[one_of(name, every, self._called)]

    def __getitem__(self, name: str) -> T:
        return self._every()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._every())

    def __len__(self) -> int:
        return len(self._every())

    def _alone(self, name: str) -> T | None:
        """Import the item from the module of its name, without importing other modules of ours."""
        if name in self._asked:
            return self._asked[name]
        if not name.replace("-", "").isalnum():
            return None
        module = f"{self._package}.{name.replace('-', '_')}"
        if find_spec(module) is None:
            return None
        items = self._items(import_module(module))
        item = next((item for item in items if item.name == name), None)
        if item is not None:
            self._by_name([(module, (item,)), *self._from_others()])  # refuses a second one
            self._asked[name] = item
        return item

    def _every(self) -> dict[str, T]:
        if self._all is None:
            self._all = self._by_name([*self._ours(), *self._from_others()])
        return self._all

    def _by_name(self, modules: Iterable[tuple[str, tuple[T, ...]]]) -> dict[str, T]:
        items: dict[str, T] = {}
        owners: dict[str, str] = {}
        for module, defined in modules:
            for item in defined:
                for key in (item.name, *_aliases(item), *self._distinct(item)):
                    if key in owners:
                        raise BadRegistration(
                            f"{key!r} is a {self._called} twice: in {owners[key]} and in "
                            f"{module}; rename one of them"
                        )
                    owners[key] = module
                items[item.name] = item
        return items

    def _ours(self) -> Iterator[tuple[str, tuple[T, ...]]]:
        package = import_module(self._package)
        for info in iter_modules(package.__path__, f"{self._package}."):
            yield info.name, self._items(import_module(info.name))

    def _from_others(self) -> Iterator[tuple[str, tuple[T, ...]]]:
        points = entry_points(group=self.group)
        for point in sorted(points, key=lambda point: (point.name, point.value)):
            yield point.value, self._loaded(point)

    def _loaded(self, point: EntryPoint) -> tuple[T, ...]:
        try:
            loaded = point.load()
        except Exception as error:  # whatever the other package may do
            raise BadRegistration(
                f"the entry point {point.name} = {point.value} of {self.group} cannot be loaded "
                f"({type(error).__name__}: {error}); mend or uninstall its package"
            ) from error
        if isinstance(loaded, ModuleType):
            return self._items(loaded)
        return self._checked(loaded, point.value)

    def _items(self, module: ModuleType) -> tuple[T, ...]:
        if not hasattr(module, self._attribute):
            near = get_close_matches(self._attribute, vars(module), n=1)
            perhaps = f" (it has {near[0]})" if near else ""
            raise BadRegistration(
                f"{module.__name__} defines no {self._attribute}{perhaps}; define it, or keep the "
                f"module out of {self._package} and the entry points"
            )
        return self._checked(getattr(module, self._attribute), module.__name__)

    def _checked(self, defined: Any, module: str) -> tuple[T, ...]:
        items = defined if isinstance(defined, tuple) else (defined,)
        if not items:
            raise BadRegistration(f"{module}: {self._attribute} is empty; define a {self._called}")
        for item in items:
            if not isinstance(item, self._kind):
                raise BadRegistration(
                    f"{module}: {self._attribute} is a {type(item).__name__}, not a "
                    f"{self._kind.__name__}"
                )
        return items


def _aliases(item: Named) -> tuple[str, ...]:
    """Earlier names that an item still answers to."""
    aliases: tuple[str, ...] = getattr(item, "aliases", ())
    return aliases
