"""What every registered format must do, shown on its own example (`Format.example`).

A format of another package takes part as soon as it is installed. To run the tests of one
format: `pytest tests/data/test_format_battery.py -k NAME`.
"""

import bz2
import gzip
import lzma
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files.input_file import InputFile
from adjudge.data import table_files
from adjudge.data.comparisons import by_pair, compare
from adjudge.data.formats import FORMATS, Format
from adjudge.data.kinds import KINDS
from adjudge.data.table_files import Loaded, format_for, not_carried, read_any, recognise, write

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": zstandard.ZstdCompressor().compress,
    ".xz": lzma.compress,
}
every_format = pytest.mark.parametrize("chosen", FORMATS.values(), ids=list(FORMATS))
_WRITTEN = [each for each in FORMATS.values() if each.write is not None]
every_written_format = pytest.mark.parametrize(
    "chosen", _WRITTEN, ids=[each.name for each in _WRITTEN]
)
every_compression = pytest.mark.parametrize("ending", PACKERS, ids=lambda name: name or "plain")


def put(chosen: Format, folder: Path, ending: str = "") -> Path:
    """The example in a folder; the path of the file to read."""
    names = {name: folder / f"{name}{ending}" for name in chosen.example}
    for name, content in chosen.example_files().items():
        names[name].write_bytes(PACKERS[ending](content))
    return next(iter(names.values()))


def assert_only_its_own(formats: Mapping[str, Format], folder: Path, ending: str) -> None:
    """Every example is recognised by the format that gave it and by no other."""
    for name, chosen in formats.items():
        home = folder / name
        home.mkdir()
        path = put(chosen, home, ending)
        claimed = [other.name for other in formats.values() if other.recognise(InputFile(path))]
        assert claimed == [name]


@every_compression
def test_exactly_one_format_recognises_each_example(tmp_path: Path, ending: str) -> None:
    assert_only_its_own(FORMATS, tmp_path, ending)


def test_a_format_that_claims_every_file_is_caught(tmp_path: Path) -> None:
    greedy = replace(FORMATS["appraise"], name="greedy", recognise=lambda file: True)
    with pytest.raises(AssertionError, match="greedy"):
        assert_only_its_own({**FORMATS, "greedy": greedy}, tmp_path, "")


def test_a_format_that_claims_nothing_is_caught(tmp_path: Path) -> None:
    blind = replace(FORMATS["appraise"], recognise=lambda file: False)
    with pytest.raises(AssertionError):
        assert_only_its_own({**FORMATS, "appraise": blind}, tmp_path, "")


def test_a_file_that_two_formats_claim_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    greedy = replace(FORMATS["appraise"], name="greedy", recognise=lambda file: True)
    path = put(FORMATS["wmt-csv"], tmp_path)
    monkeypatch.setattr(table_files, "FORMATS", {**FORMATS, "greedy": greedy})
    with pytest.raises(InputError, match="marks of wmt-csv and of greedy"):
        recognise(InputFile(path))


def test_a_format_that_can_only_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mute = replace(FORMATS["wmt-csv"], write=None)
    table = read_any(put(mute, tmp_path)).frame
    monkeypatch.setattr(table_files, "FORMATS", {**FORMATS, "wmt-csv": mute})
    with pytest.raises(AdjudgeError, match="wmt-csv can only be read"):
        write(table, tmp_path / "out.csv", "wmt-csv")
    with pytest.raises(AdjudgeError, match="its ending names no format"):
        write(table, tmp_path / "out.csv")


@every_format
@every_compression
def test_an_example_is_read_as_its_kind(chosen: Format, tmp_path: Path, ending: str) -> None:
    loaded = read_any(put(chosen, tmp_path, ending))
    assert loaded.kind == chosen.kind
    assert_sound(loaded)
    (source,) = loaded.sources
    assert source.format == chosen.name
    assert len(source.sha256) == 64


@every_format
def test_an_example_shows_all_that_its_format_carries(chosen: Format, tmp_path: Path) -> None:
    """So that the round trip below shows it too."""
    table = read_any(put(chosen, tmp_path)).frame
    assert [name for name in chosen.carries if table[name].null_count() == len(table)] == []
    assert chosen.skipped == (table["output"].null_count() > 0)


