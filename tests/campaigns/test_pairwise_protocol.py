"""Two outputs side by side: what is drawn, refused and exported, and what is made of it."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from adjudge.campaigns.errors import Refused
from adjudge.text.testset import TestSet

pytestmark = pytest.mark.usefixtures("sqlite")
Texts = Callable[..., TestSet]


def campaign(texts: TestSet, **design: Any) -> Any:
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.setup.creation import create_campaign

    chosen = {"reference": "off", **design}
    return create_campaign(
        "side by side", texts, design_named("recommended", **chosen), protocols=["pairwise"]
    )


def better_by_letter(segment: str, systems: tuple[str, ...], text: str) -> float:
    """systemA is the worst."""
    return 0.5 * ord(systems[0][-1])


def screen_of_first(found: Any) -> Any:
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.work.assignment import next_item
    from adjudge.campaigns.work.screen import screen_of

    item = next_item(invite(found, "Ada").judge)
    return item, screen_of(item)


@pytest.mark.parametrize("plain_tie", [False, True])
def test_choices_become_ranks_and_labels(made_texts: Texts, plain_tie: bool) -> None:
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.campaigns.work.answers import submit
    from adjudge.campaigns.work.assignment import next_item
    from adjudge.campaigns.work.screen import candidate_keys, screen_of

    judge = invite(campaign(made_texts(), plain_tie=plain_tie, repeats=0.0), "Ada").judge
    expected = {
        "first": [(1, None), (2, None)],
        "second": [(2, None), (1, None)],
        "both fine": [(1, "both fine")] * 2,
        "both wrong": [(1, "both wrong")] * 2,
    } | ({"tie": [(1, None)] * 2} if plain_tie else {})
    wanted = []
    for number, (choice, rows) in enumerate(expected.items()):
        item = next_item(judge)
        screen = screen_of(item)
        assert screen.scale["choices"] == list(expected)
        said = {"choice": choice, "candidates": candidate_keys(item)}
        submit(judge, item.key, f"answer-{number}", said)
        wanted += [
            (text, position, *row)
            for position, (text, row) in enumerate(zip(screen.texts, rows, strict=True), 1)
        ]
    table = judgements_of(judge.campaign).cast({"text": str, "label": str})
    assert table.select("text", "position", "rank", "label").rows() == wanted
    assert set(table["protocol"]) == {"pairwise"}


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({}, "form"),
        ({"choice": "first", "rank": 1}, "form"),
        ({"choice": None}, "no_choice"),
        ({"choice": "left"}, "choice"),
        ({"choice": "tie"}, "choice"),  # this campaign has no plain tie
        ({"choice": 1}, "choice"),
        ({"choice": ["first"]}, "choice"),
    ],
)
def test_anything_else_is_refused(made_texts: Texts, answer: dict[str, Any], code: str) -> None:
    from adjudge.campaigns.protocols import PROTOCOLS

    _, screen = screen_of_first(campaign(made_texts()))
    assert PROTOCOLS.named("pairwise").check({"choice": "both wrong"}, screen)
    with pytest.raises(Refused) as refused:
        PROTOCOLS.named("pairwise").check(answer, screen)
    assert refused.value.code == code


@pytest.mark.slow
def test_every_pair_of_systems_gets_its_share(made_texts: Texts) -> None:
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.results.tables import judgements_of

    found = campaign(made_texts(segments=30, systems=4), repeats=0.0, common=0.0)
    simulate_judges(found, better_by_letter, answers=60, judges=2)
    pairs = judgements_of(found).group_by("ranking").agg(pl.col("output").cast(str).sort())
    shown = Counter(tuple(pair) for pair in pairs["output"])
    assert len(shown) == 6
    assert max(shown.values()) - min(shown.values()) <= 3


@pytest.mark.slow
def test_simulated_judges_lead_to_the_true_order_and_a_table_of_choices(
    made_texts: Texts,
) -> None:
    from adjudge.agreement.choices import choice_labels, choices_of_systems, side_by_side
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.data.comparisons import compare
    from adjudge.data.win_counts import count

    found = campaign(made_texts(segments=30, systems=4), plain_tie=True)
    assert simulate_judges(found, better_by_letter, answers=100, judges=4) == 100
    table = judgements_of(found)
    counts = count(compare(table))
    shares = counts.wins.sum(1) / (counts.wins.sum(1) + counts.wins.sum(0))
    assert list(shares) == sorted(shares)
    frame = side_by_side(table)
    assert len(frame) == 100
    said = choices_of_systems(frame)
    assert sum(one.said.total for one in said) == 100
    assert sum(one.said.first for one in said) < sum(one.said.second for one in said)
    assert "both fine" in frame["label"].unique()
    assert choice_labels(frame).inter.comparable.sum() > 0


def test_a_plain_tie_is_a_matter_of_the_design() -> None:
    from adjudge.campaigns.design import Design
    from adjudge.cli.campaign_create import design_values
    from adjudge.core.errors import AdjudgeError

    assert design_values(["plain_tie=true"]) == {"plain_tie": True}
    assert design_values(["plain_tie=false"]) == {"plain_tie": False}
    with pytest.raises(AdjudgeError, match="choose true or false"):
        Design(**design_values(["plain_tie=perhaps"]))
    assert Design.from_json(Design(plain_tie=True).to_json()).plain_tie is True
