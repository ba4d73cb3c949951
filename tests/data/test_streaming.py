"""Counting while reading gives what reading and counting gives."""

from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.errors import AdjudgeError, InputError
from adjudge.data.comparisons import by_pair, compare
from adjudge.data.judgement_table import judgement_table
from adjudge.data.outputs import join_systems
from adjudge.data.selection import Selection, select
from adjudge.data.table_files import read, write
from adjudge.data.votes import count_wins
from adjudge.data.votes.count_wins import counts_from_file
from adjudge.data.win_counts import count

SYSTEMS = ("A", "B", "C", "ref")
few = settings(max_examples=25, deadline=None)


def both_ways(path: str, selection: Selection, outputs: str) -> list[dict | str]:
    """Streamed, and read and counted: each the counts, or the error."""

    def plain(counts: dict) -> dict:
        return {p: (c.systems, c.wins.tolist(), c.ties.tolist()) for p, c in counts.items()}

    def read_and_count() -> dict:
        table = select(read(path), selection)
        return {pair: count(compare(part, outputs)) for pair, part in by_pair(table)}

    found: list[dict | str] = []
    for way in (lambda: counts_from_file(path, selection, outputs), read_and_count):
        try:
            found.append(plain(way()))
        except AdjudgeError as error:
            found.append(str(error))
    return found


def same(path: str, selection: Selection, outputs: str) -> bool:
    streamed, known = both_ways(path, selection, outputs)
    return streamed == known


votes = st.lists(
    st.tuples(
        st.permutations(SYSTEMS), st.sampled_from((1, 2, 3)), st.sampled_from((1, 2)),
        st.sampled_from(("x-y", "x-z")), st.sampled_from(("j", "k")),
    ),
    min_size=1, max_size=20,
)  # fmt: skip


def table_of(rows: list[tuple]) -> pl.DataFrame:
    return judgement_table(
        pl.DataFrame(
            [
                {
                    "pair": pair, "judge": judge, "segment": "1", "ranking": number,
                    "output": names[place], "rank": (a, b)[place], "position": place + 1,
                }
                for number, (names, a, b, pair, judge) in enumerate(rows, 1)
                for place in (0, 1)
            ]
        )
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["arena-csv", "arena-jsonl", "arena-parquet", "wmt-pairwise", "parquet", "jsonl"]
)
@few
@given(rows=votes, data=st.data())
def test_streamed_counts(name, rows, data):
    table = table_of(rows)
    names = table["output"].unique().to_list()
    selection = Selection(
        pair=data.draw(st.sampled_from(((), (str(table["pair"][0]),)))),
        judge=data.draw(st.sampled_from(((), (str(table["judge"][0]),)))),
        without_system=data.draw(st.sampled_from(((), (names[0],)))),
        without_reference=data.draw(st.booleans()),
    )
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / "file")
        write(table, path, name)
        for outputs in ("expanded", "collapsed"):
            streamed, known = both_ways(path, selection, outputs)
            assert streamed == known


def test_parts_cut_no_ranking(shared_data, tmp_path, monkeypatch):
    table = read(str(shared_data / "wmt15" / "wmt15.xml.gz"))
    path = str(tmp_path / "wmt15.parquet")
    write(table, path)
    monkeypatch.setattr(count_wins, "_PART", 1009)
    for outputs in ("expanded", "collapsed"):
        assert same(path, Selection(pair=("deu-eng", "fre-eng")), outputs)


def test_rankings_out_of_order_are_read_whole(tmp_path):
    table = table_of([(SYSTEMS, 1, 2, "x-y", "j")] * 3)
    path = str(tmp_path / "f.parquet")
    write(table[::-1], path)
    assert same(path, Selection(), "expanded")


def test_shared_outputs_tie_once_a_ranking(tmp_path):
    table = judgement_table(
        pl.DataFrame(
            {
                "pair": "x-y", "segment": "1", "judge": "j", "ranking": 1,
                "output": [join_systems(("A", "B")), "C", "D"],
                "rank": [1, 2, 3], "position": [1, 2, 3],
            }
        )
    )  # fmt: skip
    path = str(tmp_path / "f.pairs.csv")
    write(table, path)
    assert counts_from_file(path)["x-y"].ties.sum() == 2
    assert same(path, Selection(), "expanded")
    assert same(path, Selection(), "collapsed")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("x,y,model_c", "line 3: unknown winner 'model_c'"),
        ("x,y", "line 3: has 2 fields"),
        ("x,x,tie", "line 3: compares 'x' with itself"),
        ("x,,tie", "line 3: has no model_b"),
        ("x,y,tie,z", "line 3: has 4 fields"),
    ],
)
def test_a_bad_line_is_named_all_the_same(tmp_path, row, reason):
    path = tmp_path / "votes.csv"
    path.write_text(f"model_a,model_b,winner\nx,y,tie\n{row}\n")
    with pytest.raises(InputError, match=reason):
        counts_from_file(str(path))


def test_a_name_that_is_not_there(tmp_path):
    table = table_of([(SYSTEMS, 1, 2, "x-y", "j")])
    for name in ("arena-parquet", "parquet"):
        path = str(tmp_path / name)
        write(table, path, name)
        for selection, what in (
            (Selection(pair=("z",)), "pair 'z'"),
            (Selection(judge=("z",)), "judge 'z'"),
            (Selection(system=("z",)), "system 'z'"),
        ):
            with pytest.raises(AdjudgeError, match=f"no {what}"):
                counts_from_file(path, selection)


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_one_protocol_of_two(tmp_path, ending):
    rows = [
        {"pair": "x-y", "protocol": name, "ranking": number, "output": output, "rank": rank}
        for number, name in enumerate(("ranking", "pairwise", "pairwise"))
        for rank, output in enumerate("AB", 1)
    ]
    path = str(tmp_path / f"mixed.{ending}")
    write(judgement_table(pl.DataFrame(rows)), path)
    for names, wins in ((("pairwise",), 2), (("ranking",), 1), ((), 3)):
        assert counts_from_file(path, Selection(protocol=names))["x-y"].wins.sum() == wins
    assert same(path, Selection(protocol=("guessing",)), "expanded")
