"""Crowd workers who come at the same instant, in several windows."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from adjudge.campaigns.design import Design
from adjudge.texts import TestSet

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
