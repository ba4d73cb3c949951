"""Invitations, progress and what organisers do."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from adjudge.campaigns.design import Design
from adjudge.core.errors import AdjudgeError
from adjudge.text.testset import TestSet

Texts = Callable[..., TestSet]
NOW = datetime(2026, 5, 17, 9, tzinfo=UTC)


@pytest.fixture
def made(sqlite: str, made_texts: Texts) -> Any:
    from adjudge.campaigns.setup.creation import create_campaign

    return create_campaign("test", made_texts(), Design(target=30))


def test_a_token_lets_its_judge_in_and_is_nowhere_stored(made: Any) -> None:
    from adjudge.campaigns.models import Judge
    from adjudge.campaigns.people.invitation import invite, judge_of, replace_link, revoke_link

    invited = invite(made, "Ann", group="researchers", own_systems=["systemA", "systemC"])
    judge = invited.judge
    assert len(invited.token) >= 43  # 256 bits
    assert judge_of(invited.token) == judge
    assert invited.token not in str(list(Judge.objects.values_list()))
    assert judge.quota == 600  # 300 for each system
    assert invited.link("https://judge.example/") == f"https://judge.example/j/{invited.token}/"
    replaced = replace_link(judge)
    assert judge_of(invited.token) is None
    assert judge_of(replaced.token) == judge
    revoke_link(judge)
    assert judge_of(replaced.token) is None
    assert judge_of("") is None


def test_bad_invitations(made: Any) -> None:
    from adjudge.campaigns.people.invitation import invite

    invite(made, "Ann")
    for name, own, message in (
        ("Ann", [], "already"),
        (" ", [], "needs a name"),
        ("Bob", ["systemZ"], "no system 'systemZ'"),
    ):
        with pytest.raises(AdjudgeError, match=message):
            invite(made, name, own_systems=own)
    assert made.judges.count() == 1


def test_progress_counts_what_happened(made: Any) -> None:
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.people.own_progress import judge_progress
    from adjudge.campaigns.results.progress import groups_of, judges_of, progress_of
    from adjudge.campaigns.work.answers import Times, skip, submit
    from adjudge.campaigns.work.assignment import next_items
    from adjudge.campaigns.work.screen import candidate_keys

    ann = invite(made, "Ann", group="researchers").judge
    invite(made, "Bob", group="crowd")
    items = next_items(ann, 6, NOW)
    for number, item in enumerate(items[:4]):
        now = NOW + timedelta(minutes=10 * (number + 1))
        sent = {"candidates": candidate_keys(item), "ranks": [1, 2, 3, 4, 5]}
        times = Times(active=0.1 if number == 0 else 10.0 * number)
        submit(ann, item.key, f"answer-{number}", sent, times, now)
    skip(ann, items[4].key, "skipped-it", "not my field", None, NOW + timedelta(minutes=45))
    now = NOW + timedelta(minutes=50)
    progress = progress_of(made, now)
    assert (progress.rankings, progress.skipped, progress.open) == (4, 1, 1)
    assert (progress.judges, progress.active_judges, progress.too_fast) == (2, 1, 1)
    assert progress.median_seconds == 15
    # Four rankings in the 40 minutes since the first.
    assert progress.rankings_per_hour == pytest.approx(6)
    assert progress.expected_end == now + timedelta(hours=26 / 6)
    assert progress_of(made, now + timedelta(days=2)).rankings_per_hour == 0
    rows = {row.judge: row for row in judges_of(made, now)}
    assert list(rows) == ["Ann", "Bob"]
    assert (rows["Ann"].rankings, rows["Ann"].skipped, rows["Ann"].active) == (4, 1, True)
    assert rows["Ann"].last_answer == NOW + timedelta(minutes=45)
    assert (rows["Bob"].rankings, rows["Bob"].last_answer) == (0, None)
    groups = {row.group: row for row in groups_of(made, now)}
    assert (groups["researchers"].rankings, groups["crowd"].rankings) == (4, 0)
    assert judge_progress(ann)["done"] == 5


def test_organisers_actions(made: Any) -> None:
    from adjudge.campaigns.people import judges
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.setup import campaign_state
    from adjudge.campaigns.work.assignment import next_item

    judge = invite(made, "Ann", quota=10).judge
    first = next_item(judge, NOW)
    judges.extend(judge, 5)
    assert judge.quota == 15
    with pytest.raises(AdjudgeError, match="reason"):
        judges.exclude(judge, " ")
    judges.exclude(judge, "shares an office with system A")
    first.refresh_from_db()
    assert (judge.state, first.state) == ("excluded", "returned")
    judges.resume(judge)
    assert next_item(judge, NOW).hit_id != first.hit_id
    with pytest.raises(AdjudgeError, match="no judge 'Bob' in test; there are: Ann"):
        judges.judge_named(made, "Bob")
    with pytest.raises(AdjudgeError, match="no campaign 'other'; there are: test"):
        campaign_state.campaign_named("other")


@pytest.mark.slow
def test_adaptive_mode_asks_for_what_is_needed(sqlite: str, made_texts: Texts) -> None:
    """Two systems that are hard to tell apart meet more often than others."""
    from django.db.models import F

    from adjudge.campaigns.models import Exposure
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.setup.creation import create_campaign

    made = create_campaign("test", made_texts(segments=60), Design(balance="adaptive", block=2))
    quality = {"systemA": 6.0, "systemB": 3.05, "systemC": 3.0, "systemD": -3.0}
    quality |= {"systemE": -6.0, "systemF": -9.0}
    simulate_judges(made, lambda _, systems, __: quality[systems[0]], answers=120, judges=4)
    made.refresh_from_db()
    assert made.needs_at >= 50
    pairs = Exposure.objects.exclude(system=F("other"))
    shown = {(e.system.name, e.other.name): e.shown for e in pairs}
    close = shown.pop(("systemB", "systemC"))
    assert close > 1.5 * sum(shown.values()) / len(shown)
    assert min(shown.values()) > 0
