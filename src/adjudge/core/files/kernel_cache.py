"""Where compiled kernels are kept, so that they are compiled once.

Numba keeps them beside their modules. Where the package may not be written to (installed by an
administrator, a container), they go to the user's cache folder; where there is none either, to a
folder that goes with the process. Compiled kernels are code, so a folder that others may write to
is not used. Who sets `NUMBA_CACHE_DIR` has decided already.
"""

import os
import sys
from pathlib import Path

VARIABLE = "NUMBA_CACHE_DIR"


def choose_kernel_cache(package: Path) -> None:
    """Set the variable that Numba reads when it is imported, where that is needed."""
    if VARIABLE in os.environ or os.access(package, os.W_OK):
        return
    folder = user_cache() / "adjudge" / "kernels"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK) or not _is_ours(folder):
            raise PermissionError
    except OSError:
        folder = _for_this_process()
    os.environ[VARIABLE] = str(folder)


def _is_ours(folder: Path) -> bool:
    """Does it belong to us, and may nobody else write to it?"""
    if not hasattr(os, "geteuid"):  # on Windows
        return True
    about = folder.stat()
    return about.st_uid == os.geteuid() and not about.st_mode & 0o022


def user_cache() -> Path:
    """The folder for what a user's programs can make again."""
    given = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME")
    if given:
        return Path(given)
    home = Path(os.path.expanduser("~"))
    return home / "Library" / "Caches" if sys.platform == "darwin" else home / ".cache"


def _for_this_process() -> Path:
    import atexit
    import shutil
    import tempfile

    folder = tempfile.mkdtemp(prefix="adjudge-kernels-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
