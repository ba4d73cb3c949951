"""Adaptive mode: the fit runs beside the work, never in a judge's way."""

from collections.abc import Callable
from datetime import timedelta
from threading import Barrier, Thread
from typing import Any

import pytest

from adjudge.campaigns.design import Design
from adjudge.text.testset import TestSet

Texts = Callable[..., TestSet]


@pytest.fixture
def campaign(store: str, made_texts: Texts, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An adaptive campaign with 60 answers and no fit yet."""
    from adjudge.campaigns.people import simulated
    from adjudge.campaigns.setup.creation import create_campaign

    design = Design(balance="adaptive", block=2, repeats=0.0, common=0.0)
    made = create_campaign("test", made_texts(segments=60), design)
    with monkeypatch.context() as nobody_fits:
        nobody_fits.setattr(simulated, "refresh_needs", lambda key: False)
        simulated.simulate_judges(made, _quality, answers=60, judges=3)
    made.refresh_from_db()
    assert (made.needs, made.needs_at) == ([], 0)
    return made


def _quality(_: str, systems: tuple[str, ...], __: str) -> float:
    return float("ABCDEF".index(systems[0][-1]))


def judge(campaign: Any, name: str = "Ada") -> Any:
    from adjudge.campaigns.people.invitation import invite

    return invite(campaign, name).judge


def in_a_thread(work: Callable[[], Any]) -> Thread:
    """As another server process would: with a connection of its own."""
    from django.db import connections

    def run() -> None:
        try:
            work()
        finally:
            connections.close_all()

    thread = Thread(target=run, daemon=True)
    thread.start()
    return thread


@pytest.fixture
def observed(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Lets something be done in the middle of every fit."""
    from adjudge.simulation import suggest_comparisons

    fit = suggest_comparisons.next_comparisons

    def watch(during: Callable[[], None]) -> None:
        def next_comparisons(*told: Any, **named: Any) -> Any:
            during()
            return fit(*told, **named)

        monkeypatch.setattr(suggest_comparisons, "next_comparisons", next_comparisons)

    return watch


@pytest.mark.slow
def test_work_is_given_out_without_a_fit(campaign: Any, observed: Any) -> None:
    """Asking and answering never fits, though it is time for it."""
    from adjudge.campaigns.work.adaptive import needs_of
    from adjudge.campaigns.work.answers import submit
    from adjudge.campaigns.work.assignment import next_item
    from adjudge.campaigns.work.screen import candidate_keys

    observed(lambda: pytest.fail("a fit in a judge's request"))
    ada = judge(campaign)
    for number in range(6):
        item = next_item(ada)
        answer = {"candidates": candidate_keys(item), "ranks": [1, 2]}
        submit(ada, item.key, f"answer-{number}", answer)
    assert needs_of(campaign) == {}


@pytest.mark.slow
def test_judges_work_while_a_fit_runs(campaign: Any, observed: Any) -> None:
    """No lock is held meanwhile: others are given work and answer, on either engine."""
    from django.db import connection

    from adjudge.campaigns.models import Answer
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.work.adaptive import refresh_needs

    held = []

    def others_work() -> None:
        held.append(connection.in_atomic_block)
        other = in_a_thread(lambda: simulate_judges(campaign, _quality, answers=3, judges=1))
        other.join(60)
        assert not other.is_alive(), "a judge waits for the fit"

    observed(others_work)
    assert refresh_needs(campaign.pk)
    assert held == [False]
    assert Answer.objects.count() == 63
    campaign.refresh_from_db()
    assert campaign.needs_at == 60  # what came meanwhile is in the next fit
    assert campaign.needs_claimed is None


@pytest.mark.slow
def test_the_fit_is_refreshed_when_the_answers_have_grown_by_a_tenth(campaign: Any) -> None:
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.work.adaptive import needs_of, refresh_needs

    assert refresh_needs(campaign.pk)
    campaign.refresh_from_db()
    first = needs_of(campaign)
    assert len(first) == 15  # pairs of six systems
    assert not refresh_needs(campaign.pk)
    simulate_judges(campaign, _quality, answers=10, judges=1)  # refreshes after them
    campaign.refresh_from_db()
    assert campaign.needs_at == 70
    assert needs_of(campaign) != first


@pytest.mark.slow
def test_of_several_processes_one_fits(campaign: Any, observed: Any) -> None:
    from adjudge.campaigns.work.adaptive import refresh_needs

    fits: list[int] = []
    done: list[bool] = []
    observed(lambda: fits.append(1))
    together = Barrier(4)

    def process() -> None:
        together.wait(60)
        done.append(refresh_needs(campaign.pk))

    threads = [in_a_thread(process) for _ in range(4)]
    for thread in threads:
        thread.join(60)
    assert sorted(done) == [False, False, False, True]
    assert len(fits) == 1


@pytest.mark.slow
def test_a_process_that_was_ended_in_the_middle_is_replaced(campaign: Any) -> None:
    from django.utils import timezone

    from adjudge.campaigns.work.adaptive import refresh_needs

    campaign.needs_claimed = timezone.now()
    campaign.save(update_fields=["needs_claimed"])
    assert not refresh_needs(campaign.pk), "somebody is at it"
    campaign.needs_claimed -= timedelta(hours=1)
    campaign.save(update_fields=["needs_claimed"])
    assert refresh_needs(campaign.pk)


@pytest.mark.slow
def test_a_fit_that_fails_is_tried_again(campaign: Any, observed: Any) -> None:
    from adjudge.campaigns.work.adaptive import refresh_needs

    def fail() -> None:
        raise ZeroDivisionError

    observed(fail)
    with pytest.raises(ZeroDivisionError):
        refresh_needs(campaign.pk)
    observed(lambda: None)
    campaign.refresh_from_db()
    assert (campaign.needs_at, campaign.needs_claimed) == (0, None)


@pytest.mark.slow
def test_answers_that_cannot_say_need_all_pairs_alike(sqlite: str, made_texts: Texts) -> None:
    """Scores are no comparisons: the fit refuses, and the work goes on."""
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.campaigns.work.adaptive import needs_of

    design = Design(balance="adaptive", common=0.0, repeats=0.0)
    made = create_campaign("test", made_texts(), design, protocols=["direct-assessment"])
    simulate_judges(made, _quality, answers=60, judges=2)
    made.refresh_from_db()
    assert (made.needs_at, needs_of(made)) == (60, {})
