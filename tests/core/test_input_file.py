"""Bytes of files: compressed, cut short, unpacking to far too much."""

import bz2
import errno
import gzip
import io
import lzma
import tracemalloc
from pathlib import Path

import polars as pl
import pytest
import zstandard

from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files import decompression
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.parquet import read_parquet

PACKERS = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "zstd": zstandard.ZstdCompressor().compress,
    "xz": lzma.compress,
}
every_packer = pytest.mark.parametrize("packer", PACKERS)


def packed(folder: Path, content: bytes, packer: str) -> Path:
    path = folder / "packed"
    path.write_bytes(PACKERS[packer](content))
    return path


@every_packer
def test_compressed_data_cut_short(tmp_path, packer):
    content = "\n".join(f"line {i * i}" for i in range(5000)).encode()
    path = packed(tmp_path, content, packer)
    stored = path.read_bytes()
    assert InputFile(path).data == content
    for size in (10, len(stored) // 2, len(stored) - 1):
        path.write_bytes(stored[:size])
        with pytest.raises(InputError, match=f"the {packer} data break off") as raised:
            InputFile(path).data  # noqa: B018
        assert 1 <= (raised.value.line or 0) <= 5000


def test_xz_streams_after_each_other_with_padding(tmp_path):
    path = tmp_path / "two"
    path.write_bytes(lzma.compress(b"one\n") + bytes(8) + lzma.compress(b"two\n"))
    assert InputFile(path).data == b"one\ntwo\n"


def test_xz_that_asks_for_too_much_memory_is_refused(tmp_path, monkeypatch):
    path = packed(tmp_path, b"x" * 10_000, "xz")
    assert len(InputFile(path).data) == 10_000
    monkeypatch.setattr("adjudge.core.files.decompression._XZ_MEMORY", 1 << 16)
    with pytest.raises(InputError, match=r"the xz data .* are broken \(Memory usage limit"):
        InputFile(path).data  # noqa: B018


def test_a_plain_file_is_not_copied(tmp_path):
    path = tmp_path / "big"
    path.write_bytes(b"x\n" * 10_000_000)
    tracemalloc.start()
    file = InputFile(path)
    assert len(file.data) == 20_000_000
    assert file.line_at(10_000_000) == 5_000_001
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


@every_packer
def test_a_bomb_is_refused_before_it_fills_the_memory(tmp_path, monkeypatch, packer):
    """300 MB out of some hundred kilobytes or less: with the limit lowered, at once."""
    path = tmp_path / "bomb"
    chunk = PACKERS[packer](bytes(3_000_000))
    path.write_bytes(chunk * 100)
    monkeypatch.setattr(decompression, "ALWAYS_FINE", 10_000_000)
    monkeypatch.setattr(decompression, "RATIO", 20)
    tracemalloc.start()
    with pytest.raises(InputError, match=r"to more than [0-9,]+\. .* ADJUDGE_LARGEST_RATIO"):
        InputFile(path).data  # noqa: B018
    assert tracemalloc.get_traced_memory()[1] < 60_000_000
    tracemalloc.stop()
    assert path.read_bytes() == chunk * 100


@every_packer
def test_the_limit_is_as_the_user_says(tmp_path, monkeypatch, packer):
    content = b"x\n" * 5000
    path = packed(tmp_path, content, packer)
    assert InputFile(path).data == content
    monkeypatch.setenv(decompression.SIZE_VARIABLE, "9999")
    with pytest.raises(InputError, match="to more than 9,999") as raised:
        InputFile(path).data  # noqa: B018
    assert raised.value.file == str(path)
    assert InputFile(path, largest=10_000).data == content
    monkeypatch.setenv(decompression.SIZE_VARIABLE, "1e4")
    assert InputFile(path).data == content
    with pytest.raises(InputError, match="to more than 9,999"):
        InputFile(path, largest=9_999).data  # noqa: B018
    monkeypatch.setenv(decompression.SIZE_VARIABLE, "plenty")
    with pytest.raises(AdjudgeError, match="a number of bytes like 64e9, not 'plenty'"):
        InputFile(path).data  # noqa: B018


def test_by_default_a_file_may_unpack_to_300_times_its_size():
    assert decompression.most_unpacked(1) == decompression.ALWAYS_FINE
    assert decompression.most_unpacked(10**6) == 3 * 10**8
    assert decompression.most_unpacked(10**9) == decompression.LARGEST


def test_a_plain_file_has_no_limit(tmp_path, monkeypatch):
    monkeypatch.setenv(decompression.SIZE_VARIABLE, "1")
    path = tmp_path / "plain"
    path.write_bytes(b"more than one byte")
    assert InputFile(path).text == "more than one byte"


def test_a_parquet_of_one_value_a_million_times(tmp_path, monkeypatch):
    path = tmp_path / "same.parquet"
    pl.DataFrame({"n": 1, "row": pl.Series([7] * 1_000_000)}).write_parquet(path)
    assert path.stat().st_size < 100_000

    def read(file: InputFile) -> pl.DataFrame:
        return read_parquet(file, lambda frame: frame, check=lambda frame, name: frame)

    assert len(read(InputFile(path))) == 1_000_000
    monkeypatch.setenv(decompression.SIZE_VARIABLE, "15e6")
    with pytest.raises(InputError, match=r"unpacks from [0-9,]+ bytes to more than 15,000,000"):
        read(InputFile(path))


@pytest.mark.parametrize(
    ("content", "keys"),
    [
        ('{"a": 1}\n{"b": 2, "a": 3}\n', {"a", "b"}),
        ('\n{"a": 1}\n\n{"b": 2', {"a"}),
        ('[{"a": 1}]\n{"b": 2}', set()),
        ("a,b\n1,2\n", set()),
    ],
)
def test_keys_of_the_first_lines(tmp_path, content, keys):
    path = tmp_path / "lines"
    path.write_text(content)
    assert InputFile(path).json_keys == keys


def test_the_hash_is_of_the_file_as_stored(tmp_path, monkeypatch):
    path = packed(tmp_path, b"abc", "gzip")
    plain = tmp_path / "plain"
    plain.write_bytes(path.read_bytes())
    assert InputFile(path).sha256 == InputFile(plain).sha256

    class Stdin:
        buffer = io.BytesIO(path.read_bytes())

    monkeypatch.setattr("sys.stdin", Stdin)
    assert InputFile("-").sha256 == InputFile(path).sha256
    plain.write_bytes(b"abc")
    expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert InputFile(plain).sha256 == expected


def test_no_memory_is_no_wrong_path(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(b"x")

    def refuse(*_, **__):
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr("adjudge.core.files.input_file.mmap.mmap", refuse)
    with pytest.raises(MemoryError):
        InputFile(path).data  # noqa: B018
