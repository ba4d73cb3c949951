"""A real server process, a real browser, and a stand-in for a crowd platform."""

import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

import pytest

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "rules": {"label-content-name-mismatch": {"enabled": True}},  # of WCAG 2.1 A, an experiment
    "resultTypes": ["violations"],
}
LONGEST = 30_000  # milliseconds, also on a busy machine
Clicked = dict[tuple[str, str], int]  # (source, translation) -> rank
HandedBack = tuple[str, dict[str, list[str]]]  # path and values


class _Platform(BaseHTTPRequestHandler):
    """Stands in for a crowd platform: remembers what was handed back."""

    received: list[HandedBack] = []  # noqa: RUF012

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


@pytest.fixture(scope="session")
def platform() -> Iterator[str]:
    """The stand-in's address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Platform)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def handed_back() -> list[HandedBack]:
    """What the stand-in received."""
    return _Platform.received


@pytest.fixture(scope="session")
def site(
    new_store: Callable[[], Path], platform: str, mail_server: str, adjudge_command: list[str]
) -> Iterator[tuple[str, Path]]:
    """A server process: its address and its database."""
    file = new_store()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("DJANGO_")}
    server = subprocess.Popen(
        [*adjudge_command, "serve", "--port", str(port), "--database", str(file)],
        env={
            **environment,
            "ADJUDGE_MTURK_ORIGINS": platform,
            "ADJUDGE_PROLIFIC_ORIGIN": platform,
            "ADJUDGE_SMTP": mail_server,
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
    """Chromium; for one module, as other modules start Playwright for themselves."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no Chromium; install it: apt-get install chromium")
    playwright = pytest.importorskip("playwright.sync_api", reason="no playwright; pip install it")
    playwright.expect.set_options(timeout=LONGEST)
    with playwright.sync_playwright() as run, pytest.MonkeyPatch.context() as patch:
        # Playwright keeps an event loop in this thread; nothing else runs in it.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        started = run.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield started
        started.close()


class Desk:
    """One judge of one campaign, with a browser window."""

    def __init__(
        self, site: str, campaign: Any, invitation: Any, context: Any, adjudge: Callable[..., Any]
    ) -> None:
        self.site, self.campaign, self.invitation = site, campaign, invitation
        self.adjudge = adjudge  # the command line
        from playwright.sync_api import expect

        self.context, self.expect = context, expect
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
        self.expect(page.locator("[data-source]")).not_to_be_empty()  # a script fills it in
        source = page.locator("[data-source]").text_content()
        texts = page.locator("ol.candidates .text").all_text_contents()
        return source, texts

    def wait_for(self, state: str, page: Any = None) -> None:
        self.expect((page or self.page).locator("[data-status]")).to_have_text(state)

    def wait_until_sent(self) -> None:
        """Until no answer waits in the browser; it keeps one until the server has stored it."""
        waits = "Object.keys(localStorage).some((name) => name.startsWith('adjudge.queue.'))"
        for _ in range(LONGEST // 100):
            if not self.page.evaluate(waits):
                return
            self.page.wait_for_timeout(100)
        raise AssertionError("answers still wait in the browser")

    def stored(self) -> int:
        from adjudge.campaigns.models import Answer

        return int(Answer.objects.filter(assignment__judge=self.invitation.judge).count())

    def next_source(self, before: str, page: Any = None) -> None:
        source = (page or self.page).locator("[data-source]")
        self.expect(source).not_to_have_text(before)

    def exported(self) -> Clicked:
        """What would be exported now."""
        from adjudge.campaigns.results.tables import judgements_of

        return self._clicked_in(judgements_of(self.campaign))

    def exported_by_command(self, file: Path, output: Path) -> Clicked:
        """What `adjudge campaign export` writes and `adjudge rank` accepts."""
        from adjudge.data.table_files import read

        for arguments in (
            ["campaign", "export", self.campaign.name, "-o", str(output), "--database", str(file)],
            ["rank", str(output), "--replicates", "20", "--format", "json"],
        ):
            done = self.adjudge(*arguments)
            assert done.code == 0, done.err
        assert done.out.count('"system"') == 4
        return self._clicked_in(read(str(output)))

    @staticmethod
    def _clicked_in(table: Any) -> Clicked:
        rows = table.select("source", "text", "rank").cast({"source": str, "text": str})
        return {(source, text): rank for source, text, rank in rows.iter_rows()}


@pytest.fixture
def desk(
    site: tuple[str, Path],
    browser: Any,
    texts: Any,
    request: pytest.FixtureRequest,
    adjudge_process: Callable[..., Any],
) -> Iterator[Callable[..., Desk]]:
    """Sits a judge down before a campaign of their own.

    `texts`, `design` (values of it) and `campaign` are what `create_campaign` is told; the rest is
    about the window.
    """
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.setup.creation import create_campaign

    address, file = site
    request.getfixturevalue("use_store")(str(file))
    contexts = []

    def sit(**options: Any) -> Desk:
        name = f"{request.path.stem} {request.node.name} {len(contexts)}"
        design = design_named("wmt13", block=4, **{"repeats": 0.0, **options.pop("design", {})})
        told = {"instructions": "Be **fair**.", **options.pop("campaign", {})}
        campaign = create_campaign(name, options.pop("texts", texts), design, **told)
        invitation = invite(campaign, "Ada", quota=options.pop("quota", None))
        context = browser.new_context(locale="en-GB", **options)
        context.set_default_timeout(LONGEST)
        contexts.append(context)
        return Desk(address, campaign, invitation, context, adjudge_process)

    yield sit
    for context in contexts:
        context.close()


@pytest.fixture
def complaints() -> list[str]:
    """What axe-core found, and where."""
    return []


@pytest.fixture
def look(complaints: list[str]) -> Callable[[Any, str], None]:
    """Lets axe-core look at a page, in light and in dark."""
    axe_core = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe-core")
    axe = axe_core.Axe()

    def run(page: Any, where: str) -> None:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            for found in axe.run(page, options=RULES).response["violations"]:
                nodes = "; ".join(node["html"][:150] for node in found["nodes"])
                complaints.append(f"{where}, {scheme}: {found['id']}: {nodes}")

    return run
