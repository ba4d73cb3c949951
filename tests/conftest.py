"""Shared by all tests: the real data, where it is present."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data; tests that need it skip where it is absent."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("ADJUDGE_SHARED_DATA", beside))
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder}; set ADJUDGE_SHARED_DATA to its folder")
    return folder
