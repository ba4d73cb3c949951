"""`adjudge diagnose`: what it prints, and what it refuses."""

import json

import pytest

from adjudge.data.table_files import write
from adjudge.diagnosis.finding import FINDINGS
from adjudge.simulation.campaign import simulate
from adjudge.simulation.design import Design, Tasks

KEYS = {
    "pair", "finding", "severity", "kind", "measure", "value", "low", "high", "moved", "overturned",
    "meaning", "remedy", "signature", "notes",
}  # fmt: skip
SEVERITIES = ["warning", "note", "none", "unanswered"]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("diagnose") / "judgements.parquet"
    write(simulate(Design(tasks=Tasks(rankings=600)), 1).judgements, str(path))
    return str(path)


@pytest.fixture
def run(adjudge):
    return lambda *arguments: adjudge("diagnose", *arguments)


def test_json_has_a_row_for_every_finding_worst_first(run, file):
    code, out, _ = run(file, "--format", "json")
    rows = json.loads(out)
    assert code == 0
    assert {row["finding"] for row in rows} == set(FINDINGS)
    assert all(set(row) == KEYS for row in rows)
    order = [SEVERITIES.index(row["severity"]) for row in rows]
    assert order == sorted(order)


def test_only_gives_the_details_as_rows(run, file):
    _, out, _ = run(file, "--only", "ties", "--format", "json")
    rows = json.loads(out)
    details = [row for row in rows if row["part"] == "details"]
    assert len(details) == 12
    assert {"pair", "finding", "part", "system", "tie_share", "at_least_rank"} <= set(details[0])
    orders = [row for row in rows if row["part"] == "order"]
    assert len(orders) == 12
    assert all({"rank", "rank_after", "score", "score_after"} <= set(row) for row in orders)


def test_the_table_reads_as_findings(run, file):
    _, out, _ = run(file)
    assert f"{len(FINDINGS)} findings, the worst first" in out
    assert "what to do" in out
    assert "Who gains from rewarding ties?" not in out
    _, out, _ = run(file, "--details")
    assert "Who gains from rewarding ties?" in out


def test_another_method_is_at_stake(run, file):
    code, out, _ = run(file, "--method", "wmt-official", "--only", "contradicted")
    assert code == 0
    assert "by at-least-others" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--only", "sped"], "--only cannot be 'sped'; did you mean 'speed'? There are: "),
        (["--method", "block-sole"], "does not rank from win counts; choose expected-wins"),
        (["--trusted", "experts", "--only", "controls"], "no group 'experts'"),
    ],
)
def test_what_is_refused(run, file, arguments, said):
    code, out, err = run(file, *arguments)
    assert code == 2
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
