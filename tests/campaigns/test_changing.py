"""After creation: changes are logged, make versions, and exports say which was in force."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from adjudge.core.errors import AdjudgeError

pytestmark = pytest.mark.slow


@pytest.fixture
def campaign(sqlite, made_texts):
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.setup.creation import create_campaign

    return create_campaign(
        "Spring", made_texts(segments=30), design_named("recommended", block=3), seed=3
    )


def judge(campaign, answers=20):
    from adjudge.campaigns.people.simulated import simulate_judges

    return simulate_judges(campaign, lambda *_: 0.0, answers=answers, judges=2)


def test_every_judgement_says_which_design_was_in_force(campaign):
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.setup.changes import change, versions_of

    judge(campaign)
    assert judgements_of(campaign)["design"].null_count() == len(judgements_of(campaign))
    changed = change(campaign, "olga", block=2, target=500, instructions="Be fair.", long_block=2)
    assert changed == ["block", "instructions", "long_block", "target"]
    before = judgements_of(campaign)["ranking"].unique()
    judge(campaign)
    table = judgements_of(campaign)
    assert set(table["design"]) == {"1", "2"}
    sizes = table.drop_nulls("output").group_by("ranking", "design").len()
    assert sizes.filter(sizes["design"] == "1")["len"].min() == 3
    assert sizes.filter(sizes["design"] == "2")["len"].min() == 2
    assert set(before) <= set(table.filter(table["design"] == "1")["ranking"])
    first, second = versions_of(campaign)
    assert (first["design"], first["instructions"]) == ("1", "")
    assert (second["design"], second["instructions"]) == ("2", "Be fair.")
    entry = campaign.audit.get(what="changed the campaign")
    assert (entry.who, entry.details["target"], entry.details["version"]) == ("olga", 500, 2)


def test_nothing_changed_is_nothing_logged_and_what_cannot_change_is_refused(campaign):
    from adjudge.campaigns.setup.changes import change

    assert change(campaign, "olga", block=3, name="Spring") == []
    for wrong, said in (
        ({"run": 9}, "cannot be changed"),
        ({"block": 9}, "choose from 2 to 6"),
        ({"name": " "}, "needs a name"),
        ({"colour": "red"}, "no design value"),
        ({"opens": timezone.now(), "ends": timezone.now() - timedelta(1)}, "before it begins"),
    ):
        with pytest.raises(AdjudgeError, match=said):
            change(campaign, "olga", **wrong)
    assert campaign.version == 1
    assert not campaign.audit.filter(what="changed the campaign").exists()


def test_work_is_given_out_between_the_dates(campaign):
    from adjudge.campaigns.errors import NoItem
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.setup.changes import change
    from adjudge.campaigns.work.assignment import next_item

    ann = invite(campaign, "Ann").judge
    now = timezone.now()
    change(campaign, "olga", opens=now + timedelta(days=1), ends=now + timedelta(days=2))
    assert campaign.version == 1, "dates change nothing of what is asked"
    for moment, code in ((0, "early"), (2, "closed")):
        with pytest.raises(NoItem) as ended:
            next_item(ann, now + timedelta(days=moment))
        assert ended.value.code == code
    assert next_item(ann, now + timedelta(days=1, hours=1))


def test_a_new_system_catches_up(campaign):
    from django.db.models import F

    from adjudge.campaigns.models import Exposure, System
    from adjudge.campaigns.setup.changes import add_systems

    judge(campaign, 40)
    segments = list(campaign.segments.order_by("order"))
    old = segments[0].outputs.filter(systems__is_reference=False).first()
    texts = [old.text, *(f"new {n}" for n in range(1, len(segments)))]
    add_systems(campaign, "olga", {"latecomer": texts})
    late = System.objects.get(name="latecomer")
    assert late.outputs.count() == len(segments)
    assert old.systems.filter(pk=late.pk).exists(), "the same text is credited, not shown twice"
    judge(campaign, 40)
    shown = dict(
        Exposure.objects.filter(campaign=campaign, system__is_reference=False)
        .filter(system=F("other"))
        .values_list("system__name", "shown")
    )
    others = [count for name, count in shown.items() if name != "latecomer"]
    assert shown["latecomer"] > 0.5 * sum(others) / len(others), shown
    for wrong, said in (
        ({"latecomer": texts}, "already"),
        ({"short": texts[:3]}, "parallel"),
        ({"ref": texts}, "already"),
        ({}, "at least one"),
    ):
        with pytest.raises(AdjudgeError, match=said):
            add_systems(campaign, "olga", wrong)


def test_what_was_drawn_before_a_change_is_given_to_nobody_else(sqlite, made_texts):
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.models import Assignment
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.people.judges import exclude
    from adjudge.campaigns.setup.changes import add_systems, change
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.campaigns.work.assignment import next_items

    design = design_named("recommended", block=3, common=0.5, repeats=0.0, controls=0.0)
    campaign = create_campaign("Pool", made_texts(segments=30), design, seed=3)

    def hits_of(name):
        judge = invite(campaign, name).judge
        next_items(judge, 12)
        return judge, set(Assignment.objects.filter(judge=judge).values_list("hit", flat=True))

    _, first = hits_of("Ann")
    bob, second = hits_of("Bob")
    assert first & second, "they share the common pool"
    change(campaign, "olga", target=5000, instructions="Be fair.")
    _, third = hits_of("Cyd")
    assert third & (first | second), "what is shown is as before"
    exclude(bob, "for this test")  # what only he had goes back
    before = dict(campaign.runs.values_list("pk", "drawn"))
    add_systems(campaign, "olga", {"latecomer": [f"new {n}" for n in range(30)]})
    freed = before.keys() - {run for run, drawn in campaign.runs.values_list("pk", "drawn")
                             if drawn == before[run]}  # fmt: skip
    only_his = second - first - third
    assert freed == set(campaign.hits.filter(pk__in=only_his).values_list("run", flat=True))
    assert freed
    _, fourth = hits_of("Dan")
    assert not fourth & (first | second | third)
    assert campaign.hits.filter(pk__in=fourth, items__outputs__systems__name="latecomer").exists()


def test_new_segments_come_in_new_documents(campaign, made_texts):
    from adjudge.campaigns.setup.changes import add_segments

    more = made_texts(segments=6)
    with pytest.raises(AdjudgeError, match="already"):
        add_segments(campaign, "olga", more)
    more = replace(more, documents=("late",) * 6)
    add_segments(campaign, "olga", more)
    assert campaign.segments.count() == 36
    last = campaign.segments.order_by("order").last()
    assert (last.order, last.source, last.document.name) == (36, more.source[-1], "late")
    name, texts = next(iter(more.systems.items()))
    assert last.outputs.get(systems__name=name).text == texts[-1]
    without = dict(more.systems)
    without.pop(name)
    with pytest.raises(AdjudgeError, match="no text of"):
        add_segments(campaign, "olga", replace(more, documents=("later",) * 6, systems=without))


def test_archived_and_deleted(campaign):
    from adjudge.campaigns.models import Answer, AuditEntry, Campaign
    from adjudge.campaigns.setup import changes

    judge(campaign, 5)
    changes.archive(campaign, "olga")
    assert (campaign.state, campaign.archived is None) == ("closed", False)
    changes.bring_back(campaign, "olga")
    assert campaign.archived is None
    with pytest.raises(AdjudgeError, match="to confirm"):
        changes.delete(campaign, "olga", "spring")
    changes.delete(campaign, "olga", "Spring")
    assert not Campaign.objects.exists()
    assert not Answer.objects.exists()
    entry = AuditEntry.objects.get(what="deleted the campaign")
    assert (entry.campaign_name, entry.details["answers"]) == ("Spring", 5)
