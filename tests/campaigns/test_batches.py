"""Several protocols in one campaign: batches in random order, as in WMT07."""

from collections.abc import Callable
from itertools import groupby
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.campaigns.design import Design
from adjudge.campaigns.setup.batches import batches_from
from adjudge.campaigns.work.assign_hit import in_turn
from adjudge.core.errors import AdjudgeError
from adjudge.text.testset import TestSet

Texts = Callable[..., TestSet]
WMT07 = ("adequacy-fluency:5", "ranking:5", "pairwise:10")  # five, five and ten screens
SIZES = {"adequacy-fluency": 5, "ranking": 5, "pairwise": 10}


def screens(campaign: Any, judge: Any, number: int) -> list[str]:
    """The protocols of so many screens in a row, each skipped."""
    from adjudge.campaigns.errors import NoItem
    from adjudge.campaigns.work.answers import skip
    from adjudge.campaigns.work.assignment import next_item

    met = []
    for turn in range(number):
        try:
            item = next_item(judge)
        except NoItem:
            break
        skip(judge, item.key, f"skip-{judge.pk}-{turn:04d}", "cannot decide")
        met.append(item.hit.protocol)
    return met


def runs(protocols: list[str]) -> list[tuple[str, int]]:
    return [(name, len(list(some))) for name, some in groupby(protocols)]


def create(texts: TestSet, protocols: Any = WMT07, name: str = "mixed", **design: Any) -> Any:
    from adjudge.campaigns.setup.creation import create_campaign

    values = {"run": 1, "repeats": 0.0, "common": 0.0, **design}
    return create_campaign(name, texts, Design(**values), protocols=protocols)


@pytest.mark.slow
def test_batches_of_five_five_and_ten_in_random_order(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.people.invitation import invite

    campaign = create(made_texts(segments=60))
    orders = set()
    for name in ("Ann", "Bob", "Cyd"):
        met = screens(campaign, invite(campaign, name).judge, 40)
        rounds = [met[:20], met[20:]]
        for one in rounds:
            assert len(runs(one)) == 3  # nothing of a batch elsewhere
            assert dict(runs(one)) == SIZES
            orders.add(tuple(dict(runs(one))))
    assert len(orders) > 1


@pytest.mark.slow
def test_the_same_seed_gives_the_same_batches(
    sqlite_store: Callable[[], str], switch: Callable[[str], None], made_texts: Texts
) -> None:
    from adjudge.campaigns.people.invitation import invite

    found = []
    for _ in range(2):
        switch(sqlite_store())
        campaign = create(made_texts(segments=30))
        found.append(screens(campaign, invite(campaign, "Ann").judge, 25))
    assert found[0] == found[1]


def test_the_others_go_on_where_one_has_nothing_left(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.people.invitation import invite

    campaign = create(made_texts(segments=8, documents=1), ("ranking:2", "pairwise:6"))
    met = screens(campaign, invite(campaign, "Ann").judge, 40)
    assert met.count("ranking") == met.count("pairwise") == 8
    first = dict(runs(met[:8]))
    assert first == {"ranking": 2, "pairwise": 6}
    # Two pairs are left of the second round, then only rankings.
    assert met[8:].count("pairwise") == 2
    assert runs(met)[-1][0] == "ranking"


def test_a_batch_ends_with_the_hit_that_fills_it(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.people.invitation import invite

    campaign = create(made_texts(segments=60, documents=4), ("ranking:5", "pairwise:5"), run=3)
    met = screens(campaign, invite(campaign, "Ann").judge, 24)
    assert sorted(runs(met[:12])) == [("pairwise", 6), ("ranking", 6)]
    assert sorted(runs(met[12:])) == [("pairwise", 6), ("ranking", 6)]


def test_judges_may_be_asked_in_some_ways_only(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.people.invitation import invite

    campaign = create(made_texts())
    judge = invite(campaign, "Ann", protocols=["pairwise"]).judge
    assert set(screens(campaign, judge, 25)) == {"pairwise"}
    with pytest.raises(AdjudgeError, match="has no protocol 'segments'; it has: adequacy-fluency"):
        invite(campaign, "Bob", protocols=["segments"])


@given(
    st.lists(st.sampled_from(sorted(SIZES)), max_size=60),
    st.sets(st.sampled_from(sorted(SIZES))),
)
def test_every_protocol_has_its_turn(history: list[str], only: set[str]) -> None:
    campaign: Any = SimpleNamespace(seed=1, batches=list(SIZES.items()))
    judge: Any = SimpleNamespace(pk=7, protocols=sorted(only))
    found = in_turn(campaign, judge, [(name, 1) for name in history])
    assert sorted(found) == sorted(only or SIZES)
    if history and history[-1] in found:
        name, in_a_row = runs(history)[-1]
        if in_a_row % SIZES[name]:  # in the middle of a batch
            assert found[0] == name


def test_one_that_was_without_work_gets_one_batch_when_it_has_some_again() -> None:
    campaign: Any = SimpleNamespace(seed=1, batches=[("ranking", 2), ("pairwise", 2)])
    judge: Any = SimpleNamespace(pk=7, protocols=[])
    history = [("pairwise", 1)] * 20  # there was nothing to rank
    while len(history) < 30:
        history.append((in_turn(campaign, judge, history)[0], 1))
    met = [name for name, _ in history[20:]]
    assert met[:2] == ["ranking"] * 2
    assert sorted(met[2:6]) == ["pairwise"] * 2 + ["ranking"] * 2


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ([], "needs a protocol"),
        (["ranking:5", "ranking:5"], "given twice"),
        (["ranking", "pairwise:5"], "'ranking': say how many screens"),
        (["ranking:0", "pairwise:5"], "from 1 to 1000"),
        (["ranking:1001", "pairwise:5"], "from 1 to 1000"),
        (["ranking:²", "pairwise:5"], "from 1 to 1000"),
        (["guessing"], "`protocol` cannot be 'guessing'"),
    ],
)
def test_bad_batches(asked: list[str], reason: str) -> None:
    with pytest.raises(AdjudgeError, match=reason):
        batches_from(asked)


def test_progress_is_told_by_protocol(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.results.progress import protocols_of

    campaign = create(made_texts(), ("ranking:2", "pairwise:3"))
    simulate_judges(campaign, lambda *_: 0.0, answers=20, judges=2)
    found = protocols_of(campaign)
    assert [(one.protocol, one.screens, one.answers, one.judges) for one in found] == [
        ("ranking", 2, 8, 2),
        ("pairwise", 3, 12, 2),
    ]
    assert all(one.median_seconds for one in found)
