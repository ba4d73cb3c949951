"""The wheel, and clean environments outside the checkout to try it in.

An environment sees what the wheel declares to need, with the needs of that, and nothing else of
the packages installed for the tests: a dependency that is not declared is missing there. They
are linked, not installed again, so that this takes a second and no network.
"""

import os
import subprocess
import sys
import venv
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

PROJECT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def project() -> Path:
    """The checkout."""
    return PROJECT


@pytest.fixture(scope="session")
def wheel(
    tmp_path_factory: pytest.TempPathFactory, build_wheel: Callable[[Path, Path], Path]
) -> Path:
    """The wheel of this checkout."""
    return build_wheel(PROJECT, tmp_path_factory.mktemp("wheel"))


class Environment:
    """A virtual environment with the wheel in it, and a folder to work in."""

    def __init__(self, folder: Path, wheel: Path, extras: Iterable[str]) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        venv.create(folder / "venv", with_pip=False)
        self.bin = folder / "venv" / "bin"
        install = ["install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index"]
        python = str(self.bin / "python")
        subprocess.run(
            [sys.executable, "-m", "pip", "--python", python, *install, str(wheel)], check=True
        )
        (self.packages,) = (folder / "venv").glob("lib/python*/site-packages")
        (adjudge,) = self.packages.glob("adjudge-*.dist-info")
        for needed in _needs(PathDistribution(adjudge), frozenset(extras), set()):
            self._link(needed)

    def _link(self, needed: Distribution) -> None:
        for name in {file.parts[0] for file in needed.files or ()} - {"..", "__pycache__"}:
            here = self.packages / name
            if not here.exists():
                here.symlink_to(Path(str(needed.locate_file(name))))

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the environment, in the folder, with nothing of ours in sight."""
        ours = ("PYTHON", "DJANGO", "COVERAGE", "PYTEST", "ADJUDGE", "DATABASE")
        told = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
        told["NUMBA_DISABLE_JIT"] = "1"  # compiling anew takes longer than files this small
        program = str(self.bin / command[0])
        return subprocess.run(
            [program, *command[1:]], cwd=self.folder, env=told, capture_output=True, text=True
        )


def _needs(of: Distribution, extras: frozenset[str], seen: set[str]) -> Iterator[Distribution]:
    """Every distribution that one needs, with those that these need."""
    for line in of.requires or ():
        requirement = Requirement(line)
        marker = requirement.marker
        if marker and not any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            continue
        if requirement.name not in seen:
            seen.add(requirement.name)
            needed = distribution(requirement.name)
            yield needed
            yield from _needs(needed, frozenset(requirement.extras), seen)


@pytest.fixture(scope="session")
def environment(
    tmp_path_factory: pytest.TempPathFactory, wheel: Path
) -> Callable[..., Environment]:
    """`environment("campaigns")`: what `pip install adjudge[campaigns]` gives; each made once."""
    made: dict[tuple[str, ...], Environment] = {}

    def get(*extras: str) -> Environment:
        if extras not in made:
            made[extras] = Environment(tmp_path_factory.mktemp("environment"), wheel, extras)
        return made[extras]

    return get
