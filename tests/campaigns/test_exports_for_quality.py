"""What a campaign exports is data for quality estimation, without a script between."""

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
