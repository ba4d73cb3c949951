"""Tables of scores: what is refused, what a file gives back, the rankings they imply."""

import gzip
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudge.core.errors import BadParameter, InputError
from adjudge.data.outputs import join_systems, unattributed
from adjudge.data.score_table import SCORE_SCHEMA, score_table
from adjudge.data.scores_as_rankings import implied_rankings
from adjudge.data.table_files import read, read_any, read_scores, write

ROW = {"pair": "en-cs", "item": 1, "output": "A", "scale": "adequacy", "score": 3.0}
SPAN = {"start": 0, "end": 2, "severity": "minor", "category": None}


def table(*rows: dict) -> pl.DataFrame:
    names = dict.fromkeys(name for row in rows for name in row)
    return score_table(pl.DataFrame([{name: row.get(name) for name in names} for row in rows]))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"score": 6.0}, "outside the scale adequacy"),
        ({"score": float("nan")}, "is no score"),
        ({"score": 100.5, "scale": "direct-assessment"}, "from 0 to 100"),
        ({"scale": None}, "name the scale"),
        ({"output": None}, "score for no system"),
        ({"pair": None}, "no language pair"),
        ({"item": None}, "no item number"),
        ({"judge": ""}, "empty judge"),
        ({"seconds": -1.0}, "no time"),
        ({"rank": 1}, "no such column in a score table: rank"),
        ({"text": "ab", "spans": [{**SPAN, "end": 3}]}, "goes beyond the text"),
        ({"text": "ab", "spans": [SPAN, {**SPAN, "end": 0}]}, "is empty"),
        ({"spans": [{**SPAN, "start": -1}]}, "before the text"),
        ({"spans": [{**SPAN, "start": None}]}, "not both"),
        ({"spans": [{**SPAN, "severity": None}]}, "no severity"),
    ],
)
def test_bad_rows_are_refused(change: dict, said: str) -> None:
    table(ROW)
    with pytest.raises(InputError, match=said):
        table({**ROW, **change})


def test_an_output_has_one_score_on_a_scale() -> None:
    table(ROW, {**ROW, "scale": "fluency"}, {**ROW, "output": "B"}, {**ROW, "item": 2})
    with pytest.raises(InputError, match="one output twice"):
        table(ROW, ROW)
    with pytest.raises(InputError, match="more than one judge"):
        table({**ROW, "judge": "x"}, {**ROW, "judge": "y", "output": "B"})


def test_an_omission_has_no_place_and_a_skipped_item_no_output() -> None:
    made = table(
        {**ROW, "text": "ab", "spans": [{**SPAN, "start": None, "end": None}]},
        {"pair": "en-cs", "item": 2},
    )
    assert made["spans"].to_list()[0][0]["start"] is None
    assert made["output"].to_list() == ["A", None]


NAMES = st.sampled_from(["A", "B b", 'č,"x"', "null"])
MAYBE = st.none() | NAMES
SPANS = st.lists(
    st.fixed_dictionaries(
        {
            "start": st.just(0),
            "end": st.integers(1, 3),
            "severity": NAMES,
            "category": MAYBE,
        }
    )
    | st.just({"start": None, "end": None, "severity": "major", "category": None}),
    max_size=3,
)
OUTPUT = st.lists(NAMES, min_size=1, max_size=2).map(join_systems) | st.just(unattributed("xyz"))
GIVEN = st.fixed_dictionaries(
    {
        "pair": st.sampled_from(["en-de", "de-en"]),
        "protocol": MAYBE,
        "document": MAYBE,
        "segment": MAYBE,
        "judge": MAYBE,
        "output": OUTPUT,
        "scale": st.sampled_from(["error-spans", "mqm"]),
        "score": st.none() | st.floats(0, 100),
        "position": st.none() | st.integers(1, 5),
        "seconds": st.none() | st.floats(0, 1e6),
        "time": st.none() | st.just(datetime(2024, 2, 3, 4, 5, 6, 789, UTC)),
        "spans": st.none() | SPANS,
        "text": st.just("xyz"),
    }
)
SKIPPED = st.fixed_dictionaries({"pair": st.just("en-de"), "judge": MAYBE})


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    rows=st.lists(GIVEN | SKIPPED, min_size=1, max_size=8),
    ending=st.sampled_from([".jsonl", ".parquet", ".jsonl.gz", ".jsonl.zst"]),
)
def test_a_file_gives_back_the_same_scores(tmp_path: Path, rows: list[dict], ending: str) -> None:
    names = {name: None for row in rows for name in row}
    frame = pl.DataFrame(
        [{**names, **row, "item": number} for number, row in enumerate(rows, 1)],
        schema_overrides={"spans": SCORE_SCHEMA["spans"]},
        infer_schema_length=None,
    )
    made = score_table(frame)
    path = str(tmp_path / f"scores{ending}")
    write(made, path)
    assert read_scores(path).equals(made)


