"""Marking errors in a real browser: what was marked is what is exported, character by character."""

from typing import Any

import pytest

from adjudge.text.testset import TestSet

playwright = pytest.importorskip("playwright.sync_api", reason="no playwright; pip install it")
expect = playwright.expect

DESKTOP = {"viewport": {"width": 1400, "height": 900}}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
# An emoji takes two units of JavaScript's and one character of ours; a family of them seven.
LATIN = "Die 😀 Katze {n} schläft 👨‍👩‍👧‍👦 gern, sagt {system}."
HEBREW = "החתולה {n} אוהבת לישון, אומר {system}."
CHINESE = "猫喜欢睡觉{n}，{system}说。"


def texts(form: str, language: str) -> TestSet:
    return TestSet(
        source=tuple(f"The cat {n} likes to sleep." for n in range(6)),
        reference=None,
        documents=tuple(f"document{n // 3}" for n in range(6)),
        names=tuple(str(n + 1) for n in range(6)),
        systems={
            name: tuple(form.format(n=n, system=name) for n in range(6)) for name in ("One", "Two")
        },
        source_language="en",
        target_language=language,
    )


class Marker:
    """A judge who marks errors."""

    def __init__(self, desk: Any) -> None:
        self.desk, self.page = desk, desk.page
        self.page.goto(desk.link)
        self.page.get_by_role("link", name="Start").click()
        self.page.wait_for_selector("[data-words] .word")

    @property
    def text(self) -> str:
        return str(self.page.locator("[data-words]").text_content())

    def word(self, text: str) -> Any:
        return self.page.locator(".word", has_text=text).first

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def drag(self, first: str, last: str) -> None:
        for step, text in (("down", first), ("up", last)):
            box = self.word(text).bounding_box()
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            self.page.mouse.move(x, y, steps=4)
            getattr(self.page.mouse, step)()

    def marks(self, severity: str) -> list[str]:
        """Texts of the rows of that severity."""
        rows = self.page.locator("[data-marks] li", has=self.page.locator(f".{severity} :checked"))
        return rows.locator(".quote, .omitted").all_text_contents()

    def submit(self, last: bool = False) -> None:
        source = self.page.locator("[data-source]").text_content()
        self.press("Enter")
        if not last:
            self.desk.next_source(source)

    def exported(self) -> dict[str, tuple[float, list[tuple[Any, ...]]]]:
        """Of each judged text: the score, and (marked characters, severity, category)."""
        from adjudge.campaigns.results.tables import scores_of

        table = scores_of(self.desk.campaign).cast({"text": str})
        return {
            text: (
                score,
                [
                    (None if s["start"] is None else text[s["start"] : s["end"]],
                     s["severity"], s["category"])
                    for s in spans
                ],
            )
            for text, score, spans in table.select("text", "score", "spans").iter_rows()
        }  # fmt: skip


@pytest.fixture
def marker(desk: Any) -> Any:
    """Sits a judge down before a campaign of three screens."""

    def sit(form: str, language: str, categories: str = "none", **window: Any) -> Marker:
        design = {"target": 3, "run": 3, "common": 0.0, "error_categories": categories}
        told = {"protocols": ["error-spans"]}
        return Marker(desk(texts=texts(form, language), design=design, campaign=told, **window))

    return sit


def ended(page: Any) -> None:
    expect(page.locator("[data-end]")).to_contain_text("all the judgements it needs")


