"""What the command line offers, read through the program itself.

This is the only module of these tests that knows how options are parsed.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache
from typing import Any

from adjudge.cli.commands import COMMANDS, load
from adjudge.cli.global_options import all_taken_by
from adjudge.cli.parser import Taken

TYPES = {bool: "flag", int: "integer", float: "number", str: "text", datetime: "time"}
HELP = {"--help": {"type": "flag"}}
OF_THE_PROGRAM = {
    "--help": {"also": {"-h": True}, "type": "flag"},
    "--show-completion": {"type": "flag"},
    "--version": {"type": "flag"},
}


@cache
def command_line() -> dict[str, dict[str, Any]]:
    """Every command by its words: its positional arguments in order, its options by name."""
    return dict(sorted(_commands()))


def json_commands() -> list[str]:
    """The commands that can print JSON."""
    return [
        name
        for name, command in command_line().items()
        if any("json" in option.get("choices", ()) for option in command["options"].values())
    ]


def _commands() -> Iterator[tuple[str, dict[str, Any]]]:
    yield "", {"arguments": [], "options": OF_THE_PROGRAM}
    for name, entry in COMMANDS.items():
        if entry.home:
            yield name, _told(load(entry.home))
        else:
            yield name, {"arguments": [], "options": HELP}
        for below, home in entry.below.items():
            yield f"{name} {below}", _told(load(home))


def _told(command: Callable[..., None]) -> dict[str, Any]:
    taken = all_taken_by(command)
    options = {each.flags[-1]: each for each in taken if not each.word.positional}
    described = {name: _names(each) | _described(each) for name, each in options.items()}
    return {
        "arguments": [_described(each) for each in taken if each.word.positional],
        "options": dict(sorted((described | HELP).items())),
    }


def _names(option: Taken) -> dict[str, Any]:
    """The further names of an option, and those that turn it off."""
    known = {"also": option.flags[:-1], "off": option.off}
    return {key: dict.fromkeys(names, True) for key, names in known.items() if names}


def _described(taken: Taken) -> dict[str, Any]:
    """What a parameter takes; what most have in common is left out."""
    told = {
        "type": "choice" if taken.choices else TYPES[taken.kind],
        "choices": dict.fromkeys(taken.choices, True),
        "required": taken.required,
        "multiple": taken.several,
    }
    numbers = {"least": taken.word.low, "most": taken.word.high}
    default = _plain(taken.default)
    if not (default is None or default == [] or default is False):
        numbers["default"] = default
    return {key: value for key, value in told.items() if value} | {
        key: value for key, value in numbers.items() if value is not None
    }


def _plain(value: Any) -> Any:
    """A default as JSON has it."""
    return list(value) if isinstance(value, tuple) else value
