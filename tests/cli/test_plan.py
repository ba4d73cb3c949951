"""`adjudge plan` on a small simulated campaign."""

import json

import pytest

from adjudge.data.table_files import write
from adjudge.simulation.campaign import simulate
from adjudge.simulation.design import Design, Judges, Tasks


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("plan") / "judgements.parquet"
    design = Design(systems=5, documents=20, tasks=Tasks(rankings=120), judges=Judges(count=8))
    write(simulate(design, seed=1).judgements, str(path))
    return path


@pytest.fixture
def run(adjudge):
    """Runs the command on few simulations."""
    return lambda *arguments: adjudge("plan", *arguments, "--simulations", "20")


def test_rows(run, file):
    rows = json.loads(run(file, "--format", "json", "--clusters", "3", "--next", "2")[1])
    kinds = [row["kind"] for row in rows]
    assert kinds == ["separation"] * 4 + ["help"] * 4 + ["size"] * 8 + ["next"] * 2
    assert set(rows[0]) == {
        "pair",
        "signature",
        "notes",
        "kind",
        "better",
        "worse",
        "difference",
        "sd",
        "comparisons",
        "probability",
        "separated",
        "more_rankings",
        "more_rankings_same",
        "holds_for",
        "unit",
        "level",
        "chance",
    }
    every = {"signature", "notes", "pair", "kind"}
    assert set(rows[4]) == {*every, "more", "times", "width"}
    assert set(rows[8]) == {*every, "more_rankings", "clusters", "chance"}
    assert set(rows[-1]) == {*every, "system_a", "system_b", "gain"}
    assert rows[-2]["gain"] >= rows[-1]["gain"]


def test_table_explains_itself(run, file):
    shown = run(file, "--clusters", "5", "--chance", "0.9")[1]
    for words in ("further rankings", "chance of 5 or more", "comparisons to ask for next"):
        assert words in shown


def test_two_systems(run, file):
    rows = json.loads(run(file, "--format", "json", "--next", "1")[1])
    names = rows[0]["better"], rows[3]["worse"]
    options = [option for name in names for option in ("--between", name)]
    (row,) = [
        row
        for row in json.loads(run(file, "--format", "json", *options)[1])
        if row["kind"] == "separation"
    ]
    assert (row["better"], row["worse"]) == names


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--between", "one"], "names two systems"),
        (["--between", "one", "--between", "two"], "no system 'one'"),
        (["--unit", "none"], "choose what the bootstrap draws"),
        (["--level", "1.5"], "between 0.5 and 1"),
    ],
)
def test_bad_requests_are_one_line(run, file, options, message):
    code, printed, complaint = run(file, *options)
    assert code == 2
    assert message in complaint
    assert complaint.count("\n") == 1
    assert not printed