def test_a_campaign_by_keyboard_alone(marker: Any) -> None:
    ada = marker(LATIN, "de", **DESKTOP)
    wanted = {}
    for number in range(3):
        # The emoji, then from the cat to its number, then the family; then something missing.
        ada.press("ArrowRight", "m")
        ada.press("ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "2")
        ada.press("ArrowRight", "ArrowRight", "1", "o", "Shift+M")
        ada.press("s")
        ada.page.keyboard.type(str(70 + number))
        wanted[ada.text] = (
            70 + number,
            [
                ("😀", "minor", None),
                (f"Katze {ada.text.split()[3]}", "major", None),
                ("👨‍👩‍👧‍👦", "minor", None),
                (None, "major", "omission"),
            ],
        )
        if number:  # the document so far
            expect(ada.page.locator(".so-far li")).to_have_count(number)
        ada.submit(last=number == 2)
    ended(ada.page)
    assert ada.exported() == wanted
    assert ada.desk.complaints == []


def test_a_campaign_by_mouse_with_categories(marker: Any) -> None:
    ada = marker(LATIN, "de", "mqm", **DESKTOP)
    page, wanted = ada.page, {}
    for number in range(3):
        ada.drag("schläft", "gern")
        page.get_by_role("button", name="Major error").click()
        page.get_by_role("combobox").select_option("grammar")
        ada.drag("sagt", "Katze")  # backwards, over the mark: both become one
        page.get_by_role("button", name="Minor error").click()
        expect(page.locator("[data-marks] li")).to_have_count(1)
        expect(page.get_by_role("combobox")).to_have_value("grammar")
        page.get_by_role("button", name="Change words").click()
        ada.drag("Katze", "schläft")
        page.get_by_role("button", name="Major error").click()
        ada.word("sagt").click()  # one word is enough
        page.get_by_role("button", name="Minor error").click()
        page.get_by_role("combobox").nth(1).select_option("punctuation")
        ada.word("Die").click()
        page.get_by_role("button", name="Do not mark").click()
        ada.drag("😀", "😀")
        page.get_by_role("button", name="Minor error").click()
        page.get_by_role("button", name="Remove").first.click()
        box = page.locator("input[type=range]").bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert ada.marks("major") == [ada.text[6 : ada.text.index("schläft") + 7]]
        marked = ada.text[6 : ada.text.index("schläft") + 7]
        wanted[ada.text] = (
            50,
            [(marked, "major", "grammar"), ("sagt", "minor", "punctuation")],
        )
        page.get_by_role("button", name="Submit").click()
        if number < 2:
            expect(page.locator("[data-marks] li")).to_have_count(0)
    ended(page)
    assert ada.exported() == wanted
    assert ada.desk.complaints == []


@pytest.mark.parametrize(("form", "language"), [(LATIN, "de"), (HEBREW, "he"), (CHINESE, "zh")])
def test_a_campaign_by_thumb(marker: Any, form: str, language: str) -> None:
    ada = marker(form, language, **PHONE)
    page, wanted = ada.page, {}
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for number in range(3):
        words = page.locator(".word").all_text_contents()
        first, last = page.locator(".word").nth(1), page.locator(".word").nth(3)
        last.tap()  # the last one first is as good
        first.tap()
        page.get_by_role("button", name="Major error").tap()
        page.locator(".word").nth(0).tap()
        page.get_by_role("button", name="Minor error").tap()
        page.get_by_role("button", name="Something is missing").tap()
        page.locator("[data-marks] li").last.locator("label", has_text="minor").tap()
        page.locator("input[type=number]").fill(str(number))
        start = ada.text.index(words[1])
        end = ada.text.index(words[3], start + len(words[1])) + len(words[3])
        wanted[ada.text] = (
            number,
            [
                (words[0], "minor", None),
                (ada.text[start:end], "major", None),
                (None, "minor", "omission"),
            ],
        )
        page.get_by_role("button", name="Submit").tap()
        if number < 2:
            expect(page.locator("[data-marks] li")).to_have_count(0)
    ended(page)
    assert ada.exported() == wanted
    assert ada.desk.complaints == []


def test_right_to_left_text_is_walked_to_the_left(marker: Any) -> None:
    ada = marker(HEBREW, "he", **DESKTOP)
    words = ada.page.locator(".word").all_text_contents()
    first, second = (ada.word(word).bounding_box()["x"] for word in words[:2])
    assert second < first
    ada.press("ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowLeft", "2")
    assert ada.marks("major") == [" ".join(words[1:3])]
    ada.press("ArrowRight", "1")  # back into the mark
    assert ada.marks("minor") == [" ".join(words[1:3])]
    ada.press("Delete")
    expect(ada.page.locator("[data-marks] li")).to_have_count(0)


def test_what_is_unfinished_is_refused_in_the_page(marker: Any) -> None:
    ada = marker(LATIN, "de", "mqm", **DESKTOP)
    alert = ada.page.get_by_role("alert")

    def refused(sentence: str) -> None:
        ada.press("Enter")
        expect(alert).to_have_text(sentence)

    refused("Give a score from 0 to 100.")
    ada.page.keyboard.type("101")
    refused("Give a score from 0 to 100.")
    ada.page.locator("input[type=number]").fill("7.5")
    refused("Give a score from 0 to 100.")
    ada.page.locator("input[type=number]").fill("100")
    expect(alert).to_have_text("")
    ada.page.locator("[data-words]").focus()
    ada.press("Shift+ArrowRight")
    refused("Say how bad the error in the chosen words is, or do not mark them.")
    ada.press("2")
    refused("Say of every mark what kind of error it is.")
    expect(ada.page.get_by_role("combobox")).to_be_focused()
    ada.page.keyboard.type("gr")  # as in any list
    expect(ada.page.get_by_role("combobox")).to_have_value("grammar")
    ada.press("m")  # but keys that mean something do not fall into it
    assert ada.marks("minor") == ["Die"]
    expect(ada.page.get_by_role("combobox")).to_have_value("grammar")
    ada.press("Escape")
    expect(ada.page.locator("[data-words]")).to_be_focused()
    ada.press("c", "ArrowDown", "Escape", "ArrowRight", "o")
    expect(ada.page.get_by_role("combobox")).to_have_value("spelling")
    refused("Say of every mark how bad the error is.")
    assert ada.desk.stored() == 0
    ada.press("1")
    ada.submit()
    ada.desk.wait_for("Saved")
    assert ada.desk.stored() == 1


def test_after_an_undo_the_marks_are_there_again(marker: Any) -> None:
    ada = marker(LATIN, "de", **DESKTOP)
    text = ada.text
    ada.press("End", "ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowLeft", "1", "o", "2", "s")
    ada.page.keyboard.type("40")
    ada.submit()
    ada.desk.wait_for("Saved")
    before = ada.exported()
    ada.page.get_by_role("button", name="Undo").click()
    expect(ada.page.locator("[data-words]")).to_have_text(text)
    assert ada.marks("minor") == [" ".join(text.rstrip(".").split()[-2:])]
    assert ada.marks("major") == ["Something is missing"]
    expect(ada.page.locator("input[type=number]")).to_have_value("40")
    ada.submit()
    ada.desk.wait_for("Saved")
    assert ada.exported() == before
    assert ada.desk.stored() == 2
