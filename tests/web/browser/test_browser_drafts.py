"""Nothing that a judge has begun is lost: answers and comments survive the page, in a browser."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.text.testset import Part, PartOutput

playwright = pytest.importorskip("playwright.sync_api", reason="no playwright; pip install it")
expect = playwright.expect

RESTORED = "Your unfinished answer was restored. It is not submitted yet."
# All that a judge sees and has entered of an answer.
ENTERED = """() => {
  const answer = document.querySelector("[data-answer]");
  const fields = [...answer.querySelectorAll("input, textarea, select")];
  const shown = answer.querySelectorAll(":not([role=status])");
  const text = (one) => (one.children.length ? "" : one.textContent);
  const own = [...shown].map((one) => [[...one.classList].sort().join(" "), text(one)]);
  return [own, fields.map((field) => [field.type, field.value, field.checked])];
}"""
DRAFTS = "Object.keys(localStorage).filter((name) => name.startsWith('adjudge.draft.'))"
SCORE = "input[type=number]"


def keys(*pressed: str) -> Callable[[Any], None]:
    def press(page: Any) -> None:
        for key in pressed:
            page.keyboard.press(key)

    return press


def fill(selector: str, text: str) -> Callable[[Any], None]:
    return lambda page: page.locator(selector).fill(text)


# Of each protocol: how an answer is begun, how it is finished, and what is stored in the end.
ANSWERS: dict[str, tuple[Callable[[Any], None], Callable[[Any], None], dict[str, Any]]] = {
    "ranking": (keys("3", "1"), keys("2", "2"), {"ranks": [3, 1, 2, 2]}),
    "constituent": (keys("2"), keys("1"), {"ranks": [2, 1]}),
    "segments": (keys("2"), keys("g"), {"ranks": [[2, 3]]}),
    "pairwise": (keys("4"), keys(), {"choice": "both wrong"}),
    "adequacy-fluency": (
        keys("5", "1", "4"),
        keys("2", "3", "3", "1", "5"),
        {"adequacy": [5, 4, 3, 1], "fluency": [1, 2, 3, 5]},
    ),
    "direct-assessment": (fill(SCORE, "0"), keys(), {"score": 0}),
    "error-spans": (
        keys("Shift+ArrowRight", "m", "o"),
        lambda page: (page.locator("[data-marks] li input").last.check(), fill(SCORE, "70")(page)),
        {
            "spans": [
                {"start": 0, "end": 11, "severity": "minor", "category": None},
                {"start": None, "end": None, "severity": "major", "category": "omission"},
            ],
            "score": 70,
        },
    ),
    "blind-edit": (
        lambda page: (fill("[data-edit]", "Mein Satz")(page), page.get_by_role("checkbox").check()),
        lambda page: page.get_by_role("checkbox").uncheck(),
        {"edit": "Mein Satz", "incomprehensible": False},
    ),
    "review": (
        lambda page: (keys("2")(page), fill("[data-edit]", "Ihr Satz")(page)),
        keys(),
        {"verdict": "no", "edit": "Ihr Satz"},
    ),
}


@pytest.fixture
def judge(desk: Any, texts: Any) -> Callable[..., Any]:
    """Sits somebody down before a campaign of one protocol, in their own or in a given window."""

    def sit(protocol: str, **design: Any) -> Any:
        part = Part((0,), "Source", (PartOutput("Quelle", ()), PartOutput("Ursprung", ())))
        systems = {
            name: tuple(f"Übersetzung {n} nach Art {kind}" for n in range(len(texts.source)))
            for kind, name in enumerate(texts.systems)
        }
        follows = PROTOCOLS.named(protocol).follows
        ada = desk(
            texts=replace(texts, parts=((part,),) * len(texts.source), systems=systems),
            design={"run": 1, "common": 0.0, **design},
            campaign={"protocols": [f"{follows}:4", f"{protocol}:4"] if follows else [protocol]},
        )
        if follows:
            edit_some(ada)
        open_work(ada, ada.page)
        return ada

    return sit


def edit_some(ada: Any) -> None:
    """Give a reviewer something to review: another judge's edits."""
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.work.answers import submit
    from adjudge.campaigns.work.assignment import next_items
    from adjudge.campaigns.work.screen import candidate_keys

    editor = invite(ada.campaign, "Eve", protocols=["blind-edit"]).judge
    for number, item in enumerate(next_items(editor, 3)):
        answer: dict[str, Any] = {"edit": f"Satz {number}", "incomprehensible": False}
        submit(
            editor, item.key, f"edit-of-eve-{number}", answer | {"candidates": candidate_keys(item)}
        )
    ada.invitation.judge.protocols = ["review"]
    ada.invitation.judge.save()


