"""Odd HTTP requests to a real server: none may break it.

    python -m benchmarks.http_fuzz --requests 100000 --database sqlite

`adjudge serve` runs with a campaign, judges, crowd campaigns and an organiser. Requests are made
from a seed: addresses of all pages, methods, versions, query strings, headers, cookies, lengths,
encodings and bodies (JSON, forms, uploads, chunks), right ones and damaged ones, from strangers,
judges, workers and an organiser who is signed in. Each is sent on a connection of its own, which
is then closed for writing if the request promises more than it has.

Every request must get a reply. Counted as broken: a status of 500 or more, apart from 501 and 505
(the method or version is not spoken here) and 503 with Retry-After (`busy`). Counted as dropped: a
connection that ends, or stays silent for a minute, without a complete status line. That the server
closes a connection after a reply is no failure.
"""

import argparse
import json
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from html import unescape
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from benchmarks.load import HOST, Server, postgresql

MOST_REQUESTS = 1_000_000
PATIENCE = 60  # seconds for a reply
CLIENTS = 6
PORTION = 500  # requests between which who was locked out is let in again
SHOWN = 10  # failures that are printed
NOT_SPOKEN = (501, 505)
BUSY = 503
CSRF = "c" * 32

ODD = (
    "",
    " ",
    "\0",
    "a\0b",
    "x" * 5000,
    "😀\u202e\u2028\ufeff",
    "é" * 300,
    "-1",
    "0",
    "1",
    "²",
    "١٢٣",
    "1e400",
    "nan",
    "99999999999999999999999",
    "9223372036854775808",
    "true",
    "null",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "{{7*7}}{% now %}",
    "%s%n%00",
    "' OR 1=1 --",
    "a\r\nX-Injected: yes",
    "0001-01-01T00:00",
    "9999-12-31T23:59:59-23:59",
    "2026-13-45",
    "ann@example.org",
    "a@" + "b" * 260 + ".org",
    "Ann <ann@example.org>\nBob",
    "\x1b[31m\x7f\x01",
)
METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get")
ODD_METHODS = ("", "G", "POST\0", "PÖST", "GE T", "X" * 300, "PRI", "<>", "PROPFIND", "_")
VERSIONS = ("HTTP/1.0", "HTTP/2.0", "HTTP/1.2", "HTTP/9.9", "HTTP/1.1 ", "http/1.1", "", "XYZ")
TYPES = (
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "multipart/form-data; boundary=b",
    "multipart/form-data; boundary=" + "b" * 300,
    "multipart/form-data; boundary=é",
    "multipart/mixed; boundary=b",
    "text/plain; charset=utf-16",
    "application/json; charset=utf-7",
    "application/json; charset=nonsense",
    "application/x-www-form-urlencoded; charset=utf-16",
    "application/x-www-form-urlencoded; charset=nonsense",
    "application/x-www-form-urlencoded; charset=\0",
    "application/xml",
    "/;=;",
    "x" * 3000,
)
HOSTS = ("localhost", "127.0.0.1", "evil.example", "", "local host", "[::1", "é", "a" * 300, "a:b")
LENGTHS = ("-1", "-0", "+5", "0x10", "1e3", "5,5", " 7 ", "", "x", "9" * 30, "٣", "1_0")
TRANSFERS = (
    "chunked",
    "gzip, chunked",
    "identity",
    "chunked, chunked",
    "xchunked",
    "",
    "\x0bchunked",
)
COOKIES = (
    'adjudge_session="\\000\\000\\000\\000\\000\\000\\000\\000\\000"',
    "adjudge_session=" + "x" * 4000,
    "adjudge_session=%00%ff; adjudge_session=é",
    "adjudge_session=" + "a" * 32,
    "csrftoken=short",
    'csrftoken="\\000"',
    "django_language=\0",
    "django_language=../../de",
    'messages="\\042[[\\"__json_message\\",0,25,\\"x\\"]]"',
    "; =; ;;a=b=c",
    "x" * 9000,
)
HEADERS = {
    "Accept-Language": ("de;q=nan", "x" * 5000, ",;,", "de;q=1e400", "*", "é", "fr" + ",fr" * 2000),
    "X-Judge-Pass": ("", ":::", "é:1:x", "a" * 5000, "\xff"),
    "Authorization": ("Bearer ", "Bearer é", "Basic x", "\xff\xfe"),
    "X-Forwarded-For": ("1.2.3.4", "::::", "é", "x" * 2000, "1.2.3.4, \xff"),
    "X-Forwarded-Proto": ("https", "é", "https, http"),
    "X-Forwarded-Host": ("evil.example",),
    "Range": ("bytes=0-1", "bytes=-1", "bytes=9-1", "bytes=0-9999999999999999999", "é"),
    "If-Modified-Since": ("Thu, 01 Jan 1970 00:00:00 GMT", "é", "9" * 40, "Mon, 99 Xyz 99999"),
    "If-None-Match": ('"x"', "é", "*"),
    "Accept-Encoding": ("gzip", "gzip;q=x", "é", "*;q=0"),
    "Content-Encoding": ("gzip", "é"),
    "Origin": ("null", "http://[", "https://evil.example", "é"),
    "Referer": ("http://[", "https://evil.example", "\xff", "x" * 5000),
    "HX-Request": ("true", "é"),
    "HX-Current-URL": ("http://[", "%ff"),
    "HX-Target": ("é", "x%uri-AutoEncoded"),
    "Expect": ("100-continue", "nonsense"),
    "Connection": ("close", "keep-alive", "upgrade", "é"),
    "Upgrade": ("websocket", "h2c"),
    "X-CSRFToken": ("", "short", CSRF, "é" * 32),
    "Bad Name": ("x",),
    "": ("x",),
    "X_Under": ("x",),
    "X-Nul": ("a\0b",),
    "X-Fold": ("a\r\n b",),
    "X-Long": ("x" * 9000, "x" * 70_000, "x" * 140_000),
}
QUERY = (
    *("PROLIFIC_PID", "STUDY_ID", "SESSION_ID", "prolific_token", "assignmentId", "workerId"),
    *("hitId", "turkSubmitTo", "start", "again", "next", "page", "format", "method", "é"),
)