def test_several_files_become_one_table(tmp_path: Path) -> None:
    path = str(tmp_path / "one.jsonl")
    write(table(ROW, {**ROW, "item": 2}), path)
    assert read_scores(path, path)["item"].to_list() == [1, 2, 3, 4]


GOOD = '{"pair":"en-cs","item":1,"systems":["A"],"scale":"fluency","score":2}'


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (GOOD.replace('"score":2', '"score":9'), "line 2: score 9 lies outside the scale fluency"),
        (GOOD.replace('"score":2', '"score":"two"'), "line 2: score 'two' is not a number"),
        (GOOD.replace("}", ',"rnak":1}'), "line 2: unknown column 'rnak'"),
        (GOOD.replace("}", ',"spans":[1]}'), "line 2: spans '\\[1\\]' is not a list of objects"),
        (GOOD.replace("}", ',"spans":[{"from":1}]}'), "line 2: spans .* is not a list of objects"),
        (GOOD.replace('["A"]', '["A",""]'), "line 2: the systems"),
        ("nothing", "line 2: is not a JSON object"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "scores.jsonl"
    second = line.replace('"item":1', '"item":2')
    path.write_text(f"{GOOD}\n{second}\n")
    with pytest.raises(InputError, match=said):
        read_scores(str(path))


def test_judgements_are_no_scores(tmp_path: Path) -> None:
    path = tmp_path / "ranks.jsonl"
    path.write_text('{"pair":"en-cs","ranking":1,"systems":["A"],"rank":1}\n')
    with pytest.raises(InputError, match="holds judgements, not scores"):
        read_scores(str(path))


def write_metrics_eval(folder: Path, name: str, lines: str, documents: str | None = None) -> str:
    (folder / "human-scores").mkdir()
    path = folder / "human-scores" / name
    path.write_bytes(gzip.compress(lines.encode()) if name.endswith(".gz") else lines.encode())
    if documents is not None:
        (folder / "documents").mkdir()
        (folder / "documents" / "en-de.docs").write_text(documents)
    return str(path)


def test_human_scores_of_mt_metrics_eval(tmp_path: Path) -> None:
    lines = "x\t1.5\nx\tNone\ny\t-2\ny\t3e1\n"
    path = write_metrics_eval(tmp_path, "en-de.mqm.seg.score.gz", lines, "news\td1\nnews\td2\n")
    made = read_scores(path)
    assert made.select("pair", "scale", "output", "document", "segment", "score").rows() == [
        ("en-de", "mqm", "x", "d1", "1", 1.5),
        ("en-de", "mqm", "y", "d1", "1", -2.0),
        ("en-de", "mqm", "y", "d2", "2", 30.0),
    ]


@pytest.mark.parametrize(
    ("name", "lines", "documents", "said"),
    [
        ("en-de.mqm.seg.score", "x\t1\nx\t2\ny\t1\n", None, "'y' has 1 scores for 2 segments"),
        ("en-de.mqm.seg.score", "x\t1\nx\t2\n", "news\td\n", "'x' has 2 scores for 1 segments"),
        ("en-de.mqm.seg.score", "x\t1\nx\tmany\n", None, "line 2: score 'many' is not a number"),
        ("en-de.mqm.seg.score", "x\t1\nx\n", None, "line 2: has 1 fields instead of 2"),
        ("en-de.mqm.sys.score", "x\t1\nx\t2\n", None, "line 2: system 'x' is there twice"),
        ("mine.tsv", "x\t1\nx\t2\n", None, "PAIR.SCALE.seg.score"),
    ],
)
def test_bad_human_scores(
    tmp_path: Path, name: str, lines: str, documents: str | None, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        read_scores(write_metrics_eval(tmp_path, name, lines, documents))


def ranked(made: pl.DataFrame) -> list[tuple]:
    return made.select("pair", "ranking", "output", "rank").rows()


def test_outputs_of_one_screen_are_ranked_by_score() -> None:
    about = {**ROW, "segment": "s", "judge": "j"}
    made = table(
        {**about, "output": "A", "score": 2.0, "position": 1},
        {**about, "output": "B", "score": 4.0, "position": 2},
        {**about, "output": "C", "score": 4.0, "position": 3},
        {**about, "item": 2, "output": "A", "score": 5.0},
        {**about, "item": 2, "output": "D", "score": 1.0},
    )
    implied = implied_rankings(made)
    assert ranked(implied) == [
        ("en-cs", 1, "A", 2),
        ("en-cs", 1, "B", 1),
        ("en-cs", 1, "C", 1),
        ("en-cs", 2, "A", 1),
        ("en-cs", 2, "D", 2),
    ]
    assert implied["position"].to_list()[:3] == [1, 2, 3]


def test_outputs_of_several_screens_are_ranked_and_repeats_kept_apart() -> None:
    about = {**ROW, "segment": "s", "judge": "j", "scale": "direct-assessment"}
    made = table(
        {**about, "item": 1, "output": "A", "score": 20.0},
        {**about, "item": 2, "output": "B", "score": 40.0},
        {**about, "item": 3, "output": "A", "score": 50.0},
        {**about, "item": 4, "output": "B", "score": 30.0, "judge": "k"},
        {"pair": "en-cs", "item": 5, "judge": "j", "segment": "s"},
    )
    implied = implied_rankings(made)
    blocks = implied.drop_nulls("output").group_by("ranking").agg("output", "rank", "judge")
    found = sorted((outputs, ranks, judges[0]) for _, outputs, ranks, judges in blocks.rows())
    assert found == [(["A"], [1], "j"), (["A", "B"], [2, 1], "j"), (["B"], [1], "k")]
    assert implied["output"].null_count() == 1  # the skipped item still counts as shown


def test_each_scale_is_a_pair_of_its_own(tmp_path: Path) -> None:
    path = str(tmp_path / "scores.jsonl")
    both = [
        {**ROW, "output": output, "scale": scale, "score": score}
        for output, scale, score in (
            ("A", "adequacy", 1.0),
            ("B", "adequacy", 5.0),
            ("A", "fluency", 5.0),
            ("B", "fluency", 1.0),
        )
    ]
    write(table(*both), path)
    assert ranked(read(path)) == [
        ("en-cs adequacy", 1, "A", 2),
        ("en-cs adequacy", 1, "B", 1),
        ("en-cs fluency", 2, "A", 1),
        ("en-cs fluency", 2, "B", 2),
    ]


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_items_that_were_once_called_rankings_are_read(tmp_path: Path, ending: str) -> None:
    made = table(ROW, {**ROW, "item": 2, "score": 4.0})
    path = tmp_path / f"old.{ending}"
    write(made, path)
    if ending == "jsonl":
        path.write_text(path.read_text().replace('"item"', '"ranking"'))
    else:
        pl.read_parquet(path).rename({"item": "ranking"}).write_parquet(path)
    assert read_scores(path).equals(made)
    assert len(read(path)) == 2


def test_kinds_do_not_mix_in_one_table(tmp_path: Path) -> None:
    scores, ranks = tmp_path / "scores.jsonl", tmp_path / "ranks.jsonl"
    write(table(ROW), scores)
    ranks.write_text('{"pair":"en-cs","ranking":1,"systems":["A"],"rank":1}\n')
    assert read_any(scores, scores).frame["item"].to_list() == [1, 2]
    with pytest.raises(InputError, match=r"ranks.jsonl: holds judgements, but .* holds scores"):
        read_any(scores, ranks)
    assert len(read(scores, ranks)) == 2  # as the rankings that scores imply
    with pytest.raises(BadParameter, match="`files` are none"):
        read_any()
