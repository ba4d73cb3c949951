"""Choosing judgements."""

from datetime import UTC, date, datetime

import polars as pl
import pytest

from adjudge.core.errors import AdjudgeError, BadParameter
from adjudge.data.comparisons import compare
from adjudge.data.judgement_table import judgement_table
from adjudge.data.outputs import join_systems, unattributed
from adjudge.data.selection import Selection, by_protocol, one_protocol, select, with_source


@pytest.fixture
def table() -> pl.DataFrame:
    shared = join_systems(("B", "ref"))
    return judgement_table(
        pl.DataFrame(
            {
                "pair": ["x-y", "x-y", "x-y", "x-z", "x-z", "x-z"],
                "protocol": ["ranking", "ranking", "ranking", "pairwise", "pairwise", None],
                "segment": ["1", "1", "1", "2", "2", None],
                "ranking": [1, 1, 1, 2, 2, 3],
                "judge": ["j", "j", "j", "k", "k", None],
                "group": ["crowd", "crowd", "crowd", None, None, None],
                "output": ["A", shared, unattributed("text"), "A", "C", None],
                "rank": [1, 2, 3, 1, 1, None],
                "time": [datetime(2015, 1, 1, tzinfo=UTC)] * 3 + [None] * 3,
            },
            infer_schema_length=None,
        )
    )


def kept(table: pl.DataFrame, **selection: object) -> list[int]:
    return select(table, Selection(**selection))["ranking"].unique().sort().to_list()


def test_nothing_chosen_keeps_everything(table):
    assert select(table, Selection()).equals(table)


def test_by_name(table):
    assert kept(table, pair=("x-y",)) == [1]
    assert kept(table, judge=("k",)) == [2]
    assert kept(table, without_judge=("k",)) == [1, 3]
    assert kept(table, group=("crowd",)) == [1]
    assert kept(table, protocol=("pairwise", "ranking")) == [1, 2]


def test_one_name_or_several_of_any_kind(table):
    assert Selection(pair="x-y") == Selection(pair=["x-y"]) == Selection(pair=pl.Series(["x-y"]))
    assert kept(table, pair="x-y") == [1]
    assert kept(table, judge={"j", "k"}) == [1, 2]
    assert Selection(pair=None, system=()) == Selection()


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"pair": 7}, "`pair` is a name or several, not 7"),
        ({"judge": ["j", 7]}, "`judge` is a name or several; 7 is no name"),
        ({"system": ""}, "'' is no name"),
        ({"shortest": -1}, "`shortest` is 0 or more, not -1"),
        ({"longest": "ten"}, "`longest` is a whole number of words, not 'ten'"),
        ({"without_reference": "yes"}, "`without_reference` is true or false, not 'yes'"),
        ({"since": "yesterday"}, "`since` is a time like 2015-05-01T12:00, not 'yesterday'"),
        ({"until": 2015}, "`until` is a time like"),
    ],
)
def test_values_that_cannot_be(given, reason):
    with pytest.raises(BadParameter, match=reason):
        Selection(**given)


def test_moments_of_any_kind():
    midnight = datetime(2015, 5, 1, tzinfo=UTC)
    for moment in ("2015-05-01", date(2015, 5, 1), datetime(2015, 5, 1), "2015-05-01T02:00+02:00"):
        assert Selection(since=moment).since == midnight


def test_protocols_do_not_mix(table):
    with pytest.raises(AdjudgeError, match=r"2 protocols \(pairwise, ranking\), which do not mix"):
        one_protocol(table)
    chosen = table.filter(pl.col("ranking") != 1)
    assert one_protocol(chosen).equals(chosen)  # what is unknown contradicts nobody
    parts = by_protocol(table)
    assert [name for name, _ in parts] == [None, "pairwise", "ranking"]
    assert sum(len(part) for _, part in parts) == len(table)


@pytest.mark.parametrize(
    "column", ["pair", "judge", "without_judge", "group", "system", "protocol"]
)
def test_a_name_that_is_not_there(table, column):
    with pytest.raises(AdjudgeError, match="'nobody' in the judgements; there are:"):
        select(table, Selection(**{column: ("nobody",)}))


def test_the_reference_leaves_the_output_it_shares(table):
    chosen = select(table, Selection(without_reference=True))
    assert chosen["output"].to_list() == ["A", "B", unattributed("text"), "A", "C", None]


def test_systems(table):
    chosen = select(table, Selection(system=("A", "B")))
    assert chosen["output"].to_list() == ["A", "B", "A", None]
    chosen = select(table, Selection(without_system=("B", "ref")))
    assert chosen["output"].to_list() == ["A", unattributed("text"), "A", "C", None]
    assert len(compare(chosen.filter(pl.col("pair") == "x-y"), "collapsed")) == 1


def test_time(table):
    assert kept(table, since=datetime(2015, 1, 1, tzinfo=UTC)) == [1]
    assert kept(table, until=datetime(2015, 1, 1, tzinfo=UTC)) == []
    with pytest.raises(AdjudgeError, match="no times"):
        select(
            table.filter(pl.col("ranking") > 1), Selection(since=datetime(2015, 1, 1, tzinfo=UTC))
        )


def test_length_needs_the_source(table, tmp_path):
    with pytest.raises(AdjudgeError, match="`source`"):
        select(table, Selection(longest=5))
    source = tmp_path / "source.txt"
    source.write_text("one two three\nfour words are here\n")
    full = with_source(table, str(source))
    assert full["source"].to_list() == ["one two three"] * 3 + ["four words are here"] * 2 + [None]
    assert kept(full, longest=3) == [1]
    assert kept(full, shortest=4) == [2]
    source.write_text("too short\n")
    with pytest.raises(AdjudgeError, match="has 1 lines but no line '2'"):
        with_source(table, str(source))
