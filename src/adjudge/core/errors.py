"""Errors that a user can cause; each message is one line that names the remedy.

A message speaks of parameters as Python writes them, between backticks: `` `unit` ``,
`` `unit="judge"` ``. The command line says the same with its options (`--unit judge`) and exits
with code 2; a page for organisers says it in plain words. Anything else that escapes is a bug
and shows its traceback.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from importlib.util import find_spec
from os import PathLike


class AdjudgeError(Exception):
    """Base class of errors that the user can correct; the message says how."""


class InputError(AdjudgeError):
    """Invalid input file: its content does not match the expected format."""

    def __init__(
        self, reason: str, *, file: str | PathLike[str] | None = None, line: int | None = None
    ) -> None:
        self.reason = reason
        self.file = None if file is None else str(file)
        self.line = line
        super().__init__(reason)

    def __str__(self) -> str:
        where = "" if self.file is None else f"{self.file}: "
        if self.line is not None:
            where += f"line {self.line}: "
        return f"{where}{self.reason}"


class NotEnoughData(AdjudgeError):
    """Too few judgements to answer the question asked."""


class BadParameter(AdjudgeError, ValueError):
    """Invalid parameter value; the message lists the valid ones."""


class MissingExtra(AdjudgeError, ImportError):
    """Missing optional dependency of a part of Adjudge."""


def need(module: str, what: str, extra: str) -> None:
    """Require a module of an optional extra; `what` names the feature that needs it."""
    if find_spec(module) is None:
        raise MissingExtra(
            f"{what} {module}, which is not installed: pip install 'adjudge[{extra}]'"
        )


def one_of(given: object, known: Iterable[str], parameter: str) -> str:
    """Return `given` if it is one of the `known` names; otherwise raise an error with the nearest
    match.
    """
    names = list(known)
    if isinstance(given, str) and given in names:
        return given
    raise BadParameter(f"`{parameter}` cannot be {given!r}; {instead_of(given, names)}")


def instead_of(given: object, names: Sequence[str], most: int | None = None) -> str:
    """Suggest the nearest match for an unknown name and list the valid names, at most `most`."""
    near = get_close_matches(str(given), names, n=1, cutoff=0.5)
    there_are = f"did you mean {near[0]!r}? There are" if near else "there are"
    more = ", …" if most is not None and len(names) > most else ""
    return f"{there_are}: {', '.join(names[:most]) or 'none'}{more}"


def within(
    value: float, parameter: str, low: float, high: float | None = None, *, open_ends: bool = False
) -> None:
    """Refuse a number outside `low` to `high`; `open_ends` names the excluded bounds."""
    fits = value >= low if high is None else low <= value <= high
    if open_ends:
        fits = fits and value not in (low, high)
    if not fits:
        limits = f"{low:g} or more" if high is None else f"between {low:g} and {high:g}"
        raise BadParameter(f"`{parameter}` is {limits}, not {value:g}")


# A parameter, perhaps with its value, as Python writes it.
_PARAMETER = re.compile(r"`([a-z_]+)(?:=(\"[^\"`]*\"|[^\"`]+))?`")

_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)")


def spoken(message: str, parameter: Callable[[str, str | None], str]) -> str:
    """Rewrite every parameter (and its value, if given) in a message."""

    def replaced(match: re.Match[str]) -> str:
        name, value = match.groups()
        return parameter(name, None if value is None else value.strip('"'))

    return _PARAMETER.sub(replaced, message)


def in_plain_words(message: str) -> str:
    """Rewrite parameters for people who see neither Python nor a command line."""
    words = spoken(
        message,
        lambda name, value: name.replace("_", " ") + ("" if value is None else f" {value}"),
    )
    # What was said for a command line already, in a report for example.
    return _OPTION.sub(lambda option: option[1].replace("-", " "), words)


def as_options(message: str) -> str:
    """Rewrite parameters as command-line options: `--unit judge`."""

    def option(name: str, value: str | None) -> str:
        flag = "--" + name.replace("_", "-")
        return flag if value in (None, "True") else f"{flag} {value}"

    return spoken(message, option)
