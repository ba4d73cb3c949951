"""A reader of what a writer wrote returns the same judgements, in every format."""

import json
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.errors import AdjudgeError
from adjudge.data.formats import FORMATS
from adjudge.data.judgement_table import SCHEMA, judgement_table
from adjudge.data.outputs import (
    attributed,
    join_systems,
    list_systems,
    unattributed,
)
from adjudge.data.ranking_rows import in_order
from adjudge.data.table_files import not_carried, read, write

pytestmark = pytest.mark.slow

COMPRESSIONS = ("", ".gz", ".bz2", ".zst", ".xz")

few = settings(max_examples=40, deadline=None)


def through(table: pl.DataFrame, name: str, ending: str = "") -> pl.DataFrame:
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / f"judgements{ending}")
        write(table, path, name)
        return read(path)


def canonical(table: pl.DataFrame, columns: frozenset[str]) -> list[dict]:
    """What the judgements say, whatever their rankings are numbered."""
    ordered = in_order(table).with_columns(pl.col("ranking").rank("dense"))
    return ordered.select(name for name in SCHEMA if name in {*columns, "ranking"}).to_dicts()


def without(table: pl.DataFrame, name: str) -> pl.DataFrame:
    """The table without the columns that the format has no place for."""
    lost = [c for c in SCHEMA if c not in {*FORMATS[name].carries, "ranking"}]
    return judgement_table(table.drop(lost))


WHOLE = [name for name, chosen in FORMATS.items() if chosen.carries == SCHEMA.keys()]


@pytest.mark.parametrize("name", WHOLE)
@few
@given(data=st.data())
def test_our_formats_carry_everything(tables, name, data):
    table = data.draw(tables)
    ending = data.draw(st.sampled_from(COMPRESSIONS))
    assert not_carried(table, FORMATS[name]) == []
    assert through(table, name, ending).equals(table)


@pytest.mark.slow
@few
@given(data=st.data())
def test_appraise(plain_tables, data):
    table = without(data.draw(plain_tables), "appraise")
    shown = pl.int_range(1, pl.len() + 1).over("ranking")
    table = table.with_columns(
        pl.when(pl.col("output").is_not_null()).then(shown).cast(pl.Int32).alias("position")
    )
    columns = FORMATS["appraise"].carries
    assert canonical(through(table, "appraise", ".gz"), columns) == canonical(table, columns)


def one_system_each(table: pl.DataFrame) -> pl.DataFrame:
    return judgement_table(table.with_columns(output=list_systems().list.first()))


def known(table: pl.DataFrame) -> pl.DataFrame:
    """What WMT's files never lack is filled in."""
    shown = pl.int_range(1, pl.len() + 1).over("ranking")
    return judgement_table(
        table.with_columns(
            pl.col("segment", "judge").cast(pl.String).fill_null("7"),
            pl.when(pl.col("output").is_not_null()).then(shown).alias("position"),
        )
    )


@pytest.mark.slow
@few
@given(data=st.data())
def test_wmt_five_way(tables, data):
    table = data.draw(tables)
    table = table.filter(attributed().fill_null(True))
    if not len(table):
        return
    table = known(one_system_each(without(table, "wmt-csv")))
    columns = FORMATS["wmt-csv"].carries
    assert canonical(through(table, "wmt-csv"), columns) == canonical(table, columns)


@pytest.mark.slow
@few
@given(data=st.data())
def test_wmt_pairwise(plain_tables, data):
    table = known(without(data.draw(plain_tables), "wmt-pairwise"))
    paired = table.filter((pl.col("output").is_not_null().sum() > 1).over("ranking"))
    if not len(paired):
        return
    columns = FORMATS["wmt-pairwise"].carries
    assert canonical(through(table, "wmt-pairwise"), columns) == canonical(paired, columns)


VOTES = st.fixed_dictionaries(
    {
        "pair": st.sampled_from(("arena", "Čeština")),
        "segment": st.one_of(st.none(), st.text("q1", min_size=1)),
        "judge": st.one_of(st.none(), st.sampled_from(("arena_user_1", "j, k"))),
        "models": st.permutations(("a,b", 'c"d', "e")),
        "ranks": st.sampled_from(((1, 2, None), (2, 1, None), (1, 1, None), (1, 1, "both bad"))),
        "time": st.one_of(
            st.none(),
            st.datetimes(datetime(2000, 1, 1), datetime(2035, 1, 1)).map(
                lambda moment: moment.replace(tzinfo=UTC)
            ),
        ),
    }
)


