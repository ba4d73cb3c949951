"""Judgements of two outputs side by side as labels, counts and agreement."""

import json
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

from adjudge.agreement.categorical import agreement_of, confusions, pooled
from adjudge.agreement.choices import MERGED, choice_labels, choices_of_systems, side_by_side
from adjudge.core.errors import NotEnoughData
from adjudge.data.judgement_table import judgement_table
from adjudge.data.table_files import write

RANKS = {"<": (1, 2), ">": (2, 1)}
Said = tuple[str, str, str, str, str]  # segment, judge, output, other output, what was said


def table(said: list[Said], protocol: str | None = "pairwise", names: Any = None) -> pl.DataFrame:
    rows = [
        {
            "pair": "en-cs",
            "protocol": protocol,
            "segment": segment,
            "ranking": ranking,
            "judge": judge,
            "output": (names or {}).get(output, output),
            "rank": rank,
            "position": position,
            "label": what if what.startswith("both") else None,
        }
        for ranking, (segment, judge, *outputs, what) in enumerate(said, 1)
        for position, (output, rank) in enumerate(
            zip(outputs, RANKS.get(what, (1, 1)), strict=True), 1
        )
    ]
    return judgement_table(pl.DataFrame(rows, schema_overrides={"label": pl.String}))


def at_random(systems: str, judges: str = "xyz", seed: int = 1) -> list[Said]:
    rng = Random(seed)
    said = []
    for segment in range(30):
        pair = rng.choice(list(combinations(systems, 2)))
        for judge in judges:
            shown = rng.sample(pair, 2)
            what = rng.choice(["<", "<", ">", "both fine", "both wrong", "="])
            said.append((str(segment), judge, *shown, what))
    return said


def test_the_order_shown_does_not_matter() -> None:
    said = at_random("ABC")
    turned = [
        (segment, judge, b, a, {"<": ">", ">": "<"}.get(what, what))
        for segment, judge, a, b, what in said
    ]
    assert side_by_side(table(said)).equals(side_by_side(table(turned)))


def test_the_names_of_systems_do_not_matter() -> None:
    """With many systems, who is called first is chance; π and κ must not depend on it."""
    said = at_random("ABCD")
    renamed = {"A": "D", "B": "C", "C": "B", "D": "A"}
    one, other = (
        agreement_of(choice_labels(side_by_side(table(said, names=names))))
        for names in (None, renamed)
    )
    for kind in range(2):
        assert [c.name for c in one[kind].coefficients] == [
            c.name for c in other[kind].coefficients
        ]
        for ours, theirs in zip(one[kind].coefficients, other[kind].coefficients, strict=True):
            assert ours.value == pytest.approx(theirs.value)
            assert ours.p_e == pytest.approx(theirs.p_e)
    (first, *_), (again, *_) = (
        confusions(choice_labels(side_by_side(table(said, names=names))))
        for names in (None, renamed)
    )
    assert first.kappa == pytest.approx(again.kappa)


def test_two_systems_are_called_by_their_names() -> None:
    labels = choice_labels(side_by_side(table(at_random("AB"))))
    assert labels.categories == ("A better", "B better", "both fine", "both wrong", "tie")
    assert labels.mirror is None


def test_a_label_that_nobody_used_has_its_mirror() -> None:
    labels = choice_labels(
        side_by_side(table([("1", "x", "A", "B", "<"), ("1", "y", "A", "C", "<")]))
    )
    assert labels.categories == ("first better", "second better")
    assert labels.mirror == (1, 0)


def test_both_kinds_of_tie_can_be_merged() -> None:
    frame = side_by_side(table(at_random("AB")))
    apart, merged = choice_labels(frame), choice_labels(frame, MERGED)
    assert set(apart.categories) - set(merged.categories) == {"both fine", "both wrong"}
    assert "both" in merged.categories
    assert merged.inter.agree.sum() > apart.inter.agree.sum()


def test_choices_are_counted_for_every_system_of_an_output() -> None:
    said: list[Said] = [
        ("1", "x", "B\x1fC", "A", "<"),
        ("1", "y", "A", "B\x1fC", "both wrong"),
        ("2", "x", "C", "A", ">"),
        ("2", "y", "\x1fof nobody", "A", ">"),
    ]
    found = {
        (one.first, one.second): one.said.row()
        for one in choices_of_systems(side_by_side(table(said)))
    }
    none = dict.fromkeys(("first_better", "second_better", "both_fine", "both_wrong", "ties"), 0)
    assert found == {
        ("A", "B"): {**none, "second_better": 1, "both_wrong": 1, "total": 2},
        ("A", "C"): {**none, "first_better": 1, "second_better": 1, "both_wrong": 1, "total": 3},
    }


def test_all_confusions_in_one_table() -> None:
    labels = choice_labels(side_by_side(table(at_random("AB"))))
    each = confusions(labels)
    assert len(each) == 3
    together = pooled(each)
    assert (together.table == together.table.T).all()
    assert together.comparable == 2 * sum(one.comparable for one in each)
    assert together.agree == 2 * sum(one.agree for one in each)


def test_only_what_was_judged_side_by_side_counts() -> None:
    said = at_random("ABC")
    assert len(side_by_side(table(said, protocol=None))) == len(said)
    with pytest.raises(NotEnoughData, match="no two outputs were judged side by side"):
        side_by_side(table(said, protocol="ranking"))


@pytest.fixture
def rows(adjudge):
    """The rows of a command."""

    def rows(*arguments: str) -> list[dict[str, Any]]:
        answer = adjudge(*arguments, "--format", "json", "--replicates", "20")
        assert answer.code == 0, answer.err
        found: list[dict[str, Any]] = json.loads(answer.out)
        return found

    return rows


def test_the_command_takes_a_campaign_as_it_was_exported(tmp_path: Path, rows) -> None:
    path = str(tmp_path / "judgements.jsonl")
    write(table(at_random("AB", judges="xy")), path)
    found = rows("label-agreement", path)
    inter = [row for row in found if row["kind"] == "inter"]
    assert sorted({row["categories"] for row in inter}) == [4, 5]
    assert len([row for row in found if row["kind"] == "confusion"]) == 5 + 4
    (systems,) = [row for row in found if row["kind"] == "systems"]
    assert (systems["system"], systems["other_system"], systems["total"]) == ("A", "B", 60)
    judges = [row for row in found if row["kind"] == "judge"]
    assert [(row["judge"], row["total"]) for row in judges] == [("x", 30), ("y", 30)]
    merged = rows("label-agreement", path, "--merge", "tie=both fine")
    assert {row["categories"] for row in merged if row["kind"] == "inter"} == {4}
    assert rows("agreement", path)  # the ranks go everywhere else


def test_the_command_with_many_systems_and_judges(tmp_path: Path, rows, adjudge) -> None:
    path = str(tmp_path / "judgements.parquet")
    write(table(at_random("ABCD")), path)
    found = rows("label-agreement", path)
    assert sum(row["total"] for row in found if row["kind"] == "systems") == 90
    assert {row["judge"] for row in found if row["kind"] == "confusion"} == {"one judge"}
    answer = adjudge("label-agreement", path, "--replicates", "20")
    assert "Systems side by side" in answer.out
    assert "Agreement on labels: both, first better, second better, tie" in answer.out
