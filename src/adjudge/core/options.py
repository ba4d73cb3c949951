"""Options of questions, each declared once: type, default, help, bounds and choices.

A question such as `rank` has one frozen dataclass that derives from `Options`. Its fields are
annotated with the words of the vocabulary below or with words of their own. The Python signature
and its Parameters section (`question`), validation, the command line and the signature of a result
follow from it. Modules with such classes import nothing but this one, so that the command line can
list options without importing what computes.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import wraps
from importlib import import_module
from inspect import Parameter, cleandoc, signature
from numbers import Integral, Real
from textwrap import wrap
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Concatenate,
    ForwardRef,
    Literal,
    ParamSpec,
    Self,
    TypeVar,
    Union,
    get_args,
    get_origin,
)

from adjudge.core.errors import BadParameter, one_of, within

P = ParamSpec("P")
S = TypeVar("S")
R = TypeVar("R")
O = TypeVar("O", bound="Options")  # noqa: E741


@dataclass(frozen=True)
class Option:
    """Declaration of an option, beside its type and default."""

    help: str  # one sentence, for a help page and for the Parameters section
    details: str = ""  # further sentences for the Parameters section
    low: float | None = None
    high: float | None = None
    open_ends: bool = False  # neither `low` nor `high` itself is allowed
    choices_from: str | None = None  # "module:REGISTRY", imported only when a name is checked
    parse: Any = None  # its type on a command line, where Python takes more than that
    signed: bool = True  # part of a result's signature, as it can change the result

    def names(self) -> Any:
        """Registry of the names that the option can take."""
        assert self.choices_from is not None
        module, _, registry = self.choices_from.partition(":")
        return getattr(import_module(module), registry)


@dataclass(frozen=True)
class Declared:
    """Field of an options class: its name, type, default and declaration."""

    name: str
    kind: Any  # the type without None
    default: Any
    positional: bool
    option: Option

    @property
    def choices(self) -> tuple[str, ...]:
        """Values of a Literal."""
        return choices(self.kind)

    @property
    def described(self) -> str:
        """Type as written in a Parameters section."""
        if self.choices:
            kind = "{" + ", ".join(f'"{choice}"' for choice in self.choices) + "}"
        else:
            kind = _spoken(self.kind)
        return f"{kind}, optional" if self.default is None else kind

    @property
    def several(self) -> bool:
        """Takes one name or several, which are kept as a tuple."""
        return bool(self.option.parse == list[str])

    def plain(self, value: Any) -> Any:
        """Format a value for a signature: a registered item by its name."""
        return value if self.option.choices_from is None else self.option.names().named(value).name

    def check(self, value: Any) -> None:
        """Refuse a value that the option cannot have."""
        option = self.option
        if value is None and self.default is None:
            return
        if option.choices_from is not None:
            option.names().named(value)
        elif self.choices:
            one_of(value, self.choices, self.name)
        elif self.kind is int and not isinstance(value, Integral):
            raise BadParameter(f"`{self.name}` is a whole number, not {value!r}")
        elif self.kind is float and not isinstance(value, Real):
            raise BadParameter(f"`{self.name}` is a number, not {value!r}")
        elif option.low is not None:
            within(value, self.name, option.low, option.high, open_ends=option.open_ends)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Base of the options of a question; checks every value."""

    # Options in the order of a signature, which prints those not named here off their defaults.
    in_signature: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        for declared in self.declared():
            value = getattr(self, declared.name)
            if declared.several and value is not None:
                names = (value,) if isinstance(value, str) else tuple(value)
                object.__setattr__(self, declared.name, names)
            declared.check(value)

    @classmethod
    def declared(cls) -> Iterator[Declared]:
        """Return the options of the class, inherited ones included."""
        for each in fields(cls):
            kind, option = get_args(each.type)
            yield Declared(each.name, _without_none(kind), each.default, not each.kw_only, option)

    def items(self) -> dict[str, Any]:
        """Return the value of every option."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def signed(self) -> dict[str, Any]:
        """Return the options that a signature names, in its order."""
        values = self.recorded()
        always = {name: values.pop(name) for name in self.in_signature}
        return always | {name: values[name] for name in self.unusual() if name in values}

    def recorded(self) -> dict[str, Any]:
        """Return the options that can change the result; a registered item by its name."""
        return {
            declared.name: declared.plain(getattr(self, declared.name))
            for declared in self.declared()
            if declared.option.signed
        }

    def unusual(self) -> dict[str, Any]:
        """Return the options that differ from their defaults."""
        return {
            declared.name: value
            for declared in self.declared()
            if (value := declared.plain(getattr(self, declared.name))) != declared.default
        }

    @classmethod
    def of(cls, other: "Options") -> Self:
        """Take the options that `other` shares with this class; the rest have their defaults."""
        own = {each.name for each in fields(cls)}
        return cls(**{name: value for name, value in other.items().items() if name in own})


def question(
    options: Callable[P, O],
) -> Callable[[Callable[[S, O], R]], Callable[Concatenate[S, P], R]]:
    """Let a method that takes an options object be called with the options themselves.

    The method gets the signature of the options class, and a Parameters section in its docstring
    before the first section that it has.
    """

    def decorate(answer: Callable[[S, O], R]) -> Callable[Concatenate[S, P], R]:
        @wraps(answer)
        def ask(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
            return answer(self, options(*args, **kwargs))

        own = signature(options)
        named = [
            each.replace(annotation=_annotation(each.annotation))
            for each in own.parameters.values()
        ]
        itself = Parameter("self", Parameter.POSITIONAL_ONLY)
        returned = signature(answer).return_annotation
        ask.__signature__ = own.replace(  # type: ignore[attr-defined]
            parameters=[itself, *named], return_annotation=returned
        )
        ask.__doc__ = _documented(answer.__doc__ or "", options)
        return ask

    return decorate


def choices(kind: Any) -> tuple[str, ...]:
    """Return the values of a Literal, annotated or not; none for another type."""
    if get_origin(kind) is Annotated:
        return choices(get_args(kind)[0])
    return get_args(kind) if get_origin(kind) is Literal else ()


def _without_none(kind: Any) -> Any:
    if get_origin(kind) in (Union, UnionType):
        return Union[tuple(part for part in get_args(kind) if part is not NoneType)]  # noqa: UP007
    return kind


def _annotation(annotated: Any) -> Any:
    kind = get_args(annotated)[0]
    return kind.__forward_arg__ if isinstance(kind, ForwardRef) else kind


def _spoken(kind: Any) -> str:
    if isinstance(kind, ForwardRef):
        kind = kind.__forward_arg__.replace(" | None", "")
    elif get_args(kind):
        kind = " | ".join(str(part) for part in get_args(kind))
    elif isinstance(kind, type):
        kind = kind.__name__
    return re.sub(r"<class '(\w+)'>|\b\w+\.(?=\w)", r"\1", kind).replace(" | ", " or ")


def _documented(docstring: str, options: Any) -> str:
    """Insert a Parameters section before the first section of a docstring."""
    lines = ["Parameters", "----------"]
    for declared in sorted(options.declared(), key=lambda each: not each.positional):
        sentences = f"{declared.option.help} {declared.option.details}"
        lines += [f"{declared.name} : {declared.described}"]
        lines += wrap(sentences, 96, initial_indent="    ", subsequent_indent="    ")
    text = cleandoc(docstring).splitlines()
    first = next(at for at, line in enumerate(text) if line.startswith("---")) - 1
    return "\n".join([*text[:first], *lines, "", *text[first:]])


# The vocabulary that questions share.
Level = Annotated[
    float, Option("Confidence level of intervals and ranges.", low=0, high=1, open_ends=True)
]
Seed = Annotated[int, Option("Makes a random result repeatable.", low=0)]
Replicates = Annotated[int, Option("How many bootstrap replicates (or runs).", low=1)]
Runs = Annotated[int, Option("Runs of methods that are random, side by side.", low=1)]
Workers = Annotated[int, Option("Processes for methods that refit.", low=1, signed=False)]
EngineAddress = Annotated[
    str | None, Option("A Dask cluster instead: dask://HOST:PORT.", signed=False)
]
Correction = Annotated[
    Literal["bh", "holm", "none"],
    Option(
        "How p is adjusted for the number of pairs.",
        '"bh" controls the rate of false discoveries, "holm" the chance of any false one.',
    ),
]
Ranges = Annotated[
    Literal["auto", "simultaneous", "wmt13"],
    Option(
        "Rank ranges of all systems at once, or each as in WMT13.",
        '"auto": at once where `unit` is "auto".',
    ),
]
Outputs = Annotated[
    Literal["expanded", "collapsed"],
    Option(
        "An output of several systems: one candidate, or one each?",
        '"expanded": it counts for each of them; "collapsed": as one candidate.',
    ),
]
