"""`adjudge rank`, `compare` and `methods`: what they print, and what they refuse."""

import json
from collections.abc import Callable

import polars as pl
import pytest

from adjudge.data.judgement_table import judgement_table
from adjudge.data.table_files import write

RANK_KEYS = {
    "pair", "system", "rank", "score", "low", "high", "rank_low", "rank_high", "cluster",
    "comparisons", "method", "unit", "replicates", "seed", "level",
}  # fmt: skip
COMPARE_KEYS = {
    "pair", "system_a", "system_b", "wins_a", "wins_b", "ties", "share", "p", "p_adjusted",
    "mark", "significant", "correction",
}  # fmt: skip


@pytest.fixture
def rows(adjudge) -> Callable[..., list[dict]]:
    """What a command prints as JSON."""

    def rows(*arguments: str) -> list[dict]:
        answer = adjudge(*arguments, "--format", "json")
        assert (answer.code, answer.err) == (0, "")
        return json.loads(answer.out)

    return rows


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> str:
    """Two language pairs: in the first A is best, then B, then C; the reference beats all."""
    blocks = [("aaa-bbb", {"A": 2, "B": 3, "C": 4, "_ref": 1})] * 8
    blocks += [("aaa-bbb", {"A": 1, "B": 1, "C": 2})] * 3
    blocks += [("bbb-aaa", {"A": 2, "C": 1})] * 9
    table = judgement_table(
        pl.DataFrame(
            [
                {
                    "pair": pair,
                    "ranking": number,
                    "output": system,
                    "rank": rank,
                    "judge": f"judge {number % 3}",
                    "segment": f"{number}",
                }
                for number, (pair, block) in enumerate(blocks)
                for system, rank in block.items()
            ]
        )
    )
    path = str(tmp_path_factory.mktemp("rank") / "judgements.parquet")
    write(table, path)
    return path


def test_rank_prints_every_pair_in_order(rows, file):
    found = rows("rank", file, "--replicates", "50", "--unit", "ranking")
    assert [(row["pair"], row["system"]) for row in found] == [
        ("aaa-bbb", "A"),
        ("aaa-bbb", "B"),
        ("aaa-bbb", "C"),
        ("bbb-aaa", "C"),
        ("bbb-aaa", "A"),
    ]
    assert all(row.keys() >= RANK_KEYS for row in found)
    assert [row["score"] for row in found[:3]] == [1.0, 0.5, 0.0]
    assert [row["cluster"] for row in found[:3]] == [1, 2, 3]
    assert found[0]["comparisons"] == 22
    assert {row["holds_for"] for row in found[:3]} == {
        "for other rankings like these, by these 3 judges, of these 11 segments"
    }


def test_rank_holds_for_other_judges_and_segments(rows, file):
    found = rows("rank", file, "--pair", "aaa-bbb")
    assert {row["unit"] for row in found} == {"judge+segment"}
    assert {row["holds_for"] for row in found} == {"for other judges and segments like these"}
    assert {(row["ranges"], row["variance"]) for row in found} == {("simultaneous", "components")}
    assert [row["cluster"] for row in found] == [1, 1, 1]  # eleven rankings tell nothing apart
    marginal = rows("rank", file, "--pair", "aaa-bbb", "--ranges", "wmt13")
    assert {row["ranges"] for row in marginal} == {"wmt13"}


def test_rank_takes_the_method_unit_seed_and_level_asked_for(rows, file):
    asked = ("rank", file, "--pair", "aaa-bbb", "--method", "at-least-others", "--unit", "judge")
    found = rows(*asked, "--replicates", "40", "--seed", "5", "--level", "0.8")
    # Eight rankings do not place the reference, though it won them all.
    assert {row["system"]: row["placed"] for row in found} == {
        "A": True, "B": True, "C": True, "_ref": False,
    }  # fmt: skip
    assert found[0]["system"] == "A"
    assert {row["method"] for row in found} == {"at-least-others"}
    assert {(row["unit"], row["replicates"], row["seed"]) for row in found} == {("judge", 40, 5)}
    assert {row["level"] for row in found} == {0.8}


