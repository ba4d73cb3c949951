"""Crowd workers: at the same instant in several windows, paid for answers, with made-up names."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from adjudge.campaigns.design import Design
from adjudge.text.testset import TestSet

Texts = Callable[..., TestSet]
THREADS = 6


def test_a_worker_is_one_judge_and_a_task_counts_once(
    store: str, made_texts: Callable[..., TestSet]
) -> None:
    from django.db import connections

    from adjudge.campaigns.people.crowd import open_to_crowd, start_task
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.campaigns.work.assignment import next_items

    campaign = create_campaign("test", made_texts(), Design())
    open_to_crowd(campaign, "mturk", 6)
    start = Barrier(THREADS)

    def come(number: int) -> None:
        try:
            start.wait()
            judge = start_task(campaign, f"worker{number % 2}", f"task of {number % 2}", hit="hit")
            next_items(judge, 3)
            start_task(campaign, f"worker{number % 2}", f"another of {number % 2}", hit="hit")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(come, range(THREADS)))
    judges = campaign.judges.order_by("name")
    assert [judge.name for judge in judges] == ["mturk-0001", "mturk-0002"]
    assert {judge.platform["worker"] for judge in judges} == {"worker0", "worker1"}
    for judge in judges:
        number = judge.platform["worker"][-1]
        tasks = judge.tasks.order_by("name").values_list("name", flat=True)
        assert list(tasks) == [f"another of {number}", f"task of {number}"]
        assert judge.quota == 6


@pytest.fixture
def crowd(sqlite: str, made_texts: Texts) -> Any:
    from adjudge.campaigns.people.crowd import open_to_crowd
    from adjudge.campaigns.setup.creation import create_campaign

    campaign = create_campaign("test", made_texts(), Design())
    open_to_crowd(campaign, "mturk", 3, tasks=4)
    return campaign


def answer(judge: Any, skipping: bool = False, **given: Any) -> None:
    from adjudge.campaigns.work.answers import skip, submit
    from adjudge.campaigns.work.assignment import next_item
    from adjudge.campaigns.work.screen import candidate_keys

    item = next_item(judge)
    if skipping:
        skip(judge, item.key, f"key-{item.key}", "cannot say")
    else:
        ranks = {"ranks": [1] * len(item.shown), "candidates": candidate_keys(item)}
        submit(judge, item.key, f"key-{item.key}", ranks, **given)


def test_what_is_skipped_is_not_paid(crowd: Any) -> None:
    from adjudge.campaigns.errors import NoItem
    from adjudge.campaigns.people.crowd import start_task
    from adjudge.campaigns.people.own_progress import judge_progress

    judge = start_task(crowd, "worker", "task")
    for _ in range(6):
        answer(judge, skipping=True)
    assert judge_progress(judge)["done"] == 0
    for _ in range(3):
        answer(judge)
    assert judge_progress(judge)["done"] == 3
    with pytest.raises(NoItem) as ended:
        answer(judge)
    assert ended.value.code == "quota"


def test_made_up_names_do_not_multiply(crowd: Any) -> None:
    from adjudge.campaigns.people.crowd import start_task
    from adjudge.core.errors import AdjudgeError

    start_task(crowd, "worker", "task")
    with pytest.raises(AdjudgeError, match="somebody else"):
        start_task(crowd, "made up", "task")
    for number in range(3):
        start_task(crowd, f"made up {number}", f"task {number}")
    with pytest.raises(AdjudgeError, match="all tasks"):
        start_task(crowd, "one more", "one more")
    assert crowd.judges.count() == 4  # none was made for those who were refused
    start_task(crowd, "worker", "task")  # who has a task may come back to it
    # A task that was begun and left long ago is free for others; one that was worked on is not.
    answer(crowd.judges.get(platform__worker="worker"))
    crowd.tasks.update(created=crowd.created - timedelta(days=3))
    for number in range(3):
        start_task(crowd, f"later {number}", f"later {number}")
    with pytest.raises(AdjudgeError, match="all tasks"):
        start_task(crowd, "one more", "one more")


@pytest.mark.parametrize(
    "heading", ["AssignmentId,WorkerId,Answer", "Participant id,Submission id,Status"]
)
def test_whom_the_platform_does_not_know_is_excluded(
    crowd: Any, adjudge: Any, tmp_path: Path, heading: str
) -> None:
    from adjudge.campaigns.people.crowd import start_task

    for worker in ("Ann", "Bob", "Cid"):
        start_task(crowd, worker, f"task of {worker}")
    rows = [("Ann", "task of Ann"), ("Bob", "another task")]
    turned = [row[::-1] if heading.startswith("Assign") else row for row in rows]
    file = tmp_path / "results.csv"
    file.write_text("\n".join([heading, *(f"{a},{b},x" for a, b in turned)]))
    said = adjudge("campaign", "crowd", "test", "mturk", "--check", file)
    assert said.out == "2 tasks on the platform's list. Excluded: 2: mturk-0002, mturk-0003.\n"
    states = dict(crowd.judges.values_list("platform__worker", "state"))
    assert states == {"Ann": "active", "Bob": "excluded", "Cid": "excluded"}
    assert crowd.audit.last().details == {"judges": ["mturk-0002", "mturk-0003"]}
    file.write_text("name,colour\na,b\n")
    refused = adjudge("campaign", "crowd", "test", "mturk", "--check", file)
    assert refused.code == 2
    assert "WorkerId" in refused.err


def test_the_smaller_of_the_clocks_tells_what_is_too_fast(crowd: Any) -> None:
    from django.utils import timezone

    from adjudge.campaigns.models import Answer
    from adjudge.campaigns.people.crowd import start_task
    from adjudge.campaigns.work.answers import Times

    judge, now = start_task(crowd, "worker", "task"), timezone.now()

    def flags() -> list[bool]:
        return list(Answer.objects.order_by("pk").values_list("too_fast", flat=True))

    # The browser says half a minute; the server gave the item out this moment.
    answer(judge, times=Times(30.0, 30.0), now=now)
    assert flags() == [True]
    # Three items a HIT: given out together, answered without a network, sent all at once.
    judge.assignments.update(assigned=now)
    later = now + timedelta(seconds=70)
    answer(judge, times=Times(30.0, 30.0), now=later)
    answer(judge, times=Times(30.0, 30.0), now=later + timedelta(seconds=0.1))
    assert flags() == [True, False, False]


def test_a_worker_is_one_judge_however_the_name_is_spelled(store: str, made_texts: Texts) -> None:
    from adjudge.campaigns.people.crowd import open_to_crowd, start_task
    from adjudge.campaigns.setup.creation import create_campaign

    campaign = create_campaign("test", made_texts(), Design())
    open_to_crowd(campaign, "mturk", 3)
    for worker in ("W1", " w1", "w1 ", "\uff371"):  # the last: a full-width W
        start_task(campaign, worker, " T1 ")
    start_task(campaign, "W%", "T2")  # no pattern
    assert sorted(judge.platform["worker"] for judge in campaign.judges.all()) == ["W%", "W1"]
    assert campaign.tasks.count() == 2


def test_an_unproved_name_holds_nothing_until_it_has_worked(store: str, made_texts: Texts) -> None:
    from adjudge.campaigns.people.crowd import open_to_crowd, start_task
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.campaigns.work.assignment import next_items
    from adjudge.core.errors import AdjudgeError

    values = Design(target=20, fastest_reading=10**6, controls=0.0)
    campaign = create_campaign("test", made_texts(), values)
    open_to_crowd(campaign, "mturk", 3, tasks=2, signed=False)
    for number in range(8):
        assert next_items(start_task(campaign, f"forged {number}", f"T{number % 2}"), 3)
    ann = start_task(campaign, "Ann", "T1")
    answer(ann)
    assert start_task(campaign, "ann", "t1", here=[ann]) == ann
    with pytest.raises(AdjudgeError, match="somebody else"):
        start_task(campaign, "Ann", "T1")
    bob = start_task(campaign, "Ann", "T0")
    assert bob != ann
    answer(bob)
    with pytest.raises(AdjudgeError, match="all tasks"):
        start_task(campaign, "Cid", "T9")
