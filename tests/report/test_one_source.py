"""Headline, table, plan, figures and diagnosis of one page say the same."""

import json
import re

import pytest

import adjudge as door
from adjudge.simulation.campaign import simulate
from adjudge.simulation.design import Design, Judges, Tasks


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
    from adjudge.data.table_files import write

    write(simulate(design, seed=3).judgements, path)
    return path


def summary(page):
    found = re.search(r'<script type="application/json" id="summary">(.*?)</script>', page, re.S)
    return json.loads(found[1])["pairs"][0]


def agree(judgements, folder, **asked):
    """The report, made as asked, says what the ranking says; its summary of the pair."""
    page = folder / "page.html"
    judgements.report(str(page), **asked)
    return agrees(page.read_text(), judgements, **asked)


def agrees(page, judgements, **asked):
    """The page says what the ranking of the judgements, made as asked, says."""
    ranking = judgements.rank(**asked)
    pair = summary(page)
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
    for row in tables["better"]:
        a, b = place[row["system"]], place[row["other"]]
        assert row["better"] == pytest.approx(ranking.better[a, b])
    chances = {row["system"]: row for row in tables["rank-distribution"]}
    for system, row in chances.items():
        likely = [int(key.removeprefix("rank_")) for key, share in row.items() if share == 1]
        low, high = (getattr(ranking, end)[place[system]] for end in ("rank_low", "rank_high"))
        assert all(low <= rank <= high for rank in likely)
    influence = next(row for row in tables["diagnosis"] if row["finding"] == "one-judge")
    become = re.search(r"(\d+) clusters? becomes?", influence["meaning"])
    assert become is None or int(become[1]) == clusters
    tests = {
        (row["system_a"], row["system_b"]): row["p"]
        for row in judgements.compare().to_frame().to_dicts()
    }
    finding = next(row for row in tables["diagnosis"] if row["finding"] == "multiple-testing")
    significant = sum(p <= 0.05 for p in tests.values())
    assert finding["meaning"].startswith(f"{significant} of {len(tests)} pairs differ")
    return pair


def test_of_a_simulated_campaign(pages, tmp_path):
    pair = agree(door.read(pages), tmp_path)
    assert "times as many rankings of the same judges and documents" in pair["answer"]


@pytest.mark.slow
@pytest.mark.parametrize("asked", [{"unit": "ranking", "replicates": 200}, {"method": "davidson"}])
def test_of_another_unit_or_method(pages, tmp_path, asked):
    agree(door.read(pages), tmp_path, **asked)


def test_of_the_demonstration(pages, tmp_path):
    """What it prints are the tables of the ranking and the agreement, its page the report."""
    from adjudge.web.demo.results import result_tables, write_report_page

    judgements = door.read(pages)
    tables = [*judgements.rank().tables, *judgements.agreement().tables]
    shown = [(table.title, list(table.rows), table.notes) for table in result_tables(pages)]
    assert shown == [(table.title, list(table.rows), table.notes) for table in tables]
    write_report_page(pages, str(tmp_path / "page.html"), "Demo")
    agrees((tmp_path / "page.html").read_text(), judgements)


def test_of_a_real_language_pair(shared_data, tmp_path):
    judgements = door.read(str(shared_data / "wmt15/wmt15.xml.gz"))
    agree(judgements.select(pair="eng-fin"), tmp_path)


def test_intervals_of_another_unit_are_what_the_note_says(pages):
    """No note promises how wide the intervals of another unit would be."""
    notes = " ".join(door.read(pages).rank(unit="ranking", replicates=50).notes)
    assert "times as wide" not in notes


def test_diagnosis_takes_the_unit_and_the_rule_of_the_ranking(pages):
    """Fewer pairs are settled for other judges and documents than for other rankings."""
    from adjudge.data.table_files import read
    from adjudge.report.analysis import Settings, analyse

    settled = {}
    for unit, ranges in (("auto", "auto"), ("ranking", "wmt13")):
        settings = Settings(unit=unit, ranges=ranges, replicates=100)
        (analysis,) = analyse(read(pages), settings)
        told_apart = analysis.evidence.told_apart
        settled[unit] = int(told_apart.sum())
        assert settled[unit] == int(analysis.ranking.told_apart.sum())
    assert settled["auto"] < settled["ranking"]
