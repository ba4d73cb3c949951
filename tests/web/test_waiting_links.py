"""Judges who were invited before any server ran get links that lead to the server that runs."""

import os
import re
import socket
import subprocess
import time
from http.cookiejar import CookieJar
from urllib.error import HTTPError, URLError
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def invited(campaign, store, adjudge):
    """Ann and Bob were invited; nobody knows an address."""
    done = adjudge("campaign", "invite", "Animals", "Ann", "Bob", "--database", store)
    assert done.code == 0
    assert "does not know yet at which address" in done.err
    assert "/j/" not in done.out
    assert "http" not in done.out
    return campaign


def opened(link, server):
    """The page of a link, in a new browser; the server listens a moment after it has spoken."""
    while True:
        assert server.poll() is None
        try:
            with build_opener(HTTPCookieProcessor(CookieJar())).open(link) as page:
                return page.read().decode()
        except HTTPError:
            raise
        except URLError:
            time.sleep(0.1)


def test_serve_prints_the_links_that_wait_and_they_work(invited, store, adjudge_command):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    ours = ("ADJUDGE_", "DJANGO_", "DATABASE_URL", "JOURNAL_STREAM")
    server = subprocess.Popen(
        [*adjudge_command, "serve", "--port", str(port), "--workers", "1", "--database", store],
        env={name: value for name, value in os.environ.items() if not name.startswith(ours)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        links = {}
        while len(links) < 2:
            line = server.stdout.readline()
            assert line, "the server ended"
            if found := re.search(r"(Ann|Bob) \(Animals\): (\S+)", line):
                links[found[1]] = found[2]
        for link in links.values():
            assert link.startswith(f"http://127.0.0.1:{port}/j/")
            assert "Animals" in opened(link, server)
    finally:
        server.terminate()
        server.wait(30)
    from adjudge.campaigns.people.waiting_links import waiting

    assert waiting() == []


def test_links_do_not_go_into_the_journal_and_are_made_once(invited, monkeypatch):
    from adjudge.campaigns.people.invitation import judge_of
    from adjudge.cli.serve import _waiting_links

    monkeypatch.setenv("JOURNAL_STREAM", "8:123")
    (said,) = _waiting_links("https://judge.example.org")
    assert "Judges who wait for links: 2." in said
    assert "--replace" in said
    monkeypatch.delenv("JOURNAL_STREAM")
    _heading, ann, bob = _waiting_links("https://judge.example.org")
    assert _waiting_links("https://judge.example.org") == []
    for name, line in (("Ann", ann), ("Bob", bob)):
        assert judge_of(re.search(r"/j/([\w-]+)/", line)[1]).name == name


def test_a_mark_for_a_link_that_waits_lets_nobody_in(invited, client):
    for judge in invited.judges.all():
        assert client.get(f"/j/{judge.token_hash}/").status_code == 404


def test_a_person_of_several_campaigns_gets_one_link(campaign, store, texts, adjudge):
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.people.people import judges_of_person, person_of
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.cli.serve import _waiting_links

    for one in (campaign, create_campaign("Plants", texts, design_named("wmt13", block=4))):
        invite(one, "Ann")
    done = adjudge("campaign", "one-link", "Ann", "Animals", "Plants", "--database", store)
    assert (done.code, done.out) == (0, ""), done.err
    _heading, line = _waiting_links("https://judge.example.org")
    person = person_of(re.search(r"/j/([\w-]+)/", line)[1])
    assert [judge.campaign.name for judge in judges_of_person(person)] == ["Animals", "Plants"]
    assert "Ann (Animals, Plants)" in line


@pytest.mark.parametrize(
    ("bind", "public", "https", "address"),
    [
        ("127.0.0.1:8011", [], False, "http://127.0.0.1:8011"),
        ("127.0.0.1:8011", ["judge.example.org"], True, "https://judge.example.org"),
        ("127.0.0.1:8011", ["judge.example.org"], False, "http://judge.example.org"),
        ("0.0.0.0:8011", ["judge.example.org", "other"], False, "http://judge.example.org:8011"),
        ("[::]:8011", ["judge.example.org"], False, "http://judge.example.org:8011"),
        ("[::1]:8011", [], False, "http://[::1]:8011"),
    ],
)
def test_links_lead_to_the_public_address(bind, public, https, address):
    from adjudge.web.server import public_address

    assert public_address(bind, public, https) == address
