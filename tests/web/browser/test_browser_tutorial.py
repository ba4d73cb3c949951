"""Practice before the work, in a real browser."""

import json
from dataclasses import replace
from random import Random

import pytest

from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.text.testset import Part, PartOutput

playwright = pytest.importorskip("playwright.sync_api", reason="no playwright; pip install it")
expect = playwright.expect


@pytest.fixture
def pupil(desk):
    """A judge of a campaign with a tutorial of three items."""
    from adjudge.campaigns.setup.tutorial import Tutorial
    from adjudge.web.demo.corpus import tutorial

    return desk(campaign={"tutorial": Tutorial(tutorial())}, quota=2)


def _practised(judge):
    judge.refresh_from_db()
    return judge.practised is not None


def _practise(page, ranks, number, verdict):
    expect(page.locator("[data-progress-text]")).to_have_text(f"Practice {number} of 3")
    page.keyboard.type(ranks)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=verdict)).to_be_visible()


def test_three_items_with_feedback_come_before_the_work(pupil):
    page = pupil.page
    page.goto(pupil.link)
    expect(page.get_by_text("A few practice items with feedback")).to_be_visible()
    page.get_by_role("link", name="Start").click()
    expect(page.get_by_role("button", name="Skip")).to_be_hidden()
    expect(page.get_by_role("button", name="Undo")).to_be_hidden()

    _practise(page, "132", 1, "That fits our answer.")
    expect(page.locator("[data-feedback] strong")).to_contain_text("What it says")
    ours = page.locator("[data-ours] .scale input:checked")
    assert ours.evaluate_all("all => all.map(one => one.value)") == ["1", "3", "2"]
    page.keyboard.press("4")  # what was answered stays
    yours = page.locator("[data-answer] .scale input:checked")
    assert yours.evaluate_all("all => all.map(one => one.value)") == ["1", "3", "2"]
    page.keyboard.press("Enter")

    _practise(page, "1234", 2, "Our answer is different.")
    page.reload()  # goes on after what was answered
    expect(page.locator("[data-progress-text]")).to_have_text("Practice 3 of 3")
    assert not _practised(pupil.invitation.judge)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Not ranked yet: A, B, C")
    _practise(page, "212", 3, "That fits our answer.")
    assert _practised(pupil.invitation.judge)
    page.get_by_role("button", name="Go on").dblclick()

    expect(page.locator("[data-source]")).to_contain_text("Source sentence")
    assert pupil.stored() == 0
    assert pupil.exported() == {}
    page.keyboard.type("1234")
    page.keyboard.press("Enter")
    pupil.wait_for("Saved")
    assert pupil.stored() == 1
    assert pupil.complaints == []


def test_practice_can_be_repeated_from_the_instructions(pupil):
    page = pupil.page
    pupil.invitation.judge.practised = "2026-01-01T00:00:00Z"
    pupil.invitation.judge.save()
    page.goto(pupil.link)
    page.get_by_role("link", name="Start").click()
    expect(page.locator("[data-source]")).to_contain_text("Source sentence")
    source = page.locator("[data-source]").text_content()
    page.get_by_role("button", name="Instructions").click()
    page.get_by_role("link", name="Practise again").click()
    for number, ranks in enumerate(("123", "1234", "123"), 1):
        _practise(page, ranks, number, "Our answer is different.")
        page.get_by_role("button", name="Go on").click()
    expect(page.locator("[data-source]")).to_have_text(source)  # the same item waits
    assert pupil.complaints == []


def test_without_a_network_practice_waits(pupil):
    page = pupil.page
    page.goto(pupil.link)
    page.get_by_role("link", name="Start").click()
    page.wait_for_selector("ol.candidates")
    pupil.context.set_offline(True)
    page.keyboard.type("132")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Try again in a moment")
    pupil.context.set_offline(False)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="That fits our answer.")).to_be_visible()


def test_crowd_workers_practise_within_their_frame(pupil, platform):
    from adjudge.campaigns.people.crowd import open_to_crowd

    page = pupil.page
    key = open_to_crowd(pupil.campaign, "mturk", 2, signed=False).key
    asked = f"assignmentId=T1&hitId=H&workerId=W1&turkSubmitTo={platform}"
    page.goto(f"{pupil.site}/crowd/{key}/?{asked}")
    page.get_by_role("link", name="Start").click()
    for number, ranks in enumerate(("132", "3122", "212"), 1):
        _practise(page, ranks, number, "That fits our answer.")
        page.get_by_role("button", name="Go on").click()
    expect(page.locator("[data-source]")).to_contain_text("Source sentence")
    page.keyboard.type("1234")
    page.keyboard.press("Enter")
    pupil.wait_for("Saved")
    assert _practised(pupil.campaign.judges.get(name="mturk-0001"))


def _item(campaign, name):
    """A practice item like the campaign's own, and an answer to it."""
    from adjudge.campaigns.setup.example import example_screens

    follows = PROTOCOLS.named(name).follows
    screens = {screen.protocol: screen for screen in example_screens(campaign)}
    screen = replace(screens[follows or name], protocol=name)
    if follows:
        screen = replace(screen, details={"edit": "Ein Satz."}, scale={"verdicts": ["yes", "no"]})
    seen = [3.0 - 2 * at for at in range(len(screen.candidates))]
    outputs = [
        {"text": one.text, "sentence": one.sentence}
        | ({} if one.part is None else {"part": one.part, "start": one.start})
        for one in screen.candidates
    ]
    return {
        "protocol": name,
        "source": screen.source,
        "outputs": outputs,
        "parts": [{"text": part.text, "words": list(part.words)} for part in screen.parts],
        "details": dict(screen.details),
        "answer": PROTOCOLS.named(name).simulated(screen, seen, Random(1)),
        "feedback": f"So we do {name}.",
    }


@pytest.mark.parametrize("name", sorted(PROTOCOLS))
def test_every_protocol_can_be_practised(desk, texts, name):
    systems = list(texts.systems)
    phrase = Part(
        (2, 3),
        "0 <b>of</b>",
        tuple(PartOutput(f"Wort {s}", (s,), f"Das Wort {s} hier", 4) for s in systems),
    )
    with_parts = replace(texts, parts=((phrase, phrase),) * len(texts.source))
    follows = PROTOCOLS.named(name).follows
    asked = [f"{follows}:2", f"{name}:2"] if follows else [name]
    ada = desk(texts=with_parts, campaign={"protocols": asked})
    item = _item(ada.campaign, name)
    ada.campaign.tutorial = [item]
    ada.campaign.save()

    def filled_in(route):  # the page comes back as if this had been answered before
        page = route.fetch()
        given = f'"given": {json.dumps(item["answer"])}'
        route.fulfill(response=page, body=page.text().replace('"given": null', given))

    page = ada.page
    page.goto(ada.link)
    page.route("**/work/*/", filled_in)
    page.get_by_role("link", name="Start").click()
    expect(page.locator("[data-progress-text]")).to_have_text("Practice 1 of 1")
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("[data-feedback]")).to_have_text(f"So we do {name}.")
    expect(page.get_by_role("heading", name="Our answer is different.")).to_be_hidden()
    expect(page.locator(f'[data-ours] > [data-protocol="{name}"]')).to_be_visible()
    assert ada.complaints == []
