"""Small files that become large: every reader refuses them, and no reader escapes the test."""

import ast
import bz2
import gzip
import json
import lzma
import os
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import zstandard

import adjudge
from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files import decompression
from adjudge.core.files.archive import unpack
from adjudge.core.files.checkpoint import HEADER, resumable
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.parquet_scout import DIED, LARGER, SCOUT, SURVIVED
from adjudge.core.parallel import Engine
from adjudge.data.table_files import read
from adjudge.metrics.meteor_alignment import Jar
from adjudge.metrics.meteor_resources import paraphrases
from adjudge.quality.models.model_file import load_model
from adjudge.text.resources.language_model.model import LanguageModel
from adjudge.text.resources.lexical_table import LexicalTable
from adjudge.text.resources.ngram_counts import NgramCounts

SOURCE = Path(adjudge.__file__).parent
LIMIT = 2_000_000  # bytes, in most tests
SIZE = 10_000_000  # of the bombs
SAID = (
    r"unpacks from [0-9,]+ bytes to more than [0-9,]+\. The limits are [0-9,]+ bytes and, beyond "
    r"256,000,000, 300 times what is stored\..* ADJUDGE_LARGEST_UNPACKED \(bytes\) and "
    r"ADJUDGE_LARGEST_RATIO$"
)

# Who may use what unpacks or revives objects, and for what; nobody else.
UNPACKERS = {
    "core/files/decompression.py": "the limits",
    "core/files/output.py": "writes",
    "data/any_table.py": "Excel, of an archive that was checked",
    "core/files/subprocess_call.py": "pickles between two processes of ours, through pipes",
    "core/files/checkpoint.py": "pickles to hash, reads none",
    "web/organiser/downloads.py": "writes",
    "web/organiser/metrics.py": "writes",
    "web/organiser/reports.py": "writes",
}
MODULES = {
    "zipfile", "gzip", "bz2", "lzma", "zlib", "tarfile", "zstandard", "pyarrow", "openpyxl", "xlrd",
    "fastexcel", "odf", "pickle", "cloudpickle", "dill", "shelve", "marshal", "h5py", "py7zr",
}  # fmt: skip
# Polars unpacks by itself. These give it plain bytes, or paths whose size was asked before.
READERS = {
    "core/files/delimited.py": {"scan_csv", "read_csv"},  # `streamed` and `source` of `InputFile`
    "core/files/jsonl.py": {"scan_ndjson", "read_ndjson"},
    "core/files/parquet.py": {"scan_parquet"},
    "core/files/parquet_scout.py": {"scan_parquet"},
    "data/any_table.py": {"read_excel"},  # an archive that was checked
    "data/formats/arena.py": {"read_csv"},  # an example of ours
    "data/formats/segranks_database.py": {"read_csv"},  # text of `InputFile`
    "data/native_tables.py": {"read_ndjson"},  # an example of ours
}
# Modules that ask `unpacking`, and the test below that gives each a bomb.
ASKING = {
    "core/files/archive.py": "archive",
    "core/files/input_file.py": "gzip",
    "core/files/parquet.py": "parquet",
    "core/files/checkpoint.py": "checkpoint",
    "data/any_table.py": "workbook",
    "metrics/meteor_alignment.py": "METEOR's jar",
    "quality/models/model_file.py": "model",
    "text/resources/array_file.py": "language model",
    "text/resources/lexical_table.py": "lexical table",
}


@cache
def trees() -> dict[str, ast.Module]:
    return {
        path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in SOURCE.rglob("*.py")
    }


