"""Where compiled kernels are kept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from adjudge.core.files import kernel_cache
from adjudge.core.files.kernel_cache import VARIABLE, choose_kernel_cache

PACKAGE = Path("/installed/by/an/administrator")


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")  # so that it is restored
    monkeypatch.delenv(VARIABLE)


def test_beside_the_modules_where_that_can_be_written(tmp_path: Path) -> None:
    choose_kernel_cache(tmp_path)
    assert VARIABLE not in os.environ


def test_else_in_the_user_s_cache(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    choose_kernel_cache(PACKAGE)
    assert os.environ[VARIABLE] == str(tmp_path / "adjudge" / "kernels")
    assert (tmp_path / "adjudge" / "kernels").is_dir()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX has owners and modes")
def test_a_folder_that_others_may_write_to_is_not_used(tmp_path: Path, monkeypatch) -> None:
    """Numba reads kernels back with pickle: whoever writes there could run code."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "adjudge" / "kernels"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    choose_kernel_cache(PACKAGE)
    assert Path(os.environ.pop(VARIABLE)).name.startswith("adjudge-kernels-")
    folder.chmod(0o700)
    choose_kernel_cache(PACKAGE)
    assert os.environ[VARIABLE] == str(folder)
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    choose_kernel_cache(PACKAGE)
    assert Path(os.environ[VARIABLE]).name.startswith("adjudge-kernels-")


def test_what_the_user_has_chosen_stays(monkeypatch) -> None:
    monkeypatch.setenv(VARIABLE, "elsewhere")
    choose_kernel_cache(PACKAGE)
    assert os.environ[VARIABLE] == "elsewhere"


def test_else_in_a_folder_that_goes_with_the_process(tmp_path: Path) -> None:
    (tmp_path / "no-folder").write_text("")
    program = (
        "import sys; from pathlib import Path; from adjudge.core.files import kernel_cache as k; "
        "k.choose_kernel_cache(Path(sys.argv[1])); import os; print(os.environ[k.VARIABLE])"
    )
    told = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "no-folder"), "LOCALAPPDATA": ""}
    done = subprocess.run(
        [sys.executable, "-c", program, str(PACKAGE)], env=told, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    folder = Path(done.stdout.strip())
    assert folder.name.startswith("adjudge-kernels-")
    assert not folder.exists()


@pytest.mark.parametrize(
    ("platform", "end"), [("darwin", "Library/Caches"), ("linux", ".cache"), ("win32", ".cache")]
)
def test_the_cache_of_each_platform(monkeypatch, platform: str, end: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    assert kernel_cache.user_cache() == Path(os.path.expanduser("~"), end)
