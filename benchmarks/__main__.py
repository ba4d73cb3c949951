"""Runs every benchmark, or those named on the command line."""

import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

names = sys.argv[1:] or [
    module.name for module in iter_modules([str(Path(__file__).parent)]) if module.name[0] != "_"
]
for name in names:
    print(f"== {name}", flush=True)
    import_module(f"benchmarks.{name}").main()