def imported(tree: ast.AST) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def called(tree: ast.AST) -> list[tuple[str, str]]:
    """Functions of modules that are called, with the name of the module."""
    return [
        (node.value.id, node.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    ]


def test_nobody_else_unpacks() -> None:
    """A reader that unpacks by itself has to be added here, with a reason, or ask `unpacking`."""
    found, readers, asking = set(), {}, set()
    for name, tree in trees().items():
        names = imported(tree)
        if {each.partition(".")[0] for each in names} & MODULES:
            found.add(name)
        for module, function in called(tree):
            if module == "pl" and function.startswith(("read_", "scan_")):
                readers.setdefault(name, set()).add(function)
            loads = {
                ("np", "load"),
                ("np", "memmap"),
                ("joblib", "load"),
                ("shutil", "unpack_archive"),
            }
            assert (module, function) not in loads, name
        if "adjudge.core.files.decompression" in names:
            asking.add(name)
    assert found == UNPACKERS.keys()
    assert readers == READERS
    assert asking == ASKING.keys()
    assert {*ASKING.values()} <= BOMBS.keys()


@pytest.mark.parametrize("name", [name for name, why in UNPACKERS.items() if why == "writes"])
def test_those_that_write_do_not_read(name: str) -> None:
    for node in ast.walk(trees()[name]):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "ZipFile":
            assert [ast.literal_eval(each) for each in node.args[1:]] == ["w"]


# Bombs, and who reads them.


def zipped(path: Path, **files: bytes) -> str:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_npy", ".npy"), content)
    return str(path)


def zeros(folder: Path) -> str:
    np.savez_compressed(folder / "bomb.npz", key_0=np.zeros(SIZE // 8))
    return str(folder / "bomb.npz")


def by(pack: Callable[[bytes], bytes], ending: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        path = folder / f"bomb.csv.{ending}"
        path.write_bytes(pack(b"model_a,model_b,winner\n" + b"a,b,tie\n" * (SIZE // 8)))
        return adjudge.read(str(path)).rank()

    return read


def streamed(ending: str) -> Callable[[Path], object]:
    """What Polars unpacks by itself."""

    def read(folder: Path) -> object:
        pack = {"gz": gzip.compress, "zst": zstandard.ZstdCompressor().compress}[ending]
        path = folder / f"bomb.csv.{ending}"
        path.write_bytes(pack(b"model_a,model_b,winner\n" + b"a,b,tie\n" * (SIZE // 8)))
        return InputFile(path).streamed

    return read


def parquet(folder: Path) -> object:
    path = folder / "bomb.parquet"
    rows = pl.DataFrame({"model_a": ["a"], "model_b": ["b"], "winner": ["tie"]})
    rows.select(pl.all().repeat_by(SIZE // 8).explode()).write_parquet(path)
    return adjudge.read(str(path)).rank()


def long_names(folder: Path) -> object:
    """Few values that are very long."""
    path = folder / "bomb.parquet"
    names = ["a" * (SIZE // 4) + letter for letter in "abcdef"]
    pl.DataFrame({"model_a": names, "model_b": "b", "winner": "tie"}).write_parquet(
        path, compression="zstd"
    )
    return read(str(path))


def archive(folder: Path) -> None:
    path = zipped(folder / "bomb.zip", a=bytes(SIZE // 2), b=bytes(SIZE // 2))
    try:
        unpack(path, folder / "unpacked")
    finally:
        assert not (folder / "unpacked").exists()


def upload(folder: Path) -> None:
    unpack(zipped(folder / "bomb.zip", a=bytes(SIZE)), folder / "unpacked", largest=LIMIT)


def checkpoint(folder: Path) -> None:
    """Not packed at all; an array that says that it is larger than it is."""
    import base64

    heading = b"{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }" % 10**12
    array = b"\x93NUMPY\x01\x00" + len(heading).to_bytes(2, "little") + heading
    with pytest.raises(KeyboardInterrupt), resumable(str(folder / "checkpoint")):
        Engine().map(stop_at_two, [(1,), (2,)])
    lines = (folder / "checkpoint").read_text().splitlines()
    key = json.loads(lines[1])["key"]
    held = {"key": key, "result": {"array": base64.b64encode(array).decode()}}
    (folder / "checkpoint").write_text(f"{json.dumps(HEADER)}\n{json.dumps(held)}\n")
    with resumable(str(folder / "checkpoint")):
        Engine().map(stop_at_two, [(1,)])


def stop_at_two(number: int) -> float:
    if number == 2:
        raise KeyboardInterrupt
    return 1.0


BOMBS: dict[str, Callable[[Path], object]] = {
    "gzip": by(gzip.compress, "gz"),
    "bzip2": by(bz2.compress, "bz2"),
    "xz": by(lambda data: lzma.compress(data, preset=0), "xz"),
    "zstd": by(zstandard.ZstdCompressor().compress, "zst"),
    "gzip, streamed": streamed("gz"),
    "zstd, streamed": streamed("zst"),
    "parquet": parquet,
    "parquet of long names": long_names,
    "archive": archive,
    "upload": upload,
    "workbook": lambda folder: read(zipped(folder / "b.xlsx", xl__workbook=bytes(SIZE))),
    "checkpoint": checkpoint,
    "METEOR's jar": lambda folder: Jar(zipped(folder / "j", x=bytes(SIZE))).lines("x"),
    "METEOR's paraphrases": lambda folder: (
        (folder / "p.gz").write_bytes(gzip.compress(bytes(SIZE))),
        paraphrases(str(folder / "p.gz"), []),
    ),
    "model": lambda folder: load_model(
        zipped(folder / "m", **{"model.json": b"{}", "estimator__mean_npy": bytes(SIZE)})
    ),
    "language model": lambda folder: LanguageModel.load(zeros(folder)),
    "n-gram counts": lambda folder: NgramCounts.load(zeros(folder)),
    "lexical table": lambda folder: LexicalTable.load(zeros(folder)),
}
OTHERWISE = {
    "upload": r"unpacks to more than 1 MB; leave some out",
    "checkpoint": r"holds results that we never keep; give another `checkpoint`",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused(name: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv(decompression.SIZE_VARIABLE, str(LIMIT))
    with pytest.raises(AdjudgeError, match=OTHERWISE.get(name, SAID)):
        BOMBS[name](tmp_path)


@pytest.mark.parametrize("name", ["archive", "METEOR's jar", "model", "language model"])
def test_nothing_of_an_archive_is_unpacked(name: str, tmp_path: Path, monkeypatch) -> None:
    """Its directory says how large it is."""
    monkeypatch.setenv(decompression.SIZE_VARIABLE, str(LIMIT))
    with pytest.raises(InputError):  # makes the bomb
        BOMBS[name](tmp_path)
    path = str(next(each for each in tmp_path.iterdir() if each.is_file()))
    tracemalloc.start()
    with pytest.raises(InputError, match=SAID), decompression.open_archive(path):
        pass
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_an_archive_that_lies_about_its_size(tmp_path: Path) -> None:
    """No more is read than its directory says."""
    path = Path(zipped(tmp_path / "a.zip", a=bytes(SIZE)))
    path.write_bytes(
        path.read_bytes().replace(SIZE.to_bytes(4, "little"), (10).to_bytes(4, "little"))
    )
    with pytest.raises(InputError, match="is not a readable ZIP archive"):
        unpack(str(path), tmp_path / "folder")
    assert sum(each.stat().st_size for each in (tmp_path / "folder").iterdir()) <= 10


def test_ratio_and_size_are_set_by_the_environment(monkeypatch) -> None:
    assert decompression.most_unpacked(10**7) == 3 * 10**9
    monkeypatch.setenv(decompression.RATIO_VARIABLE, "1000")
    assert decompression.most_unpacked(10**7) == 10**10
    monkeypatch.setenv(decompression.SIZE_VARIABLE, "64e9")
    assert decompression.most_unpacked(10**9) == 64 * 10**9
    monkeypatch.setenv(decompression.RATIO_VARIABLE, "many")
    with pytest.raises(AdjudgeError, match="RATIO must be a number of times like 1000, not 'many'"):
        decompression.most_unpacked(1)


def test_sound_data_may_be_packed_well(tmp_path: Path) -> None:
    """A file that is small enough may have any ratio."""
    path = tmp_path / "votes.csv.zst"
    rows = b"model_a,model_b,winner\n" + b"a,b,model_a\na,b,model_b\n" * 200_000
    path.write_bytes(zstandard.ZstdCompressor().compress(rows))
    assert len(rows) / path.stat().st_size > 1000
    assert adjudge.read(str(path)).rank()[0].scores.shape == (2,)


def test_the_scout_says_what_is_larger(tmp_path: Path) -> None:
    path = str(tmp_path / "same.parquet")
    pl.DataFrame({"n": np.zeros(1_000_000)}).write_parquet(path)
    assert SCOUT.ask(path, ["n"], 7_000_000) == LARGER
    assert SCOUT.ask(path, ["n"], 9_000_000) == SURVIVED
    assert DIED not in (LARGER, SURVIVED)


# With the limits that everybody has.

PROGRAM = """
import json, resource, sys
from adjudge.cli import main
answers = []
for arguments in json.loads(sys.argv[1]):
    sys.argv = ["adjudge", *arguments]
    try:
        main()
    except SystemExit as ended:
        answers.append(ended.code)
with open("/proc/self/status") as status:  # ru_maxrss also counts the process that started us
    own = next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(json.dumps([answers, own, children]), file=sys.stderr)
"""


@pytest.mark.slow
def test_bombs_at_the_command_line(tmp_path: Path) -> None:
    """Gigabytes out of less than a megabyte: exit code 2, little memory, and nothing written."""
    row = b"a,b,tie\n" * (1 << 20)
    pack = zstandard.ZstdCompressor().compress
    (tmp_path / "votes.csv.zst").write_bytes(pack(b"model_a,model_b,winner\n") + pack(row) * 1000)
    heading = json.dumps({"backup": "adjudge campaigns", "schema": "x"}).encode() + b"\n"
    (tmp_path / "backup.jsonl.zst").write_bytes(
        pack(heading) + pack(b"[1,2]   \n" * (1 << 20)) * 1000
    )
    with zipfile.ZipFile(tmp_path / "a.model", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("model.json", "{}")
        with file.open("estimator/mean.npy", "w", force_zip64=True) as member:
            for _ in range(32):
                member.write(bytes(1 << 24))
    parquet = pl.DataFrame({"model_a": ["a"], "model_b": ["b"], "winner": ["tie"]})
    parquet.select(pl.all().repeat_by(12_000_000).explode()).write_parquet(tmp_path / "v.parquet")
    before = {each.name for each in tmp_path.iterdir()}
    assert max(each.stat().st_size for each in tmp_path.iterdir()) < 1_000_000
    commands = [
        ["rank", "votes.csv.zst", "-o", "ranking.csv"],
        ["rank", "v.parquet", "-o", "ranking.csv"],
        ["quality", "show", "a.model"],
        ["campaign", "restore", "backup.jsonl.zst", "--database", "new.sqlite3"],
    ]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(commands)],
        cwd=tmp_path, env=os.environ, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    *said, last = done.stderr.strip().splitlines()
    answers, own, children = json.loads(last)
    assert answers == [2] * len(commands), done.stderr
    assert "\n".join(said).count("unpacks from") == len(commands)
    assert max(own, children) < 1_500_000  # kilobytes, of 8 GB
    assert {each.name for each in tmp_path.iterdir()} - before <= {"new.sqlite3"}
    assert not holds_rows(tmp_path / "new.sqlite3")


def holds_rows(path: Path) -> bool:
    import sqlite3

    if not path.exists():
        return False
    with sqlite3.connect(path) as database:
        (rows,) = database.execute("SELECT count(*) FROM campaigns_campaign").fetchone()
    return bool(rows)