@every_written_format
@every_compression
def test_writing_and_reading_keeps_what_a_format_carries(
    chosen: Format, tmp_path: Path, ending: str
) -> None:
    table = read_any(put(chosen, tmp_path)).frame
    number = KINDS[chosen.kind].number
    lost = [name for name in not_carried(table, chosen) if name not in KINDS[chosen.kind].schema]
    assert lost == []
    again = tmp_path / "again"
    again.mkdir()
    path = again / f"{next(iter(chosen.example))}{ending}"
    write(table, path, chosen.name)
    loaded = read_any(path)
    assert loaded.sources[0].format == chosen.name
    columns = [name for name in table.columns if name in chosen.carries - {number}]
    assert in_order(loaded.frame, number, columns) == in_order(table, number, columns)


def in_order(table: pl.DataFrame, number: str, columns: list[str]) -> list[tuple]:
    """What the rows say, whatever they are numbered."""
    dense = table.with_columns(pl.col(number).rank("dense"))
    texts = dense.with_columns(pl.col(pl.Categorical).cast(pl.String))
    return texts.sort(number, "output", nulls_last=True).select(number, *columns).rows()


@every_format
def test_the_ending_stands_for_the_format(chosen: Format) -> None:
    if chosen.write is not None:
        assert format_for(f"file{chosen.suffix}.gz", kind=chosen.kind) is chosen


SNIPPETS = (b"", b"\n", b",", b'"', b"\x00", b"\xff", b"-1", b"9" * 11, b"<", b"}", b"\t", b"&a;")


@st.composite
def mutations(draw: st.DrawFn, content: bytes) -> bytes:
    """The content cut, with a byte changed, with something put in, a part doubled or moved."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(content)))
        end = draw(st.integers(start, min(len(content), start + 40)))
        match draw(st.sampled_from(("cut", "drop", "flip", "insert", "double", "lines"))):
            case "cut":
                content = content[:start]
            case "drop":
                content = content[:start] + content[end:]
            case "flip":
                noise = draw(st.binary(min_size=1, max_size=2))
                content = content[:start] + noise + content[start + len(noise) :]
            case "insert":
                content = content[:start] + draw(st.sampled_from(SNIPPETS)) + content[start:]
            case "double":
                content = content[:end] + content[start:end] + content[end:]
            case "lines":
                rows = content.splitlines(keepends=True)
                content = b"".join(draw(st.permutations(rows + rows[-1:])))
    return content


@pytest.mark.slow
@every_format
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_broken_file_gives_a_table_or_a_clear_error(chosen: Format, data: st.DataObject) -> None:
    broken = data.draw(st.sampled_from(list(chosen.example)), "file")
    ending = data.draw(st.sampled_from(("", "", "", ".gz", ".zst")), "compression")
    with TemporaryDirectory() as folder:
        path = put(chosen, Path(folder), ending)
        file = Path(folder, f"{broken}{ending}")
        file.write_bytes(data.draw(mutations(file.read_bytes())))
        refused, loaded = "", None
        try:
            loaded = read_any(path)
        except AdjudgeError as error:
            refused = str(error)
        if loaded is None:
            assert refused.startswith(folder)
            assert "\n" not in refused
        else:
            assert_sound(loaded)


def assert_sound(loaded: Loaded) -> None:
    """A table of its kind that passes its own checks."""
    kind = KINDS[loaded.kind]
    assert dict(loaded.frame.schema) == dict(kind.schema)
    assert kind.check(loaded.frame, "").equals(loaded.frame)
    if loaded.kind == "judgements":
        for _, part in by_pair(loaded.frame):
            compare(part, "collapsed")


@settings(max_examples=100, deadline=None)
@given(content=st.one_of(st.binary(), st.text().map(str.encode)))
def test_anything_at_all_is_refused(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "anything"
    path.write_bytes(content)
    with pytest.raises(AdjudgeError):
        read_any(path)
