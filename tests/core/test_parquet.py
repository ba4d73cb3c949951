"""Parquet files: a damaged one is refused, and never takes the process down."""

import os
import signal
from pathlib import Path

import polars as pl
import pytest

from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files.parquet_scout import DIED, SURVIVED, Scout
from adjudge.data.judgement_table import judgement_table
from adjudge.data.table_files import read, write

MOST = 10**9


def small_file(folder: Path) -> Path:
    table = judgement_table(
        pl.DataFrame(
            {"pair": ["x"] * 2, "ranking": [1, 1], "output": ["A", "B"], "rank": [1, None]}
        )
    )
    path = folder / "table.parquet"
    write(table, path)
    return path


@pytest.mark.slow
def test_no_byte_of_a_file_takes_the_process_down(tmp_path: Path) -> None:
    """Three of these end the process of whoever reads the file with Polars 2.1."""
    path = small_file(tmp_path)
    content = path.read_bytes()
    sound = read(path)
    for place in range(4, len(content)):
        path.write_bytes(content[:place] + b"\x7f" + content[place + 1 :])
        try:
            assert set(read(path).columns) == set(sound.columns)
        except AdjudgeError as error:
            assert str(error).startswith(str(path))  # noqa: PT017


def test_the_scout_that_dies_is_missed(tmp_path: Path) -> None:
    path = str(small_file(tmp_path))
    scout = Scout()
    try:
        assert scout.ask(path, ["rank"], MOST) == SURVIVED
        assert scout._process is not None
        os.kill(scout._process.pid, signal.SIGABRT)
        assert scout.ask(path, ["rank"], MOST) == DIED
        assert scout.ask(path, ["rank"], MOST) == SURVIVED  # another one
    finally:
        scout.end()


def test_the_scout_leaves_common_errors_to_the_reader(tmp_path: Path) -> None:
    path = small_file(tmp_path)
    path.write_bytes(path.read_bytes()[:-9])
    scout = Scout()
    try:
        assert scout.ask(str(path), ["rank"], MOST) == SURVIVED
        assert scout.ask(str(path), ["no such column"], MOST) == SURVIVED
    finally:
        scout.end()
    with pytest.raises(InputError, match="damaged or cut short"):
        read(path)


def test_a_file_that_needs_more_memory_than_there_is(tmp_path: Path, monkeypatch) -> None:
    path = small_file(tmp_path)
    monkeypatch.setattr("adjudge.core.files.memory.available_memory", lambda: 100)
    with pytest.raises(
        AdjudgeError, match=r"reading and checking it takes about .* \(ulimit -v\)"
    ) as e:
        read(path)
    assert str(e.value).startswith(str(path))


def test_a_scout_without_memory_is_no_damaged_file(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("adjudge.core.files.parquet.SCOUT.ask", lambda *_: DIED)
    with pytest.raises(InputError, match="is damaged or cut short"):
        read(small_file(tmp_path))
    monkeypatch.setattr("adjudge.core.files.checked_table.limited_memory", lambda: True)
    with pytest.raises(InputError, match=r"or takes more memory than this process may have"):
        read(small_file(tmp_path))
