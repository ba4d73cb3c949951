"""Small packages written into a folder, as if somebody had installed them."""

import sys
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path

import pytest

_numbers = count()


EntryPoints = Mapping[str, Mapping[str, str]]  # by group and name


def write_distribution(folder: Path, name: str, entry_points: EntryPoints) -> None:
    """What an installer leaves beside a package: its name and its entry points by group."""
    information = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    groups = (
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in points.items())
        for group, points in entry_points.items()
    )
    (information / "entry_points.txt").write_text("\n".join(groups))


@pytest.fixture(scope="session")
def distribution() -> Callable[[Path, str, EntryPoints], None]:
    """`distribution(folder, name, entry_points)`."""
    return write_distribution


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Writes a package of modules that can be imported; gives its name.

    `package({"first": "THING = 1"}, {"adjudge.things": {"second": "other.second"}})`.
    """

    def write(modules: Mapping[str, str], entry_points: EntryPoints | None = None) -> str:
        name = f"made_for_a_test_{next(_numbers)}"
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").touch()
        for module, text in modules.items():
            (folder / f"{module}.py").write_text(text)
        if entry_points:
            write_distribution(tmp_path, name, entry_points)
        if str(tmp_path) not in sys.path:
            monkeypatch.syspath_prepend(str(tmp_path))
        return name

    return write
