"""The screens that ask for scores, in a real browser: what was given is what is exported."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="no playwright; pip install it")
expect = playwright.expect

# What a page that does not check would send.
SEND = """async (answer) => {
  const state = JSON.parse(document.getElementById("state").textContent);
  const item = state.items[0];
  const body = {
    assignment: item.key, key: crypto.randomUUID(),
    answer: {...answer, candidates: item.candidates.map(({key}) => key)},
  };
  const reply = await fetch(state.urls.answer, {
    method: "POST", headers: {"Content-Type": "application/json", ...state.headers},
    body: JSON.stringify(body),
  });
  return [reply.status, (await reply.json()).message];
}"""


def start(desk: Any) -> None:
    desk.page.goto(desk.link)
    desk.page.get_by_role("link", name="Start").click()
    desk.page.wait_for_selector("[data-answer] > div")


def exported(desk: Any) -> dict[tuple[str, str, str], float]:
    """(source, translation, scale) -> score, as the campaign would be exported now."""
    from adjudge.campaigns.results.tables import scores_of

    rows = scores_of(desk.campaign).select("source", "text", "scale", "score").rows()
    return {(source, text, scale): score for source, text, scale, score in rows}


@pytest.fixture
def systems_by_command(adjudge_process):
    """What `adjudge scores` makes of what `adjudge campaign export` writes."""

    def systems(desk: Any, store: Path, file: Path) -> list[dict]:
        for arguments in (
            ["campaign", "export", desk.campaign.name, "-o", file, "--database", store],
            ["scores", file, "--replicates", "20", "--format", "json", "--unit", "item"],
        ):
            done = adjudge_process(*arguments)
            assert done.code == 0, done.err
        return [row for row in json.loads(done.out) if row["kind"] == "system"]

    return systems


def test_adequacy_and_fluency_by_keyboard_and_mouse(desk, site, tmp_path, systems_by_command):
    ada = desk(quota=6, campaign={"protocols": ["adequacy-fluency"]})
    start(ada)
    page, rng, given = ada.page, Random(1), {}
    for number in range(6):
        source, texts = ada.shown()
        assert page.locator(".scale input:checked").count() == 0
        points = [[rng.randint(1, 5), rng.randint(1, 5)] for _ in texts]
        if number < 3:
            page.keyboard.type("".join(str(point) for both in points for point in both))
            page.keyboard.press("Enter")
        else:
            for at, both in enumerate(points):
                row = page.locator("ol.candidates li").nth(at)
                for scale, point in enumerate(both):
                    row.locator("fieldset").nth(scale).locator("label").nth(point - 1).click()
            page.get_by_role("button", name="Submit").click()
        for text, (adequacy, fluency) in zip(texts, points, strict=True):
            given |= {(source, text, "adequacy"): adequacy, (source, text, "fluency"): fluency}
        if number < 5:
            ada.next_source(source)
    expect(page.locator("[data-end]")).to_contain_text("all that was asked of you")
    assert exported(ada) == given
    assert (
        len(systems_by_command(ada, site[1], tmp_path / "scores.jsonl")) == 8
    )  # four systems, two scales
    assert ada.complaints == []


def test_points_that_are_missing_are_named_and_gone_to(desk):
    ada = desk(campaign={"protocols": ["adequacy-fluency"]})
    start(ada)
    page = ada.page
    page.keyboard.type("54")  # A
    page.keyboard.press("j")
    page.keyboard.type("3")  # the fluency of B
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text(
        "Not scored yet: B Meaning, C Meaning, C Fluency, D Meaning, D Fluency"
    )
    expect(page.locator("fieldset.current legend")).to_have_text("Meaning")
    expect(page.locator("li.current .letter")).to_have_text("B")
    assert ada.stored() == 0
    page.keyboard.type("6")  # no such point
    assert page.locator(".scale input:checked").count() == 3
    page.keyboard.type("11223")
    page.keyboard.press("Enter")
    ada.wait_for("Saved")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".scale input:checked")).to_have_count(8)


def test_direct_assessment_by_keyboard_mouse_and_number(desk, site, tmp_path, systems_by_command):
    ada = desk(quota=6, campaign={"protocols": ["direct-assessment"]})
    start(ada)
    page, given = ada.page, {}
    slider = page.locator("input[type=range]")
    for number in range(6):
        source = page.locator("[data-source]").text_content()
        text = page.locator("[data-translation]").text_content()
        expect(page.locator("[data-texts]")).to_be_focused()
        expect(slider).to_have_attribute("aria-valuetext", "no score yet")
        expect(page.locator("input[type=number]")).to_have_value("")
        if number < 2:  # arrows on the slider, from its middle
            page.keyboard.press("ArrowRight")
            page.keyboard.press("PageUp" if number else "ArrowRight")
        elif number < 4:  # typed
            page.keyboard.type("100" if number == 3 else "7")
        else:
            box = slider.bounding_box()
            share = 0.25 if number == 4 else 0.5  # a click in the middle is a choice too
            page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        score = int(page.locator("input[type=number]").input_value())
        given[source, text, "direct-assessment"] = score
        page.keyboard.press("Enter")
        if number < 5:
            ada.next_source(source)
    expect(page.locator("[data-end]")).to_contain_text("all that was asked of you")
    scores = list(given.values())
    assert scores[0] == 52
    assert scores[1] > 55
    assert scores[2:4] == [7, 100]
    assert 20 < scores[4] < 30
    assert scores[5] == 50
    assert exported(ada) == given
    assert systems_by_command(ada, site[1], tmp_path / "scores.jsonl.gz")
    assert ada.complaints == []


def test_direct_assessment_by_thumb_in_its_document(desk):
    window = {"width": 360, "height": 740}
    protocols = {"protocols": ["direct-assessment"]}
    ada = desk(viewport=window, has_touch=True, is_mobile=True, campaign=protocols)
    start(ada)
    page, seen = ada.page, []
    for _ in range(3):  # a run
        source = page.locator("[data-source]").text_content()
        seen.append((source, page.locator("[data-translation]").text_content()))
        page.locator("input[type=range]").tap()
        page.get_by_role("button", name="Submit").tap()
        ada.next_source(source)
        if len(seen) < 3:
            pairs = page.locator("[data-pairs] li").all()
            shown = [tuple(pair.locator("p").all_text_contents()) for pair in pairs]
            assert shown[-len(seen) :] == seen
    ada.wait_for("Saved")
    assert set(exported(ada).values()) == {50}
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_nothing_counts_before_the_slider_is_moved(desk):
    ada = desk(campaign={"protocols": ["direct-assessment"]})
    start(ada)
    page = ada.page
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Give a score from 0 to 100.")
    page.keyboard.type("101")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Give a score from 0 to 100.")
    assert ada.stored() == 0
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    ada.wait_for("Saved")
    assert list(exported(ada).values()) == [10]


@pytest.mark.parametrize(
    ("protocol", "answer", "said"),
    [
        ("direct-assessment", {"score": 101}, "A score is a whole number from 0 to 100."),
        ("direct-assessment", {"score": None}, "There is no score yet."),
        (
            "adequacy-fluency",
            {"adequacy": [1, 2, 3, 9], "fluency": [1, 2, 3, 4]},
            "A score is outside the scale from 1 to 5.",
        ),
        (
            "adequacy-fluency",
            {"adequacy": [1, 2, 3, 4], "fluency": [1, 2, 3, None]},
            "A translation has no score yet.",
        ),
    ],
)
def test_the_server_refuses_what_the_page_would_not_send(desk, protocol, answer, said):
    ada = desk(campaign={"protocols": [protocol]})
    start(ada)
    assert ada.page.evaluate(SEND, answer) == [422, said]
    assert ada.stored() == 0
