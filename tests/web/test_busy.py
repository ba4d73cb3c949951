"""While others write: no request ends in a 500, none waits for a whole write, nothing is lost."""

import json
import os
import re
import secrets
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import count
from threading import Event, Thread
from typing import Any, NamedTuple

import pytest

JUDGES = 20
TRIES = 40  # of a request that is told to come again; browsers never give up
pytestmark = pytest.mark.slow


class Reply(NamedTuple):
    """What came back."""

    status: int
    headers: Any
    text: str


class Browser:
    """A judge's: keeps cookies, and sends again what a busy server sent away."""

    def __init__(self, port: int, link: str) -> None:
        self.port, self.link, self.cookies = port, link, {}
        self.sent: list[str] = []
        self.sent_away = 0

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> Reply:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=120)
        told = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if body is not None:
            told["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body)
        connection.request(method, path, data, {**told, **headers})
        reply = connection.getresponse()
        text = reply.read().decode()
        for cookie in reply.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        connection.close()
        return Reply(reply.status, reply.headers, text)

    def insist(self, *request: Any, **headers: str) -> Reply:
        for _ in range(TRIES):
            reply = self.ask(*request, **headers)
            if reply.status != 503:
                return reply
            assert reply.headers["Retry-After"]
            self.sent_away += 1
        raise AssertionError(f"{request[:2]} was sent away {TRIES} times")

    def enter(self) -> dict[str, Any]:
        """Open the link, then the judging page; what its script is told."""
        entered = self.insist("GET", self.link)
        assert entered.status == 302, entered.text
        self.work = entered.headers["Location"].removesuffix("welcome/")
        page = self.insist("GET", self.work)
        assert page.status == 200, page.text
        found = re.search(r'type="application/json">(.*?)</script>', page.text)
        return json.loads(found[1])

    def answer(self, state: dict[str, Any], item: dict[str, Any], ask: Any = None) -> Reply:
        key = secrets.token_hex(16)
        keys = [one["key"] for one in item["candidates"]]
        body = {
            "assignment": item["key"],
            "key": key,
            "answer": {"ranks": [1 for _ in keys], "candidates": keys},
        }
        reply = (ask or self.insist)("POST", state["urls"]["answer"], body, **state["headers"])
        if reply.status == 200:
            self.sent.append(key)
        return reply


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def served(request, tmp_path_factory, use_store, new_store, texts):
    """`adjudge serve` with a campaign; its port, and makes the links of judges."""
    from django.db import connections

    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.campaigns.store.opening import open_store

    folder = tmp_path_factory.mktemp("busy")
    if request.param == "sqlite":
        address = str(new_store())
    else:
        address = request.getfixturevalue("postgresql").format(name="postgres")
    use_store(address)
    open_store(create=True)
    campaign = create_campaign("Busy", texts, design_named("wmt13", block=4, common=1, repeats=0))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    ours = ("ADJUDGE_", "DJANGO_", "DATABASE_URL")
    told = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    options = ["--port", str(port), "--workers", "1", "--threads", "16", "--database", address]
    process = subprocess.Popen(
        [sys.executable, "-m", "adjudge", "serve", *options], cwd=folder, env=told
    )
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            time.sleep(0.1)
    numbers = count()

    def browser() -> Browser:
        return Browser(port, f"/j/{invite(campaign, f'judge {next(numbers)}').token}/")

    use_store(address)
    yield browser
    process.terminate()
    process.wait(30)
    connections["default"].close()


@contextmanager
def held():
    """Nobody else writes meanwhile; on PostgreSQL, not to what judges need."""
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            tables = "django_session, campaigns_judge, campaigns_campaign"
            cursor.execute(f"LOCK TABLE {tables} IN EXCLUSIVE MODE")
        yield


def answers(browsers: list[Browser]) -> tuple[set[str], set[str]]:
    """What is stored of what these sent, and what they were told is stored."""
    from adjudge.campaigns.models import Answer

    said = {key for browser in browsers for key in browser.sent}
    return set(Answer.objects.filter(key__in=said).values_list("key", flat=True)), said


def test_a_lock_is_not_waited_for_until_it_ends(served):
    """It is held for as long as requests are answered, so none can wait for its end."""
    ada, bea = served(), served()
    state = ada.enter()
    item = state["items"][0]
    with held():
        # Who is signed in needs no lock to come in and see their work.
        assert ada.ask("GET", ada.link).status == 302
        page = ada.ask("GET", ada.work)
        assert page.status == 200
        assert item["key"] in page.text
        entered = bea.ask("GET", bea.link)
        refused = ada.answer(state, item, ada.ask)
    assert (entered.status, entered.headers["Retry-After"]) == (503, "2")
    assert '<meta http-equiv="refresh" content="2">' in entered.text
    assert (refused.status, refused.headers["Retry-After"]) == (503, "2")
    assert json.loads(refused.text)["code"] == "busy"
    assert ada.sent == []
    assert ada.answer(state, item).status == 200
    assert bea.enter()["items"]
    stored, said = answers([ada, bea])
    assert stored == said


def judge_together(served) -> list[Browser]:
    """Twenty judges enter at once, answer twice, and come back."""
    browsers = [served() for _ in range(JUDGES)]

    def judge(browser: Browser) -> None:
        state = browser.enter()
        for item in state["items"][:2]:
            reply = browser.answer(state, item)
            assert reply.status == 200, reply.text
        assert browser.enter()["items"]

    with ThreadPoolExecutor(JUDGES) as pool:
        list(pool.map(judge, browsers))
    return browsers


def test_judges_work_beside_a_creation(served, texts):
    """It never ends, so whoever gets in gets in between its steps."""
    from django.db import connections

    from adjudge.campaigns.models import Segment
    from adjudge.campaigns.store.unfinished import making

    done = Event()

    def write() -> None:
        try:
            with making() as made:
                campaign = made.new()
                document = campaign.documents.create(name="one", order=1)
                run = campaign.runs.create()

                def work():
                    for order in count(1):
                        if done.is_set():
                            return
                        told = {"campaign": campaign, "document": document, "run": run}
                        Segment.objects.create(**told, order=order, name="x", source="x" * 1000)
                        yield

                made.in_steps(work())
        finally:
            connections.close_all()

    writer = Thread(target=write)
    writer.start()
    try:
        browsers = judge_together(served)
    finally:
        done.set()
        writer.join()
    stored, said = answers(browsers)
    assert stored == said
    assert len(said) == 2 * JUDGES


def test_judges_beside_a_writer_that_leaves_no_gap(served):
    """Commits every half second, and begins again at once: requests are sent away, none breaks."""
    from django.db import connections

    done = Event()

    def write() -> None:
        while not done.is_set():
            with held():
                done.wait(0.5)
        connections.close_all()

    ada = served()
    state = ada.enter()
    writer = Thread(target=write)
    writer.start()
    try:
        assert ada.enter()["items"]
        replies = [ada.answer(state, state["items"][0], ada.ask) for _ in range(2)]
        assert {reply.status for reply in replies} <= {200, 503}
    finally:
        done.set()
        writer.join()
    assert ada.answer(state, state["items"][1]).status == 200
    stored, said = answers([ada])
    assert stored == said
