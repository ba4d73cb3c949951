"""Which revision of an answer stands, and which clock counts: one rule for all who ask."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from adjudge.campaigns.design import Design
from adjudge.text.testset import TestSet

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
RANKS = ([1, 2], [2, 1], [1, 1])


@pytest.fixture
def item(store: str, made_texts: Callable[..., TestSet]) -> Any:
    """An item that its judge has answered three times, an hour apart."""
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.campaigns.work.answers import submit
    from adjudge.campaigns.work.assignment import next_item
    from adjudge.campaigns.work.screen import candidate_keys

    campaign = create_campaign("test", made_texts(), Design(block=2))
    judge = invite(campaign, "Ada").judge
    assignment = next_item(judge, NOW)
    for number, ranks in enumerate(RANKS):
        answer = {"ranks": ranks, "candidates": candidate_keys(assignment)}
        moment = NOW + timedelta(hours=number, seconds=30)
        submit(judge, assignment.key, f"answer-{number}", answer, now=moment)
    return assignment


def test_the_highest_revision_stands_wherever_answers_are_looked_at(item: Any) -> None:
    from adjudge.campaigns.models import Answer
    from adjudge.campaigns.results.progress import answers_so_far
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.store.queries import standing
    from adjudge.campaigns.work.screen import screen_of

    assert [answer.revision for answer in standing(Answer.objects.all())] == [3]
    campaign = item.judge.campaign
    assert judgements_of(campaign)["rank"].to_list() == RANKS[-1]
    assert len(answers_so_far(campaign)) == 1
    assert screen_of(item).given == {"ranks": RANKS[-1]}


def test_of_a_closed_campaign_the_last_before_the_end_stands(item: Any) -> None:
    from adjudge.campaigns.models import Answer
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.setup.campaign_state import close, reopen
    from adjudge.campaigns.store.queries import standing

    campaign = item.judge.campaign
    for hours, ranks in enumerate(RANKS):
        end = NOW + timedelta(hours=hours, minutes=30)
        close(campaign, end)
        assert judgements_of(campaign)["rank"].to_list() == ranks
        assert [one.revision for one in standing(Answer.objects.all(), end)] == [hours + 1]
    assert not standing(Answer.objects.all(), NOW - timedelta(days=1)).exists()
    reopen(campaign)
    assert judgements_of(campaign)["rank"].to_list() == RANKS[-1]


@pytest.mark.parametrize(
    ("clocks", "spent"),
    [((3.0, 5.0, 7.0), 3.0), ((None, 5.0, 7.0), 5.0), ((None, None, 7.0), 7.0), ((0.0, 5, 7), 0.0)],
)
def test_the_first_clock_that_says_anything_counts(item: Any, clocks: Any, spent: float) -> None:
    """In Python, in a query, in what is exported and in what a judge sees."""
    from adjudge.campaigns.models import Answer
    from adjudge.campaigns.people.own_progress import judge_progress
    from adjudge.campaigns.results.progress import progress_of
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.store.queries import seconds_spent, stored_seconds_spent

    active, browser, server = clocks
    Answer.objects.update(active_seconds=active, browser_seconds=browser, seconds=server)
    assert {seconds_spent(answer) for answer in Answer.objects.all()} == {spent}
    assert set(Answer.objects.values_list(stored_seconds_spent(), flat=True)) == {spent}
    campaign = item.judge.campaign
    assert set(judgements_of(campaign)["seconds"]) == {spent}
    assert progress_of(campaign).median_seconds == spent
    assert judge_progress(item.judge)["seconds_per_item"] == spent
