"""`adjudge understandability`, as a user runs it."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from adjudge.data.edit_table import edit_table
from adjudge.data.table_files import write


@pytest.fixture
def campaign(tmp_path: Path) -> str:
    """Two systems, twelve segments, every edit reviewed by two; one segment edited twice."""
    rows: list[dict[str, Any]] = []
    for system, good in (("better", 10), ("worse", 3)):
        for segment in range(12):
            about = {"pair": "en-cs", "segment": f"{segment}", "output": system, "document": "d"}
            about |= {"reference": "official"}
            number = len(rows) + 1
            editor = "both" if segment == 0 else f"editor of {system}"
            rows.append(
                about
                | {"protocol": "blind-edit", "item": number, "judge": editor}
                | {"edit": f"{system} {segment}", "group": "monolingual"}
            )
            for reviewer in (1, 2):
                accepted = segment < good
                rows.append(
                    about
                    | {"protocol": "review", "item": len(rows) + 1, "judge": f"r{reviewer}"}
                    | {"reviewed": number, "verdict": "yes" if accepted else "no"}
                    | {"edit": None if accepted else f"by {reviewer}", "group": "bilingual"}
                )
    path = str(tmp_path / "edits.jsonl")
    write(edit_table(pl.DataFrame(rows, infer_schema_length=None)), path)
    return path


@pytest.fixture
def run(adjudge):
    """What the command prints."""

    def run(*arguments: str) -> str:
        answer = adjudge("understandability", "--replicates", "100", *arguments)
        assert answer.code == 0, answer.err
        return answer.out

    return run


@pytest.fixture
def rows(run):
    """The rows of one kind."""

    def rows(kind: str, *arguments: str) -> list[dict[str, Any]]:
        found = json.loads(run(*arguments, "--format", "json"))
        return [row for row in found if row["kind"] == kind]

    return rows


def test_systems(campaign: str, rows) -> None:
    better, worse = rows("system", campaign)
    assert (better["system"], better["good"], better["rows"]) == ("better", 20, 24)
    assert better["understandable"] == pytest.approx(20 / 24)
    # The editor of segment 0 had seen it before.
    assert (worse["good"], worse["rows"], worse["edits"]) == (4, 22, 11)
    assert rows("system", campaign, "--repeated")[1]["rows"] == 24


def test_every_kind_of_row_is_there(campaign: str, rows) -> None:
    assert rows("pair", campaign)[0]["edits_least"] == 11
    assert [row["rows"] for row in rows("occurrence", campaign)] == [46, 2, 48]
    assert rows("agreement", campaign)[0]["comparable"] == 24
    assert sum(row["segments"] for row in rows("references", campaign)) == 12


def test_a_table_for_people(campaign: str, run) -> None:
    shown = run(campaign)
    holds_for = "for other reviewers and segments like these, by these 3 editors, of this document"
    assert f"en-cs: understandability, {holds_for} (variance of " in shown
    assert "better has 24 rows only" in run(campaign, "--unit", "row")


def test_choosing_what_counts(campaign: str, rows) -> None:
    (only,) = rows("system", campaign, "--system", "worse")
    assert only["rows"] == 22  # what is repeated stays repeated
    chosen = rows("system", campaign, "--without-judge", "r1")
    assert [row["rows"] for row in chosen] == [12, 11]
    both = rows("system", campaign, "--group", "monolingual", "--group", "bilingual")
    for row in both:
        assert "monolingual" in row.pop("signature")
    every = rows("system", campaign)
    assert both == [{key: row[key] for key in row if key != "signature"} for row in every]


def test_references_are_written(campaign: str, tmp_path: Path, run) -> None:
    path = tmp_path / "references.tsv"
    run(campaign, "--references", str(path))
    lines = [line.split("\t") for line in path.read_text().splitlines()]
    assert lines[0] == ["pair", "document", "segment", "status", "reference"]
    assert lines[1:3] == [
        ["en-cs", "d", "0", "GOOD", "better 0"],
        ["en-cs", "d", "0", "GOOD", "worse 0"],
    ]
    assert [line[2] for line in lines[-2:]] == ["11", "11"]


def test_judgements_are_refused(tmp_path: Path, adjudge) -> None:
    path = tmp_path / "ranks.jsonl"
    path.write_text('{"pair":"x","ranking":1,"systems":["a"],"rank":1}\n')
    answer = adjudge("understandability", path)
    assert answer.code == 2
    assert "holds judgements, not edits; give it to `adjudge rank`" in answer.err
