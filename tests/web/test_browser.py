"""A real browser on a real server process: what was clicked is what is exported."""

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any
from urllib.error import URLError
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
if CHROMIUM is None:
    pytest.skip("no Chromium; install it: apt-get install chromium", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api", reason="no playwright; pip install it")

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
ADJUDGE = [sys.executable, "-c", "from adjudge.cli import main; main()"]
Clicked = dict[tuple[str, str], int]  # (source, translation) -> rank


class _Platform(BaseHTTPRequestHandler):
    """Stands in for a crowd platform: remembers what was handed back."""

    received: list[tuple[str, dict[str, list[str]]]] = []  # noqa: RUF012

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self._remember(parse_qs(body))

    def do_GET(self) -> None:
        self._remember(parse_qs(urlsplit(self.path).query))

    def _remember(self, values: dict[str, list[str]]) -> None:
        if "favicon" not in self.path:
            self.received.append((urlsplit(self.path).path, values))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"Thank you")

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def platform() -> Iterator[str]:
    """The stand-in's address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Platform)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def site(new_store: Callable[[], Path], platform: str) -> Iterator[tuple[str, Path]]:
    """A server process: its address and its database."""
    file = new_store()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("DJANGO_")}
    server = subprocess.Popen(
        [*ADJUDGE, "serve", "--port", str(port), "--database", str(file)],
        env={
            **environment,
            "ADJUDGE_MTURK_ORIGINS": platform,
            "ADJUDGE_PROLIFIC_ORIGIN": platform,
        },
        stdout=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                urlopen(address).close()
                break
            except URLError:
                assert server.poll() is None, "the server ended"
                time.sleep(0.1)
        yield address, file
    finally:
        server.terminate()
        server.wait(20)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as run, pytest.MonkeyPatch.context() as patch:
        # Playwright keeps an event loop in this thread; nothing else runs in it.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        chromium = run.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


class Desk:
    """One judge of one campaign, with a browser window."""

    def __init__(self, site: str, campaign: Any, invitation: Any, context: Any) -> None:
        self.site, self.campaign, self.invitation = site, campaign, invitation
        self.context = context
        self.complaints: list[str] = []
        self.page = self.open()

    def open(self) -> Any:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on(
            "console",
            lambda said: self.complaints.append(said.text) if said.type == "error" else None,
        )
        return page

    @property
    def link(self) -> str:
        return str(self.invitation.link(self.site))

    def start(self) -> None:
        self.page.goto(self.link)
        self.page.get_by_role("link", name="Start").click()
        self.page.wait_for_selector("ol.candidates")

    def shown(self, page: Any = None) -> tuple[str, list[str]]:
        page = page or self.page
        source = page.locator("[data-source]").text_content()
        texts = page.locator("ol.candidates .text").all_text_contents()
        return source, texts

    def wait_for(self, state: str, page: Any = None) -> None:
        playwright.expect((page or self.page).locator("[data-status]")).to_have_text(state)

    def stored(self) -> int:
        from adjudge.campaigns.models import Answer

        return int(Answer.objects.filter(assignment__judge=self.invitation.judge).count())

    def next_source(self, before: str, page: Any = None) -> None:
        source = (page or self.page).locator("[data-source]")
        playwright.expect(source).not_to_have_text(before)


@pytest.fixture
def desk(
    site: tuple[str, Path], browser: Any, texts: Any, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Desk]]:
    """Sits a judge down before a campaign of their own."""
    from adjudge.campaigns.creation import create_campaign
    from adjudge.campaigns.design import preset
    from adjudge.campaigns.invitation import invite

    address, file = site
    request.getfixturevalue("use_store")(str(file))
    contexts = []

    def sit(**options: Any) -> Desk:
        name = f"{request.node.name} {len(contexts)}"
        design = preset("wmt13", block=4, repeats=0.0)
        campaign = create_campaign(name, texts, design, instructions="Be **fair**.")
        invitation = invite(campaign, "Ada", quota=options.pop("quota", None))
        context = browser.new_context(locale="en-GB", **options)
        context.set_default_timeout(10_000)
        contexts.append(context)
        return Desk(address, campaign, invitation, context)

    yield sit
    for context in contexts:
        context.close()


def _clicked_in(table: Any) -> Clicked:
    rows = table.select("source", "text", "rank").cast({"source": str, "text": str})
    return {(source, text): rank for source, text, rank in rows.iter_rows()}


def _exported(desk: Desk) -> Clicked:
    from adjudge.campaigns.export import judgements_of

    return _clicked_in(judgements_of(desk.campaign))


def _exported_by_command(desk: Desk, file: Path, output: Path) -> Clicked:
    """What `adjudge campaign export` writes and `adjudge rank` accepts."""
    from adjudge.judgements import read

    for arguments in (
        ["campaign", "export", desk.campaign.name, "-o", str(output), "--database", str(file)],
        ["rank", str(output), "--replicates", "20", "--format", "json"],
    ):
        done = subprocess.run([*ADJUDGE, *arguments], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
    assert done.stdout.count('"system"') == 4
    return _clicked_in(read(str(output)))


def _ten_by_keyboard(desk: Desk, rng: Random) -> Clicked:
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
    ada.page.keyboard.press("Enter")  # Start has the focus
    ada.page.wait_for_selector("ol.candidates")
    clicked = _ten_by_keyboard(ada, Random(1))
    ada.wait_for("Saved")
    assert ada.stored() == 10
    assert _exported(ada) == clicked
    assert _exported_by_command(ada, site[1], tmp_path / "judgements.parquet") == clicked
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
    assert _exported(ada) == clicked
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
    ada.page.get_by_role("link", name="Start").click()
    ada.wait_for("Saved")
    assert ada.stored() == 2
    assert ada.shown()[0] not in {source for source, _ in clicked}
    assert _exported(ada) == clicked


def test_the_network_comes_back_by_itself(desk):
    ada = desk()
    ada.start()
    ada.context.set_offline(True)
    for _ in range(3):  # all that was loaded ahead
        ada.page.keyboard.type("1234")
        ada.page.keyboard.press("Enter")
    playwright.expect(ada.page.locator("[data-notice]")).to_contain_text("browser: 3")
    ada.context.set_offline(False)
    ada.wait_for("Saved")
    ada.page.wait_for_selector("ol.candidates")
    playwright.expect(ada.page.locator("[data-notice]")).to_have_text("")
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


@pytest.mark.parametrize("width", [320, 1400])
def test_targets_are_big_and_nothing_sticks_out(desk, width):
    ada = desk(viewport={"width": width, "height": 800})
    ada.start()
    page = ada.page
    for box in page.eval_on_selector_all(
        ".scale label, .actions button:not([hidden]), .switch, header button",
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


def test_scripts_in_translations_are_read_not_run(desk):
    ada = desk()
    ada.page.on("dialog", lambda dialog: pytest.fail("a script ran"))
    ada.start()
    _, texts = ada.shown()
    assert any(text.startswith("<script>alert('x')</script><img src=x") for text in texts)
    assert ada.page.locator("ol.candidates img").count() == 0
    assert ada.complaints == []


@pytest.mark.parametrize("which", ["mturk", "prolific"])
def test_crowd_work_is_handed_back_to_the_platform(desk, platform, which):
    from adjudge.campaigns.crowd import open_to_crowd
    from adjudge.campaigns.models import Answer

    ada = desk()
    crowd = open_to_crowd(ada.campaign, which, 3, "DONE42")
    asked = {
        "mturk": f"assignmentId=T7&hitId=H1&workerId=W1&turkSubmitTo={platform}",
        "prolific": "PROLIFIC_PID=P1&STUDY_ID=S1&SESSION_ID=X1",
    }[which]
    page = ada.page
    page.goto(f"{ada.site}/crowd/{crowd.key}/?{asked}")
    page.get_by_role("link", name="Start").click()
    page.wait_for_selector("ol.candidates")
    if which == "mturk":
        ada.context.clear_cookies()  # as in a frame
    for _ in range(3):
        page.keyboard.type("1234")
        page.keyboard.press("Enter")
    _Platform.received.clear()
    page.locator("[data-hand-back]").click()
    page.wait_for_url(f"{platform}/**")
    assert Answer.objects.filter(assignment__judge__campaign=ada.campaign).count() == 3
    assert _Platform.received == [
        {
            "mturk": ("/mturk/externalSubmit", {"assignmentId": ["T7"], "judged": ["3"]}),
            "prolific": ("/submissions/complete", {"cc": ["DONE42"]}),
        }[which]
    ]
    assert ada.complaints == []


def test_mturk_preview_takes_no_answer(desk):
    from adjudge.campaigns.crowd import open_to_crowd
    from adjudge.campaigns.models import Assignment

    ada = desk()
    crowd = open_to_crowd(ada.campaign, "mturk", 3)
    ada.page.goto(f"{ada.site}/crowd/{crowd.key}/?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE")
    playwright.expect(ada.page.locator("main")).to_contain_text("This is an example")
    ada.page.keyboard.type("1234")
    ada.page.keyboard.press("Enter")
    assert ada.page.get_by_role("button", name="Submit").count() == 0
    assert not Assignment.objects.filter(judge__campaign=ada.campaign).exists()
    assert ada.complaints == []
