"""The part of a report on short segments, and the figure of nearest candidates."""

import json
import re
from pathlib import Path

import polars as pl
import pytest

import adjudge as door
from adjudge.core.errors import NotEnoughData
from adjudge.data.outputs import join_systems
from adjudge.report.drawing.theme import DARK, LIGHT
from adjudge.report.result_figures.closest_ranks import FIGURE

pytestmark = pytest.mark.slow

QUICK = ("--replicates", "50", "--runs", "2", "--workers", "1")
# What four systems wrote: A and B the same, C one letter off, D something else.
MADE = (("A B", 1, "ein rotes Boot {}"), ("C", 3, "ein rotes Bot {}"), ("D", 2, "es war {} kalt"))
ONCE = (("A", 1, "ein rotes Boot"), ("B", 4, "ein rotes Boot!"), ("C", 3, "ein rotes Bot"))


@pytest.fixture(scope="module")
def database() -> door.Segments:
    """25 sentences with two segments each; the words between them are in none."""
    rows = [
        {
            "pair": "en-de",
            "protocol": "segments",
            "segment": f"{sentence}:{first},{first + 1}",
            "ranking": 2 * sentence + (first > 0),
            "judge": f"judge {sentence % 3}",
            "output": join_systems(systems.split()),
            "rank": rank if (sentence + first) % 4 or rank == 4 else 4 - rank,
            "source": "a red boat <sank> here",
            "text": text.format(f"{sentence}{first}" if systems == "D" else ""),
        }
        for sentence in range(1, 26)
        for first in (0, 3)
        for systems, rank, text in (ONCE if (sentence, first) == (1, 0) else MADE)
    ]
    return door.from_rankings(pl.DataFrame(rows)).segments()


@pytest.fixture(scope="module")
def written(database, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("segments")
    database.judgements.write(str(folder / "judged.jsonl"))
    return folder


def test_examples_are_hit_near_and_miss(adjudge, written):
    done = adjudge("report", "judged.jsonl", *QUICK, "-o", "report.html", folder=written)
    assert done.code == 0, done.err
    page = (written / "report.html").read_text()
    for match, sign in (("hit", "✓"), ("near", "≈"), ("miss", "✗")):
        assert re.search(rf'<mark class="{match}">(a red|&lt;sank&gt; here) {sign}</mark>', page)
    (chapter,) = json.loads(re.search(r'id="summary">(.*?)</script>', page)[1])["pairs"]
    tables = chapter["tables"]
    examples = tables["segments-examples"]
    others = [row for row in examples if row["sentence"] != "1"]
    expected = {"A": "hit", "B": "hit", "C": "near", "D": "miss"}
    assert {row["system"]: row["match"] for row in others} == expected
    assert all((row["distance"] == 0) == (row["match"] == "hit") for row in examples)
    left_out = {row["left_out"]: row["hit_rate"] for row in tables["segments-exact"]}
    assert left_out == {"A": 0.98, "B": 0.98, "C": 0.0, "D": 0.0}
    known = {row["system"]: row["score"] for row in tables["segments-ranking"]}
    assert known.keys() == left_out.keys()
    assert all(row["low"] < row["score"] < row["high"] for row in tables["segments-ranking"])


def test_other_forms_have_it_as_tables(adjudge, written):
    done = adjudge("report", "judged.jsonl", *QUICK, "--format", "markdown", folder=written)
    assert done.code == 0, done.err
    assert "rank by the nearest" in done.out
    assert "taken for unseen, exact matching" in done.out


def test_judgements_of_sentences_have_no_such_part(adjudge, tmp_path):
    door.simulate(systems=3, rankings=60, seed=1).write(str(tmp_path / "judged.jsonl"))
    done = adjudge("report", "judged.jsonl", *QUICK, "--format", "markdown", folder=tmp_path)
    assert done.code == 0, done.err
    assert "hort segments" not in done.out


def test_segments_that_nobody_tells_apart_are_named(adjudge, tmp_path, database):
    table = database.judgements.table
    equal = table.filter(pl.col("output").cast(pl.String) != "C").with_columns(rank=pl.lit(1))
    door.from_rankings(equal).write(str(tmp_path / "equal.jsonl"))
    done = adjudge("segments", "rank", "equal.jsonl", folder=tmp_path)
    assert done.code == 2
    assert "is neither better nor worse than another system in any segment" in done.err
    info = adjudge("segments", "database", "equal.jsonl", "--format", "json", folder=tmp_path)
    assert json.loads(info.out)[0]["all_equal"] == 50


def test_the_figure(database, tmp_path):
    closest = database.closest()
    closest.plot().save(str(tmp_path / "nearest.svg"))
    text = (tmp_path / "nearest.svg").read_text()
    assert "candidates that no other system made" in text
    for theme in (LIGHT, DARK):
        sheet = FIGURE.draw(closest.parts, theme)
        said = [words.text for words in sheet.words]
        assert {"C", "D", "worse", "equal", "better"} <= set(said)
        assert "98 %" in said
        for words in sheet.words:
            assert 0 <= words.x <= sheet.width
            assert 0 <= words.y <= sheet.height
    alt = FIGURE.alt(closest.parts)
    assert alt.startswith("The nearest candidate's rank beside the true one, from distance 1 to")


def test_a_figure_of_too_little(adjudge, tmp_path):
    example = Path(__file__).parents[2] / "docs" / "examples" / "segments.jsonl"
    with pytest.raises(NotEnoughData, match="fewer than two distances have 20 candidates"):
        door.read(str(example)).segments().closest().plot().save(str(tmp_path / "none.svg"))
    refused = adjudge("segments", "closest", example, "--figure", tmp_path / "none.svg")
    assert refused.code == 2
    assert not (tmp_path / "none.svg").exists()
