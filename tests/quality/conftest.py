"""Shared by the tests of quality estimation: real data, unpacked once."""

import tarfile
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def unpacked(shared_data, tmp_path_factory):
    """`unpacked("quality/wmt12-qe/wmt12-qe.tar.xz")` is the folder of what an archive holds."""
    folders: dict[str, Path] = {}

    def unpack(name: str) -> Path:
        if name not in folders:
            archive = shared_data / name
            if not archive.exists():
                pytest.skip(f"no {name} among the real data")
            folders[name] = tmp_path_factory.mktemp("unpacked")
            with tarfile.open(archive) as packed:
                packed.extractall(folders[name], filter="data")
        return folders[name]

    return unpack
