"""Spreadsheets with odd headers are read, or refused with a command that reads them."""

import io
import json
import re
import shlex
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import adjudge
from adjudge.core.errors import AdjudgeError, BadParameter, InputError
from adjudge.data.column_names import columns_from, columns_text
from adjudge.data.table_files import read_any

VOTES = [("x", "y", 1), ("y", "x", -1), ("x", "z", 0), ("z", "x", 1), ("y", "z", 1)] * 4
SCORED = [("x", 1, 70), ("y", 1, 60), ("x", 2, 91.5), ("y", 2, 55), ("x", 3, 80), ("y", 3, 81)]


def delimited(header: str, rows: list[tuple], separator: str = ",") -> str:
    lines = [header] * bool(header)
    lines += [separator.join("" if v is None else str(v) for v in row) for row in rows]
    return "\n".join(lines) + "\n"


def votes(header: str, words: dict[int, str], separator: str = ",", judge: str = "j") -> str:
    rows = [(n, judge, a, b, words[won]) for n, (a, b, won) in enumerate(VOTES)]
    return delimited(header, rows, separator)


def named(header: str) -> str:
    """The winner by its name."""
    rows = [
        (n, "j", a, b, (a if w > 0 else b) if w else "Tie") for n, (a, b, w) in enumerate(VOTES)
    ]
    return delimited(header, rows)


def scored(header: str, separator: str = ",", comma: bool = False) -> str:
    rows = [
        (judge, segment, system, str(score + off).replace(".", "," if comma else "."))
        for judge, off in (("ann", 0), ("bob", 2))
        for system, segment, score in SCORED
    ]
    return delimited(header, rows, separator)


def wide(header: str, rows: list[tuple]) -> str:
    return delimited(header, [(n, "j", *row) for n, row in enumerate(rows)])


def workbook(rows: list[list[object]]) -> bytes:
    """The smallest Excel workbook that holds these rows."""

    def cell(value: object) -> str:
        if value is None:
            return "<c/>"
        if isinstance(value, int | float):
            return f"<c><v>{value}</v></c>"
        return f'<c t="inlineStr"><is><t>{value}</t></is></c>'

    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    sheet = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/xl/workbook.xml" ContentType="application/'
        'vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
        '<Override PartName="/xl/sheet1.xml" ContentType="application/'
        'vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="r1" Type="{office}/officeDocument" Target="xl/workbook.xml"/>'
        "</Relationships>",
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
        '<sheet name="Votes" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="r1" Type="{office}/worksheet" Target="sheet1.xml"/></Relationships>',
        "xl/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{sheet}</sheetData></worksheet>',
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


def parquet(rows: list[dict]) -> bytes:
    stream = io.BytesIO()
    pl.DataFrame(rows).write_parquet(stream)
    return stream.getvalue()


RATINGS = [
    {"Engine": system, "Item ID": segment, "Overall": score, "Rater": judge}
    for judge in ("ann", "bob")
    for system, segment, score in SCORED
]
EXCEL = [list(RATINGS[0]), *(list(row.values()) for row in RATINGS)]
MODEL = {1: "model_a", -1: "model_b", 0: "tie"}
UPPER = {1: "A", -1: "B", 0: "Tie (Both Bad)"}
NUMBERED = {1: "1", -1: "2", 0: "0"}
SIDES = {1: "LEFT", -1: "Right", 0: "equal"}
RANKS = [(1, 2, 3), (2, 1, 3), (1, 1, 2), (1, 3, 2)] * 3
SCORES = [(70, 61.5, 12), (81, 72, 33), (65, 60, 64), (90, 91, 5)] * 3