def test_rank_draws_lines_between_clusters(adjudge, file):
    printed = adjudge("rank", file, "--pair", "aaa-bbb", "--unit", "ranking").out
    assert "aaa-bbb: expected-wins (ties ignored), for other rankings like these" in printed
    assert "(1,000 replicates of rankings)" in printed
    assert "95 % interval" in printed
    assert printed.count("───\n") == 3
    assert "Design effects" in printed


def test_rank_refuses_in_one_line(adjudge, file):
    for arguments, remedy in (
        (("--method", "best"), "there are: "),
        (("--unit", "document"), "choose another --unit"),
        (("--system", "A"), "needs two"),
        (("--level", "95"), "between 0 and 1"),
    ):
        answer = adjudge("rank", file, *arguments)
        assert answer.code == 2
        assert answer.out == ""
        assert answer.err.startswith("adjudge: ")
        assert remedy in answer.err
        assert answer.err.count("\n") == 1


def test_compare_has_a_row_for_every_two_systems(rows, file):
    found = rows("compare", file, "--pair", "aaa-bbb", "--without-reference", "--test", "sign")
    assert all(row.keys() >= COMPARE_KEYS for row in found)
    first = found[0]
    assert (first["system_a"], first["system_b"]) == ("A", "B")
    assert (first["wins_a"], first["wins_b"], first["ties"]) == (8, 0, 3)
    assert first["share"] == 1
    assert first["p"] == pytest.approx(2 / 2**8)
    assert first["mark"] == "‡"
    plain = rows("compare", file, "--pair", "aaa-bbb", "--correction", "none")
    assert {row["correction"] for row in plain} == {"none"}
    assert {row["test"] for row in plain} == {"clustered"}
    assert all(row["p"] > 0.01 for row in plain)  # three judges cannot be so sure


def test_compare_prints_a_matrix(adjudge, file):
    printed = adjudge("compare", file, "--pair", "bbb-aaa", "--test", "sign").out
    assert "1.00‡" in printed
    assert "expected wins" in printed


def test_methods_without_a_file_lists_them(rows):
    names = [row["method"] for row in rows("methods")]
    assert "expected-wins" in names
    assert "block-top" in names
    assert all(row["paper"] for row in rows("methods"))


def test_methods_side_by_side(adjudge, rows, file):
    found = rows("methods", file, "--pair", "aaa-bbb", "--runs", "5")
    ranks = {(r["method"], r["system"]): r["rank"] for r in found if r["kind"] == "rank"}
    assert [ranks["win-ratio", system] for system in "ABC"] == [1, 2, 3]
    agreement = [row for row in found if row["kind"] == "agreement"]
    assert all(-1 <= row["kendall"] <= 1 for row in agreement)
    assert not [row for row in found if row["kind"] == "cycle"]
    printed = adjudge("methods", file, "--pair", "aaa-bbb", "--runs", "5").out
    assert "violated comparisons" in printed
    assert "cycles of majorities: none" in printed


def test_a_pair_with_too_little_data_does_not_take_others_down(adjudge, tmp_path):
    path = tmp_path / "votes.csv"
    rows = [f"en-de,{'xyz'[i % 3]},{'yzx'[i % 3]},left,{i}" for i in range(30)]
    header = "lp,system1,system2,winner,segment"
    path.write_text("\n".join([header, *rows, "en-fr,x,y,tie,1"]) + "\n")
    answer = adjudge("rank", path)
    assert answer.code == 0
    assert "en-fr has no table: only one ranking" in " ".join(answer.out.split())
    assert "en-fr has no table: only one ranking" in answer.err
    path.write_text("\n".join([header, "en-fr,x,y,tie,1"]) + "\n")
    alone = adjudge("rank", path)
    assert (alone.code, alone.out) == (2, "")
    assert "only one ranking" in alone.err
