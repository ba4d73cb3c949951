"""What the command line offers, read through the program itself.

This is the only module of these tests that knows which library parses options.
"""

from collections.abc import Iterator
from datetime import datetime
from enum import Enum, EnumType
from functools import cache
from typing import Any, Literal, get_args, get_origin

import typer

TYPES = {bool: "flag", int: "integer", float: "number", str: "text", datetime: "time"}


@cache
def command_line() -> dict[str, dict[str, Any]]:
    """Every command by its words: its positional arguments in order, its options by name."""
    from adjudge import cli
    from adjudge.cli.commands import register

    register()
    cli._dress(cli.app)
    return dict(sorted(_commands(typer.main.get_command(cli.app), ())))


def json_commands() -> list[str]:
    """The commands that can print JSON."""
    return [
        name
        for name, command in command_line().items()
        if any("json" in option.get("choices", ()) for option in command["options"].values())
    ]


def _commands(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, dict[str, Any]]]:
    with command.make_context("adjudge", [], resilient_parsing=True) as context:
        parameters = command.get_params(context)
    options = {max(p.opts, key=len): p for p in parameters if p.param_type_name == "option"}
    yield (
        " ".join(words),
        {
            "arguments": [_described(p) for p in parameters if p.param_type_name == "argument"],
            "options": {name: _names(p) | _described(p) for name, p in sorted(options.items())},
        },
    )
    for name, below in getattr(command, "commands", {}).items():
        yield from _commands(below, (*words, name))


def _names(option: Any) -> dict[str, Any]:
    """The further names of an option, and those that turn it off."""
    known = {"also": sorted(option.opts, key=len)[:-1], "off": option.secondary_opts}
    return {key: dict.fromkeys(names, True) for key, names in known.items() if names}


def _described(parameter: Any) -> dict[str, Any]:
    """What a parameter takes; what most have in common is left out."""
    descriptor = getattr(parameter, "type_descriptor", None)
    kind, choices = _type(descriptor.annotation if descriptor else bool)
    told = {
        "type": kind,
        "choices": dict.fromkeys(choices, True),
        "required": parameter.required,
        "multiple": parameter.multiple or parameter.nargs == -1,
        "hidden": getattr(parameter, "hidden", False),
        "environment": parameter.envvar,
    }
    numbers = {"least": parameter.min, "most": parameter.max}
    default = _plain(parameter.default)
    if not (default is None or default == [] or default is False):
        numbers["default"] = default
    return {key: value for key, value in told.items() if value} | {
        key: value for key, value in numbers.items() if value is not None
    }


def _type(annotation: Any) -> tuple[str, list[str]]:
    """The plain name of a type, and its choices."""
    if isinstance(annotation, EnumType):
        return "choice", [str(member.value) for member in annotation]
    if get_origin(annotation) is Literal:
        return "choice", [str(value) for value in get_args(annotation)]
    inner = [each for each in get_args(annotation) if each is not type(None)]
    return _type(inner[0]) if inner else (TYPES[annotation], [])


def _plain(value: Any) -> Any:
    """A default as JSON has it."""
    if isinstance(value, Enum):
        return value.value
    if callable(value):
        return _plain(value())
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value