# name, content, is it read without --columns?
SHEETS: dict[str, tuple[str | bytes, bool]] = {
    "capital letters.csv": (votes("Question_ID,Judge,Model_A,Model_B,Winner", MODEL), True),
    "system1.tsv": (votes("id\tuser\tsystem1\tsystem2\tpreference", UPPER, "\t"), True),
    "spaces.csv": (votes("Segment ID;Annotator;System 1;System 2;Outcome", NUMBERED, ";"), True),
    "sides.csv": (votes("item_id,rater,Left System,Right System,Verdict", SIDES), True),
    "winner by name.csv": (named("line_id,user,sys_a,sys_b,winner"), True),
    "better.csv": (named("Nr,Who,Translation 1,Translation 2,Better"), True),
    "no telling header.csv": (named("col1,col2,col3,col4,col5"), False),
    "no header.csv": (votes("", MODEL), False),
    "comma in a name.csv": (votes('n,who,"MT, left","MT, right",Ergebnis', MODEL), False),
    "ratings.csv": (scored("annotator,segment,system,rating"), True),
    "decimal comma.csv": (scored("Rater;Item;Engine;Score", ";", comma=True), True),
    "foreign.csv": (scored("Bewerter;Satz;Anbieter;Punkte", ";"), False),
    "scores without header.csv": (scored(""), False),
    "line.csv": (scored("user,line,mt_system,Overall Score"), True),
    "wide ranks.csv": (wide("Sentence ID,Evaluator,DeepL,Google,NLLB", RANKS), True),
    "wide scores.csv": (wide("seg,rater,A,B,C", SCORES), True),
    "wide and nameless.csv": (delimited("A,B,C", SCORES), False),
    "array.json": (json.dumps(RATINGS, indent=1), True),
    "lines.jsonl": ("".join(json.dumps(row) + "\n" for row in RATINGS), True),
    "lines with line.jsonl": (
        "".join(json.dumps({"line" if k == "Item ID" else k: v for k, v in row.items()}) + "\n"
                for row in RATINGS), True),
    "table.parquet": (parquet(RATINGS), True),
    "book.xlsx": (workbook(EXCEL), True),
}  # fmt: skip


@pytest.mark.parametrize("name", SHEETS)
def test_is_read_or_refused_with_a_command_that_works(adjudge, tmp_path, name):
    content, is_read = SHEETS[name]
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    words = ["scores", "rank"]
    ran = [adjudge(word, str(path), "--format", "json") for word in words]
    if is_read:
        kind = read_any(path).kind
        answer = ran[words.index("scores" if kind == "scores" else "rank")]
    else:
        assert {answer.code for answer in ran} == {2}
        assert "Found: " in ran[1].err
        command = shlex.split(re.search("For example: adjudge (.*)", ran[1].err)[1])
        answer = adjudge(*command, "--format", "json")
    assert answer.code == 0, answer.err
    assert answer.err.startswith("Read as ")
    assert json.loads(answer.out)[0]["system"] in ("x", "A", "DeepL")


@pytest.mark.parametrize("name", ["capital letters.csv", "system1.tsv", "better.csv"])
def test_spellings_of_the_same_votes_rank_alike(tmp_path, name):
    content, _ = SHEETS[name]
    (tmp_path / name).write_text(str(content))
    wins = [(a, b, won) for a, b, won in VOTES]
    ours = adjudge.from_comparisons(*zip(*wins, strict=True)).rank(unit="none")
    ranking = adjudge.read(str(tmp_path / name)).rank(unit="none")
    assert ranking.systems == ours.systems
    assert ranking.scores.tolist() == ours.scores.tolist()


FRAMES: dict[str, Callable[[list[dict]], object]] = {
    "list of dicts": list,
    "pandas": pd.DataFrame,
    "Polars": pl.DataFrame,
    "Arrow": pa.Table.from_pylist,
}


@pytest.mark.parametrize("library", FRAMES)
def test_frames_are_read_as_files_are(tmp_path, library):
    read = adjudge.read(FRAMES[library](RATINGS))
    (tmp_path / "array.json").write_text(json.dumps(RATINGS))
    assert read.table.equals(adjudge.read(str(tmp_path / "array.json")).table)
    assert read.source.notes == (
        "Read as scores: system = Engine, score = Overall, judge = Rater, segment = Item ID.",
    )
    assert "Read as scores" in str(read.rank(replicates=20))
    assert adjudge.read(FRAMES["pandas"](read.table.to_dicts())).table.equals(read.table)


