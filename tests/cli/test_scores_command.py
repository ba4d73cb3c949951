"""`adjudge scores`, and scores given to the commands for rankings."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import adjudge
from adjudge.data.score_table import score_table
from adjudge.data.table_files import write


@pytest.fixture
def run(adjudge):
    """What a command that succeeds prints."""

    def run(*arguments: str) -> str:
        answer = adjudge(*arguments)
        assert answer.code == 0, answer.err
        return answer.out

    return run


@pytest.fixture
def scored(tmp_path: Path) -> str:
    """Four judges, three systems, two scales."""
    rng = np.random.default_rng(1)
    rows = [
        {
            "pair": "en-cs",
            "segment": str(segment),
            "item": segment * 4 + judge,
            "judge": f"j{judge}",
            "output": output,
            "scale": scale,
            "score": float(np.clip(base + rng.integers(-1, 2), 1, 5)),
        }
        for segment in range(30)
        for judge in range(4)
        for output, base in (("A", 4), ("B", 3), ("C", 2))
        for scale in ("adequacy", "fluency")
    ]
    path = str(tmp_path / "scores.jsonl")
    write(score_table(pl.DataFrame(rows)), path)
    return path


def test_rows_of_every_kind(scored: str, run) -> None:
    rows = json.loads(run("scores", scored, "--format", "json", "--replicates", "100"))
    kinds = {
        kind: [row for row in rows if row["kind"] == kind]
        for kind in ("system", "systems", "agreement")
    }
    assert [len(found) for found in kinds.values()] == [6, 6, 8]
    first = kinds["system"][0]
    assert (first["scale"], first["system"], first["rank"], first["cluster"]) == (
        "adequacy",
        "A",
        1,
        1,
    )
    assert (first["normalisation"], first["unit"], first["replicates"]) == (
        "raw",
        "judge+segment",
        100,
    )
    assert first["rank_low"] == first["rank_high"] == 1
    assert kinds["systems"][0]["better"] > 0.999
    assert kinds["systems"][0]["p"] < 0.001
    agreement = kinds["agreement"][0]
    assert (agreement["of"], agreement["between"], agreement["p_e"]) == ("values", "inter", 0.2)


def test_one_scale_as_a_table(scored: str, run) -> None:
    text = run("scores", scored, "--scale", "fluency", "--normalise", "wmt07", "--unit", "judge")
    assert "en-cs, fluency: scores as places among the judge's own" in text
    assert "adequacy" not in text
    assert "replicates of judges" in text


def test_scores_can_be_ranked_and_converted(scored: str, tmp_path: Path, run) -> None:
    ranked = json.loads(run("rank", scored, "--format", "json", "--replicates", "20"))
    assert [row["system"] for row in ranked if row["pair"] == "en-cs adequacy"] == ["A", "B", "C"]
    target = str(tmp_path / "ranks.jsonl")
    run("convert", scored, "-o", target)
    again = json.loads(run("rank", target, "--format", "json", "--replicates", "20"))
    for row in (*ranked, *again):
        assert row.pop("signature").startswith("adjudge:rank|")
    said = {row.pop("notes") for row in (*ranked, *again)}
    assert any("Made from scores" in (note or "") for note in said)
    assert again == ranked


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--scale", "flow"], "no scale 'flow' in the judgements; there are: adequacy, fluency"),
        (["--unit", "document"], "no document is known"),
        (["--system", "Z"], "no system 'Z'"),
    ],
)
def test_what_cannot_be_answered_is_said(
    scored: str, options: list[str], said: str, adjudge
) -> None:
    answer = adjudge("scores", scored, *options)
    assert answer.code == 2
    assert said in answer.err


def adjudge_again(signature: str, file: str, place: Path) -> Path:
    adjudge.again(signature, file, path=str(place), title="A & B")
    return place


@pytest.mark.parametrize("name", ["report.md", "report.html", "report.tex"])
def test_scores_are_reported_as_scores(run, scored: str, tmp_path: Path, name: str) -> None:
    """The report has the very rows of `adjudge scores`, and can be made again."""
    place = tmp_path / name
    quick = ("--replicates", "50")
    run("report", scored, "-o", str(place), *quick, "--title", "A & B")
    text = place.read_text()
    assert "expected-wins" not in text
    assert "A &amp; B" in text or r"A \& B" in text or "# A & B" in text
    if name.endswith(".html"):
        data = json.loads(text.split('id="summary">')[1].split("</script>")[0])
        rows = [row for table in data["pairs"][0]["tables"].values() for row in table]
        systems = json.loads(run("scores", scored, *quick, "-f", "json"))
        expected = {(r["scale"], r["system"]): r["score"] for r in systems if r["kind"] == "system"}
        found = {(r["scale"], r["system"]): r["score"] for r in rows if r["kind"] == "system"}
        assert found == pytest.approx(expected)
        again = adjudge_again(data["signature"], scored, tmp_path / "again.html")
        assert again.read_text().split("Signature")[0] == text.split("Signature")[0]


def test_a_report_on_scores_takes_no_options_for_rankings(adjudge, scored: str) -> None:
    done = adjudge("report", scored, "-f", "markdown", "--method", "win-ratio")
    assert done.code == 2
    assert "scores are reported as scores, for which there is no --method" in done.err


def test_rankings_made_from_scores_say_so(run, scored: str) -> None:
    for command in ("rank", "compare", "info"):
        assert "Made from scores: of two outputs of a segment" in run(command, scored)
    assert "Made from scores" not in run("scores", scored)


def test_one_score_a_system(adjudge, tmp_path: Path) -> None:
    file = tmp_path / "en-de.mqm.sys.score"
    file.write_text("A\t1\nB\t2\n")
    done = adjudge("scores", file)
    assert done.code == 2
    assert "one score a system cannot say how sure it is; give the scores of segments" in done.err