def open_work(ada: Any, page: Any) -> None:
    page.goto(ada.link)
    start = page.get_by_role("link", name="Start")
    expect(start.or_(page.locator("[data-source]"))).to_be_attached()
    if start.is_visible():
        start.click()
    page.wait_for_selector("[data-answer] > [data-protocol]")


def answers_of(ada: Any) -> list[dict[str, Any]]:
    from adjudge.campaigns.models import Answer

    stored = Answer.objects.filter(assignment__judge=ada.invitation.judge).order_by("pk")
    return [answer.payload for answer in stored]


@pytest.mark.parametrize("protocol", sorted(PROTOCOLS))
def test_a_begun_answer_survives_a_reload_and_is_stored_as_given(judge, protocol):
    begin, finish, stored = ANSWERS[protocol]
    ada = judge(protocol)
    page = ada.page
    blank = page.evaluate(ENTERED)
    restored = page.locator("[data-restored]")
    expect(restored).to_have_text("")
    begin(page)
    begun = page.evaluate(ENTERED)
    assert begun != blank
    page.reload()
    expect(restored).to_have_text(RESTORED)
    assert page.evaluate(ENTERED) == begun
    finish(page)
    page.get_by_role("button", name="Submit").click()
    ada.wait_for("Saved")
    assert answers_of(ada) == [stored]
    expect(restored).to_have_text("")
    assert page.evaluate(DRAFTS) == []
    assert ada.complaints == []


def test_another_judge_at_the_same_computer_sees_no_draft_but_their_own(judge):
    from adjudge.campaigns.people.invitation import invite

    ada = judge("ranking", common=1.0)  # both judge the same items
    keys("3", "1")(ada.page)
    bea, page = invite(ada.campaign, "Bea"), ada.open()
    page.goto(bea.link(ada.site))
    page.get_by_role("link", name="Start").click()
    page.wait_for_selector("ol.candidates")
    assert page.locator("[data-source]").text_content() == ada.shown()[0]
    expect(page.locator(".scale input:checked")).to_have_count(0)
    keys("4")(page)
    for window, ranks in ((ada.page, ["3", "1"]), (page, ["4"])):
        window.reload()
        expect(window.locator("[data-restored]")).to_have_text(RESTORED)
        checked = window.locator(".scale input:checked")
        assert [box.get_attribute("value") for box in checked.all()] == ranks


def test_a_crashed_tab_loses_neither_answer_nor_time(judge):
    ada = judge("ranking")
    ada.page.close()
    crashing = ada.open()
    crashing.clock.install()
    open_work(ada, crashing)
    crashing.clock.run_for(9_000)
    keys("3", "1")(crashing)
    with pytest.raises(playwright.Error, match="crash"):
        crashing.goto("chrome://crash", timeout=20_000)
    ada.page = ada.open()
    open_work(ada, ada.page)
    expect(ada.page.locator("[data-restored]")).to_have_text(RESTORED)
    keys("2", "2", "Enter")(ada.page)
    ada.wait_for("Saved")
    assert answers_of(ada) == [{"ranks": [3, 1, 2, 2]}]
    from adjudge.campaigns.models import Answer

    answer = Answer.objects.get(assignment__judge=ada.invitation.judge)
    assert answer.browser_seconds >= 9
    assert answer.active_seconds >= 9


