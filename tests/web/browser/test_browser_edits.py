"""Blind editing and review in a real browser, to what `adjudge understandability` prints."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudge.text.testset import TestSet

playwright = pytest.importorskip("playwright.sync_api", reason="no playwright; pip install it")
expect = playwright.expect

SOURCES = ("A first source", "A second source", "A third source", "A fourth source")
OUTPUTS = ("Eins ist gut", "Zwei ist schlecht", "Drei ist wirr", "Vier ist falsch")
NO_SENSE = "I cannot make sense of it"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def few_texts() -> TestSet:
    """One system's translation of a document of four segments."""
    return TestSet(
        source=SOURCES,
        reference=tuple(f"Verweis {n}" for n in range(4)),
        documents=("d",) * 4,
        names=("1", "2", "3", "4"),
        systems={"Zebra-unseen": OUTPUTS, "Okapi-unseen": OUTPUTS},
        source_language="en",
        target_language="de",
    )


@pytest.fixture
def editor(desk: Any, few_texts: TestSet) -> Callable[..., Any]:
    """Sits somebody down who only edits."""

    def sit(**window: Any) -> Any:
        ada = desk(
            texts=few_texts,
            design={"run": 4, "common": 0.0},
            campaign={"protocols": ["blind-edit:4", "review:4"]},
            **window,
        )
        ada.invitation.judge.protocols = ["blind-edit"]
        ada.invitation.judge.save()
        ada.page.goto(ada.link)
        ada.page.get_by_role("link", name="Start").click()
        return ada

    return sit


