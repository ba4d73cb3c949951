"""Who judges what next."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import NoItem
from adjudge.text.testset import TestSet

pytestmark = pytest.mark.slow

Texts = Callable[..., TestSet]
NOW = datetime(2026, 5, 17, 9, tzinfo=UTC)


def campaign(texts: TestSet, **values: Any) -> Any:
    from adjudge.campaigns.setup.creation import create_campaign

    return create_campaign("test", texts, Design(**values))


def judge(campaign: Any, name: str = "Ann", **values: Any) -> Any:
    from adjudge.campaigns.people.invitation import invite

    return invite(campaign, name, **values).judge


def answer(judge: Any, item: Any, now: datetime = NOW, best: int = 0) -> None:
    from adjudge.campaigns.work.answers import submit
    from adjudge.campaigns.work.screen import candidate_keys

    ranks = [1 if position == best else 2 for position in range(len(item.shown))]
    sent = {"candidates": candidate_keys(item), "ranks": ranks}
    submit(judge, item.key, f"key-{item.key}", sent, None, now)


def work(judge: Any, items: int) -> list[Any]:
    """The judge answers so many items, or all there are."""
    from adjudge.campaigns.work.assignment import next_item

    done = []
    for number in range(items):
        now = NOW + timedelta(minutes=number)
        try:
            item = next_item(judge, now)
        except NoItem:
            break
        answer(judge, item, now)
        done.append(item)
    return done


def test_an_unfinished_item_comes_again(store: str, made_texts: Texts) -> None:
    from adjudge.campaigns.work.assignment import next_item

    someone = judge(campaign(made_texts()))
    first = next_item(someone, NOW)
    assert next_item(someone, NOW + timedelta(hours=1)) == first
    answer(someone, first)
    second = next_item(someone, NOW)
    assert second.hit_id == first.hit_id
    assert second.item.segment.order == first.item.segment.order + 1


def test_a_hit_is_a_run_of_consecutive_segments_of_one_document(
    sqlite: str, made_texts: Texts
) -> None:
    made = campaign(made_texts(segments=20, documents=2), repeats=0.0, common=0.0)
    done = work(judge(made), 20)
    assert len(done) == 20
    hits: dict[int, list[Any]] = {}
    for item in done:
        hits.setdefault(item.hit_id, []).append(item.item.segment)
    for segments in hits.values():
        orders = [segment.order for segment in segments]
        assert orders == list(range(orders[0], orders[0] + len(orders)))
        assert len({segment.document_id for segment in segments}) == 1
    # Ten segments a document: runs of 3, 3, 3 and 1.
    assert Counter(map(len, hits.values())) == {3: 6, 1: 2}


def test_pages_can_load_ahead(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.work.assignment import next_items

    someone = judge(campaign(made_texts()))
    ahead = next_items(someone, 5, NOW)
    assert [item.started for item in ahead] == [NOW, None, None, None, None]
    assert len({item.key for item in ahead}) == 5
    answer(someone, ahead[0])
    assert next_items(someone, 2, NOW) == ahead[1:3]


@pytest.mark.slow
def test_shares_of_repeats_and_of_the_common_pool(sqlite: str, made_texts: Texts) -> None:
    made = campaign(made_texts(segments=150, documents=10), repeats=0.1, common=0.4)
    done = work(judge(made), 100)
    kinds = Counter(item.hit.kind for item in done)
    assert kinds["repeat"] == pytest.approx(10, abs=3)
    assert kinds["common"] == pytest.approx(40, abs=3)
    assert kinds["exclusive"] == pytest.approx(50, abs=3)


@pytest.mark.slow
def test_repeats_show_the_same_outputs_again_after_a_while(sqlite: str, made_texts: Texts) -> None:
    made = campaign(made_texts(segments=90, documents=3), repeats=0.2, repeat_gap=10)
    done = work(judge(made), 70)
    place = {item.item_id: number for number, item in enumerate(done)}
    repeats = [item for item in done if item.hit.kind == "repeat"]
    assert len(repeats) > 9
    for item in repeats:
        first = item.hit.repeat_of.items.get(place=item.item.place)
        assert first.segment == item.item.segment
        assert set(first.outputs.values_list("pk", flat=True)) == set(item.shown)
        assert place[item.item_id] - place[first.pk] > 10
    originals = [item.hit.repeat_of_id for item in repeats if item.item.place == 1]
    assert len(originals) == len(set(originals))


def test_the_common_pool_is_shared_and_grows(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.models import Hit

    made = campaign(made_texts(segments=27), repeats=0.0, common=0.5, common_judges=3)
    for number in range(4):
        work(judge(made, f"judge{number}"), 12)
    pool = Hit.objects.filter(kind="common")
    assert sum(hit.given for hit in pool) == 8  # half of four HITs each, for four judges
    assert max(hit.given for hit in pool) == 3
    shared = [set(hit.assignments.values_list("judge", flat=True)) for hit in pool]
    assert all(len(people) == hit.given for people, hit in zip(shared, pool, strict=True))


def test_nobody_judges_their_own_system(store: str, made_texts: Texts) -> None:
    from adjudge.campaigns.models import Output

    texts = made_texts()
    shared = dict(texts.systems)
    shared["systemB"] = texts.systems["systemA"][:10] + texts.systems["systemB"][10:]
    made = campaign(replace(texts, systems=shared), common=0.5)
    work(judge(made, "other"), 12)  # fills the common pool with HITs that show everything
    owner = judge(made, "owner", own_systems=["systemA"])
    done = work(owner, 30)
    assert len(done) == 30
    shown = Output.objects.filter(pk__in=[output for item in done for output in item.shown])
    assert "systemA" not in shown.values_list("systems__name", flat=True)
    assert owner.quota == 300


def test_quotas_and_the_end_of_the_test_set(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.work.assignment import next_item

    made = campaign(made_texts(segments=9, documents=1), repeats=0.0)
    busy, brief = judge(made, "busy"), judge(made, "brief", quota=3)
    assert len(work(busy, 100)) == 9
    with pytest.raises(NoItem) as nothing:
        next_item(busy, NOW)
    assert nothing.value.code == "exhausted"
    assert len(work(brief, 100)) == 3
    with pytest.raises(NoItem) as nothing:
        next_item(brief, NOW)
    assert nothing.value.code == "quota"


def test_a_target_ends_the_campaign(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.work.assignment import next_item

    made = campaign(made_texts(), target=6)
    assert len(work(judge(made), 100)) == 6
    with pytest.raises(NoItem) as nothing:
        next_item(judge(made, "late"), NOW)
    assert nothing.value.code == "enough"


@pytest.mark.parametrize("code", ["closed", "paused", "excluded"])
def test_who_may_not_work(sqlite: str, made_texts: Texts, code: str) -> None:
    from adjudge.campaigns.people import judges
    from adjudge.campaigns.setup import campaign_state
    from adjudge.campaigns.work.assignment import next_item

    made = campaign(made_texts())
    someone = judge(made)
    next_item(someone, NOW)
    if code == "closed":
        campaign_state.close(made)
    elif code == "paused":
        judges.pause(someone)
    else:
        judges.exclude(someone, "clicked at random")
    with pytest.raises(NoItem) as nothing:
        next_item(someone, NOW)
    assert nothing.value.code == code


def test_abandoned_items_return_and_late_answers_are_kept(store: str, made_texts: Texts) -> None:
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.work.assignment import next_item

    made = campaign(made_texts(), repeats=0.0, common=0.0, abandoned_hours=24)
    slow, quick = judge(made, "slow"), judge(made, "quick")
    first = next_item(slow, NOW)
    answer(slow, first)
    left = next_item(slow, NOW)
    assert next_item(quick, NOW + timedelta(hours=23)).hit_id != first.hit_id
    work(quick, 3)
    later = NOW + timedelta(hours=49)
    taken = next_item(quick, later)
    assert (taken.hit_id, taken.item_id) == (left.hit_id, left.item_id)
    left.refresh_from_db()
    assert left.state == "returned"
    answer(slow, left, later)
    left.refresh_from_db()
    assert left.state == "answered"
    table = judgements_of(made)
    of_slow = table.filter(table["judge"] == "slow")["ranking"].unique().to_list()
    assert sorted(of_slow) == [first.pk, left.pk]


def test_exposures_are_what_was_given(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.models import Assignment, Exposure, Output

    texts = made_texts(systems=4)
    same = dict(texts.systems)
    same["systemB"] = texts.systems["systemA"]
    made = campaign(replace(texts, systems=same), block=2, abandoned_hours=1)
    for number in range(3):
        work(judge(made, f"judge{number}"), 7)  # leaves HITs unfinished
    from adjudge.campaigns.work.assignment import return_abandoned

    assert return_abandoned(made, NOW + timedelta(hours=9)) > 0
    expected: Counter[tuple[str, str]] = Counter()
    for item in Assignment.objects.exclude(state="returned"):
        outputs = [
            sorted(Output.objects.get(pk=pk).systems.values_list("name", flat=True))
            for pk in item.shown
        ]
        expected.update((s, s) for systems in outputs for s in systems)
        for i, systems in enumerate(outputs):
            for others in outputs[:i]:
                expected.update(tuple(sorted((s, o))) for s in systems for o in others)  # type: ignore[misc]
    stored = Exposure.objects.values_list("system__name", "other__name", "shown")
    assert {(min(a, b), max(a, b)): n for a, b, n in stored if n} == dict(expected)


def test_the_same_seed_gives_the_same_items(
    sqlite_store: Callable[[], str], switch: Callable[[str], None], made_texts: Texts
) -> None:
    given = []
    for _ in range(2):
        switch(sqlite_store())
        done = work(judge(campaign(made_texts())), 20)
        given.append([(item.item.segment.order, item.shown) for item in done])
    assert given[0] == given[1]
