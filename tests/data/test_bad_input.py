"""What bad input gets: one line that names the file, the line and the remedy."""

import gzip
import io
import tracemalloc

import polars as pl
import pytest

from adjudge.core.errors import AdjudgeError, BadParameter, InputError
from adjudge.data.judgement_table import judgement_table
from adjudge.data.table_files import read, write

FIVE = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,"
    "system1Id,system2Id,system1rank,system2rank"
)
FIVE_ROW = "French,English,1,-1,1,turker_1,A,B,1,2"
PAIRS = (
    "srclang,trglang,srcIndex,segmentId,judgeID,"
    "system1Id,system1rank,system2Id,system2rank,rankingID"
)
PAIRS_ROW = "cze,eng,7,7,judge1,A,1,B,2,1"
ARENA = "model_a,model_b,winner,tstamp"
OURS = '{"pair":"a-b","ranking":1,"systems":["A"],"rank":1}'
XML = (
    '<results>\n<HIT hit-id="1" source-language="a" target-language="b">\n<ranking-task id="1">\n'
    '<ranking-result user="j" duration="00:00:01">\n<translation system="A" rank="1"/>\n'
    '<translation system="B" rank="2"/>\n</ranking-result>\n</ranking-task>\n</HIT>\n</results>\n'
)


def lines(*rows: str) -> str:
    return "".join(f"{row}\n" for row in rows)


def with_key(key: str, value: str) -> str:
    return OURS.replace("A", "B")[:-1] + f',"{key}":{value}' + "}"


BOMB = '<!DOCTYPE x [\n<!ENTITY a "aaaaaaaaaa">\n<!ENTITY b "&a;&a;&a;&a;">\n]>\n<x>&b;</x>'

