"""Whatever happens, no answer is lost and none is stored twice: in a real browser."""

import re
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="no playwright; pip install it")


def test_a_double_click_submits_once(desk):
    ada = desk()
    ada.start()
    source, _ = ada.shown()
    ada.page.keyboard.type("1234")
    ada.page.get_by_role("button", name="Submit").dblclick()
    ada.wait_for("Saved")
    ada.next_source(source)
    playwright.expect(ada.page.get_by_role("alert")).to_have_text("")
    assert ada.stored() == 1


def test_back_and_forward_lose_and_double_nothing(desk):
    ada = desk()
    ada.start()
    first, _ = ada.shown()
    ada.page.keyboard.type("1234")
    ada.page.keyboard.press("Enter")
    ada.wait_for("Saved")
    second, _ = ada.shown()
    ada.page.go_back()
    playwright.expect(ada.page.get_by_role("link", name="Start")).to_be_visible()
    ada.page.go_forward()
    ada.page.wait_for_selector("ol.candidates")
    assert ada.shown()[0] == second != first
    assert ada.stored() == 1


def test_without_network_answers_wait_and_are_sent_once(desk):
    ada = desk()
    ada.start()
    page, clicked = ada.page, {}
    ada.context.set_offline(True)
    for ranks in ([1, 2, 3, 4], [2, 2, 1, 5]):
        source, texts = ada.shown()
        page.keyboard.type("".join(map(str, ranks)))
        clicked |= {(source, text): rank for text, rank in zip(texts, ranks, strict=True)}
        page.keyboard.press("Enter")
        ada.next_source(source)
    notice = page.locator("[data-notice]")
    playwright.expect(notice).to_contain_text("Answers waiting in this browser: 2")
    assert page.locator("[data-status]").text_content() != "Saved"
    assert ada.stored() == 0
    page.close()  # and the tab is closed as well
    ada.context.set_offline(False)
    ada.page = ada.open()
    ada.page.goto(ada.link)
    # A closing tab tries once more to send: if that got through, the link leads to the work.
    start = ada.page.get_by_role("link", name="Start")
    playwright.expect(start.or_(ada.page.locator("[data-source]"))).to_be_visible()
    if start.is_visible():
        start.click()
    judged = re.compile("|".join(re.escape(source) for source, _ in clicked))
    playwright.expect(ada.page.locator("[data-source]")).not_to_have_text(judged)
    ada.wait_until_sent()
    assert ada.stored() == 2
    assert ada.exported() == clicked


def test_the_network_comes_back_by_itself(desk):
    ada = desk()
    ada.start()
    ada.context.set_offline(True)
    supply = ada.page.locator("[data-supply]")
    for _ in range(10):  # all that was loaded ahead
        playwright.expect(supply).to_be_hidden()
        ada.page.keyboard.type("1234")
        ada.page.keyboard.press("Enter")
    playwright.expect(ada.page.locator("[data-notice]")).to_contain_text("browser: 10")
    playwright.expect(supply).to_contain_text("nothing more to judge")
    ada.context.set_offline(False)
    ada.wait_for("Saved")
    ada.page.wait_for_selector("ol.candidates")
    playwright.expect(supply).to_be_hidden()
    playwright.expect(ada.page.locator("[data-notice]")).to_have_text("")
    assert ada.stored() == 10


def test_a_busy_server_is_asked_again_until_it_has_the_answer(desk):
    from django.db import transaction

    ada, bea = desk(), desk()
    ada.start()
    source, texts = ada.shown()
    with transaction.atomic():  # nobody else can write
        ada.page.keyboard.type("2143")
        ada.page.keyboard.press("Enter")
        ada.next_source(source)  # one can go on
        notice = ada.page.locator("[data-notice]")
        playwright.expect(notice).to_contain_text("The server is busy")
        playwright.expect(notice).to_contain_text("browser: 1")
        bea.page.goto(bea.link)
        playwright.expect(bea.page.locator("main")).to_contain_text("tries again by itself")
    ada.wait_for("Saved")
    playwright.expect(notice).to_be_empty()
    assert ada.exported() == dict(
        zip([(source, text) for text in texts], [2, 1, 4, 3], strict=True)
    )
    playwright.expect(bea.page.get_by_role("link", name="Start")).to_be_visible()


def test_without_network_any_answer_can_be_changed_and_the_last_word_counts(desk):
    ada = desk()
    ada.start()
    page, clicked = ada.page, {}
    ada.context.set_offline(True)
    seen = []
    for _ in range(3):
        source, texts = ada.shown()
        seen.append(source)
        clicked |= {(source, text): rank for rank, text in enumerate(texts, 1)}
        page.keyboard.type("1234")
        page.keyboard.press("Enter")
        ada.next_source(source)
    waiting, texts = ada.shown()
    page.keyboard.type("55")  # half an answer to the item that will wait
    undo, back = (page.get_by_role("button", name=name) for name in ("Undo", "Leave it as it is"))
    for source in (seen[2], seen[1]):
        undo.click()
        playwright.expect(page.locator("[data-source]")).to_have_text(source)
        playwright.expect(page.locator(".scale input:checked")).to_have_count(4)
    back.click()
    playwright.expect(page.locator("[data-source]")).to_have_text(waiting)
    playwright.expect(page.locator(".scale input:checked")).to_have_count(2)
    playwright.expect(back).to_be_hidden()
    for _ in range(3):
        undo.click()
    playwright.expect(page.locator("[data-source]")).to_have_text(seen[0])
    _, texts = ada.shown()
    for rank in (4, 3, 2, 1):
        page.keyboard.type(str(rank))
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    clicked |= {(seen[0], text): 5 - rank for rank, text in enumerate(texts, 1)}
    playwright.expect(page.locator("[data-source]")).to_have_text(waiting)
    ada.context.set_offline(False)
    ada.wait_for("Saved")
    assert ada.stored() == 4
    assert ada.exported() == clicked


