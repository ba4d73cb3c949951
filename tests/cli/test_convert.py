"""`adjudge convert`, and what every command does with bad input."""

import gzip

import pytest

from adjudge.data.table_files import read

HEADER = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,"
    "system1Id,system2Id,system1rank,system2rank\n"
)
ROW = "French,English,1,-1,1,turker_1,A,B,1,2\n"
GOOD = (HEADER + ROW * 20).encode()
OURS = b'{"pair":"a-b","ranking":1,"systems":["A"],"rank":1}\n'
BOMB = b'<!DOCTYPE x [\n<!ENTITY a "aaaaaaaaaa">\n<!ENTITY b "&a;&a;">\n]>\n<x>&b;</x>'


BAD = {
    "truncated gzip": (gzip.compress(GOOD)[:-12], "copy it again"),
    "cut in a row": (GOOD[:-20], "line 21"),
    "unknown column": ((HEADER[:-1] + ",colour\n" + ROW[:-1] + ",red\n").encode(), "'colour'"),
    "rank no number": ((HEADER + ROW + ROW[:-2] + "x\n").encode(), "line 3"),
    "ranking twice": (OURS * 2, "line 2"),
    "unknown format": (b"foo,bar\n1,2\n", "docs/formats.md"),
    "empty": (b"", "empty"),
    "line of 200 MB": (GOOD + b"x" * 200_000_000 + b"\n", "line 22"),
    "entity bomb": (BOMB, "line 2"),
    "not UTF-8": (GOOD + "Français,".encode("latin-1"), "line 22"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_one_line_and_leaves_nothing(tmp_path, what, adjudge):
    content, told = BAD[what]
    path = tmp_path / "bad file"
    path.write_bytes(content)
    result = adjudge("convert", str(path), "-o", str(tmp_path / "out.jsonl"))
    assert result.code == 2
    assert result.out == ""
    assert result.err.count("\n") == 1
    assert result.err.startswith(f"adjudge: {path}: ")
    assert told in result.err
    assert list(tmp_path.iterdir()) == [path]


def test_a_broken_parquet_prints_no_panic(tmp_path, adjudge, adjudge_process):
    good, bad = tmp_path / "a.arena.parquet", tmp_path / "b.parquet"
    votes = b"model_a,model_b,winner\n" + b"x,y,tie\n" * 50
    assert adjudge("convert", "-", "-o", str(good), stdin=votes).code == 0
    content = good.read_bytes()
    bad.write_bytes(content[:10] + bytes(40) + content[50:])
    result = adjudge_process("info", bad)
    assert result.code == 2
    assert result.err.count("\n") == 1


def test_convert_with_a_selection(tmp_path, adjudge):
    out = tmp_path / "out.csv.gz"
    result = adjudge("convert", "-", "-o", str(out), "--system", "A", stdin=GOOD)
    assert result.code == 0
    assert read(str(out))["output"].unique().to_list() == ["A"]


def test_convert_to_standard_output(adjudge):
    result = adjudge("convert", "-", "-o", "-", "--to", "jsonl", stdin=GOOD)
    assert result.code == 0
    assert result.out.count("\n") == 40
    assert result.out.startswith('{"pair":"French-English"')


def test_what_the_format_has_no_place_for_is_told(tmp_path, adjudge):
    result = adjudge("convert", "-", "-o", str(tmp_path / "out.pairs.csv"), stdin=GOOD)
    assert result.code == 0
    assert "no place for group" in result.err


def test_scores_are_not_lost_in_silence(tmp_path, adjudge):
    scores = tmp_path / "scores.jsonl"
    row = '"pair":"a-b","segment":"1","judge":"j","scale":"direct-assessment"'
    rows = (f'{{{row},"item":{n},"systems":["s{n}"],"score":{n}.0}}\n' for n in (1, 2))
    scores.write_text("".join(rows))
    out = tmp_path / "out.jsonl"
    said = adjudge("convert", scores, "-o", out).err
    assert said.startswith(f"adjudge: {out}: Made from scores: ")
    assert "--write" in said


def test_an_ending_that_names_no_format(tmp_path, adjudge):
    result = adjudge("convert", "-", "-o", str(tmp_path / "out.doc"), stdin=GOOD)
    assert result.code == 2
    assert "--to" in result.err


def test_source_text_gives_lengths(tmp_path, adjudge):
    source = tmp_path / "source"
    source.write_text("three words here\n")
    out = str(tmp_path / "out.jsonl")
    keep = adjudge("convert", "-", "-o", out, "--source", str(source), "--longest", "3", stdin=GOOD)
    assert keep.code == 0
    assert read(out)["source"][0] == "three words here"
    none = adjudge("info", "-", "--source", str(source), "--longest", "2", stdin=GOOD)
    assert none.code == 2
    assert "no judgement is left" in none.err