def _votes(votes: list[dict]) -> pl.DataFrame:
    rows = []
    for number, vote in enumerate(votes, 1):
        first, second, label = vote["ranks"]
        for position, rank in ((1, first), (2, second)):
            rows.append(
                {
                    "pair": vote["pair"],
                    "segment": vote["segment"],
                    "judge": vote["judge"],
                    "time": vote["time"],
                    "ranking": number,
                    "output": vote["models"][position - 1],
                    "rank": rank,
                    "position": position,
                    "label": label,
                }
            )
    return judgement_table(pl.DataFrame(rows, infer_schema_length=None))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["arena-csv", "arena-jsonl", "arena-parquet"])
@few
@given(votes=st.lists(VOTES, min_size=1, max_size=8))
def test_arena(name, votes):
    table = _votes(votes)
    assert through(table, name, ".zst").equals(table)


def _segments() -> st.SearchStrategy[list[tuple[str, list[int], list[str]]]]:
    """Sentences with the words of a segment and its candidates."""
    return st.lists(
        st.tuples(
            st.lists(st.sampled_from(("with", "big", "orders", "،", '"')), min_size=2, max_size=6),
            st.lists(st.integers(0, 1), min_size=1, max_size=2, unique=True),
            st.lists(st.text("ab", min_size=1), min_size=1, max_size=4, unique=True),
        ),
        min_size=1,
        max_size=5,
    )


def _segment_rows(segments: list[tuple], ranked: bool) -> list[dict]:
    return [
        {
            "pair": "segranks",
            "segment": f"{number}:{','.join(map(str, indices))}",
            "ranking": number,
            "hit": str(number),
            "output": unattributed(text),
            "source": " ".join(words),
            "reference": "the reference",
            "text": text,
            "rank": place if ranked else None,
        }
        for number, (words, indices, texts) in enumerate(segments, 1)
        for place, text in enumerate(texts, 1)
    ]


@few
@given(segments=_segments())
def test_segranks_segments(segments):
    table = judgement_table(pl.DataFrame(_segment_rows(segments, ranked=False)))
    assert through(table, "segranks-segments", ".gz").equals(table)


@few
@given(segments=_segments())
def test_segranks_json(segments):
    rows = _segment_rows(segments, ranked=True)
    for row, (words, indices, _) in ((row, segments[row["ranking"] - 1]) for row in rows):
        row["source"] = " ".join(words[i] for i in indices)
        row["segment"] = f"{row['hit']},{row['source']}"
        row["reference"] = None
    table = judgement_table(pl.DataFrame(rows, infer_schema_length=None))
    assert through(table, "segranks-json", ".bz2").equals(table)


def test_segranks_json_as_the_thesis_prints_it(tmp_path):
    path = tmp_path / "export"
    path.write_text(
        """{
  "2386,Writing books saved me .": [
    {"Knihy psaní uložily mě .": 5, "Psaní knih mě zachránil .": 1}
  ],
  "2755,At each station": [
    {"Na každé stanici": 1, "U každé stanice": 2, "V každé stanici": 2},
    {"Na každé stanici": 1, "U každé stanice": 1, "V každé stanici": 3}
  ],
}
"""
    )
    table = read(str(path))
    assert table["ranking"].to_list() == [1, 1, 2, 2, 2, 3, 3, 3]
    assert table["hit"].unique(maintain_order=True).to_list() == ["2386", "2755"]
    assert table["rank"].to_list() == [5, 1, 1, 2, 2, 1, 1, 3]
    again = tmp_path / "again.json"
    write(table, str(again))
    assert json.loads(again.read_text())["2755,At each station"][1]["V každé stanici"] == 3


REFUSED = [
    ("appraise", "a,b", "joins systems by commas"),
    ("appraise", "\ufffe", "character XML cannot carry"),
    ("wmt-pairwise", "a+b", "plus in its name"),
    ("wmt-csv", join_systems(("A", "B")), '`to="wmt-pairwise"`'),
    ("arena-csv", join_systems(("A", "B")), "no vote between two systems"),
    ("appraise", unattributed("text"), "needs their names"),
    ("segranks-json", "A", r"choose another format \(`to`\)"),
    ("segranks-segments", "A", r"choose another format \(`to`\)"),
]


@pytest.mark.parametrize(("name", "output", "reason"), REFUSED)
def test_what_a_format_cannot_say_is_refused_and_nothing_written(tmp_path, name, output, reason):
    table = judgement_table(
        pl.DataFrame(
            {
                "pair": "eng-deu",
                "ranking": 1,
                "segment": "1",
                "judge": "j",
                "output": [output, "Z"],
                "rank": [1, 2],
            }
        )
    )
    with pytest.raises(AdjudgeError, match=reason):
        write(table, str(tmp_path / "out"), name)
    assert list(tmp_path.iterdir()) == []


