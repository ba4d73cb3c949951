"""`adjudge campaign`, as an organiser runs it."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a small test set."""
    (tmp_path / "src.txt").write_text("".join(f"sentence {n}\n" for n in range(6)))
    (tmp_path / "ref.txt").write_text("".join(f"Satz {n}\n" for n in range(6)))
    for system in "ABC":
        lines = (f"Satz {n} von {system}\n" for n in range(6))
        (tmp_path / f"{system}.txt").write_text("".join(lines))
    (tmp_path / "docs.tsv").write_text("d1\nd1\nd1\nd2\nd2\nd2\n")
    return tmp_path


@pytest.fixture
def run(adjudge_process):
    """Runs a command in a folder, in a process of its own."""

    def run(folder: Path, *words: str):
        return adjudge_process("campaign", *words, folder=folder)

    return run


CREATE = ["create", "test", "--source", "src.txt", "--reference", "ref.txt", "--pair", "en-de"]
CREATE += ["--system", "A=A.txt", "--system", "B=B.txt", "--system", "C=C.txt"]


def test_from_text_files_to_a_campaign_and_back(files: Path, run) -> None:
    made = run(files, *CREATE, "--documents", "docs.tsv", "--set", "block=3", "--set", "run=2")
    assert made.code == 0, made.err
    assert "Campaign test (en-de): 3 systems, 6 segments in 2 documents." in made.out
    invite = ("invite", "test", "--own-system", "A", "--format", "json")
    links = run(files, *invite, "Ann", "Bob", "--site", "https://judge.example.org/")
    rows = json.loads(links.out)
    assert [row["judge"] for row in rows] == ["Ann", "Bob"]
    assert all(row["link"].startswith("https://judge.example.org/j/") for row in rows)
    (again,) = json.loads(run(files, *invite, "Ann", "--replace").out)
    assert again["link"].startswith("https://judge.example.org/j/"), "the address is remembered"
    tokens = [row["link"].rstrip("/").rpartition("/")[2] for row in rows]
    stored = (files / "adjudge.sqlite3").read_bytes()
    assert not any(token.encode() in stored for token in tokens)
    status = json.loads(run(files, "status", "test", "--format", "json").out)
    assert (status[0]["campaign"], status[0]["segments"], status[0]["judges"]) == ("test", 6, 2)
    assert [(row["judge"], row["quota"]) for row in status[1:]] == [("Ann", 300), ("Bob", 300)]
    assert run(files, "backup", "-o", "all.jsonl.gz").code == 0
    restored = run(files, "restore", "all.jsonl.gz", "--database", "copy.sqlite3")
    assert restored.code == 0, restored.err
    assert "closed" in run(files, "close", "test", "--database", "copy.sqlite3").out


def test_empty_outputs_are_counted_and_refused_unless_allowed(files: Path, run) -> None:
    (files / "A.txt").write_text("Satz\n\n \t\n\u00a0\n\nSatz\n")
    (files / "C.txt").write_text("\nSatz\nSatz\nSatz\nSatz\nSatz\n")
    refused = run(files, *CREATE)
    assert refused.code == 2
    assert (
        "judges would have to score empty outputs: A 4 (lines 2, 3, 4, …); C 1 (line 1); fill "
        "them in, or allow them: --allow-empty"
    ) in " ".join(refused.err.split())
    assert not (files / "adjudge.sqlite3").exists()
    made = run(files, *CREATE, "--allow-empty")
    assert made.code == 0, made.err
    assert "3 systems, 6 segments" in made.out


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["--set", "block=9"], "block is 9; choose from 2 to 6"),
        (["--set", "block=x"], "--set block: 'x' is no number"),
        (["--set", "blocks=5"], "no design value 'blocks'"),
        (["--system", "D"], "--system 'D' is not NAME=FILE"),
        (["--system", "A=B.txt"], "--system A is given twice"),
        (["--system", "D=nowhere.txt"], "nowhere.txt: no such file"),
        (["--pair", "ende"], "no language pair; write it like en-de"),
        (["--testset", "x"], "give --source and --system files, or one --testset"),
        (["--protocol", "guess"], "--protocol cannot be 'guess'; there are: "),
        (["--protocol", "ranking", "--protocol", "pairwise:5"], "say how many screens a batch has"),
        (["--tutorial", "docs.tsv"], "docs.tsv: line 1: is not valid JSON"),
        (["--documents", "A.txt", "--instructions", "nowhere.md"], "nowhere.md: no such file"),
    ],
)
def test_bad_input_is_one_line_and_no_campaign(
    sqlite: str,
    files: Path,
    adjudge,
    changes: list[str],
    message: str,
) -> None:
    from adjudge.campaigns.models import Campaign

    told = adjudge("campaign", *CREATE, *changes, folder=files)
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert message in told.err
    assert not Campaign.objects.exists()


def test_a_missing_database_is_not_made(files: Path, run) -> None:
    failed = run(files, "backup", "-o", "x.jsonl")
    assert (failed.code, failed.err.count("\n")) == (2, 1)
    assert "create a campaign first" in failed.err
    assert not list(files.glob("*.sqlite3*"))
    assert not (files / "x.jsonl").exists()
    other = run(files, "status", "--database", "mysql://somewhere")
    assert (other.code, "no database engine 'mysql'" in other.err) == (2, True)


@pytest.mark.parametrize(
    "words",
    [
        (*CREATE, "--owner", "nobody"),
        (*CREATE, "--protocol", "segments", "--trees", "A.txt"),
        ("restore", "A.txt"),
        ("organiser", " "),
    ],
)
def test_a_refused_command_leaves_no_new_database(files: Path, run, words) -> None:
    before = sorted(files.iterdir())
    refused = run(files, *words)
    assert (refused.code, refused.err.count("\n")) == (2, 1), refused.err
    assert sorted(files.iterdir()) == before


def test_a_refused_command_keeps_a_database_that_was_there(files: Path, run) -> None:
    assert run(files, *CREATE).code == 0
    assert run(files, *CREATE).code == 2
    assert run(files, "status", "test").code == 0


def test_a_mixed_campaign_with_a_tutorial(files: Path, run) -> None:
    item = {"protocol": "pairwise", "outputs": ["a", "b"], "answer": {"choice": "first"}}
    wrong = {**item, "answer": {"choice": "third"}}
    (files / "practice.json").write_text(json.dumps([item, wrong]))
    mixed = ["--protocol", "ranking:2", "--protocol", "pairwise:4", "--tutorial", "practice.json"]
    refused = run(files, *CREATE, *mixed)
    assert refused.code == 2
    assert refused.err.startswith("adjudge: practice.json: item 2: its answer is refused: ")
    (files / "practice.json").write_text(json.dumps([item]))
    made = run(files, *CREATE, *mixed)
    assert made.code == 0, made.err
    assert run(files, "invite", "test", "Ann", "--protocol", "pairwise").code == 0
    unknown = run(files, "invite", "test", "Bob", "--protocol", "segments")
    assert "test has no protocol 'segments'; it has: ranking, pairwise" in unknown.err
    status = json.loads(run(files, "status", "test", "--format", "json").out)
    assert [row["kind"] for row in status] == ["campaign", "protocol", "protocol", "judge"]
    assert [(row["protocol"], row["screens"]) for row in status[1:3]] == [
        ("ranking", 2),
        ("pairwise", 4),
    ]
