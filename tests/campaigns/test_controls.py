"""Controls from trusted consensus (WMT13 §3.1)."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import NoItem
from adjudge.text.testset import TestSet

Texts = Callable[..., TestSet]
NOW = datetime(2026, 5, 17, 9, tzinfo=UTC)


def rank_all(judge: Any, key: Callable[[str], Any], items: int = 1000) -> int:
    """The judge ranks by `key` of the texts; equal keys tie."""
    from adjudge.campaigns.work.answers import submit
    from adjudge.campaigns.work.assignment import next_item
    from adjudge.campaigns.work.screen import screen_of

    for number in range(items):
        try:
            screen = screen_of(next_item(judge, NOW))
        except NoItem:
            return number
        values = [key(one.text) for one in screen.candidates]
        ranks = [sorted(set(values)).index(value) + 1 for value in values]
        sent = {"candidates": [one.key for one in screen.candidates], "ranks": ranks}
        submit(judge, screen.key, f"{judge.name}-{screen.key}", sent, None, NOW)
    return items


@pytest.fixture
def trusted(sqlite: str, made_texts: Texts) -> Any:
    """A campaign in which six researchers agree that A beats B beats C."""
    return judged_by_researchers(made_texts, on_failure="stop")


def judged_by_researchers(made_texts: Texts, people: int = 6, **values: Any) -> Any:
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.setup.creation import create_campaign

    design = Design(repeats=0.0, common=1.0, controls=0.5, common_judges=6, run=2, **values)
    made = create_campaign("test", made_texts(segments=8, systems=3, documents=1), design)
    for number in range(people):
        judge = invite(made, f"researcher{number}", group="researchers").judge
        rank_all(judge, lambda text: text[-1])
    return made


def crowd(campaign: Any, name: str = "worker") -> Any:
    from adjudge.campaigns.people.invitation import invite

    return invite(campaign, name, group="crowd").judge


@pytest.mark.slow
def test_a_margin_of_more_than_five_makes_a_control(trusted: Any) -> None:
    from adjudge.campaigns.models import Output, Segment
    from adjudge.campaigns.results.controls import mark_controls

    assert mark_controls(trusted) == 24
    text = dict(Output.objects.values_list("pk", "text"))
    for segment in Segment.objects.all():
        pairs = [(text[better][-1], text[worse][-1]) for better, worse in segment.controls]
        assert sorted(pairs) == [("A", "B"), ("A", "C"), ("B", "C")]


@pytest.mark.slow
def test_five_votes_are_not_enough(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.results.controls import mark_controls

    assert mark_controls(judged_by_researchers(made_texts, people=5)) == 0


@pytest.mark.slow
def test_controls_ride_in_the_crowds_hits_and_nowhere_else(trusted: Any) -> None:
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.results.controls import mark_controls
    from adjudge.campaigns.work.assignment import next_items

    mark_controls(trusted)
    worker = crowd(trusted)
    given = next_items(worker, 6, NOW)
    controls = [item for item in given if item.control]
    assert len(controls) in (2, 4)  # the design asks for half; a HIT is given whole
    assert all(item.hit.kind == "common" for item in controls)
    assert all(item.item.hit_id == item.hit_id for item in given)
    assert len({item.item.segment_id for item in given}) == len(given)
    other = invite(trusted, "another", group="researchers").judge
    assert not any(item.control for item in next_items(other, 6, NOW))


@pytest.mark.slow
def test_who_fails_more_than_half_is_stopped_and_the_work_kept(trusted: Any) -> None:
    from adjudge.campaigns.models import Answer
    from adjudge.campaigns.results.controls import control_record, mark_controls
    from adjudge.campaigns.results.tables import judgements_of

    mark_controls(trusted)
    bad, good = crowd(trusted, "bad"), crowd(trusted, "good")
    answered = rank_all(bad, lambda text: -ord(text[-1]))
    bad.refresh_from_db()
    record = control_record(bad)
    assert (bad.state, bad.flag) == ("excluded", f"failed {record.failed} of {record.met} controls")
    assert record.met >= 10  # and stopped as soon as that many were met
    assert record.failed == record.met < 10 + 3
    assert Answer.objects.filter(assignment__judge=bad).count() == answered
    assert "bad" not in judgements_of(trusted)["judge"].unique()
    assert "bad" in judgements_of(trusted, include_excluded=True)["judge"].unique()
    rank_all(good, lambda text: text[-1])
    good.refresh_from_db()
    assert (good.state, good.flag) == ("active", "")
    assert control_record(good).failed == 0


@pytest.mark.slow
def test_ties_fail_and_flagging_does_not_stop(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.results.controls import control_record, mark_controls

    made = judged_by_researchers(made_texts, on_failure="flag")
    mark_controls(made)
    lazy = crowd(made)
    rank_all(lazy, lambda text: 0)
    lazy.refresh_from_db()
    record = control_record(lazy)
    assert record.failed == record.met > 10
    assert (lazy.state, lazy.flag) == ("active", f"failed {record.met} of {record.met} controls")


@pytest.mark.slow
def test_half_failed_is_not_more_than_half(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.results.controls import ControlRecord, control_record, mark_controls

    made = judged_by_researchers(made_texts)
    mark_controls(made)
    worker = crowd(made)
    turns = iter(range(1000))
    # Alternately all right and all wrong, so never more than half after an even number.
    directions = {}

    def key(text: str) -> int:
        segment = text.split()[1]
        if segment not in directions:
            directions[segment] = 1 if next(turns) % 2 == 0 else -1
        return directions[segment] * ord(text[-1])

    rank_all(worker, key, 6)
    assert control_record(worker) == ControlRecord(18, 9)
    worker.refresh_from_db()
    assert worker.state == "active"