def test_columns_can_be_named(tmp_path):
    rows = [{"a1": "x", "a2": "y", "a3": 1}, {"a1": "x", "a2": "y", "a3": 2}]
    columns = {"left": "a1", "right": "a2", "outcome": "a3"}
    read = adjudge.read(rows, columns=columns)
    assert read.table["rank"].to_list() == [1, 2, 2, 1]
    with pytest.raises(InputError, match=r"columns={'left': 'a1', 'right': 'a2', 'outc"):
        adjudge.read(rows)
    with pytest.raises(BadParameter, match="no column 'a9'; there are: a1, a2, a3"):
        adjudge.read(rows, columns={**columns, "left": "a9"})
    with pytest.raises(BadParameter, match="'lft'; did you mean 'left'"):
        adjudge.read(rows, columns={"lft": "a1"})
    path = tmp_path / "v.csv"
    pl.DataFrame(rows * 9).write_csv(path)
    ranking = adjudge.read(str(path), columns=columns).rank(unit="none")
    again = adjudge.again(str(ranking.signature), str(path))
    assert again.to_frame().equals(ranking.to_frame())


def test_names_of_columns_survive_a_command_line():
    columns = {"left": ("a,b",), "right": ('"c"',), "score": ("d=e", " f")}
    assert columns_from(columns_text(columns)) == columns


HEAD = "lp,system,segment,rater,score,time"
# name, rows below the header, where and what
BAD = [
    ("other layout", "en-de,x,1,j,70,\nx;1;j;70\n", "line 3: has 1 fields instead of 6"),
    ("no number", "en-de,x,1,j,70,\nen-de,x,2,j,good,\n", "line 3: score 'good' is no number"),
    ("mixed codes", "en-de,x,1,j,70,\neng-deu,x,2,j,70,\n", "line 3: language pair 'eng-deu' is"),
    ("mixed names", "English-German,x,1,j,1,\nen-de,x,2,j,1,\n", "line 3: language pair 'en-de'"),
    ("no system", "en-de,x,1,j,70,\nen-de,,2,j,70,\n", "line 3: has no system"),
    ("no time", "en-de,x,1,j,70,2026-01-01\n" * 300 + "en-de,x,2,j,70,noon\n",
     "line 302: time 'noon' is no time"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "rows", "reason"), BAD, ids=[name for name, *_ in BAD])
def test_bad_rows_are_named(tmp_path, name, rows, reason):
    path = tmp_path / "bad.csv"
    path.write_text(f"{HEAD}\n{rows}")
    with pytest.raises(InputError, match=re.escape(f"bad.csv: {reason}")):
        read_any(path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("id,DA,,judge\nseg,A,B,\n1,70,60,j\n", "line 1: column 3 has no name .merged cells"),
        ("Our votes\nmodel 1,model 2,winner\nx,y,1\n", "line 1: has 1 fields, but rows have 3"),
        ("id,system,da\n1,x,170\n", "line 2: score 170 lies outside the scale direct-assessment"),
        ("id,model1,model2,winner\n1,x,y,maybe\n", "line 2: unknown outcome 'maybe'. Use left"),
    ],
)
def test_bad_tables_are_named(tmp_path, text, reason):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=reason):
        read_any(path)


def test_repeats_are_counted_and_the_later_counts(adjudge, tmp_path):
    wave = ["en-de,x,1,j,70,2026-01-01T10:00", "en-de,y,1,j,60,2026-01-01T10:01"]
    later = ["en-de,x,1,j,40,2026-01-02T10:00"]
    (tmp_path / "1.csv").write_text("\n".join([HEAD, *wave, *later]) + "\n")
    (tmp_path / "2.csv").write_text("\n".join([HEAD, *wave]) + "\n")
    read = read_any(tmp_path / "1.csv", tmp_path / "2.csv")
    assert dict(zip(read.frame["output"], read.frame["score"], strict=True)) == {"y": 60, "x": 40}
    assert read.notes[1:] == (
        "Left out: 2 exact duplicates.",
        "Left out: 1 judgement that the same judge gave again later; the later one counts.",
    )
    answer = adjudge("scores", *map(str, sorted(tmp_path.glob("*.csv"))), "--normalise", "raw")
    assert "Left out: 2 exact duplicates." in answer.err


