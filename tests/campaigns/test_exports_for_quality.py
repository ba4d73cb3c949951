"""What a campaign exports is data for quality estimation, without a script between."""

import json

import pytest

from adjudge.quality.reading import read_quality
from adjudge.quality.tasks.editing_time import editing_time_task
from adjudge.quality.tasks.scoring import scoring_task
from adjudge.quality.tasks.selection import selection_task
from adjudge.quality.tasks.words import word_task

pytestmark = pytest.mark.slow


@pytest.fixture
def exported(made_texts, tmp_path, sqlite, adjudge):
    """`exported(protocol)` is the table of translations of a campaign with simulated judges."""
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.setup.creation import create_campaign

    def export(protocol):
        texts = made_texts(segments=12, systems=3)
        campaign = create_campaign("one", texts, design_named("wmt07"), protocols=[protocol])
        simulate_judges(campaign, lambda _, systems, __: "CBA".index(systems[0][-1]), answers=30)
        path = tmp_path / "one.jsonl"
        told = ("campaign", "export", "one", "-o", path, "--database", sqlite)
        answer = adjudge(*told)
        assert answer.code == 0, answer.err
        return read_quality([str(path)]).table

    return export


def test_rankings_are_candidates(exported):
    task = selection_task(exported("ranking"))
    better, worse = task.untied
    assert len(better) > 10
    assert task.table["target"].str.starts_with("translation ").all()
    wins = [
        (task.table["system"][int(a)], task.table["system"][int(b)])
        for a, b in zip(better, worse, strict=True)
    ]
    assert wins.count(("systemA", "systemC")) > wins.count(("systemC", "systemA"))


def test_direct_assessment_is_a_number(exported):
    task = scoring_task(exported("direct-assessment"))
    assert task.quantity.name == "direct-assessment"
    assert len(task) == len(task.table.unique(["segment", "system"]))  # means over judges
    assert task.table["source"].null_count() == 0


def test_edits_are_hter_labels_and_seconds(exported):
    table = exported("blind-edit")
    timed = editing_time_task(table)
    assert (timed.gold > 0).all()
    assert timed.translators
    scored = scoring_task(table, "hter")
    unchanged = table["target"] == table["post_edit"]
    assert (scored.gold[unchanged.to_numpy()] == 0).all()
    assert len(word_task(table).gold) == sum(len(text.split()) for text in table["target"])


@pytest.fixture
def demo_export(tmp_path, sqlite, adjudge):
    """`demo_export(protocol)` is the file that a campaign on the demo corpus exports."""
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.web.demo.corpus import corpus, quality

    def export(protocol):
        campaign = create_campaign("demo", corpus(), design_named("wmt07"), protocols=[protocol])
        simulate_judges(campaign, quality, answers=150)
        path = tmp_path / "demo.jsonl"
        answer = adjudge("campaign", "export", "demo", "-o", path, "--database", sqlite)
        assert answer.code == 0, answer.err
        return path

    return export


@pytest.mark.parametrize(
    ("protocol", "how", "evaluated", "measure"),
    [
        ("ranking", (), (), "tau_penalised"),
        ("direct-assessment", ("--learner", "elastic-net"), (), "delta_avg"),
        ("blind-edit", ("--task", "time", "--learner", "pls"), ("--task", "time"), "mae"),
        ("blind-edit", ("--predict", "hter", "--learner", "pls"), ("--predict", "hter"), "mae"),
        ("blind-edit", ("--task", "words"), (), "macro_f1"),
    ],
)
def test_from_a_campaign_to_a_model_by_commands(
    demo_export, adjudge, tmp_path, protocol, how, evaluated, measure
):
    data, model, predicted = demo_export(protocol), tmp_path / "m.adjudge", tmp_path / "p.tsv"
    feature = "word" if "words" in how else "counts"
    for told in (
        ("train", data, "-o", model, "--feature", feature, *how),
        ("predict", model, data, "-o", predicted),
    ):
        answer = adjudge("quality", *told)
        assert answer.code == 0, answer.err
    answer = adjudge(
        "quality", "evaluate", data, predicted, *evaluated, "--replicates", "20", "-f", "json"
    )
    assert answer.code == 0, answer.err
    rows = [row for row in json.loads(answer.out) if measure in row and row["submission"] == "p"]
    assert rows
    assert all(row[measure] > 0 for row in rows)