Forms = dict[str, tuple[tuple[str, str], ...]]  # by address: fields, and what they held


class World(NamedTuple):
    """What there is to ask for, and as whom."""

    addresses: tuple[str, ...]
    forms: Forms
    strangers: tuple[str, ...]  # sessions of judges; empty: nobody's
    organisers: tuple[str, ...]  # their sessions
    passes: tuple[str, ...]  # of crowd workers
    items: tuple[dict[str, Any], ...]  # that judges have

    @property
    def fields(self) -> list[tuple[str, str]]:
        """Of all forms."""
        return [pair for pairs in self.forms.values() for pair in pairs]


class Request(NamedTuple):
    """Bytes to send; `ends`: nothing more comes, though more is promised."""

    data: bytes
    ends: bool


def made_request(number: int, seed: int, world: World) -> Request:
    """Request `number`; the same each time in the same world."""
    rng = Random(f"{seed}/{number}")
    method = "GET" if rng.random() < 0.35 else "POST"
    if rng.random() < 0.15:
        method = rng.choice(METHODS if rng.random() < 0.8 else ODD_METHODS)
    path = _path(rng, world)
    version = "HTTP/1.1" if rng.random() < 0.97 else rng.choice(VERSIONS)
    headers = [("Host", "localhost" if rng.random() < 0.97 else rng.choice(HOSTS))]
    headers += _identity(rng, world, path)
    body = b""
    if method not in ("GET", "HEAD") or rng.random() < 0.05:
        kind, body = _body(rng, world, path)
        if rng.random() < 0.2:
            kind = rng.choice(TYPES)
        if rng.random() < 0.97:
            headers.append(("Content-Type", kind))
    for _ in range(rng.choice((0, 0, 0, 0, 0, 1, 1, 2))):
        name = rng.choice(list(HEADERS))
        headers.append((name, rng.choice(HEADERS[name])))
    if rng.random() < 0.01:
        headers += [(f"X-{n}", "x") for n in range(rng.choice((90, 150, 3000)))]
    framing, body, ends = _framing(rng, body)
    headers += framing
    if rng.random() < 0.3:
        rng.shuffle(headers)
    lines = [f"{method} {path} {version}", *(f"{name}: {value}" for name, value in headers)]
    head = b"\r\n".join(_bytes(line) for line in lines) + b"\r\n\r\n"
    if rng.random() < 0.01:
        head, ends = _damaged(rng, head), True
    # A head may have become one that promises a body.
    return Request(head + body, ends or _odd_head(head))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _odd_head(head: bytes) -> bool:
    """May the server wait for more? It does where a header is one that is not meant."""
    return any(odd in head.lower() for odd in (b"expect:", b"upgrade:")) or head.count(b"\r\n") < 2