def test_anonymous_repeats_all_count(tmp_path: Path):
    path = tmp_path / "votes.csv"
    path.write_text("model 1,model 2,winner\n" + "x,y,x\n" * 5)
    assert len(read_any(path).frame) == 10


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_large_votes_are_counted_while_they_stream(tmp_path, monkeypatch, suffix):
    from adjudge.api import votes as streamed

    monkeypatch.setattr(streamed, "LEAST_STREAMED", 0)
    votes = pl.DataFrame(VOTES, schema=["model_a", "model_b", "winner"], orient="row")
    arena = votes.with_columns(pl.col("winner").replace_strict(MODEL), judge=pl.lit("j"))
    odd = votes.select(
        pl.col("model_a").alias("System 1"),
        pl.col("model_b").alias("System 2"),
        pl.col("winner").replace_strict(SIDES).alias("Preference"),
        pl.lit("j").alias("Rater"),
    )
    write = {"csv": "write_csv", "jsonl": "write_ndjson", "parquet": "write_parquet"}[suffix]
    rankings = []
    for name, frame in (("arena", arena), ("odd", odd)):
        getattr(frame, write)(tmp_path / f"{name}.{suffix}")
        read = adjudge.read(str(tmp_path / f"{name}.{suffix}"))
        assert isinstance(read, streamed.Votes)
        rankings.append(read.rank())
        assert "table" not in read.__dict__  # was not held
    assert rankings[0].systems == rankings[1].systems
    assert rankings[0].scores.tolist() == rankings[1].scores.tolist()
    assert "Repeated votes are not looked for" in str(rankings[1])


def test_duplicates_in_known_formats_are_reported_and_count(adjudge, tmp_path):
    header, vote = "model_a,model_b,winner,judge,question_id,tstamp", "x,y,model_a,j,q1"
    path = tmp_path / "votes.csv"
    path.write_text("\n".join([header, f"{vote},1", f"{vote},1", f"{vote},2", "x,y,tie,j,q2,3"]))
    loaded = read_any(path)
    assert loaded.notes == ("1 exact duplicate (same judge, outputs and time); all count.",)
    assert len(loaded.frame) == 8
    answer = adjudge("rank", path)
    assert "1 exact duplicate" in answer.err
    assert "1 exact duplicate" in answer.out


PIECES = (b",", b";", b'"', b"\n", b"[", b"null", b"{}", b"\t", b"1e999", b"nan", b"\0")


@pytest.mark.parametrize("name", SHEETS)
def test_damaged_tables_are_read_or_refused(tmp_path, name):
    random = Random(name)
    content = SHEETS[name][0]
    path = tmp_path / name
    for _ in range(15):
        data = bytearray(content if isinstance(content, bytes) else content.encode())
        for _ in range(random.choice((1, 2, 5))):
            place = random.randrange(len(data) + 1)
            match random.randrange(4):
                case 0:
                    del data[place:]
                case 1:
                    data[place : place + 1] = random.randbytes(1)
                case 2:
                    data[place:place] = random.choice(PIECES)
                case 3:
                    del data[place : place + random.randrange(20)]
        path.write_bytes(data)
        refusal = name
        try:
            read_any(path)
        except AdjudgeError as error:
            refusal = str(error)
        assert name in refusal


def test_a_refusal_is_one_line_whatever_the_columns_are_called(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text('"first\nname",second\nx,y\nz,w\n')
    with pytest.raises(InputError) as refused:
        read_any(str(path))
    assert "\n" not in str(refused.value)
    assert "first�name, second" in str(refused.value)
