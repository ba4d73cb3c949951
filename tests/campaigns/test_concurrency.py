"""Judges who ask and answer at the same instant."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any, TypeVar

import pytest
from django.utils import timezone

from adjudge.campaigns.design import Design
from adjudge.text.testset import TestSet

Texts = Callable[..., TestSet]
T = TypeVar("T")
THREADS = 6


def at_once(work: Callable[[int], T]) -> list[T]:
    """What `work` returns in each of several threads that start together."""
    from django.db import connections

    start = Barrier(THREADS)

    def run(number: int) -> T:
        try:
            start.wait()
            return work(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


def campaign(texts: TestSet, **values: Any) -> Any:
    from adjudge.campaigns.setup.creation import create_campaign

    return create_campaign("test", texts, Design(**values))


def judges(campaign: Any) -> list[Any]:
    from adjudge.campaigns.people.invitation import invite

    return [invite(campaign, f"judge{number}").judge for number in range(THREADS)]


def answer(judge: Any, item: Any, key: str) -> Any:
    from adjudge.campaigns.work.answers import submit
    from adjudge.campaigns.work.screen import candidate_keys

    ranks = list(range(1, len(item.shown) + 1))
    return submit(judge, item.key, key, {"candidates": candidate_keys(item), "ranks": ranks})


@pytest.mark.slow
def test_exclusive_items_go_to_one_judge_and_every_answer_is_there_once(
    store: str, made_texts: Texts
) -> None:
    from adjudge.campaigns.models import Answer, Assignment, Campaign, Run
    from adjudge.campaigns.work.assignment import next_item

    made = campaign(made_texts(segments=60), common=0.3)
    people = judges(made)

    def work(number: int) -> list[str]:
        sent = []
        for turn in range(8):
            key = f"judge{number}-turn{turn}"
            answer(people[number], next_item(people[number]), key)
            sent.append(key)
        return sent

    sent = [key for keys in at_once(work) for key in keys]
    assert sorted(sent) == sorted(Answer.objects.values_list("key", flat=True))
    exclusive = Assignment.objects.filter(hit__kind="exclusive")
    assert max(Counter(exclusive.values_list("item", flat=True)).values()) == 1
    # No draw was lost: every HIT that was drawn afresh was counted on its run.
    drawn = Run.objects.values_list("drawn", flat=True)
    assert sum(drawn) == made.hits.exclude(kind="repeat").count()
    assert Campaign.objects.get().drawn == Assignment.objects.filter(place=1).count()


def test_a_returned_item_goes_to_one_of_those_who_want_it(store: str, made_texts: Texts) -> None:
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.work.assignment import next_item

    made = campaign(made_texts(segments=60), repeats=0.0, common=0.0)
    left = next_item(invite(made, "gone").judge, timezone.now() - timedelta(days=3))
    people = judges(made)
    hits = at_once(lambda number: next_item(people[number]).hit_id)
    assert len(set(hits)) == THREADS
    assert left.hit_id in hits


def test_one_judge_in_many_tabs_has_one_item(store: str, made_texts: Texts) -> None:
    from adjudge.campaigns.models import Assignment
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.work.assignment import next_item

    judge = invite(campaign(made_texts()), "Ann").judge
    assert len(set(at_once(lambda _: next_item(judge).key))) == 1
    assert Assignment.objects.count() == 3  # one HIT


def test_a_double_click_is_one_answer(store: str, made_texts: Texts) -> None:
    from adjudge.campaigns.models import Answer
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.work.assignment import next_item

    judge = invite(campaign(made_texts()), "Ann").judge
    item = next_item(judge)
    receipts = at_once(lambda _: answer(judge, item, "one-and-the-same"))
    assert Answer.objects.count() == 1
    assert sorted(receipt.again for receipt in receipts) == [False] + [True] * (THREADS - 1)


def test_different_answers_to_one_item_are_revisions(store: str, made_texts: Texts) -> None:
    from adjudge.campaigns.models import Answer
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.work.assignment import next_item

    judge = invite(campaign(made_texts()), "Ann").judge
    item = next_item(judge)
    at_once(lambda number: answer(judge, item, f"from-tab-{number}"))
    revisions = Answer.objects.values_list("revision", flat=True)
    assert sorted(revisions) == list(range(1, THREADS + 1))
