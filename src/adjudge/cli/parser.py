"""From a command line to the parameters of a command, which are declared once.

A parameter of a command is annotated with its type and with `option` or `argument`; a parameter
whose type is an options class (`adjudge.core.options`) stands for all options of that class.
"""

from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from functools import partial
from inspect import Parameter, isclass, signature
from math import isfinite
from types import NoneType, UnionType
from typing import Any, NoReturn, Union, get_args, get_origin

from adjudge.core.errors import BadParameter, instead_of
from adjudge.core.options import Declared, Option, Options, choices

Given = frozenset[str]  # a parameter of this type gets the names of the options that were given


@dataclass(frozen=True, kw_only=True)
class Word(Option):
    """The declaration of an option or argument of the command line."""

    flags: tuple[str, ...] = ()  # by default `--` and the name
    positional: bool = False
    metavar: str | None = None
    group: str = ""  # its heading on the help page
    check: Callable[[Any], object] | None = None  # refuses a value, or that there is none


def option(
    *flags: str,
    help: str,
    min: float | None = None,
    max: float | None = None,
    metavar: str | None = None,
    group: str = "",
    choices_from: str | None = None,
    check: Callable[[Any], object] | None = None,
) -> Word:
    """Declare an option: `-f`, `--format`, or `--yes/--no` for a flag that can be turned off."""
    return Word(
        help,
        flags=flags,
        low=min,
        high=max,
        metavar=metavar,
        group=group,
        choices_from=choices_from,
        check=check,
    )


def argument(
    *,
    help: str,
    metavar: str | None = None,
    choices_from: str | None = None,
    check: Callable[[Any], object] | None = None,
) -> Word:
    """Declare an argument: a word without a flag."""
    return Word(help, positional=True, metavar=metavar, choices_from=choices_from, check=check)


@dataclass(frozen=True)
class Taken:
    """An option or argument that a command takes."""

    name: str
    kind: Any  # of one value
    word: Word
    default: Any = None
    required: bool = False
    several: bool = False
    number: int = 1  # of values that belong together
    of: str = ""  # the parameter of the command that holds it among the options of a class

    @property
    def flags(self) -> tuple[str, ...]:
        """Its names, the longest last."""
        on = [flag.partition("/")[0] for flag in self.word.flags]
        return tuple(sorted(on or [_flag(self.name)], key=len))

    @property
    def off(self) -> tuple[str, ...]:
        """The names that turn a flag off."""
        if self.kind is bool and not self.word.flags:
            return ("--no-" + _flag(self.name)[2:],)
        return tuple(off for flag in self.word.flags if (off := flag.partition("/")[2]))

    @property
    def choices(self) -> tuple[str, ...]:
        """The values that it can have, where these are few."""
        return choices(self.kind)

    @property
    def shown(self) -> str:
        """Its first name, as messages and usage lines have it."""
        if not self.word.positional:
            return self.flags[-1]
        return self.word.metavar or self.name.upper()

    def completions(self, prefix: str = "") -> list[str]:
        """Words that can stand for its value."""
        known = self.word.names() if self.word.choices_from else self.choices
        return [name for name in known if name.startswith(prefix)]

    def value(self, text: str) -> Any:
        """The value that a word stands for."""
        if self.choices:
            if text not in self.choices:
                raise ArgumentTypeError(f"cannot be {text!r}; {instead_of(text, self.choices)}")
            return text
        read, remedy = _READ.get(self.kind, (str, ""))
        try:
            value = read(text)
        except ValueError:
            raise ArgumentTypeError(f"{text!r}: {remedy}") from None
        low, high = self.word.low, self.word.high
        if low is not None and value < low:
            raise ArgumentTypeError(f"{text}: give {low:g} or more")
        if high is not None and value > high:
            raise ArgumentTypeError(f"{text}: give {high:g} or less")
        return value


