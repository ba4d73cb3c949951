"""Folders and patterns as the files they stand for."""

from pathlib import Path

import pytest

from adjudge.core.errors import InputError
from adjudge.core.files.partitions import in_parts


def test_parts_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b.parquet", "a.parquet", "c.csv", "odd[1].csv"):
        (tmp_path / name).write_text("x")
    folder = str(tmp_path)
    a, b, c, odd = (
        f"{folder}/{name}" for name in ("a.parquet", "b.parquet", "c.csv", "odd[1].csv")
    )
    assert in_parts([folder]) == (a, b)
    assert in_parts([f"{folder}/?.parquet", c]) == (a, b, c)
    assert in_parts([odd, "-", "absent.csv"]) == (odd, "-", "absent.csv")
    with pytest.raises(InputError, match="no file is called so"):
        in_parts([f"{folder}/z*.csv"])


def test_a_folder_without_parts_is_left_to_who_reads_it(tmp_path: Path) -> None:
    assert in_parts([str(tmp_path)]) == (str(tmp_path),)
