"""No screen of a judge has anything for axe-core to complain about (WCAG 2.2 A and AA, best
practice), in light and in dark; and what axe cannot see: focus, announcements, shortcuts, forced
colours. `test_every_page` looks at every page there is."""

from dataclasses import replace

import pytest

from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.text.testset import Part, PartOutput, TestSet

playwright = pytest.importorskip("playwright.sync_api", reason="no playwright; pip install it")
expect = playwright.expect

INSTRUCTIONS = "Be **fair**.\n\n# A heading\n\n### One that leaves a level out\n\n1. Read."
ANSWERS = {
    "adequacy-fluency": ["3", "4", "5"],
    "constituent": ["1", "2"],
    "direct-assessment": ["7"],
    "error-spans": ["Shift+ArrowRight", "2", "o"],
    "pairwise": ["1"],
    "ranking": ["1", "2"],
    "review": ["1"],
    "segments": ["1", "2", "g"],
}
LOOKS = """all => all.map(getComputedStyle).map(
    ({ backgroundColor, borderColor, color, outlineStyle }) =>
        [backgroundColor, borderColor, color, outlineStyle].join())"""


@pytest.fixture(scope="module")
def with_phrases(texts: TestSet) -> TestSet:
    """The texts, with two phrases in every sentence."""
    phrase = Part(
        (2, 3),
        "0 <b>of</b>",
        tuple(PartOutput(f"Wort {s}", (s,), f"Das Wort {s} hier", 4) for s in texts.systems),
    )
    return replace(texts, parts=((phrase, phrase),) * len(texts.source))


@pytest.mark.parametrize("name", sorted(PROTOCOLS))
def test_every_screen_from_the_entrance_to_the_end(desk, with_phrases, look, complaints, name):
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.setup.campaign_state import close

    follows = PROTOCOLS.named(name).follows
    asked = [f"{follows}:2", f"{name}:2"] if follows else [name]
    told = {"protocols": asked, "instructions": INSTRUCTIONS}
    design = {"error_categories": "mqm", "plain_tie": True}
    ada = desk(texts=with_phrases, campaign=told, design=design, quota=30)
    if follows:
        simulate_judges(ada.campaign, lambda *_: 0.0, answers=12, judges=2)
        ada.invitation.judge.protocols = [name]
        ada.invitation.judge.save()
    page = ada.page
    page.goto(ada.link)
    look(page, "welcome")
    page.get_by_role("link", name="Start").click()
    page.wait_for_selector(f'[data-answer] > [data-protocol="{name}"]')
    look(page, "work")
    assert page.locator("h1").count() == 1
    for key in ANSWERS.get(name, []):
        page.keyboard.press(key)
    look(page, "answered")
    page.set_viewport_size({"width": 320, "height": 640})
    look(page, "on a phone")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    for button, dialog in (("Skip", "skip"), ("Comment", "remark"), ("Instructions", "help")):
        page.get_by_role("button", name=button, exact=True).click()
        look(page, button)
        page.evaluate(f"document.querySelector('[data-{dialog}-dialog]').close()")
    close(ada.campaign)
    page.reload()
    expect(page.locator("[data-end]")).to_be_visible()
    look(page, "end")
    assert complaints == []
    assert ada.complaints == []


def test_practice_and_its_feedback(desk, look, complaints):
    from adjudge.campaigns.setup.tutorial import Tutorial
    from adjudge.web.demo.corpus import tutorial

    ada = desk(campaign={"tutorial": Tutorial(tutorial())})
    page = ada.page
    page.goto(ada.link)
    page.get_by_role("link", name="Start").click()
    page.wait_for_selector("ol.candidates")
    look(page, "practice")
    for place in range(page.locator("ol.candidates li").count()):
        page.locator("ol.candidates li").nth(place).locator("input").first.check()
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("[data-verdict]")).to_be_visible()
    look(page, "feedback")
    assert complaints == []


def test_crowd_pages_and_pages_that_belong_to_nobody(desk, platform, look, complaints):
    from adjudge.campaigns.people.crowd import open_to_crowd

    ada = desk()
    page = ada.page
    ada.campaign.design_values["fastest_reading"] = 10**6  # nobody types as fast as this test
    ada.campaign.save()
    key = open_to_crowd(ada.campaign, "mturk", 1, signed=False).key
    address = f"{ada.site}/crowd/{key}/"
    page.goto(f"{address}?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE")
    page.wait_for_selector("ol.candidates")
    look(page, "preview")
    page.goto(f"{address}?assignmentId=T1&hitId=H1&workerId=W1&turkSubmitTo={platform}")
    look(page, "entrance of a task")
    page.get_by_role("link", name="Start").click()
    page.wait_for_selector("ol.candidates")
    look(page, "task")
    while page.locator("ol.candidates").count() and page.locator("[data-work]").is_visible():
        page.keyboard.type("1234")
        source, _ = ada.shown()
        page.keyboard.press("Enter")
        page.wait_for_function(
            "source => document.querySelector('[data-hand-back]') || "
            "document.querySelector('[data-source]').textContent !== source",
            arg=source,
        )
    look(page, "handing back")
    for where in (address, f"{ada.site}/", f"{ada.site}/j/nonsense/", f"{ada.site}/work/nobody/"):
        page.goto(where)
        look(page, where)
    assert complaints == []


