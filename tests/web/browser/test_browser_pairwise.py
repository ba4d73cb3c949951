"""Two translations side by side in a real browser: what was chosen is what is exported."""

from itertools import cycle
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="no playwright; pip install it")
expect = playwright.expect

WORDS = {
    "first": "A is better",
    "second": "B is better",
    "both fine": "Both fine",
    "both wrong": "Both wrong",
    "tie": "Equally good",
}


@pytest.fixture
def ada(desk: Any) -> Any:
    """Sits a judge down before a campaign of ten screens."""

    def sit(**options: Any) -> Any:
        design = {"target": 10, "run": 1, "plain_tie": options.pop("plain_tie", False)}
        one = desk(design=design, campaign={"protocols": ["pairwise"]}, **options)
        one.start()
        return one

    return sit


def _judged(one: Any, choose: Any) -> dict[tuple[str, str], tuple[int, str | None]]:
    """Go through the campaign; what should be exported of each output."""
    wanted = {}
    choices = cycle(WORDS if one.plain else list(WORDS)[:4])
    for number, choice in zip(range(10), choices, strict=False):
        source, texts = one.shown()
        assert one.page.locator(".choices-of-two input:checked").count() == 0
        choose(choice)
        expect(one.page.locator(".choices-of-two input:checked")).to_have_value(choice)
        ranks = {"first": (1, 2), "second": (2, 1)}.get(choice, (1, 1))
        label = choice if choice.startswith("both") else None
        wanted |= {(source, text): (rank, label) for text, rank in zip(texts, ranks, strict=True)}
        one.page.keyboard.press("Enter")
        if number < 9:
            one.next_source(source)
    expect(one.page.locator("[data-end]")).to_contain_text("all the judgements it needs")
    return wanted


def _exported(one: Any) -> dict[tuple[str, str], tuple[int, str | None]]:
    from adjudge.campaigns.results.tables import judgements_of

    rows = judgements_of(one.campaign).select("source", "text", "rank", "label")
    return {
        (source, text): (rank, label)
        for source, text, rank, label in rows.cast({"source": str, "text": str}).iter_rows()
    }


def test_a_campaign_by_keyboard_alone(ada: Any) -> None:
    one = ada(viewport={"width": 1400, "height": 900}, plain_tie=True)
    one.plain = True
    keys = {"first": "←1", "second": "→2", "both fine": "↑3", "both wrong": "↓4", "tie": "55"}
    names = {"←": "ArrowLeft", "→": "ArrowRight", "↑": "ArrowUp", "↓": "ArrowDown"}
    turns = cycle([0] * 5 + [1] * 5)  # arrows, then digits

    def press(choice: str) -> None:
        key = keys[choice][next(turns)]
        one.page.keyboard.press(names.get(key, key))

    wanted = _judged(one, press)
    assert _exported(one) == wanted
    assert len(wanted) == 20
    assert one.complaints == []


@pytest.mark.parametrize(
    "window",
    [
        {"viewport": {"width": 1400, "height": 900}},
        {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
    ],
    ids=["mouse", "touch"],
)
def test_a_campaign_by_mouse_and_by_thumb(ada: Any, window: dict[str, Any]) -> None:
    one = ada(**window)
    one.plain = False
    first, second = (one.page.locator("ol.candidates li").nth(i).bounding_box() for i in (0, 1))
    beside = first["y"] == second["y"]
    assert beside == ("has_touch" not in window)
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    def press(choice: str) -> None:
        button = one.page.locator("label", has_text=WORDS[choice])
        button.tap() if "has_touch" in window else button.click()

    assert _exported(one) == {}
    wanted = _judged(one, press)
    assert _exported(one) == wanted
    assert one.complaints == []


def test_an_answer_can_be_changed_and_none_is_refused(ada: Any) -> None:
    one = ada()
    page = one.page
    page.keyboard.press("5")  # there is no plain tie here
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Choose one of the answers.")
    source, _ = one.shown()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("alert")).to_have_text("")
    page.keyboard.press("Enter")
    one.next_source(source)
    one.wait_for("Saved")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-source]")).to_have_text(source)
    expect(page.locator(".choices-of-two input:checked")).to_have_value("both fine")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    one.wait_for("Saved")
    assert {label for _, label in _exported(one).values()} == {None}
    assert sorted(rank for rank, _ in _exported(one).values()) == [1, 2]