def _path(rng: Random, world: World) -> str:
    path = rng.choice(list(world.forms) if rng.random() < 0.4 else world.addresses)
    chance = rng.random()
    if chance < 0.08:
        parts = path.split("/")
        parts[rng.randrange(len(parts))] = quote(rng.choice(ODD), safe=rng.choice(("", "/%")))
        path = "/".join(parts)
    elif chance < 0.12:
        odd = ("%", "%ff%fe", "%00", "%C0%AF", "é", "//", "/../", ";", "*", "http://localhost/x")
        place = rng.randrange(len(path) + 1)
        path = path[:place] + rng.choice(odd) + path[place:]
    elif chance < 0.13:
        path = rng.choice(("", "*", "x", "/" * 2000, "/" + "x" * 9000, "http://[/", "\xff"))
    if rng.random() < 0.15:
        pairs = [
            (rng.choice((*QUERY, "page", rng.choice(world.fields)[0])), _value(rng, world))
            for _ in range(rng.choice((1, 2, 3, 5, 5, 400)))
        ]
        path += "?" + urlencode(pairs)
    elif rng.random() < 0.03:
        path += "?" + rng.choice(("%", "%ff=%00", "=&=&", "a" * 8000, "?", "é=é", "x&" * 1200))
    return path


def _value(rng: Random, world: World) -> str:
    return rng.choice(ODD) if rng.random() < 0.5 else rng.choice(world.fields)[1]


def _identity(rng: Random, world: World, path: str) -> list[tuple[str, str]]:
    """Who sends it, mostly with the token that every form needs."""
    chance = rng.random()
    if chance < 0.05:
        return [("Cookie", rng.choice(COOKIES))]
    if chance < 0.15:
        return [("X-Judge-Pass", rng.choice(world.passes))]
    cookie = f"csrftoken={CSRF}"
    if chance < 0.9:
        meant = path.startswith("/organise") != (rng.random() < 0.1)
        session = rng.choice(world.organisers if meant else world.strangers)
        cookie += f"; adjudge_session={session}"
    if rng.random() < 0.03:
        cookie += "; " + rng.choice(COOKIES)
    return [("Cookie", cookie), *([("X-CSRFToken", CSRF)] if rng.random() < 0.95 else [])]


def _body(rng: Random, world: World, path: str) -> tuple[str, bytes]:
    """A body and its type."""
    chance = rng.random()
    form = world.forms.get(path)
    if chance < (0.1 if form else 0.6):
        return "application/json", _json(rng, world)
    if form and rng.random() < 0.8:
        odd = rng.choice((0, 0.1, 0.5))
        pairs = [(name, _value(rng, world) if rng.random() < odd else v) for name, v in form]
    else:
        some = range(rng.choice((0, 1, 3, 8, 30)))
        pairs = [(rng.choice(world.fields)[0], _value(rng, world)) for _ in some]
    if chance < 0.7:
        data = urlencode(pairs).encode()
        if rng.random() < 0.1:
            data += rng.choice((b"&%ff%00=%", b"&\xff\xfe\0=\0", b"&a=b" * 2000))
        return "application/x-www-form-urlencoded", data
    if chance < 0.95:
        return _multipart(rng, pairs)
    size = rng.choice((1, 100, 5000, 300_000, 2_200_000 if rng.random() < 0.1 else 10))
    return rng.choice(TYPES), rng.randbytes(size)


