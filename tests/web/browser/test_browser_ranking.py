"""The judging screen in a real browser: what was clicked is what is exported."""

from random import Random
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="no playwright; pip install it")


def _ten_by_keyboard(desk, rng):
    page, clicked = desk.page, {}
    for number in range(10):
        source, texts = desk.shown()
        assert page.locator(".scale input:checked").count() == 0
        ranks = [rng.randint(1, 5) for _ in texts]
        if number % 2:  # from the last to the first; after each, A is the next without a rank
            for at in (3, 2, 1, 0):
                for step in range(-at % 4):
                    page.keyboard.press("k" if step % 2 else "ArrowUp")
                playwright.expect(page.locator("li.current .letter")).to_have_text("ABCD"[at])
                page.keyboard.press(str(ranks[at]))
        else:
            page.keyboard.type("".join(map(str, ranks)))
        clicked |= {(source, text): rank for text, rank in zip(texts, ranks, strict=True)}
        page.keyboard.press("Enter")
        if number < 9:
            desk.next_source(source)
    return clicked


def test_ten_items_by_keyboard_alone(desk, site, tmp_path):
    ada = desk(viewport={"width": 1400, "height": 900}, quota=10)
    ada.page.goto(ada.link)
    playwright.expect(ada.page.get_by_role("link", name="Start")).to_be_focused()
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector("ol.candidates")
    clicked = _ten_by_keyboard(ada, Random(1))
    ada.wait_for("Saved")
    assert ada.stored() == 10
    assert ada.exported() == clicked
    assert ada.exported_by_command(site[1], tmp_path / "judgements.parquet") == clicked
    assert ada.complaints == []


