"""Command by which the user started Adjudge, for printed commands that can be typed again."""

import shlex
import shutil
import sys
from pathlib import Path

NAME = "adjudge"


def started_as() -> str:
    """Name of the program: `adjudge` if that starts it, else the script's path or `python -m
    adjudge`.
    """
    script = Path(sys.argv[0])
    if script.name == NAME:
        on_path = shutil.which(NAME)
        if on_path is not None and Path(on_path).resolve() == script.resolve():
            return NAME
        return shlex.quote(str(script))
    return shlex.join([_python(), "-m", NAME])


def _python() -> str:
    """Name of the interpreter, without a path if possible."""
    on_path = shutil.which("python")
    # Not resolved: the interpreter of a virtual environment links to that of the system.
    same = on_path is not None and Path(on_path).absolute() == Path(sys.executable).absolute()
    return "python" if same else sys.executable
