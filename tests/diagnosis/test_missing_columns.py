"""Judgements that lack something: what can be answered is, the rest says in a line why not."""

import polars as pl
import pytest

from adjudge.core.errors import AdjudgeError, NotEnoughData
from adjudge.data.comparisons import compare
from adjudge.diagnosis.diagnose import diagnose
from adjudge.diagnosis.evidence import NEEDS, Evidence
from adjudge.diagnosis.finding import FINDINGS, Severity
from adjudge.ranking.methods.expected_wins import METHOD as EXPECTED_WINS

pytestmark = pytest.mark.slow


def unanswered(table):
    return {
        one.finding.name: one.answer.meaning
        for one in diagnose(table)
        if one.answer.severity is Severity.unanswered
    }


def lacking(table):
    """The findings that say of themselves that they need what the judgements lack."""
    known = Evidence(table, compare(table), EXPECTED_WINS).known
    return {name for name, finding in FINDINGS.items() if finding.needs - known}


@pytest.mark.parametrize("column", [None, *sorted(NEEDS.keys() - {"reference"})])
def test_a_finding_is_answered_where_there_is_what_it_needs(complete, column):
    """With everything, all are; without a column, all but those that name it."""
    table = complete
    if column is not None:
        table = table.with_columns(pl.lit(None, table.schema[column]).alias(column))
    missing = unanswered(table)
    assert set(missing) == lacking(table)
    assert set(missing) == {name for name, finding in FINDINGS.items() if column in finding.needs}
    assert all(meaning == f"Cannot say: {NEEDS[column]}" for meaning in missing.values())


def test_without_the_reference(complete):
    table = complete.filter(~pl.col("output").cast(pl.String).str.contains("ref"))
    assert set(unanswered(table)) == lacking(table) == {"reference-share"}


@pytest.mark.parametrize("name", FINDINGS)
def test_a_finding_answers_a_complete_campaign_and_needs_what_is_known(complete, name):
    assert FINDINGS[name].needs <= NEEDS.keys()
    (diagnosis,) = diagnose(complete, [name])
    assert diagnosis.answer.severity is not Severity.unanswered
    assert diagnosis.answer.meaning


def test_one_judge(clean):
    table = clean(1).filter(pl.col("judge") == "simulated-003")
    missing = unanswered(table)
    for name in ("one-judge", "uninformative-judges", "constant-ranks", "fatigue", "speed"):
        assert "only one judge" in missing[name]
    assert "ties" not in missing
    assert "position-judges" not in missing


def test_blocks_of_two_have_no_lines(table_of):
    blocks = [(f"j{i % 2}", {"A": 1 + i % 2, "B": 1 + i % 3}) for i in range(40)]
    missing = unanswered(table_of(blocks))
    assert "3 outputs" in missing["straight-lines"]
    assert "systems" in missing["tie-families"]


def test_nothing_compared(table_of):
    with pytest.raises(NotEnoughData, match="nothing was compared"):
        diagnose(table_of([("j", {"A": 1}), ("j", {"B": 2})]))


def test_an_unknown_finding_or_group_is_refused(table_of):
    table = table_of([("j", {"A": 1, "B": 2})])
    with pytest.raises(AdjudgeError, match="`only` cannot be 'sped'; did you mean 'speed'"):
        diagnose(table, only="sped")
    with pytest.raises(AdjudgeError, match="no group 'experts'"):
        diagnose(table, only=["controls"], trusted="experts")


def test_controls_by_hand(table_of):
    """Seven trusted judges agree on A over B; one of the others fails ten of them."""
    rows = []
    for segment in range(10):
        judged = [(f"r{i}", "researcher", (1, 2)) for i in range(7)]
        judged += [("good", "crowd", (1, 2)), ("bad", "crowd", (2, 1) if segment else (1, 2))]
        rows += [(segment, *one) for one in judged]
    table = pl.concat(
        table_of([(judge, {"A": ranks[0], "B": ranks[1]})], group=group).with_columns(
            pl.lit(number, pl.Int64).alias("ranking"),
            pl.lit(f"s{segment}").cast(pl.Categorical).alias("segment"),
        )
        for number, (segment, judge, group, ranks) in enumerate(rows)
    )
    pairs, failed = diagnose(table, only=["controls", "failed-controls"])[::-1]
    assert pairs.answer.value == 10
    assert {(r["better"], r["worse"], r["majority"]) for r in pairs.answer.details} == {
        ("A", "B", 7)
    }
    assert failed.answer.value == 1
    assert failed.answer.details[0] == {
        "judge": "bad",
        "met": 10,
        "failed": 9,
        "failed_share": 0.9,
        "rejected": True,
    }
