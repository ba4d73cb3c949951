"""Time per item by protocol (WMT07 §6)."""

from datetime import UTC, datetime

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.errors import NotEnoughData
from adjudge.data.edit_table import edit_table
from adjudge.data.item_times import Time, read_timed, time_items
from adjudge.data.judgement_table import judgement_table
from adjudge.data.score_table import score_table
from adjudge.data.table_files import read, write

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def table(*items: dict) -> pl.DataFrame:
    """Two outputs an item."""
    rows = [
        {"pair": "x-y", "ranking": number, "output": output, "rank": 1, **item}
        for number, item in enumerate(items)
        for output in "AB"
    ]
    return judgement_table(pl.DataFrame(rows, infer_schema_length=None))


def test_mean_median_and_quartiles_of_each_protocol():
    found = time_items(
        table(
            *({"protocol": "ranking", "seconds": seconds} for seconds in (10.0, 20, 30, 40, 301)),
            {"protocol": "pairwise", "seconds": 300.0},
            {"protocol": "pairwise", "seconds": None},
        )
    )
    assert found.rows == (
        Time("pairwise", None, 1, 0, 1, 300.0, 300.0, 300.0, 300.0, 150.0),
        Time("ranking", None, 4, 1, 0, 25.0, 17.5, 25.0, 32.5, 12.5),
    )
    assert sorted(found.items["seconds"]) == [10, 20, 30, 40, 300]


def test_what_was_sent_together_was_one_set():
    together = {"judge": "j", "hit": "1", "time": NOON, "seconds": 101.0}
    other = {**together, "judge": "k"}
    (row,) = time_items(table(together, together, together, other)).rows
    assert (row.items, row.dropped) == (1, 3)  # 303 seconds in all
    (row,) = time_items(table(together, together, together, other), drop_over=303).rows
    assert (row.items, row.dropped) == (4, 0)


@pytest.mark.parametrize("by", ["judge", "group", "pair"])
def test_told_apart_further(by):
    rows = [{"seconds": 1.0, by: "b"}, {"seconds": 3.0, by: "a"}, {"seconds": 5.0, by: "a"}]
    found = time_items(table(*rows), by=by)
    assert [(row.part, row.items, row.mean) for row in found.rows] == [("a", 2, 4), ("b", 1, 1)]


def test_skipped_items_took_no_time_to_judge():
    rows = {"pair": ["x-y"] * 3, "ranking": [1, 1, 2], "output": ["A", "B", None]}
    rows |= {"rank": [1, 2, None], "seconds": [4.0, 4.0, 99.0]}
    (row,) = time_items(judgement_table(pl.DataFrame(rows))).rows
    assert (row.items, row.mean, row.untimed) == (1, 4.0, 0)


def test_no_times():
    with pytest.raises(NotEnoughData, match="carry no times"):
        time_items(table({"seconds": None}))


@given(st.lists(st.floats(0.1, 1000), min_size=1, max_size=50), st.floats(1, 500))
def test_all_items_are_counted_or_dropped(seconds, longest):
    (row,) = time_items(table(*({"seconds": one} for one in seconds)), longest).rows
    kept = sorted(one for one in seconds if one <= longest)
    assert (row.items, row.dropped) == (len(kept), len(seconds) - len(kept))
    if kept:
        assert row.mean == pytest.approx(sum(kept) / len(kept))
        assert kept[0] <= row.lower_quartile <= row.median <= row.upper_quartile <= kept[-1]
    else:
        assert row.mean is row.median is None


def test_judgements_scores_and_edits_side_by_side(tmp_path):
    both = {"pair": ["x-y"], "ranking": [1], "seconds": [7.0], "output": ["A"]}
    ranked = {**both, "rank": [1], "protocol": ["ranking"]}
    numbered = {"pair": ["x-y"], "item": [1], "seconds": [7.0], "output": ["A"]}
    scored = {**numbered, "scale": ["adequacy"], "score": [3.0], "protocol": ["adequacy-fluency"]}
    edited = {**numbered, "edit": ["so"], "incomprehensible": [False], "protocol": ["blind-edit"]}
    paths = [str(tmp_path / name) for name in ("a.jsonl", "b.parquet", "c.jsonl", "d.parquet")]
    write(judgement_table(pl.DataFrame(ranked)), paths[0])
    write(score_table(pl.DataFrame(scored)), paths[1])
    write(edit_table(pl.DataFrame(edited)), paths[2])
    write(edit_table(pl.DataFrame(edited)), paths[3])
    found = time_items(read_timed(*paths))
    assert [(row.protocol, row.items, row.mean) for row in found.rows] == [
        ("adequacy-fluency", 1, 7.0),
        ("blind-edit", 2, 7.0),
        ("ranking", 1, 7.0),
    ]


def test_wmt15(shared_data):
    """Appraise's durations: of 28,260 rankings not skipped, 789 took over five minutes."""
    path = str(shared_data / "wmt15" / "wmt15.xml.gz")
    judged = read(path).filter(pl.col("output").is_not_null())
    (row,) = time_items(judged).rows
    assert (row.items, row.dropped, row.untimed) == (27_471, 789, 0)
    seconds = judged.unique("ranking")["seconds"]
    kept = seconds.filter(seconds <= 300)
    assert row.mean == pytest.approx(kept.mean())
    assert row.median == pytest.approx(kept.median())
    assert (round(row.mean), round(row.median)) == (65, 53)


def test_segranks(shared_data):
    """Its seconds are a screen's, divided by the segments on it."""
    judged = read(str(shared_data / "segranks" / "annotations.tsv.gz"))
    screens = (
        judged.unique("ranking")
        .group_by("judge", "hit", "time")
        .agg(pl.col("seconds").sum(), pl.len())
    )
    (row,) = time_items(judged).rows
    assert row.items == screens.filter(pl.col("seconds") <= 300)["len"].sum()
    assert row.items + row.dropped == 8_487