def test_after_a_reload_the_server_knows_what_can_be_changed(desk):
    ada = desk()
    ada.start()
    page, seen = ada.page, []
    for _ in range(3):
        source, _ = ada.shown()
        seen.append(source)
        page.keyboard.type("1234")
        page.keyboard.press("Enter")
        ada.next_source(source)
    ada.wait_for("Saved")
    page.reload()
    waiting, _ = ada.shown()
    for source in reversed(seen):
        page.get_by_role("button", name="Undo").click()
        playwright.expect(page.locator("[data-source]")).to_have_text(source)
    page.get_by_role("button", name="Undo").click()
    playwright.expect(page.get_by_role("alert")).to_contain_text("no earlier answer")
    page.get_by_role("button", name="Leave it as it is").click()
    playwright.expect(page.locator("[data-source]")).to_have_text(waiting)
    assert ada.stored() == 3


def test_a_reply_lost_on_the_way_stores_nothing_twice(desk):
    ada = desk()
    ada.start()
    lost = []

    def lose(route: Any) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch())  # the server stores it, the browser never hears
        route.abort()

    ada.page.route(re.compile("/answer$"), lose)
    ada.page.keyboard.type("1234")
    ada.page.keyboard.press("Enter")
    ada.wait_for("Saved")
    assert lost[0].status == 200
    assert ada.stored() == 1


def test_a_browser_that_keeps_nothing_still_works_and_is_told(desk):
    ada = desk()
    ada.context.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('none') }})"
    )
    ada.start()
    ada.context.set_offline(True)
    ada.page.keyboard.type("1234")
    ada.page.keyboard.press("Enter")
    playwright.expect(ada.page.locator("[data-notice]")).not_to_be_empty()
    ada.context.set_offline(False)
    ada.wait_for("Saved")
    assert ada.stored() == 1


def test_two_tabs_do_not_disturb_each_other(desk):
    ada = desk()
    ada.start()
    other = ada.open()
    other.goto(ada.page.url)
    other.wait_for_selector("ol.candidates")
    first, _ = ada.shown()
    assert ada.shown(other)[0] == first
    ada.page.keyboard.type("1234")
    ada.page.keyboard.press("Enter")
    ada.wait_for("Saved")
    ada.next_source(first, other)
    playwright.expect(other.locator("[data-status]")).to_contain_text("another window")
    second, _ = ada.shown()
    assert ada.shown(other)[0] == second
    other.keyboard.type("4321")
    other.keyboard.press("Enter")
    ada.wait_for("Saved", other)
    ada.next_source(second)
    assert ada.stored() == 2
    assert ada.complaints == []


def test_after_the_session_ended_signing_in_brings_the_answer_back(desk):
    ada = desk()
    ada.start()
    source, _ = ada.shown()
    ada.context.clear_cookies()
    ada.page.keyboard.type("1234")
    ada.page.keyboard.press("Enter")
    playwright.expect(ada.page.locator("[data-notice]")).to_contain_text("personal link")
    assert ada.stored() == 0
    ada.page.goto(ada.link)
    ada.page.get_by_role("link", name="Start").click()
    ada.wait_for("Saved")
    assert ada.stored() == 1
    assert ada.shown()[0] != source


def test_time_stops_while_nobody_is_there(desk):
    from adjudge.campaigns.models import Answer

    ada = desk()
    ada.page.clock.install()
    ada.start()
    ada.page.clock.run_for(5_000)
    ada.page.keyboard.type("123")
    ada.page.clock.run_for(3_600_000)  # an hour's lunch
    ada.page.keyboard.type("4")
    ada.page.keyboard.press("Enter")
    ada.page.clock.run_for(100)
    ada.wait_for("Saved")
    answer = Answer.objects.get(assignment__judge=ada.invitation.judge)
    assert 3605 <= answer.browser_seconds < 3630
    assert 5 <= answer.active_seconds < 120


def test_scripts_in_translations_are_read_not_run(desk):
    ada = desk()
    ada.page.on("dialog", lambda dialog: pytest.fail("a script ran"))
    ada.start()
    _, texts = ada.shown()
    assert any(text.startswith("<script>alert('x')</script><img src=x") for text in texts)
    assert ada.page.locator("ol.candidates img").count() == 0
    assert ada.complaints == []


def test_a_comment_waits_for_the_network_and_leaves_the_item_as_it_is(desk):
    from adjudge.campaigns.models import Remark

    ada = desk()
    ada.start()
    page = ada.page
    source, _ = ada.shown()
    page.keyboard.type("12")
    ada.context.set_offline(True)
    page.get_by_role("button", name="Comment").click()
    page.get_by_role("textbox").fill("An odd sentence.\n12")
    page.get_by_role("button", name="Send", exact=True).click()
    playwright.expect(page.locator("[data-notice]")).to_contain_text("waiting")
    assert page.locator(".scale input:checked").count() == 2
    page.get_by_role("button", name="Write to the organisers").click()
    page.get_by_role("button", name="Do not send").click()
    ada.context.set_offline(False)
    ada.wait_for("Saved")
    assert ada.shown()[0] == source
    written = Remark.objects.get(judge=ada.invitation.judge)
    assert written.text == "An odd sentence.\n12"
    assert written.assignment.item.segment.source == source
    page.reload()
    page.wait_for_selector("ol.candidates")
    assert ada.shown()[0] == source