def _multipart(rng: Random, pairs: Sequence[tuple[str, str]]) -> tuple[str, bytes]:
    boundary = "b" if rng.random() < 0.5 else "x" * 60
    parts = []
    for name, value in pairs:
        told = f'form-data; name="{name}"'
        if rng.random() < 0.4:
            file = rng.choice(("a.txt", "", "../a", "é\0", "a" * 500, 'a"; x="', "a.zip", "a.xml"))
            told += f'; filename="{file}"'
        text = f"--{boundary}\r\nContent-Disposition: {told}\r\n"
        if rng.random() < 0.1:
            odd = ("Content-Transfer-Encoding: base64", "Content-Type: text/plain; charset=x", "é")
            text += rng.choice(odd) + "\r\n"
        parts.append(_bytes(f"{text}\r\n{value}\r\n"))
    data = b"".join(parts) + (f"--{boundary}--\r\n".encode() if rng.random() < 0.9 else b"")
    if rng.random() < 0.1:
        data = _damaged(rng, data)
    return f"multipart/form-data; boundary={boundary}", data


def _json(rng: Random, world: World) -> bytes:
    item = rng.choice(world.items)
    body: dict[str, Any] = {
        "assignment": item["key"],
        "key": f"{rng.getrandbits(64):016x}",
        "at": "2026-01-02T03:04:05.678Z",
        "seconds": 12.5,
        "active_seconds": 10,
        "known": [],
        "answer": {
            "ranks": [1 for _ in item["candidates"]],
            "candidates": [one["key"] for one in item["candidates"]],
        },
        "reason": "odd",
        "text": "a word",
        "about": item["key"],
        "practised": "x",
    }
    for _ in range(rng.choice((0, 1, 1, 2, 4))):
        target = (
            body["answer"] if rng.random() < 0.3 and isinstance(body.get("answer"), dict) else body
        )
        name = rng.choice([*target, "before"])
        if rng.random() < 0.15:
            target.pop(name, None)
        else:
            target[name] = _odd_json(rng)
    data = json.dumps(body, ensure_ascii=rng.random() < 0.9).encode("utf-8", "surrogatepass")
    chance = rng.random()
    if chance < 0.05:
        return _damaged(rng, data)
    if chance < 0.1:
        depth = rng.choice((50, 1000, 100_000))
        return rng.choice((b"[" * depth, b'{"a":' * depth, b"[" * depth + b"]" * depth))
    if chance < 0.15:
        odd = (b"", b"null", b"1", b"[]", b'"x"', b"\xff", b"\xef\xbb\xbf{}", b'{"a":1}' * 2)
        return rng.choice((*odd, b"9" * 5000, b"1e999999", b'{"\\ud800":1}', body_in_utf_16(body)))
    return data


def body_in_utf_16(body: dict[str, Any]) -> bytes:
    """JSON as no browser sends it, though Python reads it."""
    return json.dumps(body).encode("utf-16")


def _odd_json(rng: Random) -> Any:
    plain: tuple[Any, ...] = (
        None,
        True,
        -1,
        0,
        2**63,
        10**400,
        1e308,
        float("nan"),
        [],
        {},
        "\ud800",
    )
    if rng.random() < 0.4:
        return rng.choice(ODD)
    if rng.random() < 0.2:
        return [rng.choice(plain) for _ in range(rng.choice((1, 5, 2000)))]
    return {"a": {"b": rng.choice(plain)}} if rng.random() < 0.2 else rng.choice(plain)


