"""Folder for compiled kernels, so that they are compiled once.

Numba caches them beside their modules. If the package is read-only (installed by an administrator,
a container), they go to the user's cache folder, or else to a temporary folder of the process.
Compiled kernels are code, so a folder that others may write to is not used. An existing
`NUMBA_CACHE_DIR` is respected.
"""

import os
import sys
from pathlib import Path

VARIABLE = "NUMBA_CACHE_DIR"


def choose_kernel_cache(package: Path) -> None:
    """Set Numba's cache variable, if needed, before Numba is imported."""
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
    """Test whether we own the folder and nobody else may write to it."""
    if not hasattr(os, "geteuid"):  # on Windows
        return True
    about = folder.stat()
    return about.st_uid == os.geteuid() and not about.st_mode & 0o022


def user_cache() -> Path:
    """Per-user cache folder for files that can be recreated."""
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
