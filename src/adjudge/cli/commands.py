"""Which commands are made: the one that is named, or all.

A command is in the module of its name, commands below it are in modules whose names begin so.
"""

from importlib import import_module
from pkgutil import iter_modules

import typer.main

from adjudge import cli


def register(named: str = "") -> None:
    """Import what makes the command of this name; where there is none such, every command."""
    modules = [module.name for module in iter_modules(cli.__path__)]
    stem = f"{named}_".replace("-", "_")
    for name in modules:
        if f"{name}_".startswith(stem):
            import_module(f"{cli.__name__}.{name}")
    if named not in _registered():
        for name in modules:
            import_module(f"{cli.__name__}.{name}")


def _registered() -> set[str | None]:
    """The names of the commands that there are by now."""
    made = {
        command.name or typer.main.get_command_name(command.callback.__name__)
        for command in cli.app.registered_commands
        if command.callback is not None
    }
    return made | {group.name for group in cli.app.registered_groups}