def _finite(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError
    return value


_READ: Mapping[Any, tuple[Callable[[str], Any], str]] = {
    int: (int, "give a whole number"),
    float: (_finite, "give a number"),
    datetime: (datetime.fromisoformat, "give a time like 2026-01-31 or 2026-01-31T12:00"),
}


def taken_by(command: Callable[..., None]) -> list[Taken]:
    """Every option and argument of a command, in the order of its signature."""
    own = [p for p in signature(command).parameters.values() if p.annotation is not Given]
    names = {parameter.name for parameter in own}
    return [taken for parameter in own for taken in _taken(parameter, names)]


def _taken(parameter: Parameter, own: Iterable[str]) -> Iterator[Taken]:
    kind = parameter.annotation
    if isclass(kind) and issubclass(kind, Options):
        for declared in kind.declared():
            if declared.name not in own:
                yield _of_class(declared, parameter.name)
        return
    annotated, *words = get_args(kind)
    word = _word(words[-1])  # the outermost
    kind, several, number = _single(annotated)
    required = parameter.default is Parameter.empty
    default = None if required else parameter.default
    if kind is float and default is not None and not several:
        default = float(default)  # as what is given, for signatures say which it is
    yield Taken(parameter.name, kind, word, default, required, several, number)


def _of_class(declared: Declared, of: str) -> Taken:
    kind, several, number = _single(declared.option.parse or declared.kind)
    word = _word(declared.option)
    return Taken(declared.name, kind, word, declared.default, False, several, number, of)


def _word(option: Option) -> Word:
    """The declaration of an option that says nothing of the command line."""
    if isinstance(option, Word):
        return option
    if option.open_ends:
        return Word(option.help)  # bounds that only the class can check
    return Word(option.help, low=option.low, high=option.high, choices_from=option.choices_from)


def is_argument(parameter: Parameter) -> bool:
    """Is it declared by `argument`?"""
    return any(
        isinstance(each, Word) and each.positional for each in get_args(parameter.annotation)
    )


def _single(kind: Any) -> tuple[Any, bool, int]:
    """The type of one value, whether there may be several, and how many belong together."""
    if get_origin(kind) in (Union, UnionType):
        (kind,) = (part for part in get_args(kind) if part is not NoneType)
    if get_origin(kind) is list:
        return get_args(kind)[0], True, 1
    if get_origin(kind) is tuple:
        return get_args(kind)[0], False, len(get_args(kind))
    return kind, False, 1


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadParameter(f"{message.removeprefix('argument ')} ({self.prog} --help)")


def fill(parser: ArgumentParser, taken: Sequence[Taken]) -> ArgumentParser:
    """The parser, with the options and arguments of a command."""
    for each in taken:
        if each.kind is bool:
            parser.add_argument(*each.flags, dest=each.name, action="store_true")
            if each.off:
                parser.add_argument(*each.off, dest=each.name, action="store_false")
            continue
        add: dict[str, Any] = {"type": each.value}
        if each.word.positional:
            names: tuple[str, ...] = (each.name,)
            add |= {"nargs": "*" if each.several else "?", "metavar": each.shown}
            add["default"] = SUPPRESS
        else:
            names = each.flags
            add |= {"dest": each.name, "nargs": None if each.number == 1 else each.number}
            add |= {"action": "append"} if each.several else {}
        action: Any = parser.add_argument(*names, **add)
        if each.word.choices_from or each.choices:
            action.completer = partial(_completed, each)
    return parser


def new_parser(called: str) -> ArgumentParser:
    """A parser that refuses words with an error of ours."""
    return _Parser(prog=called, add_help=False, allow_abbrev=False, argument_default=SUPPRESS)


def _completed(taken: Taken, prefix: str, **_: Any) -> list[str]:
    return taken.completions(prefix)


def parse(taken: Sequence[Taken], words: Sequence[str], called: str) -> dict[str, Any]:
    """The values that a command line gives, by the names of options and arguments."""
    parser = fill(new_parser(called), taken)
    given, unknown = parser.parse_known_args(_arguments_last(words, taken))
    if unknown:
        _refuse(next(word for word in unknown if word != "--"), taken, called)
    values = vars(given)
    for each in taken:
        if each.word.check is not None:
            each.word.check(values.get(each.name, each.default))
    lacking = [each.shown for each in taken if each.required and each.name not in values]
    if lacking:
        raise BadParameter(f"give {', '.join(lacking)} ({called} --help)")
    return values


def _arguments_last(words: Sequence[str], taken: Sequence[Taken]) -> list[str]:
    """The words in the order that argparse takes them in, whatever characters they begin with."""
    flags = {
        flag: each
        for each in taken
        for flag in (() if each.word.positional else (*each.flags, *each.off))
    }
    options: list[str] = []
    arguments: list[str] = []
    rest = deque(words)
    while rest:
        word = rest.popleft()
        option = None if word not in flags or flags[word].kind is bool else flags[word]
        if word == "--":
            arguments += rest
            break
        if option is not None and option.number > 1:
            options += [word, *(rest.popleft() for _ in range(min(option.number, len(rest))))]
        elif option is not None and rest and rest[0] not in flags:
            value = rest.popleft()
            joined = f"{word}={value}" if word.startswith("--") else word + value
            options += [joined] if value.startswith("-") else [word, value]
        elif word.startswith("-") and word != "-":
            options.append(word)
        else:
            arguments.append(word)
    return [*options, "--", *arguments] if arguments else options


def _refuse(unknown: str, taken: Sequence[Taken], called: str) -> NoReturn:
    if not unknown.startswith("-") or unknown == "-":
        raise BadParameter(f"{unknown!r} is one argument too many ({called} --help)")
    name = unknown.partition("=")[0]
    near = get_close_matches(name, _flags(taken), n=1, cutoff=0.5)
    meant = f"did you mean {near[0]}? See" if near else "see"
    raise BadParameter(f"there is no option {name}; {meant} {called} --help")


def _flags(taken: Sequence[Taken]) -> dict[str, Taken]:
    """What every flag stands for."""
    options = [each for each in taken if not each.word.positional]
    return {flag: each for each in options for flag in (*each.flags, *each.off)}


def call(command: Callable[..., None], given: Mapping[str, Any]) -> None:
    """Call a command with what was given, and the defaults of the rest."""
    own: dict[str, Any] = {}
    classes: dict[str, dict[str, Any]] = {}
    for each in taken_by(command):
        value = given.get(each.name, list(each.default or ()) if each.several else each.default)
        (classes.setdefault(each.of, {}) if each.of else own)[each.name] = value
    for parameter in signature(command).parameters.values():
        if parameter.annotation is Given:
            own[parameter.name] = frozenset(given)
        elif parameter.name in classes:
            own[parameter.name] = parameter.annotation(**classes[parameter.name])
    command(**own)


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")
