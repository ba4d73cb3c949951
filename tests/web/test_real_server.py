"""What only a server process shows: slow clients, guesses at once, files, the access log."""

import os
import re
import socket
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import pytest

PASSWORD = "correct horse battery staple"
pytestmark = pytest.mark.slow


class Served(NamedTuple):
    """A server that runs, and where."""

    folder: Path
    port: int
    link: str

    def ask(self, method, path, body=None, timeout=30, **headers):
        connection = HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, told)
        reply = connection.getresponse()
        return reply, reply.read().decode()


def environment():
    ours = ("ADJUDGE_", "DJANGO_", "DATABASE_URL")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


def command(folder, *arguments, stdin=""):
    done = subprocess.run(
        [sys.executable, "-m", "adjudge", *arguments],
        cwd=folder,
        env=environment(),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """`adjudge serve` with few threads, a campaign, a judge and an organiser."""
    folder = tmp_path_factory.mktemp("served")
    for name in ("source", "A", "B", "ref"):
        lines = "".join(f"{name} sentence {n}\n" for n in range(9))
        (folder / f"{name}.txt").write_text(lines)
    texts = ["--source", "source.txt", "--reference", "ref.txt"]
    command(
        folder, "campaign", "create", "Small", *texts, "--system", "A=A.txt", "--system", "B=B.txt"
    )
    site = ("--site", "http://localhost")
    invite = ("campaign", "invite", "Small", "--format", "csv", *site)
    invited = command(folder, *invite, "Ada")
    command(folder, *invite, "Bea", "--output", "links.csv")
    link = re.search(r"/j/[\w-]+/", invited.stdout)[0]
    asked = f"{PASSWORD}\n{PASSWORD}\n"
    command(folder, "campaign", "organiser", "olga", "--ask", stdin=asked)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--port", str(port), "--workers", "1", "--threads", "4"]
    process = subprocess.Popen(
        [sys.executable, "-m", "adjudge", "serve", *options, "--access-log", "access.log"],
        cwd=folder,
        env=environment(),
    )
    served = Served(folder, port, link)
    for _ in range(600):
        try:
            served.ask("GET", "/")
            break
        except OSError:
            time.sleep(0.1)
    yield served
    process.terminate()
    process.wait(30)


def open_socket(server, text):
    client = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    client.sendall(text.encode())
    return client


def test_slow_clients_keep_nobody_waiting(server):
    """Four threads; far more clients than that are in the middle of their requests."""
    head = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
    form = "POST /organise/sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\nna"
    kinds = [head] * 200 + [form.format(500)] * 50 + [form.format(10**6)] * 20
    slow = [open_socket(server, kind) for kind in kinds]
    try:
        for _ in range(10):
            page, text = server.ask("GET", "/", timeout=10)
            assert page.status == 200
            assert "personal link" in text
        entered, _ = server.ask("GET", server.link, timeout=10)
        assert entered.status == 302
        # Who was slow and finishes is served as well.
        slow[0].sendall(b"done\r\nConnection: close\r\n\r\n")
        assert slow[0].recv(100).startswith(b"HTTP/1.1 200")
    finally:
        for client in slow:
            client.close()


def test_a_request_that_does_not_arrive_is_refused(server):
    beginning = "GET / HTTP/1.1\r\nHost: loc"
    with open_socket(server, beginning) as silent, open_socket(server, beginning) as ended:
        ended.shutdown(socket.SHUT_WR)
        assert ended.recv(100).startswith(b"HTTP/1.1 400 Bad Request\r\n")
        assert silent.recv(100).startswith(b"HTTP/1.1 408 Request Timeout\r\n")
        assert silent.recv(100) == b""
    with open_socket(server, "GET / HTTP/1.1\r\nX: " + "x" * 200_000) as endless:
        assert endless.recv(100).startswith(b"HTTP/1.1 431 Request Header Fields Too Large\r\n")


def test_clients_that_do_not_hang_up_keep_nobody_waiting(server):
    """Each is told that its request is bad, and stays; the next is served all the same."""
    bad = [open_socket(server, "NO SENSE\r\n\r\n") for _ in range(30)]
    try:
        for client in bad:
            assert client.recv(100).startswith(b"HTTP/1.1 400 ")
        page, _ = server.ask("GET", "/", timeout=30)
        assert page.status == 200
    finally:
        for client in bad:
            client.close()


def test_parameters_past_all_bounds_are_refused(server):
    """A charset makes Django count them before it is ready to refuse."""
    reply, _ = server.ask("GET", "/?" + "x&" * 1200, Content_Type="text/plain; charset=utf-8")
    assert reply.status == 400


def test_requests_one_after_another_on_one_connection(server):
    connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
    for _ in range(3):
        connection.request("GET", "/")
        assert b"personal link" in connection.getresponse().read()
    head = "GET / HTTP/1.1\r\nHost: localhost\r\n"
    with open_socket(server, f"{head}\r\n{head}Connection: close\r\n\r\n") as both:
        said = b""
        while portion := both.recv(65536):
            said += portion
    assert said.count(b"HTTP/1.1 200 OK") == 2


def test_guesses_at_once_are_no_more_than_guesses_in_turn(server):
    from adjudge.web import limits

    def guess(password, account="olga"):
        page, text = server.ask("GET", "/organise/sign-in/")
        cookie = page.headers["Set-Cookie"].partition(";")[0]
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', text)[1]
        form = {"csrfmiddlewaretoken": token, "name": account, "password": password}
        kind = "application/x-www-form-urlencoded"
        reply, _ = server.ask(
            "POST", "/organise/sign-in/", urlencode(form), Cookie=cookie, Content_Type=kind
        )
        return reply.status

    assert guess(PASSWORD) == 302
    with ThreadPoolExecutor(14) as pool:
        statuses = list(pool.map(guess, [f"wrong {n}" for n in range(14)]))
    assert statuses.count(403) == limits.OF_ACCOUNT
    assert statuses.count(429) == 14 - limits.OF_ACCOUNT
    assert guess(PASSWORD) == 429


def test_what_is_written_is_for_its_owner_only(server):
    command(server.folder, "campaign", "backup", "--output", "backup.jsonl.gz")
    names = [*server.folder.glob("adjudge.sqlite3*"), *server.folder.glob("*.jsonl.gz")]
    names += [server.folder / "links.csv", server.folder / "access.log"]
    modes = {file.name: oct(stat.S_IMODE(file.stat().st_mode)) for file in names}
    assert {"adjudge.sqlite3", "adjudge.sqlite3-wal", "adjudge.sqlite3-shm"} < modes.keys()
    assert set(modes.values()) == {"0o600"}, modes


def test_a_database_that_was_replaced_is_opened_anew(server):
    """With a restored backup under the old name, links of judges it does not know are refused."""
    database, kept = server.folder / "adjudge.sqlite3", server.folder / "kept"
    assert server.ask("GET", server.link)[0].status == 302
    command(server.folder, "campaign", "organiser", "otto", "--database", "other.sqlite3")
    kept.mkdir()
    files = [database, *server.folder.glob("adjudge.sqlite3-*")]
    for file in files:
        file.rename(kept / file.name)
    (server.folder / "other.sqlite3").rename(database)
    try:
        assert {server.ask("GET", server.link)[0].status for _ in range(8)} == {404}
    finally:
        for file in server.folder.glob("adjudge.sqlite3-*"):
            file.unlink()
        for file in files:
            (kept / file.name).rename(file)
    assert {server.ask("GET", server.link)[0].status for _ in range(8)} == {302}


def test_the_access_log_holds_no_token(server):
    token = server.link.split("/")[2]
    reply, _ = server.ask("GET", server.link)
    work = reply.headers["Location"]
    server.ask("GET", work)
    server.ask("GET", "/crowd/abcdef/?PROLIFIC_PID=somebody")
    log = ""
    for _ in range(300):  # a line is written after the reply
        log = (server.folder / "access.log").read_text()
        if '"GET /crowd/*/" 404' in log:
            break
        time.sleep(0.1)
    assert '"GET /crowd/*/" 404' in log
    assert '"GET /j/*/" 302' in log
    for secret in (token, work.split("/")[2], "abcdef", "somebody"):
        assert secret not in log