def test_a_campaign_without_languages_is_no_wmt_file(tmp_path):
    table = judgement_table(
        pl.DataFrame(
            {"pair": "demo", "ranking": 1, "segment": "1", "judge": "j", "output": ["A", "B"]}
        )
    )
    for name in ("wmt-csv", "wmt-pairwise", "appraise"):
        with pytest.raises(AdjudgeError, match="no language pair like eng-deu"):
            write(table, str(tmp_path / "out"), name)


@pytest.fixture(scope="module")
def wmt13(shared_data):
    return read(str(shared_data / "wmt13" / "fr-en.csv.gz"))


@pytest.fixture(scope="module")
def segranks(shared_data):
    return read(str(shared_data / "segranks" / "annotations.tsv.gz"))


@pytest.mark.parametrize("ending", [".csv.gz", ".pairs.csv.zst", ".parquet", ".jsonl.gz"])
def test_wmt13_to_any_format_and_back(wmt13, tmp_path, ending):
    assert len(wmt13) == 5 * 9996
    there, back = str(tmp_path / f"a{ending}"), str(tmp_path / "b.csv")
    write(wmt13, there)
    write(read(there), back)
    assert read(there).equals(wmt13)
    assert read(back).equals(wmt13)


def test_wmt13_judges_belong_to_groups(wmt13):
    assert set(wmt13["group"].unique().to_list()) == {"turker", "researcher"}
    assert wmt13["judge"][0] == "turker_64"
    assert wmt13["document"].null_count() == len(wmt13)


def test_segranks_to_ours_and_back(segranks, tmp_path):
    for ending in (".parquet", ".jsonl.zst"):
        path = str(tmp_path / f"a{ending}")
        write(segranks, path)
        assert read(path).equals(segranks)


def test_segranks_database(segranks):
    assert segranks["ranking"].n_unique() == 8487
    assert segranks["judge"].n_unique() == 17
    first = segranks.row(0, named=True)
    assert first["segment"] == "8510:16,17,18,19,20,21"
    assert first["seconds"] == 98
    assert first["time"] == datetime(2014, 5, 20, 7, 15, 58, tzinfo=UTC)
    assert (segranks.filter(pl.col("label") == "garbage")["rank"] == 100).all()


def test_segranks_candidates_survive_the_segment_file(segranks, tmp_path):
    path, again = str(tmp_path / "a.tsv.gz"), str(tmp_path / "b.tsv.gz")
    write(segranks, path)
    candidates = read(path)
    assert candidates["rank"].null_count() == len(candidates)
    write(candidates, again)
    assert read(again).equals(candidates)


def test_wmt15_to_appraise_and_back(shared_data, tmp_path):
    table = read(str(shared_data / "wmt15" / "wmt15.xml.gz"))
    for ending in (".xml.gz", ".parquet"):
        path = str(tmp_path / f"a{ending}")
        write(table, path)
        assert read(path).equals(table)


def test_a_pairwise_file_that_is_no_block_keeps_its_comparisons(tmp_path):
    path = tmp_path / "pairs"
    path.write_text(
        "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,"
        "rankingID\n"
        "cze,eng,7,7,j1,A,1,B,2,1\n"  # ranking 1 lacks B against C
        "cze,eng,7,7,j1,A,1,C,2,1\n"
        "cze,eng,8,8,j1,A,1,B,2,2\n"  # ranking 2 is whole
        "cze,eng,8,8,j1,A,1,C+D,2,2\n"
        "cze,eng,8,8,j1,B,2,C+D,2,2\n"
        "cze,eng,9,9,j1,A,1,B,2,3\n"  # ranking 3 gives A two ranks
        "cze,eng,9,9,j1,A,2,C,-1,3\n"
        "cze,eng,9,9,j1,B,1,C,1,3\n"
    )
    table = read(str(path))
    sizes = table.group_by("ranking", maintain_order=True).len()["len"].to_list()
    assert sizes == [2, 2, 3, 2, 2, 2]
    whole = table.filter(pl.col("ranking") == 3)
    assert whole["output"].to_list() == ["A", "B", join_systems("CD")]
    assert table["rank"].null_count() == 1


def test_spellings_of_the_five_way_header(tmp_path):
    path = tmp_path / "f"
    path.write_text(
        "srclang,trglang,srcIndex,documentId,segmentId,judgeID,system1Id,system1rank,"
        "system2Id,system2rank,system3Id,system3rank\n"
        'Czech,English,12,doc_7,3,ab_c,"x, y",1,z,-1,,-1\n'
    )
    table = read(str(path))
    assert table["output"].to_list() == ["x, y", "z"]
    assert table["rank"].to_list() == [1, None]
    assert table["document"].to_list() == ["doc_7", "doc_7"]
    assert table["group"].null_count() == 2