def test_a_judges_own_pages(desk, look, complaints):
    ada = desk()
    page = ada.page
    page.goto(ada.link)
    page.get_by_role("link", name="Write to the organisers").click()
    look(page, "message")
    page.get_by_role("textbox").fill("Hello!")
    page.get_by_role("button", name="Send").click()
    look(page, "sent")
    page.goto(f"{ada.site}/mine/")
    page.get_by_role("button", name="Make the link").click()
    page.locator("[data-link]").wait_for()
    look(page, "own campaigns")
    page.locator("[name=email]").fill("ada@example.org")
    page.locator("[name=password]").fill("short")
    page.get_by_role("button", name="Make an account").click()
    page.locator(".error").wait_for()
    look(page, "own campaigns, with an error")
    for where in ("account/", "account/forgotten/", "account/new-password/nonsense/"):
        page.goto(f"{ada.site}/{where}")
        look(page, where)
    assert complaints == []


def test_the_focus_goes_to_the_new_source_and_says_it(desk):
    ada = desk()
    ada.start()
    page = ada.page
    for _ in range(2):
        source, _texts = ada.shown()
        panel = page.get_by_role("region", name=f"Source {source}", exact=True)
        expect(panel).to_be_focused()
        page.keyboard.type("1234")
        page.keyboard.press("Enter")
        ada.next_source(source)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('ol.candidates') !== null")


def test_nothing_looks_chosen_in_a_new_pair(desk):
    ada = desk(campaign={"protocols": ["pairwise"]})
    page = ada.page
    page.goto(ada.link)
    page.get_by_role("link", name="Start").click()
    page.wait_for_selector(".choices-of-two label")
    buttons = ".choices-of-two label > span"
    assert len(set(page.eval_on_selector_all(buttons, LOOKS))) == 1
    page.keyboard.press("Enter")  # a reminder moves the focus, and still none looks chosen
    expect(page.get_by_role("alert")).not_to_be_empty()
    assert len(set(page.eval_on_selector_all(buttons, LOOKS))) == 1
    page.keyboard.press("1")
    assert len(set(page.eval_on_selector_all(buttons, LOOKS))) == 2


def test_shortcuts_of_one_key_can_be_switched_off(desk):
    ada = desk()
    ada.start()
    page = ada.page
    page.get_by_role("button", name="Instructions").click()
    switch = page.get_by_label("Single letters and digits act at once")
    switch.uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.type("12jk")
    assert page.locator(".scale input:checked").count() == 0
    page.reload()
    page.wait_for_selector("ol.candidates")
    page.keyboard.type("12jk")
    assert page.locator(".scale input:checked").count() == 0
    for place in range(4):  # where the focus is, keys work as everywhere
        page.locator("ol.candidates li").nth(place).locator("input").first.focus()
        page.keyboard.press("Space")
    page.keyboard.press("Enter")
    ada.wait_for("Saved")
    assert ada.stored() == 1


def test_what_is_chosen_shows_in_forced_colours(desk):
    ada = desk(forced_colors="active")
    ada.start()
    ada.page.keyboard.type("1")
    colour = "one => getComputedStyle(one).backgroundColor"
    spans = ada.page.locator("ol.candidates li").first.locator(".scale span")
    assert spans.nth(0).evaluate(colour) != spans.nth(1).evaluate(colour)


def test_the_source_stays_in_sight_on_a_phone_and_can_be_folded(desk):
    ada = desk(viewport={"width": 390, "height": 640}, has_touch=True, is_mobile=True)
    ada.start()
    page = ada.page
    page.keyboard.type("1234")
    source = page.locator("[data-source]")
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    expect(source).to_be_in_viewport()
    assert page.locator("[data-reference]").is_visible()
    page.get_by_role("button", name="Context").tap()
    assert not page.locator("[data-reference]").is_visible()
    expect(source).to_be_in_viewport()
    page.reload()
    page.wait_for_selector("ol.candidates")
    assert not page.locator("[data-reference]").is_visible()
