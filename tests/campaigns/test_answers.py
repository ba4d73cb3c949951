"""Taking answers: once, only what was given, nothing lost."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import Refused
from adjudge.text.testset import TestSet

Texts = Callable[..., TestSet]
NOW = datetime(2026, 5, 17, 9, tzinfo=UTC)
RANKS = [2, 1, 3, 3, 5]


@pytest.fixture
def given(sqlite: str, made_texts: Texts) -> tuple[Any, Any]:
    """A judge and their first item."""
    return first_item(made_texts())


def first_item(texts: TestSet) -> tuple[Any, Any]:
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.campaigns.work.assignment import next_item

    made = create_campaign("test", texts, Design())
    judge = invite(made, "Ann").judge
    return judge, next_item(judge, NOW)


def answer_to(item: Any, ranks: list[Any] | None = None) -> dict[str, Any]:
    from adjudge.campaigns.work.screen import candidate_keys

    return {"candidates": candidate_keys(item), "ranks": ranks or RANKS}


def stored() -> list[Any]:
    from adjudge.campaigns.models import Answer

    return list(Answer.objects.order_by("pk"))


def test_an_answer_is_stored_as_it_was_given(store: str, made_texts: Texts) -> None:
    from adjudge.campaigns.work.answers import Times, submit

    judge, item = first_item(made_texts())
    later = NOW + timedelta(seconds=20)
    times = Times(19.5, 12.25, NOW + timedelta(seconds=19))
    receipt = submit(judge, item.key, "a-key-of-mine", answer_to(item), times, later)
    assert (receipt.revision, receipt.received, receipt.again) == (1, later, False)
    (answer,) = stored()
    assert answer.payload == {"ranks": RANKS}
    assert answer.seconds == 20
    assert (answer.browser_seconds, answer.active_seconds) == (19.5, 12.25)
    assert answer.browser_time == times.at
    item.refresh_from_db()
    assert (item.state, item.finished) == ("answered", later)


def test_the_same_key_again_changes_nothing(store: str, made_texts: Texts) -> None:
    from adjudge.campaigns.work.answers import submit

    judge, item = first_item(made_texts())
    first = submit(judge, item.key, "double-click", answer_to(item), None, NOW)
    again = submit(judge, item.key, "double-click", answer_to(item, [1] * 5), None)
    assert (again.revision, again.received, again.again) == (1, first.received, True)
    assert [answer.payload for answer in stored()] == [{"ranks": RANKS}]


def test_a_new_key_is_a_revision_and_the_later_counts(given: tuple[Any, Any]) -> None:
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.work.answers import last_answered, skip, submit
    from adjudge.campaigns.work.screen import screen_of

    judge, item = given
    submit(judge, item.key, "first-answer", answer_to(item), None, NOW)
    assert last_answered(judge) == item
    assert screen_of(last_answered(judge)).given == {"ranks": RANKS}  # type: ignore[arg-type]
    submit(judge, item.key, "second-answer", answer_to(item, [5, 4, 3, 2, 1]), None, NOW)
    assert judgements_of(judge.campaign)["rank"].to_list() == [5, 4, 3, 2, 1]
    skip(judge, item.key, "third-answer", "cannot read it after all", None, NOW)
    table = judgements_of(judge.campaign)
    assert table.select("output", "rank", "position").rows() == [(None, None, None)]
    assert table["segment"].to_list() == [item.item.segment.name]
    submit(judge, item.key, "fourth-answer", answer_to(item), None, NOW)
    assert judgements_of(judge.campaign)["rank"].to_list() == RANKS
    assert [answer.revision for answer in stored()] == [1, 2, 3, 4]


def test_undo_goes_to_the_last_item(given: tuple[Any, Any]) -> None:
    from adjudge.campaigns.work.answers import last_answered, submit
    from adjudge.campaigns.work.assignment import next_item

    judge, first = given
    assert last_answered(judge) is None
    submit(judge, first.key, "first-item", answer_to(first), None, NOW)
    second = next_item(judge, NOW)
    submit(judge, second.key, "second-item", answer_to(second), None, NOW + timedelta(seconds=9))
    assert last_answered(judge) == second


def test_undo_goes_on_to_earlier_items_though_clocks_were_put_back(given: tuple[Any, Any]) -> None:
    from adjudge.campaigns.errors import Refused
    from adjudge.campaigns.work.answers import last_answered, submit
    from adjudge.campaigns.work.assignment import next_item

    judge, first = given
    items = [first]
    for number in range(3):
        now = NOW - timedelta(hours=number)
        submit(judge, items[-1].key, f"item-{number}-here", answer_to(items[-1]), None, now)
        items.append(next_item(judge, now))
    # A revision leaves the order as it was.
    submit(judge, first.key, "first-again", answer_to(first), None, NOW + timedelta(days=1))
    assert last_answered(judge) == items[2]
    assert last_answered(judge, items[2].key) == items[1]
    assert last_answered(judge, items[1].key) == first
    assert last_answered(judge, first.key) is None
    for key in (items[3].key, "somebody-elses"):  # not answered; not theirs
        with pytest.raises(Refused):
            last_answered(judge, key)


REFUSALS: dict[str, tuple[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    "a rank too high": ("rank", lambda a: a | {"ranks": [1, 2, 3, 4, 6]}),
    "a rank too low": ("rank", lambda a: a | {"ranks": [0, 2, 3, 4, 5]}),
    "a rank that is text": ("rank", lambda a: a | {"ranks": ["1", 2, 3, 4, 5]}),
    "a rank that is a truth": ("rank", lambda a: a | {"ranks": [True, 2, 3, 4, 5]}),
    "a rank that is broken": ("rank", lambda a: a | {"ranks": [1.5, 2, 3, 4, 5]}),
    "a rank too few": ("candidate", lambda a: a | {"ranks": [1, 2, 3, 4]}),
    "a rank too many": ("candidate", lambda a: a | {"ranks": [1, 2, 3, 4, 5, 5]}),
    "a rank not given": ("missing", lambda a: a | {"ranks": [1, 2, None, 4, 5]}),
    "no list": ("form", lambda a: a | {"ranks": 1}),
    "nothing": ("form", lambda a: {"candidates": a["candidates"]}),
    "something more": ("form", lambda a: a | {"comment": "hello"}),
    "no candidates": ("candidate", lambda a: {"ranks": a["ranks"]}),
    "a foreign candidate": (
        "candidate",
        lambda a: a | {"candidates": ["f00", *a["candidates"][1:]]},
    ),
    "one candidate twice": (
        "candidate",
        lambda a: a | {"candidates": [a["candidates"][1], *a["candidates"][1:]]},
    ),
    "another order": ("order", lambda a: a | {"candidates": a["candidates"][::-1]}),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_bad_answers_are_refused_and_leave_nothing(given: tuple[Any, Any], name: str) -> None:
    from adjudge.campaigns.work.answers import submit

    judge, item = given
    code, spoil = REFUSALS[name]
    with pytest.raises(Refused) as refused:
        submit(judge, item.key, "a-key-of-mine", spoil(answer_to(item)), None, NOW)
    assert refused.value.code == code
    assert not stored()
    item.refresh_from_db()
    assert item.state == "open"


def test_only_what_was_given_to_this_judge(given: tuple[Any, Any]) -> None:
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.work.answers import skip, submit
    from adjudge.campaigns.work.assignment import next_item

    judge, item = given
    other = invite(judge.campaign, "Bob").judge
    theirs = next_item(other, NOW)
    for key in (theirs.key, "no-such-item", str(item.pk)):
        with pytest.raises(Refused) as refused:
            submit(judge, key, "a-key-of-mine", answer_to(theirs), None, NOW)
        assert refused.value.code == "item"
    # The candidates of another item do not fit this one.
    with pytest.raises(Refused) as refused:
        submit(judge, item.key, "a-key-of-mine", answer_to(theirs), None, NOW)
    assert refused.value.code == "candidate"
    # A key that was used for another answer, of anybody's, is no key for this one.
    submit(other, theirs.key, "a-key-of-theirs", answer_to(theirs), None, NOW)
    with pytest.raises(Refused) as refused:
        submit(judge, item.key, "a-key-of-theirs", answer_to(item), None, NOW)
    assert refused.value.code == "key"
    for key in ("short", "x" * 65, ""):
        with pytest.raises(Refused):
            skip(judge, item.key, key, "why not")
    assert len(stored()) == 1


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf"), 1e12])
def test_impossible_times_are_refused(given: tuple[Any, Any], seconds: float) -> None:
    from adjudge.campaigns.work.answers import Times, submit

    judge, item = given
    with pytest.raises(Refused) as refused:
        submit(judge, item.key, "a-key-of-mine", answer_to(item), Times(seconds), NOW)
    assert refused.value.code == "time"


def test_a_skip_needs_a_reason(given: tuple[Any, Any]) -> None:
    from adjudge.campaigns.work.answers import skip

    judge, item = given
    for reason in ("", " \n", "x" * 501):
        with pytest.raises(Refused) as refused:
            skip(judge, item.key, "a-key-of-mine", reason)
        assert refused.value.code == "reason"
    skip(judge, item.key, "a-key-of-mine", "not my field")
    assert stored()[0].skipped == "not my field"


def test_loaded_ahead_the_clock_starts_when_the_item_before_is_done(
    given: tuple[Any, Any],
) -> None:
    from adjudge.campaigns.work.answers import submit
    from adjudge.campaigns.work.assignment import next_items

    judge, _ = given
    first, second = next_items(judge, 2, NOW)
    one, two = NOW + timedelta(seconds=30), NOW + timedelta(seconds=45)
    submit(judge, first.key, "first-item", answer_to(first), None, one)
    submit(judge, second.key, "second-item", answer_to(second), None, two)
    assert [answer.seconds for answer in stored()] == [30, 15]


def test_answers_faster_than_reading_are_flagged_not_refused(given: tuple[Any, Any]) -> None:
    from adjudge.campaigns.work.answers import Times, submit
    from adjudge.campaigns.work.screen import screen_of

    judge, item = given
    screen = screen_of(item)
    size = len(screen.source) + sum(len(one.text) for one in screen.candidates)
    limit = size / judge.campaign.design.fastest_reading
    later = NOW + timedelta(seconds=100)
    submit(judge, item.key, "too-fast", answer_to(item), Times(99, limit * 0.9), later)
    submit(judge, item.key, "not-too-fast", answer_to(item), Times(99, limit * 1.1), later)
    assert [answer.too_fast for answer in stored()] == [True, False]


def test_paused_judges_and_closed_campaigns_keep_what_comes(given: tuple[Any, Any]) -> None:
    from adjudge.campaigns.people import judges
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.setup import campaign_state
    from adjudge.campaigns.work.answers import submit

    judge, item = given
    judges.pause(judge)
    submit(judge, item.key, "while-paused", answer_to(item), None, NOW)
    campaign_state.close(judge.campaign, NOW + timedelta(hours=1))
    later = NOW + timedelta(hours=2)
    submit(judge, item.key, "after-closing", answer_to(item, [1] * 5), None, later)
    assert len(stored()) == 2
    assert judgements_of(judge.campaign)["rank"].to_list() == RANKS
    campaign_state.reopen(judge.campaign)
    assert judgements_of(judge.campaign)["rank"].to_list() == [1] * 5


def test_a_screen_says_nothing_it_should_not(given: tuple[Any, Any]) -> None:
    from dataclasses import asdict

    from adjudge.campaigns.models import Output, System
    from adjudge.campaigns.work.screen import screen_of

    judge, item = given
    screen = screen_of(item)
    texts = dict(Output.objects.values_list("pk", "text"))
    assert [one.text for one in screen.candidates] == [texts[pk] for pk in item.shown]
    assert screen.reference == item.item.segment.reference
    told = asdict(screen)
    for candidate in told["candidates"]:
        candidate.pop("text")  # in these texts systems sign their translations
    assert not any(name in str(told) for name in System.objects.values_list("name", flat=True))
    assert len({screen.key, *(one.key for one in screen.candidates)}) == 6
    judge.campaign.show_reference = False
    item.judge = judge
    assert screen_of(item).reference is None


def test_context_stays_in_the_document(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.work.assignment import next_items
    from adjudge.campaigns.work.screen import screen_of

    texts = made_texts(segments=6, documents=2)
    judge, _ = first_item(texts)
    screens = {item.item.segment.order: screen_of(item) for item in next_items(judge, 6, NOW)}
    assert len(screens) == 6
    assert [screens[order].before for order in (1, 4)] == [None, None]
    assert [screens[order].after for order in (3, 6)] == [None, None]
    assert (screens[2].before, screens[2].after) == (texts.source[0], texts.source[2])
