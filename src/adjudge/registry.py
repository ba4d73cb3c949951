"""Things that one module each defines: formats, methods, findings, figures, protocols.

A module takes part by lying in the kind's package and defining the agreed attribute (`FORMAT`,
`METHOD`, …), one item or a tuple of them; nothing else has to be told about it. Another
installed package takes part through an entry point of the kind's group, which names such a
module or item:

    [project.entry-points."adjudge.methods"]
    my-method = "my_package.my_method"

A module is named after its item (`expected-wins`: `expected_wins`), so that one item is had
without importing the others. What is wrong with a module of the kind's package, or of another
package, is said at once, with both names where two modules want the same.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Generic, Protocol, TypeVar

from adjudge.errors import AdjudgeError, one_of


class Named(Protocol):
    """What can be registered."""

    @property
    def name(self) -> str:
        """What it is called wherever it is listed."""
        ...


T = TypeVar("T", bound=Named)


class BadRegistration(AdjudgeError):
    """A module that takes part but not as agreed."""


class Registry(Mapping[str, T], Generic[T]):
    """Every item of one kind, by name.

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

    def named(self, name: object) -> T:
        """The item of that name, or an error that suggests the nearest; an item is itself."""
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
        """The item from the module of its name, no other being imported."""
        if not name.replace("-", "").isalnum() or entry_points(group=self.group):
            return None
        module = f"{self._package}.{name.replace('-', '_')}"
        if find_spec(module) is None:
            return None
        return next((item for item in self._items(module) if item.name == name), None)

    def _every(self) -> dict[str, T]:
        if self._all is None:
            self._all = self._gathered()
        return self._all

    def _gathered(self) -> dict[str, T]:
        found: dict[str, T] = {}
        owners: dict[str, str] = {}
        for module, items in self._modules():
            for item in items:
                for key in (item.name, *_aliases(item), *self._distinct(item)):
                    if key in owners:
                        raise BadRegistration(
                            f"two modules define the {self._called} {key!r}: {owners[key]} and "
                            f"{module}; rename one of them"
                        )
                    owners[key] = module
                found[item.name] = item
        return found

    def _modules(self) -> Iterator[tuple[str, tuple[T, ...]]]:
        package = import_module(self._package)
        for info in iter_modules(package.__path__):
            module = f"{self._package}.{info.name}"
            yield module, self._items(module)
        for point in sorted(entry_points(group=self.group), key=lambda one: (one.name, one.value)):
            yield point.value, self._from_entry_point(point)

    def _from_entry_point(self, point: EntryPoint) -> tuple[T, ...]:
        try:
            loaded = point.load()
        except Exception as error:
            raise BadRegistration(
                f"the entry point {point.name} = {point.value} of {self.group} cannot be loaded "
                f"({error}); mend or uninstall its package"
            ) from error
        if isinstance(loaded, ModuleType):
            return self._items_of(loaded)
        return self._checked(loaded, point.value)

    def _items(self, module: str) -> tuple[T, ...]:
        return self._items_of(import_module(module))

    def _items_of(self, module: ModuleType) -> tuple[T, ...]:
        if not hasattr(module, self._attribute):
            near = [name for name in vars(module) if name.startswith(self._attribute)]
            perhaps = f" (it has {near[0]})" if near else ""
            raise BadRegistration(
                f"{module.__name__} defines no {self._attribute}{perhaps}; define it, or keep the "
                f"module outside of {self._package}"
            )
        return self._checked(getattr(module, self._attribute), module.__name__)

    def _checked(self, defined: Any, module: str) -> tuple[T, ...]:
        items = defined if isinstance(defined, tuple) else (defined,)
        for item in items:
            if not isinstance(item, self._kind):
                raise BadRegistration(
                    f"{module}: {self._attribute} is a {type(item).__name__}, not a "
                    f"{self._kind.__name__}"
                )
        return items


def _aliases(item: Named) -> tuple[str, ...]:
    """Names an item had before and still answers to."""
    aliases: tuple[str, ...] = getattr(item, "aliases", ())
    return aliases
