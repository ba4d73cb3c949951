"""Who sees the reference: as the protocol has it, and nobody beside itself as a candidate."""

from collections.abc import Callable
from typing import Any

import pytest

from adjudge.campaigns.design import design_named
from adjudge.text.testset import TestSet

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("sqlite")]
Texts = Callable[..., TestSet]


def screens(texts: TestSet, preset: str, **told: Any) -> list[Any]:
    """What a judge sees, and whether the reference is among it."""
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.campaigns.work.assignment import next_items
    from adjudge.campaigns.work.screen import screen_of

    campaign = create_campaign("test", texts, design_named(preset, repeats=0.0), **told)
    judge = invite(campaign, "Ada").judge
    return [screen_of(item) for item in next_items(judge, len(texts.source))]


def beside_itself(screen: Any) -> bool:
    return screen.reference is not None and screen.reference in screen.texts


@pytest.mark.parametrize("preset", ["recommended", "wmt10"])
def test_where_it_may_be_a_candidate_nobody_sees_it_as_the_reference(made_texts, preset):
    shown = screens(made_texts(60), preset)
    assert any("reference" in text for screen in shown for text in screen.texts)
    assert all(screen.reference is None for screen in shown)


def test_asked_for_it_is_shown_but_never_beside_itself(made_texts):
    shown = screens(made_texts(60), "wmt10", show_reference=True)
    hidden = [screen for screen in shown if screen.reference is None]
    assert 0 < len(hidden) < len(shown)
    assert not any(map(beside_itself, shown))
    assert all(any("reference" in text for text in screen.texts) for screen in hidden)


@pytest.mark.parametrize(
    ("protocol", "sees"),
    [("ranking", True), ("pairwise", True), ("direct-assessment", False), ("error-spans", False)],
)
def test_without_a_word_the_protocol_decides(made_texts, protocol, sees):
    shown = screens(made_texts(), "wmt13", protocols=[protocol])
    assert {screen.reference is not None for screen in shown} == {sees}


@pytest.mark.parametrize("told", [True, False])
def test_what_the_organiser_says_holds(made_texts, told):
    for protocol in ("ranking", "direct-assessment"):
        name = {"protocols": [protocol], "show_reference": told}
        assert {s.reference is not None for s in screens(made_texts(), "wmt13", **name)} == {told}
        from adjudge.campaigns.models import Campaign

        Campaign.objects.all().delete()