# what, the content, the line it is at, a word of the reason
BAD: list[tuple[str, str | bytes, int | None, str]] = [
    ("empty", "", None, "empty"),
    ("blank", " \n\n", None, "empty"),
    ("unknown format", "foo,bar\n1,2\n", 1, "no known format"),
    ("binary", bytes(range(256)), 2, "UTF-8"),
    ("UTF-16", FIVE.encode("utf-16"), 1, "UTF-8"),
    ("header only", lines(FIVE), None, "only a header"),
    ("unknown column", lines(FIVE + ",colour", FIVE_ROW + ",red"), 1, "unknown column 'colour'"),
    ("a column called line", lines(FIVE + ",line", FIVE_ROW + ",3"), 1, "unknown column 'line"),
    ("missing column", lines(FIVE.replace("judgeId,", "")), 1, "no column 'judgeid'"),
    ("column twice", lines(FIVE + ",judgeID", FIVE_ROW + ",x"), 1, "twice"),
    ("cut row", lines(FIVE, FIVE_ROW) + FIVE_ROW[:20], 3, "cut"),
    ("long row", lines(FIVE, FIVE_ROW, FIVE_ROW + ",9"), 3, "fields"),
    ("rank no number", lines(FIVE, FIVE_ROW, FIVE_ROW[:-1] + "x"), 3, "'x' is not a number"),
    ("rank a fraction", lines(FIVE, FIVE_ROW, FIVE_ROW + ".5"), 3, "'2.5' is not a number"),
    ("rank huge", lines(FIVE, FIVE_ROW + "9" * 30), 2, "not a number"),
    ("rank zero", lines(FIVE, FIVE_ROW, FIVE_ROW[:-1] + "0"), 3, "not 1 or more"),
    ("rank -2", lines(FIVE, FIVE_ROW, FIVE_ROW[:-1] + "-2"), 3, "not 1 or more"),
    ("rank for nobody", lines(FIVE, FIVE_ROW.replace(",A,", ",,")), 2, "name the system"),
    ("system twice", lines(FIVE, FIVE_ROW.replace("A", "B")), 2, "twice"),
    ("open quote", lines(FIVE, FIVE_ROW, '"' + FIVE_ROW), 3, "truncated|invalid CSV"),
    ("not UTF-8", lines(FIVE, FIVE_ROW).encode() + b"Fran\xe7ais,\n", 3, "0xe7 is not UTF-8"),
    ("control character", lines(FIVE, FIVE_ROW.replace("A", "A\x1fC")), 2, "control character"),
    ("NUL", lines(FIVE, FIVE_ROW.replace("turker", "tur\0ker")), 2, "control character"),
    ("long name", lines(FIVE, FIVE_ROW.replace("A", "A" * 20000)), 2, "no name"),
    ("ranking twice", lines(PAIRS, PAIRS_ROW, PAIRS_ROW), 3, "twice"),
    ("itself", lines(PAIRS, PAIRS_ROW.replace("B", "A")), 2, "itself"),
    ("no winner", lines(ARENA, "x,y,model_a,1", "x,y,model_c,1"), 3, "unknown winner 'model_c'"),
    ("winner missing", lines(ARENA, "x,y,,1"), 2, "no winner"),
    ("no such time", lines(ARENA, "x,y,tie,1", "x,y,tie,noon"), 3, "tstamp 'noon'"),
    ("model against itself", lines(ARENA, "x,x,tie,1"), 2, "itself"),
    ("arena row cut", lines(ARENA, "x,y,tie,1") + "x,y,tie", 3, "cut"),
    ("preferred to itself", lines("better,worse", "A,B", "A,A"), 3, "prefers 'A' to itself"),
    ("preferred to nothing", lines("better,worse", "A,"), 2, "worse"),
    ("direction and pair", lines("pair,direction,better,worse", "a,a,A,B"), 1, "remove one"),
    ("arena JSON", '{"model_a":"x","model_b":"y","winner":"z"}\n', 1, "unknown winner 'z'"),
    ("JSON array", lines(OURS, "[1]"), 2, "not a JSON object"),
    ("JSON cut", lines(OURS) + '{"pair":"a', 2, "not a JSON object"),
    ("JSON unknown key", lines(OURS, with_key("colour", "2")), 2, "unknown column 'colour'"),
    ("JSON rank text", lines(OURS, OURS.replace("1}", '"x"}')), 2, "'x' is not a whole number"),
    ("JSON rank true", lines(OURS, OURS.replace("1}", "true}")), 2, "not a whole number"),
    ("JSON systems", lines(OURS, OURS.replace('["A"]', '"A"')), 2, "not a list of names"),
    ("JSON no name", lines(OURS, OURS.replace('"A"', '""')), 2, "broken name"),
    ("JSON NaN", lines(OURS, with_key("seconds", "NaN")), 2, "NaN is not valid JSON"),
    ("JSON negative time", lines(OURS, with_key("seconds", "-1")), 2, "seconds"),
    ("JSON half a letter", lines(OURS, with_key("judge", '"\\ud83d"')), 2, "judge"),
    ("JSON ranking twice", lines(OURS, OURS), 2, "twice"),
    ("JSON two judges", lines(OURS, with_key("judge", '"j"')), 2, "one judge"),
    ("JSON deep", '{"ranking":' * 5 + "[" * 100_000, 1, "known format|JSON"),
    ("JSON nobody", lines(OURS.replace('"A"', "")), 1, "needs its text"),
    ("JSON time", lines(with_key("time", '"noon"')), 1, "time 'noon'"),
    ("XML cut", XML[:200], 6, "cut"),
    ("XML rank", XML.replace('rank="2"', 'rank="two"'), 6, "'two' is not a number"),
    ("XML no rank", XML.replace('rank="2"', ""), 6, "no rank"),
    ("XML duration", XML.replace("00:00:01", "soon"), 5, "duration 'soon'"),
    ("XML bomb", BOMB, 2, "entity"),
    ("XML other", "<html>\n<p>404</p>\n</html>", 3, "ranking-result"),
    ("XML no languages", XML.replace('source-language="a"', ""), 2, "source-language"),
    ("XML stray", "<r>\n<translation system='a' rank='1'/><ranking-result/></r>", 2, "outside"),
    ("XML empty name", XML.replace('"A"', '""'), 5, "empty output"),
    ("XML invalid byte", XML.encode().replace(b'"A"', b'"\xff"'), 5, "broken"),
    ("TSV indices", lines("1\ta b\tr\tb\tc\t1", "1\ta b\tr\tb\td\tone"), 2, "indices"),
    ("TSV segment", lines("1\ta b\tr\tb\tc\t1", "1\ta b\tr\tb\td\t7"), 2, "indices name"),
    ("TSV cut", lines("1\ta b\tr\tb\tc\t1") + "1\ta b\tr", 2, "fields"),
    ("TSV candidate twice", lines("1\ta b\tr\tb\tc\t1") * 2, 2, "twice"),
    ("export cut", '{"1,a": [{"x": 1}],\n"2,b": [{', 2, "broken or cut"),
    ("export rank", '{"1,a": [{"x": 1}],\n"2,b": [{"y": "z"}]}', 2, "no number"),
    ("export twice", '{"1,a": [{"x": 1}],\n"1,a": [{"y": 2}]}', 1, "twice"),
    ("export nothing", '{"1,a": [{}]}', 1, "without candidates"),
    ("export other", '{"1,a": [{"x": 1}],\n"k": 1}', 2, "sentence,source segment"),
    ("Parquet broken", b"PAR1" + b"\0" * 50 + b"PAR1", None, "is damaged or cut short"),
    ("annotations alone", lines("annotation\tsegment\tannotator\tranks"), None, "segments.tsv"),
]
NAMES = [name for name, *_ in BAD]