def test_the_browser_asks_before_it_leaves_a_draft_and_only_then(judge):
    ada = judge("ranking")
    page, asked = ada.page, []

    def accept(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", accept)
    page.reload()
    assert asked == []
    page.locator("ol.candidates input").first.check(force=True)
    page.reload()
    assert asked == ["beforeunload"]
    expect(page.locator("[data-restored]")).to_have_text(RESTORED)
    page.get_by_text("Rank the translations").click()
    keys("1", "2", "3", "4", "Enter")(page)
    ada.wait_for("Saved")
    page.reload()
    page.wait_for_selector("ol.candidates")
    assert asked == ["beforeunload"]


def test_a_skip_and_leaving_an_answer_as_it_is_end_the_draft(judge):
    ada = judge("ranking")
    page = ada.page
    source, _ = ada.shown()
    keys("1")(page)
    page.get_by_role("button", name="Skip").click()
    page.get_by_role("button", name="I cannot decide").click()
    ada.wait_for("Saved")
    ada.next_source(source)
    keys("1", "2", "3", "4", "Enter")(page)
    ada.wait_for("Saved")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".scale input:checked")).to_have_count(4)
    keys("4")(page)
    assert len(page.evaluate(DRAFTS)) == 1
    page.reload()
    page.wait_for_selector("ol.candidates")
    page.get_by_role("button", name="Undo").click()  # the changed answer, not the one submitted
    expect(page.locator("[data-restored]")).to_have_text(RESTORED)
    assert page.locator(".scale input:checked").first.get_attribute("value") == "4"
    page.get_by_role("button", name="Leave it as it is").click()
    assert page.evaluate(DRAFTS) == []
    assert answers_of(ada) == [{}, {"ranks": [1, 2, 3, 4]}]


def test_a_comment_that_is_being_written_survives_a_reload(judge):
    from adjudge.campaigns.models import Remark

    ada = judge("ranking")
    page = ada.page
    for button, text in (("Comment", "An odd\nsentence"), ("Write to the organisers", "Hello")):
        page.get_by_role("button", name=button).click()
        page.get_by_role("textbox").fill(text)
        page.reload()
        expect(page.get_by_role("dialog")).to_be_visible()
        expect(page.get_by_role("textbox")).to_have_value(text)
        page.get_by_role("button", name="Send", exact=True).click()
        ada.wait_for("Saved")
    written = Remark.objects.filter(judge=ada.invitation.judge).order_by("pk")
    assert [(r.text, r.assignment is None) for r in written] == [
        ("An odd\nsentence", False),
        ("Hello", True),
    ]
    page.reload()
    page.wait_for_selector("ol.candidates")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate(DRAFTS) == []


@pytest.mark.parametrize(
    "storage",
    [
        "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') }",
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no') }})",
    ],
    ids=["full", "forbidden"],
)
def test_judging_goes_on_where_storage_is_full_or_forbidden(desk, storage):
    ada = desk(design={"run": 1})
    ada.page.add_init_script(storage)
    ada.start()
    for _ in range(2):
        source, _ = ada.shown()
        keys("1", "2", "3", "4", "Enter")(ada.page)
        ada.next_source(source)
        expect(ada.page.locator("[data-notice]")).to_contain_text("keeps nothing")
        ada.wait_for("Saved")
    assert ada.stored() == 2
    assert ada.complaints == []


def test_old_foreign_and_damaged_drafts_do_no_harm(judge):
    ada = judge("ranking")
    page = ada.page
    keys("3", "1")(page)
    (name,) = page.evaluate(DRAFTS)
    draft = json.loads(page.evaluate("(name) => localStorage.getItem(name)", name))
    now = page.evaluate("Date.now()")
    month = 31 * 24 * 3600 * 1000
    broken = [
        {**draft, "answer": {"ranks": "none"}},  # of another version of the script
        {**draft, "version": draft["version"] + 1},  # of other texts
        {**draft, "at": now - month},
        "no draft",
    ]
    store = """([name, draft]) => {
      for (let i = 0; i < 150; i++)
        localStorage.setItem(`adjudge.draft.somebody.${i}`, `{"at": ${Date.now() - 1000}}`);
      localStorage.setItem(name, JSON.stringify(draft));
    }"""
    for kept in broken:
        page.goto(ada.link)  # away from the draft
        page.evaluate(store, [name, kept])
        open_work(ada, page)
        expect(page.locator(".scale input:checked")).to_have_count(0)
        assert len(page.evaluate(DRAFTS)) <= 100
    assert ada.complaints == []
