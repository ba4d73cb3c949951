"""The files of WMT07, WMT10 and WMT11: places with nothing, several tables in one, edits."""

from pathlib import Path

import polars as pl
import pytest

import adjudge
from adjudge.core.errors import AdjudgeError, BadParameter, InputError
from adjudge.data.formats import FORMATS
from adjudge.data.item_times import read_timed
from adjudge.data.table_files import read, read_edits, read_scores, write

FIVE_WAY = "srclang,trglang,srcIndex,judgeId,system1Number,system1Id,system2Number,system2Id,"
FIVE_WAY += "system3Number,system3Id,system1rank,system2rank,system3rank\n"
WMT07 = "TASK,TYPE,ITEM_ID,ANNOTATOR_ID,TIME,SYSTEM_0,SCORE_0_A,SCORE_0_B,SYSTEM_1,SCORE_1_A,"
WMT07 += "SCORE_1_B\n"


def file(folder: Path, content: str, name: str = "judgements.csv") -> str:
    path = folder / name
    path.write_text(content)
    return str(path)


def put(name: str, folder: Path) -> str:
    """The example of a format in a folder; the path to read."""
    files = FORMATS[name].example_files()
    for called, content in files.items():
        (folder / called).write_bytes(content)
    return str(folder / next(iter(files)))


@pytest.mark.parametrize("places", ["0,blank,0,blank", "-1,Blank,-1,Blank", "0,nobody,0,nobody"])
def test_where_nothing_was_shown(tmp_path: Path, places: str) -> None:
    table = read(file(tmp_path, f"{FIVE_WAY}en,cs,1,j,3,A,{places},2,-1,-1\n"))
    assert table.select("output", "rank", "position").rows() == [("A", 2, 1)]


def test_a_system_called_blank(tmp_path: Path) -> None:
    """It has a rank somewhere, so that its missing label is one."""
    rows = "en,cs,1,j,3,A,4,blank,5,B,1,2,3\nen,cs,2,j,3,A,4,blank,5,B,1,-1,3\n"
    table = read(file(tmp_path, FIVE_WAY + rows))
    assert table.filter(pl.col("output") == "blank")["rank"].to_list() == [2, None]
    write(table, tmp_path / "out.csv")
    assert read(tmp_path / "out.csv").equals(table)
    unranked = table.filter(pl.col("segment") == "2")
    with pytest.raises(AdjudgeError, match="'blank' has no rank"):
        write(unranked, tmp_path / "again.csv")


def test_wmt07_holds_two_tables(tmp_path: Path) -> None:
    path = put("wmt07", tmp_path)
    table = read(path)
    assert table.select("protocol", "output", "rank", "seconds").rows() == [
        ("ranking", "A", 1, 24.0),
        ("ranking", "Překladač", 4, 24.0),
        ("constituent", "A", 2, 11.0),
    ]
    scores = read_scores(path)
    assert scores.select("segment", "judge", "output", "scale", "score", "position").rows() == [
        ("7", "4", "Překladač", "adequacy", 3.0, 1),
        ("7", "4", "Překladač", "fluency", None, 1),
        ("7", "4", "A", "adequacy", 4.0, 2),
        ("7", "4", "A", "fluency", 5.0, 2),
    ]
    assert set(read_timed(path)["protocol"]) == {"ranking", "constituent", "adequacy-fluency"}


def test_which_table_is_read(tmp_path: Path) -> None:
    path = put("wmt07", tmp_path)
    assert adjudge.read(path).kind == "judgements"
    assert adjudge.read(path, kind="scores").scales == ("adequacy", "fluency")
    with pytest.raises(InputError, match="holds judgements, not edits"):
        adjudge.read(path, kind="edits")
    with pytest.raises(BadParameter, match="`kind`"):
        adjudge.read(path, kind="judgments")  # type: ignore[arg-type]


def test_again_reads_the_table_that_was_asked(tmp_path: Path) -> None:
    rows = (f"x,NIST,{item},1,9,A,3,3,B,{item},4\nx,RANK,{item},1,9,A,3\n" for item in (1, 2))
    path = file(tmp_path, WMT07 + "".join(rows))
    ranking = adjudge.read(path, kind="scores").rank(replicates=20)
    again = adjudge.again(str(ranking.signature), path)
    assert again.to_frame().equals(ranking.to_frame())


def test_a_file_with_scores_only(tmp_path: Path) -> None:
    path = file(tmp_path, f"{WMT07}WMT07 English-Czech,NIST,1,1,9,A,3,3,B,2,4\n")
    assert adjudge.read(path).kind == "scores"
    implied = read(path)  # as every file of scores
    assert implied.select("pair", "output", "rank").rows() == [
        ("English-Czech adequacy", "A", 1),
        ("English-Czech adequacy", "B", 2),
        ("English-Czech fluency", "A", 2),
        ("English-Czech fluency", "B", 1),
    ]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("x,RANG,1,1,9,A,1,", "line 3: TYPE 'RANG' is none of RANK, CONSTITUENT, NIST"),
        ("x,RANK,1,1,9,A,1,,B", "line 3: 'B' has no score A"),
        ("x,RANK,1,1,9,A,six,", "line 3: A 'six' is not a number"),
        ("x,RANK,1,1,9,A,6,", "line 3: rank 0 is not 1 or more"),
        ("x,RANK,1,1,soon,A,1,", "line 3: TIME 'soon' is not a number"),
        ("x,RANK,1,1,9,A,1,,,2,", "line 3: has a score for no system"),
        ("x,RANK,1,1,9", "line 3: has no SYSTEM_0"),
        ("x,RANK,1,1,9,A,1,,B,2,,C,3,", "line 3: has 14 fields instead of 11"),
    ],
)
def test_a_bad_row_of_wmt07(tmp_path: Path, row: str, reason: str) -> None:
    path = file(tmp_path, f"{WMT07}x,RANK,1,1,9,A,1,,B,2,\n{row}\n")
    with pytest.raises(InputError, match=reason):
        read(path)


