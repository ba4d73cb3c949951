"""Finds the modules of a package that each define one thing: a format, a method, a protocol.

A module takes part by defining an attribute of the agreed name (`FORMAT`, `METHOD`, …);
nothing else has to be told about it.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any


@cache
def registered(package: str, attribute: str) -> Mapping[str, Any]:
    """The `attribute` of every module in `package`, keyed by its `name`."""
    found: dict[str, Any] = {}
    for module_info in iter_modules(import_module(package).__path__):
        module = import_module(f"{package}.{module_info.name}")
        item = getattr(module, attribute, None)
        for one in item if isinstance(item, tuple) else (item,):
            if one is not None:
                found[one.name] = one
    return MappingProxyType(found)