def _framing(rng: Random, body: bytes) -> tuple[list[tuple[str, str]], bytes, bool]:
    """How long the body is said to be, the body as sent, and whether that may be too little."""
    chance = rng.random()
    if chance < 0.94:
        return ([("Content-Length", str(len(body)))] if body or chance < 0.5 else []), body, False
    if chance < 0.96:
        sizes = rng.choice((1, 7, 1000))
        chunks = [body[n : n + sizes] for n in range(0, min(len(body), 3000), sizes)]
        sent = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"
        if rng.random() < 0.5:
            sent = _damaged(rng, sent)
        both = [("Content-Length", "5")] if rng.random() < 0.1 else []
        return [("Transfer-Encoding", rng.choice(TRANSFERS[:2])), *both], sent, True
    if chance < 0.97:
        return [("Transfer-Encoding", rng.choice(TRANSFERS))], body, True
    if chance < 0.985:
        return [("Content-Length", rng.choice(LENGTHS))], body, True
    near = max(0, len(body) + rng.choice((-3, -1, 1, 100, 10**6, 10**9)))
    twice = [("Content-Length", "3")] if rng.random() < 0.3 else []
    return [("Content-Length", str(near)), *twice], body, True


def _damaged(rng: Random, data: bytes) -> bytes:
    """Some bytes are changed, or the end is missing."""
    if data and rng.random() < 0.4:
        return data[: rng.randrange(len(data)) + 1]  # nothing at all is no request
    changed = bytearray(data)
    for _ in range(min(len(changed), rng.choice((1, 3, 20)))):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def status_of(port: int, request: Request) -> tuple[int, bytes]:
    """The status of the reply and its head; 0: there was none."""
    said = b""
    with socket.create_connection((HOST, port), timeout=PATIENCE) as client:
        with suppress(OSError):  # the server has said enough already
            client.sendall(request.data)
            if request.ends:
                client.shutdown(socket.SHUT_WR)
        with suppress(OSError):
            while b"\r\n\r\n" not in (said := said.removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n")):
                portion = client.recv(65536)
                if not portion:
                    break
                said += portion
    found = re.match(rb"HTTP/1\.\d (\d{3}) ", said)
    return (int(found[1]) if found else 0), said.partition(b"\r\n\r\n")[0]


def is_failure(status: int, head: bytes) -> bool:
    """Did the server break, or say nothing?"""
    if status == BUSY:
        return b"\r\nretry-after:" not in head.lower()
    return status == 0 or (status >= 500 and status not in NOT_SPOKEN)


class Site:
    """Campaigns of several kinds in the database, and those who are signed in."""

    def __init__(self, database: str) -> None:
        os.environ["DJANGO_SETTINGS_MODULE"] = "adjudge.web.settings"
        os.environ["ADJUDGE_SECRET_KEY"] = secrets.token_hex(32)
        # No request leaves this machine.
        os.environ["ADJUDGE_PROLIFIC_KEYS"] = "http://127.0.0.1:9/"
        from adjudge.campaigns.store.opening import open_store

        open_store(database, create=True)
        from adjudge.campaigns.design import design_named
        from adjudge.campaigns.people.crowd import open_to_crowd
        from adjudge.campaigns.people.invitation import invite
        from adjudge.campaigns.people.people import invite_to_all
        from adjudge.campaigns.setup.creation import create_campaign
        from adjudge.campaigns.setup.projects import create_project
        from adjudge.text.testset import TestSet

        lines = tuple(f"Sentence {n} of a text." for n in range(40))
        systems = {f"system {s}": tuple(f"{line} {s}" for line in lines) for s in range(4)}
        documents = tuple(f"document {n // 10}" for n in range(40))
        numbers = tuple(map(str, range(40)))
        texts = TestSet(lines, lines, documents, numbers, systems, "en", "de")
        design = design_named("recommended")
        plain = create_campaign("Plain", texts, design)
        pairs = create_project("Pairs", {"en-de": texts, "en-cs": texts}, design)
        crowds = [create_campaign(name, texts, design) for name in ("mturk", "prolific")]
        for crowd in crowds:
            open_to_crowd(crowd, crowd.name, 3, "CODE")
        personal = invite_to_all(pairs, "Ann")
        invited = [invite(campaign, "Bob") for campaign in (plain, *crowds)]
        self.links = [f"/j/{one.token}/" for one in (*invited, personal)]
        self.judges = [one.judge for one in invited] + list(personal.judges)
        self.hashes = {judge.pk: judge.token_hash for judge in self.judges}
        self.pages: tuple[tuple[str, ...], Forms] | None = None

    def world(self) -> World:
        """What there is to ask for; whoever was locked out by a request is let in again."""
        from django.contrib.auth.models import User
        from django.db import connection

        from adjudge.campaigns.models import Judge
        from adjudge.web.judging.entrance import pass_of
        from adjudge.web.organiser.accounts import make_organiser

        for judge in self.judges:
            Judge.objects.filter(pk=judge.pk).update(
                token_hash=self.hashes[judge.pk], state=Judge.State.ACTIVE
            )
        for name in ("olga", "otto"):
            if not User.objects.filter(username=name, is_superuser=True).exists():
                make_organiser(name, "correct horse battery", administrator=True)
        if self.pages is None:  # which ends some sessions
            visitors = [*self._judges(), *self._organisers()]
            self.pages = _crawled([*self.links, "/", "/organise/"], visitors)
        world = World(
            *self.pages,
            tuple(self._judges()),
            tuple(self._organisers()),
            tuple(pass_of(judge) for judge in self.judges),
            tuple(self._items()),
        )
        connection.close()
        return world

    def _judges(self) -> Iterator[str]:
        from adjudge.campaigns.models import Judge

        yield ""
        for judge in Judge.objects.filter(pk__in=self.hashes):
            yield _session(judges={judge.key: self.hashes[judge.pk]})

    def _organisers(self) -> Iterator[str]:
        from django.contrib.auth.models import User

        for user in User.objects.filter(username__in=("olga", "otto")):
            for _ in range(4):
                yield _signed_in(user)

    def _items(self) -> Iterator[dict[str, Any]]:
        from dataclasses import asdict

        from adjudge.campaigns.errors import NoItem
        from adjudge.campaigns.models import Judge
        from adjudge.campaigns.work.assignment import next_items
        from adjudge.campaigns.work.screen import screens_of

        yield {"key": "unknown", "candidates": [{"key": "x"}]}
        for judge in Judge.objects.filter(pk__in=self.hashes):
            with suppress(NoItem):
                yield from (asdict(screen) for screen in screens_of(next_items(judge, 5)))


def _session(**values: Any) -> str:
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session.update(values)
    session.save()
    return str(session.session_key)


def _signed_in(user: Any) -> str:
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    backend = "django.contrib.auth.backends.ModelBackend"
    told = {
        SESSION_KEY: str(user.pk),
        BACKEND_SESSION_KEY: backend,
        HASH_SESSION_KEY: user.get_session_auth_hash(),
    }
    return _session(**told)


def _crawled(start: Sequence[str], visitors: Sequence[str]) -> tuple[tuple[str, ...], Forms]:
    """All addresses that pages lead to or Django knows, and all forms."""
    from django.conf import settings
    from django.test import Client
    from django.urls import get_resolver

    forms: Forms = {}
    found = dict.fromkeys(start)
    for visitor in visitors:
        client = Client(SERVER_NAME="localhost")
        client.cookies[settings.SESSION_COOKIE_NAME] = visitor
        client.cookies["csrftoken"] = CSRF
        asked: set[str] = set()
        while left := [one for one in found if one not in asked and "/report" not in one]:
            asked.add(left[0])
            reply = client.get(left[0])
            if "html" not in reply.headers.get("Content-Type", ""):
                continue
            page = unescape(reply.content.decode())
            found |= dict.fromkeys(re.findall(r'(?:href|src|action|hx-\w+)="(/[^"#]+)"', page))
            found |= dict.fromkeys(re.findall(r'"(/(?:work|task)/[\w/-]+)"', page))
            for opening, form in re.findall(r"<form([^>]*)>(.*?)</form>", page, re.DOTALL):
                action = re.search(r'(?:action|hx-post)="([^"]+)"', opening)
                forms[action[1] if action else left[0]] = tuple(_fields(form))
    routes = [route for route in _routes(get_resolver()) if "<" in route]
    for route in routes:
        found[re.sub(r"<int:\w+>", "1", re.sub(r"<str:\w+>", "judgements", route))] = None
    return tuple(found), forms


def _fields(form: str) -> Iterator[tuple[str, str]]:
    """The fields of a form; where they hold nothing, a text that is often right."""
    for tag in re.findall(r"<(?:input|textarea|select|button)[^>]*>", form):
        name, value = (re.search(rf' {given}="([^"]*)"', tag) for given in ("name", "value"))
        if name:
            yield name[1], CSRF if "csrf" in name[1] else (value[1] if value else "") or "1"


def _routes(resolver: Any, before: str = "/") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from _routes(pattern, route)
        else:
            yield route


def http_fuzz(database: str, folder: Path, told: argparse.Namespace) -> bool:
    """Send all requests and print what came of them; was all well?"""
    site, server = Site(database), Server(database, folder)
    server.start()
    statuses: Counter[int] = Counter()
    failures: list[tuple[int, int, bytes]] = []
    started = time.monotonic()

    def send(number: int) -> None:
        request = made_request(number, told.seed, world)
        status, head = status_of(server.port, request)
        statuses[status] += 1
        if is_failure(status, head):
            failures.append((number, status, request.data))

    numbers = range(told.first, told.first + told.requests)
    try:
        with ThreadPoolExecutor(CLIENTS) as pool:
            for start in range(0, len(numbers), PORTION):
                world = site.world()
                list(pool.map(send, numbers[start : start + PORTION]))
    finally:
        server.kill()
    seconds = time.monotonic() - started
    broken = sum(status != 0 for _, status, _ in failures)
    print(f"  {sum(statuses.values()):,} requests to {len(world.addresses)} addresses")
    print("  " + ", ".join(f"{status}: {n:,}" for status, n in sorted(statuses.items())))
    print(f"  broken: {broken}")
    print(f"  dropped: {len(failures) - broken}")
    print(f"  {seconds:.0f} s, {sum(statuses.values()) / seconds:.0f} requests a second")
    for number, status, data in failures[:SHOWN]:
        print(f"  request {number}: {status}, {len(data):,} bytes: {data[:600]!r}")
    log = (folder / "server.log").read_text(errors="replace")
    for trouble in Counter(
        re.findall(r"^\w[\w.]*(?:Error|Exception|Timeout)\b.*", log, re.M)
    ).items():
        print(f"  in the log, {trouble[1]} times: {trouble[0][:300]}")
    if told.log:
        Path(told.log).write_text(log)
    return not failures


def main(arguments: Sequence[str] = ()) -> None:
    """Fuzz a server on one database, or on both in processes of their own."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--database", help="sqlite, postgresql, or an address")
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first request")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", help="keep the server's log in this file")
    told = parser.parse_args(arguments)
    if not 0 < told.requests <= MOST_REQUESTS:
        parser.error(f"--requests: from 1 to {MOST_REQUESTS:,}")
    if told.database is None:
        for database in ("sqlite", "postgresql"):
            command = [sys.executable, "-m", "benchmarks.http_fuzz", *arguments]
            subprocess.run([*command, "--database", database], check=True)
        return
    print(f"{told.database}: {told.requests:,} requests, seed {told.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="adjudge-fuzz-") as name:
        folder = Path(name)
        if told.database == "postgresql":
            with postgresql(folder) as address:
                well = http_fuzz(address, folder, told)
        else:
            sqlite = str(folder / "fuzz.sqlite3")
            well = http_fuzz(sqlite if told.database == "sqlite" else told.database, folder, told)
    if not well:
        raise SystemExit("not all is well")


if __name__ == "__main__":
    main(sys.argv[1:])