def test_edits_and_reviews(tmp_path: Path) -> None:
    table = read_edits(put("wmt10-edits", tmp_path))
    shown = table.select("protocol", "output", "edit", "incomprehensible", "verdict", "reviewed")
    assert shown.rows() == [
        ("blind-edit", "A", "Kočka spí.", False, None, None),
        ("blind-edit", "A", None, True, None, None),
        ("blind-edit", "Překladač", "Kočka spala.", False, None, None),
        ("review", "A", None, None, "yes", 1),
        ("review", "A", None, None, "no", 2),
        ("review", "Překladač", None, None, "no", 3),  # numbered from 1 again
        ("review", None, None, None, None, 1),
    ]


def test_a_review_of_no_edit(tmp_path: Path) -> None:
    path = put("wmt10-edits", tmp_path)
    reviews = tmp_path / "wmt10.ACC.csv"
    reviews.write_text(reviews.read_text().replace("news/1,2,judge3,4", "news/9,2,judge3,4"))
    with pytest.raises(InputError, match=r"ACC.csv: line 2: edit 1 is not there"):
        read_edits(path)


def test_edits_find_their_reviews(tmp_path: Path) -> None:
    path = Path(put("wmt10-edits", tmp_path))
    reviews = tmp_path / "wmt10.ACC.csv"
    with pytest.raises(InputError, match=r"holds reviews; give the edits"):
        read_edits(reviews)
    reviews.rename(tmp_path / "elsewhere.csv")
    with pytest.raises(InputError, match=r"needs wmt10\.ACC\.csv"):
        read_edits(path)
    with pytest.raises(InputError, match=r"call the two NAME\.EDT\.tsv"):
        read_edits(path.rename(tmp_path / "edits.tsv"))


@pytest.mark.parametrize(
    ("name", "rankings", "systems"),
    [
        ("wmt10.RNK", 7692, 47),
        ("wmt10.RNK-public", 11127, 47),
        ("wmt11.indivsystems", 7842, 45),
        ("wmt11.combosystems", 3615, 10),
        ("wmt11.HC-indivsystems", 1047, 10),
        ("wmt11.HC-combosystems", 600, 3),
        ("wmt11.tunablemetrics", 633, 8),
    ],
)
def test_rankings_of_wmt10_and_wmt11(
    shared_data: Path, name: str, rankings: int, systems: int
) -> None:
    table = read(shared_data / "wmt07-11" / f"{name}.csv.gz")
    assert table["ranking"].n_unique() == rankings
    assert table["output"].n_unique() == systems + 1  # the reference


def test_wmt07(shared_data: Path) -> None:
    path = shared_data / "wmt07-11" / "wmt07.csv.gz"
    counted = read(path).group_by("protocol").agg(pl.col("ranking").n_unique()).sort("protocol")
    assert counted.rows() == [("constituent", 6232), ("ranking", 4125)]
    scores = read_scores(path)
    assert scores["item"].n_unique() == 4102
    missing = scores.filter(pl.col("score").is_null()).group_by("scale").len().sort("scale")
    assert missing.rows() == [("adequacy", 58), ("fluency", 50)]
    assert scores["pair"].n_unique() == 14


def test_edits_of_wmt10(shared_data: Path) -> None:
    table = read_edits(shared_data / "wmt07-11" / "wmt10.EDT.tsv.gz")
    counted = table.group_by("protocol").agg(pl.len(), pl.col("output").null_count())
    assert sorted(counted.rows()) == [("blind-edit", 7255, 0), ("review", 6905, 42)]
    # Two of the empty texts: one BAD, one OK.
    assert table["incomprehensible"].sum() == 1738 + 1
    moved = table.filter(pl.col("reviewed") > 6895)
    assert len(moved) == 340


def test_wmt08_asks_whether_phrases_are_acceptable(tmp_path: Path) -> None:
    """Its best grade is 1, as its page of results says."""
    path = file(
        tmp_path,
        f"{WMT07}WMT08 Czech-English News,RANK,1,1,9,A,1,,B,4,\n"
        "WMT08 Czech-English News,CONSTITUENT_ACCEPT,5,1,9,A,1,,B,3,\n"
        "WMT08 Czech-English News,CONSTITUENT_ACCEPT,6,1,9,B,2,\n",
    )
    assert read(str(path)).select("segment", "output", "rank").rows() == [
        ("1", "A", 1),
        ("1", "B", 4),
    ]
    scores = read_scores(str(path))
    assert scores.select("segment", "output", "scale", "score").rows() == [
        ("5", "A", "acceptability", 1),
        ("5", "B", "acceptability", None),
        ("6", "B", "acceptability", 0),
    ]
    assert scores["protocol"].unique().to_list() == ["constituent-acceptability"]
    bad = file(tmp_path, f"{WMT07}WMT08 x,CONSTITUENT_ACCEPT,5,1,9,A,yes,\n")
    with pytest.raises(InputError, match="line 2: A is 'yes' where CONSTITUENT_ACCEPT has 1"):
        read_scores(str(bad))