@pytest.mark.parametrize(("content", "line", "reason"), [bad[1:] for bad in BAD], ids=NAMES)
def test_bad_input(tmp_path, content, line, reason):
    path = tmp_path / "judgements"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match=reason) as raised:
        read(str(path))
    assert raised.value.file == str(path)
    assert raised.value.line == line
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("header", [FIVE, PAIRS, ARENA, OURS, XML[:100], ""])
def test_a_line_of_200_megabytes(tmp_path, header):
    path = tmp_path / "judgements"
    with path.open("wb") as stream:
        stream.write(f"{header}\n".encode())
        for _ in range(200):
            stream.write(b"x" * 1_000_000)
    tracemalloc.start()
    with pytest.raises(InputError):
        read(str(path))
    assert tracemalloc.get_traced_memory()[1] < 50_000_000
    tracemalloc.stop()


def test_line_ends_and_marks_of_other_systems(tmp_path):
    plain, other = tmp_path / "plain", tmp_path / "other"
    for header, row in ((FIVE, FIVE_ROW), (PAIRS, PAIRS_ROW), (ARENA, "x,y,tie,5")):
        plain.write_text(f"{header}\n{row}\n")
        for ending in ("\r\n", "\r"):
            other.write_bytes(b"\xef\xbb\xbf" + f"{header}{ending}{row}{ending}".encode())
            assert read(str(other)).equals(read(str(plain)))
        other.write_text(f"\n{header}\n\n{row}\n\n\n")
        assert read(str(other)).equals(read(str(plain)))
        other.write_text(f"{header}\n{row}")  # without a last line end
        assert read(str(other)).equals(read(str(plain)))


def test_quoted_names(tmp_path):
    path = tmp_path / "votes"
    path.write_text('model_a,model_b,winner\n"a, b","c ""d""",tie (bothbad)\n"x\ny",z,tie\n')
    with pytest.raises(InputError, match="control character") as raised:
        read(str(path))
    assert raised.value.line == 3
    path.write_text('model_a,model_b,winner\n"a, b","c ""d""",tie (bothbad)\n')
    assert read(str(path))["output"].to_list() == ["a, b", 'c "d"']
    assert read(str(path))["label"].to_list() == ["both bad", "both bad"]


def test_missing_files(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read(str(tmp_path / "nothing"))
    with pytest.raises(InputError, match="folder"):
        read(str(tmp_path))


def test_standard_input(monkeypatch):
    class Stdin:
        buffer = io.BytesIO(gzip.compress(f"{FIVE}\n{FIVE_ROW}\n".encode()))

    monkeypatch.setattr("sys.stdin", Stdin)
    assert len(read("-")) == 2


def test_a_path_with_wildcards_is_that_file(tmp_path):
    for name in ("a[1].csv", "a*.parquet"):
        table = judgement_table(pl.DataFrame({"pair": "a-b", "ranking": 1, "output": ["A", "B"]}))
        full = table.with_columns(
            pl.col("segment", "judge").fill_null("1"), rank=pl.lit(1, pl.Int32)
        )
        write(full, str(tmp_path / name))
        assert len(read(str(tmp_path / name))) == 2


def test_files_are_numbered_on(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text(f"{FIVE}\n{FIVE_ROW}\n{FIVE_ROW}\n")
    assert read(str(path), str(path))["ranking"].to_list() == [1, 1, 2, 2, 3, 3, 4, 4]


def test_the_ending_names_the_format(tmp_path):
    table = judgement_table(pl.DataFrame({"pair": "a-b", "ranking": 1, "output": ["A", "B"]}))
    with pytest.raises(AdjudgeError, match=r"choose one with `to`, or end it with one of \.xml"):
        write(table, str(tmp_path / "out.docx"))
    with pytest.raises(BadParameter, match="`to` cannot be 'jsnol'; did you mean 'jsonl'"):
        write(table, str(tmp_path / "out"), "jsnol")
    with pytest.raises(BadParameter, match="`to` cannot be 'scores-jsonl'"):
        write(table, str(tmp_path / "out"), "scores-jsonl")
    with pytest.raises(BadParameter, match="`table` is no table of judgements, scores or edits"):
        write(table.drop("rank"), str(tmp_path / "out.jsonl"))
    with pytest.raises(AdjudgeError, match="make it first"):
        write(table, str(tmp_path / "nowhere" / "out.jsonl"))
    with pytest.raises(AdjudgeError, match="choose another place"):
        write(table, "/proc/out.jsonl")
    folder = tmp_path / "folder.jsonl"
    folder.mkdir()
    with pytest.raises(AdjudgeError, match="choose another place"):
        write(table, str(folder))
    assert list(tmp_path.iterdir()) == [folder]
