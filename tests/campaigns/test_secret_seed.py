"""Nobody can work out beforehand what judges will be shown."""

from collections.abc import Callable
from typing import Any

import pytest

from adjudge.campaigns.design import Design
from adjudge.text.testset import TestSet

pytestmark = pytest.mark.slow

Texts = Callable[..., TestSet]


def shown(texts: TestSet, seed: int | None = None) -> list[Any]:
    """What the first judge sees on 20 screens, as texts, which participants know."""
    from adjudge.campaigns.models import Assignment, Output
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.setup.creation import create_campaign

    campaign = create_campaign("test", texts, Design(), seed=seed)
    simulate_judges(campaign, lambda *_: 0.0, answers=20, judges=1)
    text = dict(Output.objects.values_list("pk", "text"))
    given = Assignment.objects.order_by("pk")[:20]
    return [[text[output] for output in assignment.shown] for assignment in given]


@pytest.mark.secret_seed
def test_screens_cannot_be_rebuilt_from_what_is_public(
    sqlite_store: Callable[[], str], switch: Callable[[str], None], made_texts: Texts
) -> None:
    """A participant makes the same campaign at home, as many times and with any likely seed."""
    screens = []
    for seed in (None, None, 1, 0):
        switch(sqlite_store())
        screens.append(shown(made_texts(), seed))
    ours = screens[0]
    assert len(ours) == 20
    for guess in screens[1:]:
        assert sum(a == b for a, b in zip(ours, guess, strict=True)) < 3


@pytest.mark.secret_seed
def test_a_given_seed_repeats_a_simulation(
    sqlite_store: Callable[[], str], switch: Callable[[str], None], made_texts: Texts
) -> None:
    screens = []
    for _ in range(2):
        switch(sqlite_store())
        screens.append(shown(made_texts(), 7))
    assert screens[0] == screens[1]


@pytest.mark.secret_seed
def test_every_campaign_has_a_seed_of_its_own(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.setup.creation import create_campaign

    seeds = {create_campaign(f"test {n}", made_texts(), Design()).seed for n in range(4)}
    assert len(seeds) == 4
    assert min(seeds) > 2**40


@pytest.mark.slow
def test_campaigns_with_the_public_seed_get_a_secret_one(store: str) -> None:
    from pathlib import Path

    from adjudge.campaigns.setup.campaign_state import campaign_named
    from adjudge.campaigns.store.backup import restore

    restore(str(Path(__file__).parent / "data" / "store-0001.jsonl"))
    stored = campaign_named("stored")
    assert stored.seed > 2**32
    keys = set(stored.judges.values_list("key", flat=True))
    assert len(keys) == stored.judges.count()
    assert all(len(key) == 20 for key in keys)
