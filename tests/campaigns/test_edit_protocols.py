"""Blind editing and review: who sees and gets what, what is refused, what is exported."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import NoItem, Refused
from adjudge.core.errors import AdjudgeError
from adjudge.text.testset import TestSet

if TYPE_CHECKING:
    from adjudge.campaigns.models import Assignment, Campaign, Judge
    from adjudge.campaigns.protocol_kit.protocol import Screen

Texts = Callable[..., TestSet]
NOW = datetime(2026, 5, 17, 9, tzinfo=UTC)
ALONE = Design(run=3, common=0.0, repeats=0.0)
BOTH = ("blind-edit:3", "review:3")
YES = {"verdict": "yes", "edit": None}
keys = count()


def create(texts: TestSet, design: Design = ALONE) -> "Campaign":
    from adjudge.campaigns.setup.creation import create_campaign

    return create_campaign("edits", texts, design, protocols=BOTH)


def person(campaign: "Campaign", name: str, protocol: str | None = None) -> "Judge":
    from adjudge.campaigns.people.invitation import invite

    return invite(campaign, name, protocols=[protocol] if protocol else []).judge


def asked(judge: "Judge") -> "tuple[Assignment, Screen]":
    from adjudge.campaigns.work.assignment import next_item
    from adjudge.campaigns.work.screen import screen_of

    item = next_item(judge, NOW)
    return item, screen_of(item)


def answer(judge: "Judge", item: "Assignment", **said: Any) -> None:
    from adjudge.campaigns.work.answers import submit
    from adjudge.campaigns.work.screen import candidate_keys

    sent = {"candidates": candidate_keys(item), **said}
    submit(judge, item.key, f"answer number {next(keys)}", sent, None, NOW)


def edit(judge: "Judge", text: str | None = "an edit") -> "Assignment":
    item, screen = asked(judge)
    assert screen.protocol == "blind-edit"
    answer(judge, item, edit=text, incomprehensible=text is None)
    return item


def test_an_editor_sees_the_output_and_its_neighbours_only(store: str, made_texts: Texts) -> None:
    campaign = create(made_texts(segments=12, systems=3, documents=2))
    editor = person(campaign, "Ed", "blind-edit")
    systems = set()
    for _ in range(3):
        item, screen = asked(editor)
        assert (screen.source, screen.reference, screen.before, screen.after) == (None,) * 4
        (text,) = screen.texts
        _, number, _, system = text.split()
        place = int(number)
        inside = [n for n in (place - 1, place + 1) if 0 <= n < 12 and n // 6 == place // 6]
        expected = {f"translation {n} by {system}" for n in inside}
        assert {text for text in screen.details.values() if text} == expected
        systems.add(system)
        answer(editor, item, edit="mended", incomprehensible=False)
    assert len(systems) == 1  # a HIT is of one system


def test_neighbours_of_an_output_two_systems_share(sqlite: str, made_texts: Texts) -> None:
    texts = made_texts(segments=3, systems=2, documents=1)
    shared = {name: ("same", *rest) for name, (_, *rest) in texts.systems.items()}
    campaign = create(replace(texts, systems=shared))
    editor = person(campaign, "Ed", "blind-edit")
    _, screen = asked(editor)
    assert screen.texts == ["same"]
    assert screen.details == {"before": None, "after": "translation 1 by systemA"}


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"edit": "", "incomprehensible": False}, "empty"),
        ({"edit": " \n\t", "incomprehensible": False}, "empty"),
        ({"edit": None, "incomprehensible": False}, "empty"),
        ({"edit": "text", "incomprehensible": True}, "form"),
        ({"edit": "text"}, "form"),
        ({"edit": "text", "incomprehensible": "no"}, "form"),
        ({"edit": "text", "incomprehensible": False, "verdict": "yes"}, "form"),
        ({"edit": 3, "incomprehensible": False}, "form"),
        ({"edit": "nul \0 byte", "incomprehensible": False}, "form"),
        ({"edit": "half \ud800", "incomprehensible": False}, "form"),
        ({"edit": "long " * 5000, "incomprehensible": False}, "length"),
    ],
)
def test_edits_that_are_refused(
    sqlite: str, made_texts: Texts, said: dict[str, Any], code: str
) -> None:
    editor = person(create(made_texts(segments=3)), "Ed", "blind-edit")
    item, _ = asked(editor)
    with pytest.raises(Refused) as refused:
        answer(editor, item, **said)
    assert refused.value.code == code
    answer(editor, item, edit="  written\non two lines ", incomprehensible=False)
    assert item.answers.get().payload == {
        "edit": "written on two lines",
        "incomprehensible": False,
    }


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"verdict": None, "edit": None}, "verdict"),
        ({"verdict": "maybe", "edit": None}, "verdict"),
        ({"verdict": "yes"}, "form"),
        ({"verdict": "yes", "edit": " "}, "empty"),
        ({"verdict": "no", "edit": None}, "correction"),
        ({"verdict": "no", "edit": " an  edit "}, "correction"),
        ({"verdict": "no", "edit": ["a"]}, "form"),
    ],
)
def test_reviews_that_are_refused(
    sqlite: str, made_texts: Texts, said: dict[str, Any], code: str
) -> None:
    campaign = create(made_texts(segments=3))
    edit(person(campaign, "Ed", "blind-edit"))
    reviewer = person(campaign, "Rex", "review")
    item, _ = asked(reviewer)
    with pytest.raises(Refused) as refused:
        answer(reviewer, item, **said)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        (YES, YES),
        ({"verdict": "yes", "edit": "an edit"}, YES),  # nothing was changed
        ({"verdict": "yes", "edit": "An edit."}, {"verdict": "yes", "edit": "An edit."}),
        ({"verdict": "no", "edit": " Mended "}, {"verdict": "no", "edit": "Mended"}),
    ],
)
def test_reviews_as_stored(
    sqlite: str, made_texts: Texts, said: dict[str, Any], stored: dict[str, Any]
) -> None:
    campaign = create(made_texts(segments=3))
    edit(person(campaign, "Ed", "blind-edit"))
    reviewer = person(campaign, "Rex", "review")
    item, screen = asked(reviewer)
    assert screen.source is not None
    assert screen.reference is not None
    assert screen.details == {"edit": "an edit"}
    answer(reviewer, item, **said)
    assert item.answers.get().payload == stored


def test_reviews_come_as_edits_finish(store: str, made_texts: Texts) -> None:
    campaign = create(made_texts(segments=3, systems=3, documents=1))
    one, two = person(campaign, "Ed", "blind-edit"), person(campaign, "Ida", "blind-edit")
    reviewer = person(campaign, "Rex", "review")
    with pytest.raises(NoItem) as nothing:
        asked(reviewer)
    assert nothing.value.code == "waiting"
    seen = []
    for editor, text in ((one, "first"), (two, "second"), (one, "third")):
        edit(editor, text)
        item, screen = asked(reviewer)
        seen.append(screen.details["edit"])
        answer(reviewer, item, **YES)
    assert seen == ["first", "second", "third"]  # the run is not used up by its first edit
    with pytest.raises(NoItem):
        asked(reviewer)


def test_nobody_reviews_their_own_edit(store: str, made_texts: Texts) -> None:
    """Nor gets it from the common pool, where it waits for a second reviewer."""
    campaign = create(
        made_texts(segments=3, systems=2, documents=1), Design(run=3, common=1.0, repeats=0.0)
    )
    editor = person(campaign, "Ed")
    edit(editor)
    reviewer = person(campaign, "Rex", "review")
    answer(reviewer, asked(reviewer)[0], **YES)
    for _ in range(2):  # the rest of the only run
        edit(editor)
    with pytest.raises(NoItem):
        asked(editor)
    second = person(campaign, "Roy", "review")
    assert asked(second)[1].details == {"edit": "an edit"}  # from the pool


def test_what_is_incomprehensible_or_skipped_is_not_reviewed(
    sqlite: str, made_texts: Texts
) -> None:
    from adjudge.campaigns.work.answers import skip

    campaign = create(made_texts(segments=3, documents=1))
    editor, reviewer = person(campaign, "Ed", "blind-edit"), person(campaign, "Rex", "review")
    edit(editor, None)
    item, _ = asked(editor)
    skip(editor, item.key, "a key to skip", "cannot decide", None, NOW)
    with pytest.raises(NoItem):
        asked(reviewer)


def test_every_edit_is_put_before_one_reviewer(sqlite: str, made_texts: Texts) -> None:
    campaign = create(made_texts(segments=6, documents=1))
    editor = person(campaign, "Ed", "blind-edit")
    for number in range(6):
        edit(editor, f"edit {number}")
    found = []
    for name in ("Rex", "Roy", "Ria"):
        reviewer = person(campaign, name, "review")
        try:
            while True:
                item, screen = asked(reviewer)
                found.append(screen.details["edit"])
                answer(reviewer, item, **YES)
        except NoItem:
            pass
    assert sorted(found) == [f"edit {number}" for number in range(6)]


def test_who_has_reviewed_a_segment_does_not_edit_it_blind(sqlite: str, made_texts: Texts) -> None:
    campaign = create(made_texts(segments=6, documents=1))
    edited = edit(person(campaign, "Ed", "blind-edit"))
    both = person(campaign, "Bo", "review")
    answer(both, asked(both)[0], **YES)
    both.protocols = ["blind-edit"]
    both.save()
    runs = {edit(both).item.segment.run_id for _ in range(3)}
    assert edited.item.segment.run_id not in runs
    with pytest.raises(NoItem):
        asked(both)


def test_the_export_has_edits_and_reviews_that_count(store: str, made_texts: Texts) -> None:
    from adjudge.campaigns.models import Judge
    from adjudge.campaigns.results.tables import edits_of
    from adjudge.campaigns.work.answers import skip

    campaign = create(made_texts(segments=6, systems=2, documents=1))
    editor, other = person(campaign, "Ed", "blind-edit"), person(campaign, "Ida", "blind-edit")
    reviewer = person(campaign, "Rex", "review")
    first = edit(editor, "first")
    answer(reviewer, asked(reviewer)[0], verdict="yes", edit="polished")
    edit(editor, None)
    item, _ = asked(editor)
    skip(editor, item.key, "a key to skip", "cannot decide", None, NOW)
    edit(other, "other")
    answer(reviewer, asked(reviewer)[0], verdict="no", edit="corrected")
    table = edits_of(campaign)
    shown = table.select("protocol", "judge", "edit", "incomprehensible", "verdict")
    assert shown.rows() == [
        ("blind-edit", "Ed", "first", False, None),
        ("blind-edit", "Ed", None, True, None),
        ("blind-edit", "Ed", None, None, None),  # skipped
        ("review", "Rex", "polished", None, "yes"),
        ("blind-edit", "Ida", "other", False, None),
        ("review", "Rex", "corrected", None, "no"),
    ]
    reviews = table.filter(protocol="review")
    edits = dict(table.select("item", "edit").rows())
    assert [edits[number] for number in reviews["reviewed"]] == ["first", "other"]
    # The editor changes their mind: that review was of another text, and there is a new one.
    answer(editor, first, edit="second thought", incomprehensible=False)
    assert edits_of(campaign).filter(protocol="review")["edit"].to_list() == ["corrected"]
    assert asked(reviewer)[1].details == {"edit": "second thought"}
    Judge.objects.filter(pk=other.pk).update(state=Judge.State.EXCLUDED)
    assert not len(edits_of(campaign).filter(protocol="review"))
    assert len(edits_of(campaign, include_excluded=True).filter(protocol="review")) == 1


@pytest.mark.slow
def test_simulated_judges_to_understandability(sqlite: str, made_texts: Texts) -> None:
    """Systems of known quality come out in their order, repeats and all."""
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.results.tables import edits_of
    from adjudge.scoring.edits.results import understood

    design = Design(run=3, common=0.4, repeats=0.1, repeat_gap=3)
    campaign = create(made_texts(segments=60, systems=4, documents=6), design)

    def quality(segment: str, systems: tuple[str, ...], text: str) -> float:
        return {"systemA": 1.5, "systemB": 0.4, "systemC": -0.4, "systemD": -1.2}[systems[0]]

    simulate_judges(campaign, quality, answers=500, judges=6)
    table = edits_of(campaign)
    found = understood(table)
    assert found.systems[0].systems == ("systemA", "systemB", "systemC", "systemD")
    kinds = {(one.occurrence, one.total > 0) for one in found.occurrences}
    assert kinds == {("first", True), ("repeated", True), ("overall", True)}
    assert {one.agreed.kind for one in found.agreement} == {"inter", "intra"}
    assert found.systems[0].own_reviews == 0
    assert found.references[0].number > 0


def test_review_needs_edits_to_review(sqlite: str, made_texts: Texts) -> None:
    from adjudge.campaigns.setup.creation import create_campaign

    for alone in ("review", "review:5"):
        with pytest.raises(AdjudgeError, match="judges answers of blind-edit; add"):
            create_campaign("edits", made_texts(), ALONE, protocols=[alone])


def test_practice_answers() -> None:
    from adjudge.campaigns.protocols import PROTOCOLS

    edited = PROTOCOLS.named("blind-edit").agrees
    text, gave_up = (
        {"edit": "a", "incomprehensible": False},
        {"edit": None, "incomprehensible": True},
    )
    assert edited(text, text) is True
    assert edited(text, text | {"edit": "b"}) is None
    assert edited(text, gave_up) is False
    assert PROTOCOLS.named("review").agrees(YES, YES | {"edit": "b"}) is True
    assert PROTOCOLS.named("review").agrees(YES, {"verdict": "no", "edit": "b"}) is False
