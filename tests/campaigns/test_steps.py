"""What takes long is written in steps, and seen once all of it is there."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from adjudge.campaigns.design import Design
from adjudge.core.errors import AdjudgeError
from adjudge.text.testset import TestSet

Texts = Callable[..., TestSet]


class Between:
    """Called after each step, when it is committed."""

    def __init__(self) -> None:
        self.steps = 0
        self.look: Callable[[], object] = lambda: None

    def __call__(self) -> None:
        self.steps += 1
        self.look()


@pytest.fixture
def between(monkeypatch: pytest.MonkeyPatch) -> Iterator[Between]:
    """Every statement is a step of its own."""
    from adjudge.campaigns.setup import creation
    from adjudge.campaigns.store import short_transactions

    looked, step = Between(), short_transactions._step

    def watched(*given: Any) -> bool:
        more = step(*given)
        looked()
        return more

    monkeypatch.setattr(short_transactions, "STEP", -1)
    monkeypatch.setattr(short_transactions, "PAUSE", 0)
    monkeypatch.setattr(short_transactions, "_step", watched)
    monkeypatch.setattr(creation, "ROWS", 7)
    return looked


def create(texts: TestSet, name: str = "Spring") -> Any:
    from adjudge.campaigns.setup.creation import create_campaign

    return create_campaign(name, texts, Design())


def rows() -> dict[str, int]:
    """How many rows of campaigns there are, the log apart."""
    from django.apps import apps

    models = apps.get_app_config("campaigns").get_models(include_auto_created=True)
    counts = {model.__name__: model._base_manager.count() for model in models}
    return {name: number for name, number in counts.items() if number and name != "AuditEntry"}


def test_a_campaign_is_seen_once_all_of_it_is_there(
    store: str, made_texts: Texts, between: Between
) -> None:
    from adjudge.campaigns.models import Campaign
    from adjudge.campaigns.people.access import Organiser, visible_campaigns
    from adjudge.campaigns.setup.campaign_state import campaign_named

    def look() -> None:
        assert Campaign.everything.count() == 1
        assert not visible_campaigns(Organiser("olga", is_administrator=True))
        with pytest.raises(AdjudgeError, match="no campaign"):
            campaign_named("Spring")

    between.look = look
    campaign = create(made_texts(segments=20))
    assert between.steps > 20
    assert campaign_named("Spring") == campaign
    assert campaign.segments.count() == 20


def test_a_project_is_seen_once_all_of_it_is_there(
    store: str, made_texts: Texts, between: Between
) -> None:
    from adjudge.campaigns.models import Campaign, Project
    from adjudge.campaigns.setup.projects import create_project

    def look() -> None:
        assert not Campaign.objects.exists()
        assert not Project.objects.exists()

    between.look = look
    pairs = {"en-de": made_texts(segments=9), "en-cs": made_texts(segments=9)}
    made = create_project("WMT", pairs, Design())
    assert [campaign.name for campaign in Project.objects.get().campaigns.order_by("pk")] == [
        campaign.name for campaign in made
    ]


@pytest.mark.parametrize("after", [1, 9, 30])
def test_an_interrupted_creation_leaves_nothing(
    store: str, made_texts: Texts, between: Between, after: int
) -> None:
    def look() -> None:
        if between.steps == after:
            raise KeyboardInterrupt

    between.look = look
    with pytest.raises(KeyboardInterrupt):
        create(made_texts(segments=20))
    between.look = lambda: None
    assert rows() == {}
    create(made_texts(segments=20))


def test_a_killed_creation_can_be_repeated_and_is_cleaned_up(
    store: str, made_texts: Texts, between: Between, monkeypatch: pytest.MonkeyPatch
) -> None:
    from adjudge.campaigns.models import Campaign, Segment
    from adjudge.campaigns.store import unfinished

    def look() -> None:
        if between.steps == 20:
            raise KeyboardInterrupt

    between.look = look
    with monkeypatch.context() as killed:
        killed.setattr(unfinished, "remove", lambda campaigns: None)
        with pytest.raises(KeyboardInterrupt):
            create(made_texts(segments=20))
    between.look = lambda: None
    (left,) = Campaign.everything.all()
    create(made_texts(segments=20))
    assert Campaign.everything.count() == 2, "somebody may be at it still"
    long_ago = left.making - unfinished.ABANDONED
    Campaign.everything.filter(pk=left.pk).update(making=long_ago)
    create(made_texts(segments=20), "Autumn")
    assert sorted(Campaign.everything.values_list("name", flat=True)) == ["Autumn", "Spring"]
    assert Segment.objects.count() == 40


def test_of_two_campaigns_of_one_name_one_is_made(
    store: str, made_texts: Texts, between: Between
) -> None:
    def look() -> None:
        if between.steps == 3:
            between.look = lambda: None
            create(made_texts(segments=9))

    between.look = look
    with pytest.raises(AdjudgeError, match="there is a campaign 'Spring' already"):
        create(made_texts(segments=9))
    assert rows()["Campaign"] == 1
    assert rows()["Segment"] == 9


def test_a_deleted_campaign_is_gone_at_once(
    store: str, made_texts: Texts, between: Between
) -> None:
    from adjudge.campaigns.models import AuditEntry, Campaign
    from adjudge.campaigns.people.invitation import invite, judge_of
    from adjudge.campaigns.setup.changes import delete
    from adjudge.campaigns.work.assignment import next_item

    campaign = create(made_texts(segments=20))
    invitation = invite(campaign, "Ada")
    next_item(invitation.judge)
    before = between.steps

    def look() -> None:
        assert not Campaign.objects.exists()
        assert judge_of(invitation.token) is None

    between.look = look
    delete(campaign, "olga", "Spring")
    assert between.steps > before + 5
    assert rows() == {}
    (entry,) = AuditEntry.objects.all()
    assert (entry.campaign_name, entry.details["segments"]) == ("Spring", 20)


def test_systems_and_segments_are_added_whole(
    store: str, made_texts: Texts, between: Between
) -> None:
    from adjudge.campaigns.models import Output
    from adjudge.campaigns.setup.changes import add_segments, add_systems

    campaign = create(made_texts(segments=20))

    def counts() -> tuple[int, ...]:
        outputs = Output.objects.filter(segment__campaign=campaign)
        return (campaign.systems.count(), campaign.segments.count(), outputs.count())

    systems, segments, outputs = counts()

    seen = []
    between.look = lambda: seen.append(counts())
    add_systems(campaign, "olga", {"late": [f"late {n}" for n in range(20)]})
    assert counts() == (systems + 1, segments, outputs + 20)
    assert seen.count((systems, segments, outputs)) > 3
    assert set(seen) == {(systems, segments, outputs), counts()}
    between.look = lambda: None
    more = made_texts(segments=5)
    more = TestSet(
        more.source,
        more.reference,
        ("new",) * 5,
        more.names,
        {**more.systems, "late": ("a", "b", "c", "d", "e")},
        more.source_language,
        more.target_language,
    )
    add_segments(campaign, "olga", more)
    orders = list(campaign.segments.order_by("order").values_list("order", flat=True))
    assert orders == list(range(1, 26))
    assert rows()["Campaign"] == 1


def test_a_change_meanwhile_is_noticed(store: str, made_texts: Texts, between: Between) -> None:
    from adjudge.campaigns.setup.changes import add_systems, change

    campaign = create(made_texts(segments=9))

    def look() -> None:
        between.look = lambda: None
        change(campaign, "otto", instructions="Be fair.")

    between.look = look
    with pytest.raises(AdjudgeError, match="was changed meanwhile"):
        add_systems(campaign, "olga", {"late": [f"late {n}" for n in range(9)]})
    assert campaign.systems.filter(name="late").count() == 0
    assert rows()["Campaign"] == 1


def test_a_backup_while_a_campaign_is_made(
    store: str, made_texts: Texts, between: Between, tmp_path: Any
) -> None:
    """Its rows are in it, and are removed where they are restored."""
    from adjudge.campaigns.models import Campaign
    from adjudge.campaigns.store.backup import backup, restore
    from adjudge.campaigns.store.unfinished import ABANDONED, remove_abandoned

    def look() -> None:
        if between.steps == 12:
            backup(str(tmp_path / "backup.jsonl"))

    between.look = look
    campaign = create(made_texts(segments=20))
    between.look = lambda: None
    from adjudge.campaigns.setup.changes import delete

    delete(campaign, "olga", "Spring")
    restore(str(tmp_path / "backup.jsonl"))
    (made,) = Campaign.everything.all()
    Campaign.everything.update(making=made.making - ABANDONED)
    remove_abandoned()
    assert rows() == {}


def test_one_campaign_of_a_backup_is_seen_once_it_is_whole(
    store: str,
    made_texts: Texts,
    between: Between,
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With reviews, which refer to answers of tables that follow."""
    from adjudge.campaigns.models import AuditEntry, Campaign, Item
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.setup.changes import delete
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.campaigns.store import backup

    asked = ("blind-edit:2", "review:2")
    campaign = create_campaign("Spring", made_texts(segments=9), Design(), protocols=asked)
    simulate_judges(campaign, lambda *_: 0.0, answers=12, judges=3)
    assert Item.objects.exclude(about=None).exists()
    before, path = rows(), str(tmp_path / "backup.jsonl")
    backup.backup(path)
    delete(campaign, "olga", "Spring")
    log = list(AuditEntry.objects.values_list("pk", "what"))
    monkeypatch.setattr(backup, "_ROWS", 5)
    short_transactions = between.steps

    def interrupt() -> None:
        assert not Campaign.objects.exists()
        if between.steps == short_transactions + 40:
            raise KeyboardInterrupt

    between.look = interrupt
    with pytest.raises(KeyboardInterrupt):
        backup.restore(path, only="Spring")
    between.look = lambda: None
    assert rows() == {}
    assert list(AuditEntry.objects.values_list("pk", "what")) == log
    backup.restore(path, only="Spring")
    assert rows() == before
    assert Item.objects.exclude(about=None).exists()
