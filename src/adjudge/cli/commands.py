"""Importing this module registers every command: each module of this package adds its own."""

from importlib import import_module
from pkgutil import iter_modules

from adjudge import cli

for _module in iter_modules(cli.__path__):
    if _module.name != "commands":
        import_module(f"{cli.__name__}.{_module.name}")
