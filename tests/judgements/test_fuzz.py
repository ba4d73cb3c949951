"""Broken files give a sound table or a clear error, never anything else."""

import gzip
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.comparisons import compare
from adjudge.comparisons.comparisons import by_pair
from adjudge.errors import AdjudgeError
from adjudge.judgements import SCHEMA, judgement_table, read, write
from adjudge.judgements.outputs import join_systems

SEGMENTS = "1\tJet makers feud\tVýrobci se přou\tmakers feud\t{}\t1 2\n"
ANNOTATIONS = (
    "annotation\tsegment\tannotator\tranks\tcreated_utc\tseconds\n"
    "47\t5\t1\t2 1\t2014-05-20 07:15:58\t98\n48\t5\t2\t1 100\t2014-05-20 07:16:58\t9\n"
)
VOTES = 'model_a,model_b,winner,judge,tstamp\nx,"y, z",model_a,j1,1e9\n"y, z",x,tie,,2e9\n'
SNIPPETS = (
    b"",
    b"\n",
    b",",
    b'"',
    b"\x00",
    b"\xff",
    b"-1",
    b"99999999999",
    b"<",
    b"}",
    b"\t",
    b"&a;",
)


def _files(folder: Path) -> dict[str, Path]:
    """A small valid file of every format."""
    table = judgement_table(
        pl.DataFrame(
            {
                "pair": "eng-deu",
                "segment": ["1", "1", "1", "2", "2"],
                "ranking": [1, 1, 1, 2, 2],
                "hit": "h",
                "judge": "judge_1",
                "output": ["A", "B", join_systems(("C", "Übersetzer")), "A", "B"],
                "rank": [1, None, 2, 3, 3],
                "position": [1, 2, 3, 1, 2],
                "seconds": 2.5,
            }
        )
    )
    files = {}
    for name in ("appraise", "wmt-pairwise", "jsonl", "parquet"):
        files[name] = folder / name
        write(table, str(files[name]), name)
    plain = table.with_columns(pl.col("output").cast(pl.String).str.slice(0, 1))
    files["wmt-csv"] = folder / "wmt-csv"
    write(judgement_table(plain), str(files["wmt-csv"]), "wmt-csv")
    files["arena-csv"] = folder / "arena-csv"
    files["arena-csv"].write_text(VOTES)
    for name in ("arena-jsonl", "arena-parquet"):
        files[name] = folder / name
        write(read(str(files["arena-csv"])), str(files[name]), name)
    files["segranks-segments"] = folder / "segranks-segments"
    files["segranks-segments"].write_text(SEGMENTS.format("a b") + SEGMENTS.format("c"))
    files["segranks-json"] = folder / "segranks-json"
    files["segranks-json"].write_text('{"1,makers feud": [{"a b": 1, "č": 2}, {"a b": 2}]}')
    database = folder / "database"
    database.mkdir()
    files["segranks"] = database / "annotations.tsv"
    files["segranks"].write_text(ANNOTATIONS)
    (database / "segments.tsv").write_text(
        "segment\tsentence\tsource_segment\tsource_word_indices\tcandidate\tcandidate_segment\t"
        "systems\n5\t1\tmakers feud\t1 2\t0\ta b\tA B\n5\t1\tmakers feud\t1 2\t1\tc\t\n"
    )
    (database / "sentences.tsv").write_text("sentence\tsource\treference\n1\tJet makers feud\tr\n")
    files["scores"] = folder / "scores"
    files["scores"].write_text(SCORES)
    files["gzip"] = folder / "gzip"
    files["gzip"].write_bytes(gzip.compress(files["wmt-csv"].read_bytes()))
    return files


SCORES = "".join(
    f'{{"pair": "en-de", "ranking": {number}, "segment": "1", "judge": "j", '
    f'"systems": ["{system}"], '
    f'"scale": "adequacy", "score": {number}.5}}\n'
    for number, system in enumerate("AB", 1)
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return _files(tmp_path_factory.mktemp("valid"))


NAMES = (
    "appraise", "arena-csv", "arena-jsonl", "arena-parquet", "gzip", "jsonl", "parquet",
    "scores", "segranks", "segranks-json", "segranks-segments", "wmt-csv", "wmt-pairwise",
)  # fmt: skip


def test_every_format_has_a_valid_file(files):
    from adjudge.judgements.formats import FORMATS

    assert set(files) == {*FORMATS, "gzip"} == set(NAMES)
    for path in files.values():
        assert len(read(str(path)))


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


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_broken_files(files, name, data):
    path = files[name].with_name("broken-annotations.tsv")
    path.write_bytes(data.draw(mutations(files[name].read_bytes())))
    refused, table = "", None
    try:
        table = read(str(path))
    except AdjudgeError as error:
        refused = str(error)
    if table is None:
        assert refused.startswith(str(path.parent))
        assert "\n" not in refused
        return
    assert dict(table.schema) == SCHEMA
    assert judgement_table(table).equals(table)
    for _, part in by_pair(table):
        compare(part, "collapsed")


@settings(max_examples=100, deadline=None)
@given(content=st.one_of(st.binary(), st.text().map(str.encode)))
def test_anything_at_all(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "anything"
    path.write_bytes(content)
    with pytest.raises(AdjudgeError):
        read(str(path))
