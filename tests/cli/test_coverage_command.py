"""`adjudge coverage`, on few small campaigns."""

import json

import pytest

from adjudge.simulation.coverage import SITUATIONS, UNITS


@pytest.fixture
def run(adjudge):
    def run(*options: str) -> str:
        answer = adjudge("coverage", "--campaigns", "2", "--replicates", "20", *options)
        assert answer.code == 0, answer.err
        return answer.out

    return run


def test_one_row_for_every_situation_and_unit(run):
    rows = json.loads(run("--format", "json"))
    assert {(row["situation"], row["unit"]) for row in rows} == {
        (name, unit) for name in SITUATIONS for unit in UNITS
    }
    assert all(0 <= row["covered"] <= 1 and row["width"] > 0 for row in rows)


def test_people_see_a_row_for_every_situation(run):
    text = run()
    assert all(name in text for name in SITUATIONS)
    assert "2 simulated campaigns a row" in text
