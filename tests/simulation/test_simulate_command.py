"""`adjudge simulate` writes judgements and their truth, or says what to mend."""

import errno
import json
from pathlib import Path

import pytest

from adjudge.core.files import output
from adjudge.data.table_files import read
from adjudge.simulation.campaign import simulate
from adjudge.simulation.design import Design, Judges, Tasks

SMALL = ["--rankings", "90", "--judges", "5", "--systems", "6", "--documents", "10"]


@pytest.mark.parametrize("name", ["out.jsonl.gz", "out.parquet"])
def test_judgements_and_truth_are_those_of_the_library(name: str, tmp_path: Path, adjudge) -> None:
    path = tmp_path / name
    answer = adjudge("simulate", "-o", path, *SMALL, "--seed", "7", "--format", "json")
    assert answer.code == 0, answer.err
    campaign = simulate(
        Design(systems=6, documents=10, tasks=Tasks(rankings=90), judges=Judges(count=5)), 7
    )
    assert read(str(path)).equals(campaign.judgements)
    truth = json.loads((tmp_path / "out.truth.json").read_text())
    assert truth == json.loads(json.dumps(campaign.truth.to_json()))
    assert [row["system"] for row in truth["systems"]] == list(campaign.truth.systems)
    assert truth["seed"] == 7
    assert truth["simulated"] is True
    rows = json.loads(answer.out)
    assert {row["system"]: row for row in rows} == {row["system"]: row for row in truth["systems"]}
    wins = [row["expected_wins"] for row in rows]
    assert wins == sorted(wins, reverse=True)


def test_options_reach_the_design(tmp_path: Path, adjudge) -> None:
    path = str(tmp_path / "a.jsonl")
    options = ["--block", "3", "--careless", "0.4", "--biased", "0.5", "--repeats", "0.2"]
    more = ["--pool", "0", "--identical", "0", "--document-effect", "0.3", "--reference"]
    assert adjudge("simulate", "-o", path, *SMALL, *options, *more).code == 0
    design = json.loads((tmp_path / "a.truth.json").read_text())["design"]
    chosen = {name: design[name] for name in ("identical", "document_effect", "reference")}
    assert chosen == {"identical": 0, "document_effect": 0.3, "reference": True}
    tasks, judges = design["tasks"], design["judges"]
    assert (tasks["block"], tasks["repeats"], tasks["pool"]) == (3, 0.2, 0)
    assert (judges["count"], judges["careless"], judges["preference"]) == (5, 0.4, 0.5)
    assert "_ref" in read(path)["output"].to_list()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["-o", "{}/a.unknown"], "--to"),
        (["-o", "-"], "name a file"),
        (["-o", "{}/none/a.jsonl"], "make it first"),
        (["-o", "{}/a.jsonl", "--systems", "4", "--block", "5"], "show fewer outputs"),
        (["-o", "{}/a.jsonl", "--careless", "2"], "share from 0 to 1"),
        (["-o", "{}/a.jsonl", "--seed", "-1"], "give 0 or more"),
        (["-o", "{}/a.csv"], "--to wmt-pairwise"),  # it cannot hold shared outputs
    ],
)
def test_what_cannot_be_is_one_line_and_leaves_nothing(
    wrong: list[str], said: str, tmp_path: Path, adjudge
) -> None:
    answer = adjudge("simulate", *(word.format(tmp_path) for word in wrong))
    assert answer.code == 2
    assert said in answer.err
    assert answer.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_leaves_neither_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, adjudge
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = str(tmp_path / "a.jsonl")
    monkeypatch.setattr(output.os, "fsync", full)
    answer = adjudge("simulate", "-o", path, *SMALL)
    assert answer.code == 2
    assert "cannot be written (No space left on device)" in answer.err
    assert list(tmp_path.iterdir()) == []