@pytest.fixture
def reviewer(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens the page of somebody who reviews what was edited."""
    from adjudge.campaigns.people.invitation import invite

    contexts = []

    def sit(ada: Any, **window: Any) -> Any:
        bea = invite(ada.campaign, "Bea", protocols=["review"])
        contexts.append(browser.new_context(locale="en-GB", **window))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: ada.complaints.append(str(error)))
        page.goto(bea.link(ada.site))
        page.get_by_role("link", name="Start").click()
        return page

    yield sit
    for context in contexts:
        context.close()


def edit_all(ada: Any) -> None:
    """Leave the first, mend the second, give up the third, mend the fourth; by keyboard."""
    page, box = ada.page, ada.page.get_by_role("textbox", name="Your correction")
    for output, text in zip(OUTPUTS, (None, "Zwei ist fein", "", "Vier ist so"), strict=True):
        expect(box).to_have_value(output)
        expect(box).to_be_focused()
        if text:
            page.keyboard.press("Control+A")
            page.keyboard.type(text)
        elif text == "":
            page.keyboard.press("Tab")
            page.keyboard.press("Space")
            expect(page.get_by_label(NO_SENSE)).to_be_checked()
            expect(box).to_be_disabled()
        page.keyboard.press("Enter")
    expect(page.locator("[data-end]")).to_contain_text("everything there is")


def test_a_campaign_of_both_to_understandability(
    editor: Any,
    reviewer: Any,
    site: tuple[str, Path],
    tmp_path: Path,
    run,
) -> None:
    ada = editor(viewport={"width": 1400, "height": 900})
    edit_all(ada)
    page = reviewer(ada, viewport={"width": 1400, "height": 900})
    edited, box = page.locator("[data-edited]"), page.get_by_role("textbox")

    expect(edited).to_have_text(OUTPUTS[0])  # left as it was
    expect(page.locator("[data-output]")).to_be_hidden()
    expect(page.locator("[data-source]")).to_have_text(SOURCES[0])
    expect(page.locator("[data-reference]")).to_have_text("Verweis 0")
    assert box.count() == 0  # the question comes first
    page.keyboard.press("1")
    expect(page.locator("[data-outcome]")).to_have_text("Accepted as it is")
    page.keyboard.press("Enter")

    expect(edited).to_have_text("Zwei ist fein")
    expect(edited.locator("mark")).to_have_text("fein")
    expect(page.locator("[data-output] mark")).to_have_text("schlecht")
    page.locator(".verdict label", has_text="Yes").click()
    box.fill("Zwei ist ganz fein")
    expect(page.locator("[data-outcome]")).to_have_text("Accepted and polished")
    page.get_by_role("button", name="Submit").click()

    expect(edited).to_have_text("Vier ist so")  # the third was given up
    page.locator(".verdict label", has_text="No").click()
    page.get_by_role("button", name="Start from the machine translation").click()
    expect(box).to_have_value(OUTPUTS[3])
    box.fill("Vier ist richtig")
    expect(page.locator("[data-outcome]")).to_have_text("Not accepted, corrected")
    page.keyboard.press("Enter")
    expect(page.locator("[data-end]")).to_contain_text("come back later")
    assert ada.complaints == []

    file, references = tmp_path / "edits.jsonl", tmp_path / "references.tsv"
    run("campaign", "export", ada.campaign.name, "-o", str(file), "--database", str(site[1]))
    found = run("understandability", str(file), "--references", str(references), "-f", "json")
    systems = [row for row in json.loads(found) if row["kind"] == "system"]
    assert {row["system"] for row in systems} == {"Zebra-unseen", "Okapi-unseen"}  # same output
    assert {tuple(row[s] for s in ("good", "almost", "bad", "empty")) for row in systems} == {
        (1, 1, 1, 1)
    }
    written = [line.split("\t")[2:] for line in references.read_text().splitlines()[1:]]
    assert written == [
        ["1", "GOOD", OUTPUTS[0]],
        ["2", "ALMOST", "Zwei ist ganz fein"],
        ["4", "BAD", "Vier ist richtig"],
    ]


@pytest.fixture
def run(adjudge_process):
    """What a command that succeeds prints."""

    def run(*arguments: str) -> str:
        answer = adjudge_process(*arguments)
        assert answer.code == 0, answer.err
        return answer.out

    return run


def test_an_editor_sees_the_text_around_but_no_source(editor: Any) -> None:
    page = editor().page
    expect(page.locator("[data-output]")).to_have_text(OUTPUTS[0])
    expect(page.locator("[data-before-output]")).to_be_hidden()
    expect(page.locator("[data-after-output]")).to_have_text(OUTPUTS[1])
    said = page.content()
    for secret in (*SOURCES, "Verweis", "unseen"):
        assert secret not in said
    page.keyboard.press("Enter")
    expect(page.locator("[data-before-output]")).to_have_text(OUTPUTS[0])


def test_an_empty_edit_is_refused_and_an_answer_can_be_changed(editor: Any) -> None:
    ada = editor()
    page, box = ada.page, ada.page.get_by_role("textbox", name="Your correction")
    box.fill(" ")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("alert")).to_contain_text("Write your correction")
    assert ada.stored() == 0
    box.fill("Eins ist sehr gut")
    expect(page.get_by_role("alert")).to_have_text("")
    page.keyboard.press("Enter")
    expect(page.locator("[data-output]")).to_have_text(OUTPUTS[1])
    ada.wait_for("Saved")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(box).to_have_value("Eins ist sehr gut")
    page.get_by_role("button", name="Undo my changes").click()
    expect(box).to_have_value(OUTPUTS[0])
    page.get_by_label(NO_SENSE).check()
    page.get_by_role("button", name="Submit").click()
    ada.wait_for("Saved")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_label(NO_SENSE)).to_be_checked()
    expect(box).to_be_disabled()


def test_a_review_without_an_answer_is_refused(editor: Any, reviewer: Any) -> None:
    ada = editor()
    edit_all(ada)
    page = reviewer(ada)
    expect(page.locator("[data-edited]")).to_have_text(OUTPUTS[0])
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("alert")).to_contain_text("Say first whether")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("correct it")
    box = page.get_by_role("textbox")
    box.fill("")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("empty")
    box.fill("Eins ist besser")
    page.keyboard.press("Enter")
    expect(page.locator("[data-edited]")).to_have_text("Zwei ist fein")
    expect(page.locator("[data-status]")).to_have_text("Saved")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator("[data-edited]")).to_have_text(OUTPUTS[0])
    expect(page.get_by_role("radio", name="No")).to_be_checked()
    expect(box).to_have_value("Eins ist besser")
    assert ada.complaints == []


def test_by_thumb(editor: Any, reviewer: Any) -> None:
    ada = editor(**PHONE)
    fits(ada.page)
    for output in OUTPUTS:
        expect(ada.page.locator("[data-output]")).to_have_text(output)
        expect(ada.page.locator("[data-edit]")).not_to_be_focused()  # no keyboard over the text
        ada.page.locator("[data-edit]").tap()
        ada.page.get_by_role("button", name="Submit").tap()
    expect(ada.page.locator("[data-end]")).to_contain_text("everything there is")
    page = reviewer(ada, **PHONE)
    for output in OUTPUTS:
        expect(page.locator("[data-edited]")).to_have_text(output)
        page.locator(".verdict label", has_text="Yes").tap()
        expect(page.get_by_role("textbox")).to_be_in_viewport()
        fits(page)
        page.get_by_role("button", name="Submit").tap()
    expect(page.locator("[data-end]")).to_contain_text("come back later")
    assert ada.complaints == []


def fits(page: Any) -> None:
    expect(page.get_by_role("button", name="Submit")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for box in page.eval_on_selector_all(
        ".scale label, .give-up, .actions button:not([hidden]), .edit-help button:not([hidden])",
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.width, box.height])",
    ):
        assert min(box) >= 44
