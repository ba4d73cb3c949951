"""Headline, table, plan, figures and diagnosis of one page say the same."""

import json
import re

import pytest

import adjudge as door
from adjudge.simulation import Design, Judges, Tasks, simulate


@pytest.fixture(scope="module")
def pages(tmp_path_factory, request):
    """A simulated campaign, and a real pair where there is one."""
    folder = tmp_path_factory.mktemp("one-source")
    design = Design(
        systems=6,
        documents=15,
        qualities=(0.9, 0.5, 0.45, 0.0, -0.05, -0.9),
        tasks=Tasks(rankings=400),
        judges=Judges(count=8),
    )
    path = str(folder / "judged.jsonl")
    from adjudge.judgements import write

    write(simulate(design, seed=3).judgements, path)
    return path


def summary(page):
    found = re.search(r'<script type="application/json" id="summary">(.*?)</script>', page, re.S)
    return json.loads(found[1])["pairs"][0]


def agree(path, folder, **chosen):
    judgements = door.read(path)
    if chosen:
        judgements = judgements.select(**chosen)
    ranking = judgements.rank()
    page = folder / "page.html"
    judgements.report(str(page))
    pair = summary(page.read_text())
    tables, words = pair["tables"], pair["answer"]
    clusters = int(ranking.cluster.max())
    assert max(row["cluster"] or 0 for row in tables["ranking"]) == clusters
    assert tables["sizes"][0]["more_rankings"] == 0
    assert tables["sizes"][0]["clusters"] == clusters
    said = re.search(r"in (\d+) clusters", words)
    assert int(said[1]) == clusters if said else clusters in (1, int(ranking.placed.sum()))
    assert ranking.holds_for in words
    place = {name: i for i, name in enumerate(ranking.systems)}
    for row in tables["separations"]:
        a, b = place[row["better"]], place[row["worse"]]
        assert row["separated"] == bool(ranking.told_apart[a, b])
        assert row["probability"] == pytest.approx(ranking.better[a, b])
    for name, columns in (("scores", ("score", "low", "high")), ("ranking", ("low", "high"))):
        for row in tables[name]:
            i = place[row["system"]]
            for column in columns:
                array = ranking.scores if column == "score" else getattr(ranking, column)
                assert row[column] == pytest.approx(array[i])
    tests = {
        (row["system_a"], row["system_b"]): row["p"]
        for row in judgements.compare().to_frame().to_dicts()
    }
    finding = next(row for row in tables["diagnosis"] if row["finding"] == "multiple-testing")
    significant = sum(p <= 0.05 for p in tests.values())
    assert finding["meaning"].startswith(f"{significant} of {len(tests)} pairs differ")
    return pair


def test_of_a_simulated_campaign(pages, tmp_path):
    pair = agree(pages, tmp_path)
    assert "times as many rankings of the same judges and documents" in pair["answer"]


def test_of_a_real_language_pair(shared_data, tmp_path):
    agree(str(shared_data / "wmt15/wmt15.xml.gz"), tmp_path, pair="eng-fin")


def test_intervals_of_another_unit_are_what_the_note_says(pages):
    """No note promises how wide the intervals of another unit would be."""
    notes = " ".join(door.read(pages).rank(unit="ranking", replicates=50).notes)
    assert "times as wide" not in notes