def test_ten_items_by_thumb(desk):
    ada = desk(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    ada.start()
    rng, clicked, page = Random(2), {}, ada.page
    for number in range(10):
        source, texts = ada.shown()
        for at, text in enumerate(texts):
            clicked[source, text] = rng.randint(1, 5)
            row = page.locator("ol.candidates li").nth(at)
            row.locator("label").nth(clicked[source, text] - 1).tap()
        page.get_by_role("button", name="Submit").tap()
        if number < 9:
            ada.next_source(source)
    ada.wait_for("Saved")
    assert ada.stored() == 10
    assert ada.exported() == clicked
    assert ada.complaints == []


def test_what_is_missing_is_said_and_gone_to(desk):
    ada = desk()
    ada.start()
    page = ada.page
    page.keyboard.press("1")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("2")  # C
    page.keyboard.press("Enter")
    playwright.expect(page.get_by_role("alert")).to_have_text("Not ranked yet: B, D")
    playwright.expect(page.locator("li.current .letter")).to_have_text("B")
    assert page.evaluate("document.activeElement.querySelector('.letter').textContent") == "B"
    assert ada.stored() == 0
    page.keyboard.type("34")
    page.keyboard.press("Enter")
    ada.wait_for("Saved")
    assert ada.stored() == 1


def test_digits_work_where_the_keyboard_has_letters_on_them(desk):
    ada = desk()
    ada.start()
    for digit, letter in ((1, "+"), (2, "ě"), (3, "š"), (4, "č")):
        ada.page.evaluate(
            "([key, code]) => document.activeElement.dispatchEvent("
            "new KeyboardEvent('keydown', {key, code, bubbles: true, cancelable: true}))",
            [letter, f"Digit{digit}"],
        )
    chosen = ada.page.eval_on_selector_all(
        ".scale input:checked", "all => all.map(one => one.value)"
    )
    assert chosen == ["1", "2", "3", "4"]


def test_undo_shows_the_last_answer_and_the_later_one_counts(desk):
    from adjudge.campaigns.models import Answer

    ada = desk()
    ada.start()
    page = ada.page
    first, texts = ada.shown()
    page.keyboard.type("1234")
    page.keyboard.press("Enter")
    ada.wait_for("Saved")
    page.get_by_role("button", name="Undo").click()
    playwright.expect(page.locator("[data-source]")).to_have_text(first)
    assert ada.shown() == (first, texts)
    chosen = page.eval_on_selector_all(".scale input:checked", "all => all.map(one => one.value)")
    assert chosen == ["1", "2", "3", "4"]
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    ada.wait_for("Saved")
    ada.next_source(first)
    answers = Answer.objects.filter(assignment__judge=ada.invitation.judge)
    assert [one.payload["ranks"] for one in answers.order_by("revision")] == [
        [1, 2, 3, 4],
        [5, 2, 3, 4],
    ]
    assert ada.complaints == []


def test_skip_with_a_reason_and_escape_without(desk):
    from adjudge.campaigns.models import Answer

    ada = desk()
    ada.start()
    page = ada.page
    first, _ = ada.shown()
    page.get_by_role("button", name="Skip").click()
    page.get_by_role("button", name="The text is damaged").click()
    ada.next_source(first)
    ada.wait_for("Saved")
    second, _ = ada.shown()
    page.get_by_role("button", name="Skip").click()
    page.keyboard.press("Escape")
    assert ada.shown()[0] == second
    page.get_by_role("button", name="Skip").click()
    page.get_by_label("Another reason").fill("it is a list of names")
    page.keyboard.press("Enter")
    ada.next_source(second)
    ada.wait_for("Saved")
    reasons = Answer.objects.filter(assignment__judge=ada.invitation.judge).order_by("pk")
    assert list(reasons.values_list("skipped", flat=True)) == [
        "text damaged",
        "it is a list of names",
    ]


def test_the_end_says_thank_you_and_undo_still_works(desk):
    ada = desk(quota=1)
    ada.start()
    for _ in range(3):
        source, _ = ada.shown()
        ada.page.keyboard.type("1234")
        ada.page.keyboard.press("Enter")
    end = ada.page.locator("[data-end]")
    playwright.expect(end).to_contain_text("Thank you")
    ada.page.get_by_role("button", name="Undo").click()
    playwright.expect(ada.page.locator("[data-source]")).to_have_text(source)
    playwright.expect(end).to_be_hidden()
    ada.page.keyboard.type("2")
    with ada.page.expect_navigation():  # once it is saved, the page is asked for anew
        ada.page.keyboard.press("Enter")
    playwright.expect(end).to_contain_text("Thank you")
    assert ada.stored() == 4


def test_the_switch_for_differences_is_remembered(desk):
    ada = desk()
    ada.start()
    switch = ada.page.get_by_label("Mark differences")
    assert ada.page.locator("mark").count() > 0
    switch.uncheck()
    assert ada.page.locator("mark").count() == 0
    ada.page.reload()
    ada.page.wait_for_selector("ol.candidates")
    assert not switch.is_checked()
    assert ada.page.locator("mark").count() == 0


def test_differences_are_found_in_any_script(desk):
    ada = desk()
    ada.page.goto(ada.site)

    def pieces(*texts: str) -> list[list[dict[str, Any]]]:
        found: list[list[dict[str, Any]]] = ada.page.evaluate(
            "async (texts) => (await import('/static/web/differences.js')).differences(texts)",
            list(texts),
        )
        for text, split in zip(texts, found, strict=True):
            assert "".join(piece["text"] for piece in split) == text
        return found

    def marked(split: list[dict[str, Any]]) -> list[str]:
        return [piece["text"] for piece in split if piece["differs"]]

    assert [marked(one) for one in pieces("the same", "the same")] == [[], []]
    one, two, three = pieces("he saw a cat", "he saw a dog", "he saw a cat")
    assert (marked(one), marked(two), marked(three)) == ([], ["dog"], [])  # only the minority
    moved, _ = pieces("today he came home", "he came home today")
    assert marked(moved) == ["today"]
    han, _ = pieces("𠮷田さんは 来た。", "𠮷野さんは来た。")  # a character of two code units
    assert marked(han) == ["田"]
    arabic, _ = pieces("ذهب الرجل", "مشى الرجل")
    assert marked(arabic) == ["ذهب"]
    pieces("", "x", " a  b \n👍🏽 e\u0301té ", "<b>&amp;</b>", "…")


@pytest.mark.parametrize("width", [320, 1400])
def test_targets_are_big_and_nothing_sticks_out(desk, width):
    ada = desk(viewport={"width": width, "height": 800})
    ada.start()
    page = ada.page
    for box in page.eval_on_selector_all(
        ".scale label, .actions button:not([hidden]), main > div > form .switch, header button",
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.width, box.height])",
    ):
        assert min(box) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for passage in page.locator("[data-source], .candidates .text").all():
        assert passage.get_attribute("dir") == "auto"
        assert passage.get_attribute("lang") in ("en", "de")


def test_a_screen_reader_finds_groups_and_names(desk):
    ada = desk()
    ada.start()
    _, texts = ada.shown()
    groups = ada.page.get_by_role("group")
    assert groups.count() == 4
    for at, text in enumerate(texts):
        group = ada.page.get_by_role("group", name=f"Translation {'ABCD'[at]} {text}", exact=True)
        assert group.get_by_role("radio").count() == 5
        assert group.get_by_role("radio", name="rank 1, best").count() == 1
    for name in ("Submit", "Skip", "Instructions"):
        assert ada.page.get_by_role("button", name=name).count() == 1
    assert ada.page.get_by_role("progressbar").count() == 0  # no quota
