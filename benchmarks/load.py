"""Many judges at once, over HTTP, on a real server that is killed now and then.

    python -m benchmarks.load --database sqlite --judges 200 --seconds 120 --kills 4

Simulated judges open their links, rank, and send each answer again until the server says it
has it, as the judging page does. SIGKILL ends the server with all its workers, and it is
started again. Then the database is compared with what was sent: every answer the server
acknowledged is there exactly once and unchanged, none is there that was not sent, no item was
answered twice, and no exclusive item went to two judges. Without `--database`: SQLite and
PostgreSQL, without kills and with them, one after another.

The address is this machine's own, and judges, time and kills are bounded.
"""

import argparse
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from random import Random
from typing import Any

ADJUDGE = [sys.executable, "-c", "from adjudge.cli import main; main()"]
HOST = "127.0.0.1"
LONGEST_WAIT = 30  # seconds for a reply
IDLE = 3  # seconds after which a connection is not used again: the server closes it after 5
MOST_JUDGES, MOST_SECONDS, MOST_KILLS = 1000, 600, 50


class Server:
    """`adjudge serve`, in a process group of its own; or another server's command."""

    def __init__(self, database: str, folder: Path, command: Sequence[str] = ()) -> None:
        with socket.socket() as free:
            free.bind((HOST, 0))
            self.port = free.getsockname()[1]
        ours = [*ADJUDGE, "serve", "--database", database]
        self.command = [*(command or ours), "--port", str(self.port)]
        self.folder = folder

    def start(self) -> None:
        """Start it, and wait until it answers."""
        known = {k: v for k, v in os.environ.items() if not k.startswith("DJANGO_")}
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=self.folder,
                env=known,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        for _ in range(600):
            try:
                connection = HTTPConnection(HOST, self.port, timeout=LONGEST_WAIT)
                connection.request("GET", "/")
                connection.getresponse().read()
                return
            except (OSError, HTTPException):
                time.sleep(0.1)
            finally:
                connection.close()
        raise SystemExit("the server does not answer; see the log in " + str(self.folder))

    def kill(self) -> None:
        """End it and its workers where they stand."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Judge(threading.Thread):
    """A simulated judge at a browser."""

    def __init__(self, number: int, token: str, port: int, until: float, think: float) -> None:
        super().__init__(daemon=True)
        self.token, self.port, self.until, self.think = token, port, until, think
        self.rng = Random(number)
        self.cookie = ""
        self.connection: HTTPConnection | None = None
        self.used = 0.0  # when a reply last came on it
        self.sent: dict[str, list[int]] = {}  # by the answer's key
        self.acknowledged: dict[str, list[int]] = {}
        self.seconds: list[tuple[float, float]] = []  # when answers were sent, and reply times
        self.retries = 0
        self.trouble = ""

    def run(self) -> None:
        """Judge until the time is up."""
        try:
            time.sleep(self.rng.uniform(0, self.think))  # people do not come all at once
            state = self._enter()
            items = state and state["items"]
            while items and time.monotonic() < self.until:
                think = self.rng.expovariate(1 / self.think) if self.think else 0
                time.sleep(max(0, min(think, self.until - time.monotonic())))
                item, *waiting = items
                known = [one["key"] for one in waiting]
                reply = self._answer(state, item, known)
                if reply is None:
                    return
                items = waiting + [one for one in reply["items"] if one["key"] not in known]
        except Exception as error:
            self.trouble = f"{type(error).__name__}: {error}"

    def _enter(self) -> Any:
        """What the judging page's script is told; None if the time is up."""
        entered = self._until_replied("GET", f"/j/{self.token}/")
        page = entered and self._until_replied("GET", entered[2].removesuffix("welcome/"))
        if page is None:
            return None
        found = re.search(r'type="application/json">(.*?)</script>', page[1])
        if not found:
            raise RuntimeError(f"the judging page did not come: {page[0]} {page[1][:200]}")
        return json.loads(found[1])

    def _answer(self, state: Any, item: Any, known: Sequence[str]) -> Any:
        """Send an answer until it is acknowledged; the reply, or None if the time is up."""
        key = secrets.token_hex(16)
        ranks = [self.rng.choice(item["scale"]["ranks"]) for _ in item["candidates"]]
        body = {
            "assignment": item["key"],
            "key": key,
            "seconds": 20,
            "active_seconds": 18,
            "known": known,
            "answer": {"ranks": ranks, "candidates": [one["key"] for one in item["candidates"]]},
        }
        self.sent[key] = ranks
        reply = self._until_replied("POST", state["urls"]["answer"], body, state["headers"])
        if reply is None:
            return None
        if reply[0] != 200:
            raise RuntimeError(f"an answer was refused: {reply[0]} {reply[1][:200]}")
        self.acknowledged[key] = ranks
        self.seconds.append((time.monotonic() - reply[3], reply[3]))
        return json.loads(reply[1])

    def _until_replied(
        self, method: str, path: str, body: Any = None, headers: Any = None
    ) -> tuple[int, str, str, float] | None:
        """Status, text, address to go to, seconds; again where the server cannot be reached."""
        while time.monotonic() < self.until:
            started = time.monotonic()
            try:
                response = self._ask(method, path, body, headers or {})
                text = response.read().decode()
                if response.status < 500:
                    seconds = time.monotonic() - started
                    return response.status, text, response.headers.get("Location", ""), seconds
            except (OSError, HTTPException):
                pass
            self._hang_up()
            self.retries += 1
            time.sleep(self.rng.uniform(0.2, 1))
        return None

    def _ask(self, method: str, path: str, body: Any, headers: Any) -> HTTPResponse:
        if time.monotonic() - self.used > IDLE:
            self._hang_up()
        if self.connection is None:
            self.connection = HTTPConnection(HOST, self.port, timeout=LONGEST_WAIT)
        told = {**headers, "Cookie": self.cookie}
        if body is not None:
            told["Content-Type"] = "application/json"
        self.connection.request(method, path, body and json.dumps(body), told)
        response = self.connection.getresponse()
        self.used = time.monotonic()
        for cookie in response.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            kept = [one for one in self.cookie.split("; ") if one and not one.startswith(name)]
            self.cookie = "; ".join([*kept, f"{name}={value}"])
        return response

    def _hang_up(self) -> None:
        if self.connection is not None:
            self.connection.close()
        self.connection = None


def made_up_campaign(database: str, judges: int) -> list[str]:
    """A campaign large enough, and the judges' tokens."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "adjudge.web.settings"
    from adjudge.campaigns.store.opening import open_store

    open_store(database, create=True)
    from django.db import connection, transaction

    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.text.testset import TestSet

    rng = Random(1)
    segments, systems = 600, 8

    def text() -> str:
        words = ("".join(rng.choices("abcdefghij", k=rng.randint(2, 9))) for _ in range(18))
        return " ".join(words)

    texts = TestSet(
        source=tuple(text() for _ in range(segments)),
        reference=tuple(text() for _ in range(segments)),
        documents=tuple(f"document {n // 12}" for n in range(segments)),
        names=tuple(str(n) for n in range(segments)),
        systems={f"system {s}": tuple(text() for _ in range(segments)) for s in range(systems)},
        source_language="en",
        target_language="de",
    )
    with transaction.atomic():
        campaign = create_campaign("Load", texts, design_named("recommended"))
        tokens = [invite(campaign, f"judge {n}").token for n in range(judges)]
    connection.close()
    return tokens


def compare(judges: Sequence[Judge]) -> dict[str, int]:
    """What the database holds against what was sent; all but the first two should be 0."""
    from django.db.models import Count

    from adjudge.campaigns.models import Answer, Assignment, Item

    sent = {key: ranks for judge in judges for key, ranks in judge.sent.items()}
    acknowledged = {key: ranks for judge in judges for key, ranks in judge.acknowledged.items()}
    rows = list(Answer.objects.values_list("key", "payload", "assignment"))
    stored = {key: payload["ranks"] for key, payload, _ in rows}
    given = Assignment.objects.exclude(state=Assignment.State.RETURNED)
    once = Item.objects.filter(hit__kind="exclusive", assignments__in=given)
    return {
        "acknowledged": len(acknowledged),
        "stored": len(rows),
        "acknowledged but lost": len(acknowledged.keys() - stored.keys()),
        "stored but not sent": len(stored.keys() - sent.keys()),
        "stored differently": sum(stored[key] != sent[key] for key in stored.keys() & sent.keys()),
        "answered twice": len(rows) - len({assignment for *_, assignment in rows}),
        "exclusive items given to two": once.annotate(n=Count("assignments"))
        .filter(n__gt=1)
        .count(),
        "judges in trouble": sum(bool(judge.trouble) for judge in judges),
    }


def serve_and_judge(
    server: Server, kind: type[Judge], names: Sequence[str], told: argparse.Namespace
) -> tuple[list[Judge], float]:
    """Let judges work while the server is killed now and then; they, and when they began."""
    server.start()
    started = time.monotonic()
    until = started + told.seconds
    judges = [
        kind(number, name, server.port, until, told.think) for number, name in enumerate(names)
    ]
    try:
        for judge in judges:
            judge.start()
        for kill in range(told.kills):
            pause = started + told.seconds * (kill + 1) / (told.kills + 1) - time.monotonic()
            time.sleep(max(0, pause))
            server.kill()
            server.start()
        for judge in judges:
            judge.join(max(0, until - time.monotonic()) + LONGEST_WAIT + 5)
    finally:
        server.kill()
    return judges, started


def load(database: str, folder: Path, told: argparse.Namespace) -> bool:
    """Run one load and print what came of it; was all well?"""
    tokens = made_up_campaign(database, told.judges)
    judges, started = serve_and_judge(Server(database, folder), Judge, tokens, told)
    counts = compare(judges)
    report(judges, counts, started, told.seconds)
    return bool(counts["acknowledged"]) and not any(list(counts.values())[2:])


def report(judges: Sequence[Judge], counts: dict[str, int], started: float, lasts: float) -> None:
    """Print what came of a load."""
    replies = sorted(reply for judge in judges for reply in judge.seconds)
    for name, count in counts.items():
        print(f"  {name}: {count:,}")
    print(f"  requests sent again: {sum(judge.retries for judge in judges):,}")
    for trouble in {judge.trouble for judge in judges} - {""}:
        print(f"  trouble: {trouble}")
    print(f"  {len(replies) / lasts:.1f} answers a second")
    _latency("all the time", [seconds for _, seconds in replies])
    middle = started + lasts / 2  # everybody has come in
    _latency("in the second half", [seconds for at, seconds in replies if at > middle])


def _latency(when: str, seconds: list[float]) -> None:
    if seconds:
        ordered = [1000 * second for second in sorted(seconds)]
        p95 = ordered[int(0.95 * len(ordered))]
        print(
            f"  latency {when}, in ms: median {ordered[len(ordered) // 2]:.0f}, "
            f"p95 {p95:.0f}, slowest {ordered[-1]:.0f}"
        )


@contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    """A PostgreSQL server of our own, as durable as it comes; the address of a database."""
    servers = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    initdb = str(servers[-1]) if servers else shutil.which("initdb")
    if initdb is None:
        raise SystemExit("no PostgreSQL server; install it: apt-get install postgresql")
    home = folder / "postgresql"
    home.mkdir()
    as_user = []
    if os.geteuid() == 0:  # the server refuses to run as root
        os.chmod(folder, 0o755)
        shutil.chown(home, "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]

    def run(*command: str) -> None:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([*as_user, *command], check=True, cwd="/", **quiet)  # type: ignore[call-overload]

    control = str(Path(initdb).parent / "pg_ctl")
    data, options = str(home / "data"), f"-c listen_addresses='' -k {home}"
    run(initdb, "-D", data, "-U", "adjudge", "-A", "trust", "-E", "UTF8")
    run(control, "-D", data, "-w", "-o", options, "-l", str(home / "log"), "start")
    try:
        yield f"postgres://adjudge@/postgres?host={home}"
    finally:
        run(control, "-D", data, "-m", "immediate", "stop")


def load_options(arguments: Sequence[str]) -> argparse.Namespace:
    """What was asked for, within bounds."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--database", choices=["sqlite", "postgresql"])
    parser.add_argument("--judges", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--think", type=float, default=10.0, help="mean seconds before an answer")
    told = parser.parse_args(arguments)
    for name, most in (("judges", MOST_JUDGES), ("seconds", MOST_SECONDS), ("kills", MOST_KILLS)):
        if not 0 <= getattr(told, name) <= most:
            parser.error(f"--{name}: from 0 to {most}")
    return told


def main(arguments: Sequence[str] = ()) -> None:
    """One load, or all four in processes of their own (Django takes one database each)."""
    told = load_options(arguments)
    if told.database is None:
        for database in ("sqlite", "postgresql"):
            for kills in ("0", "4"):
                command = [sys.executable, "-m", "benchmarks.load", *arguments]
                subprocess.run([*command, "--database", database, "--kills", kills], check=True)
        return
    print(
        f"{told.database}: {told.judges} judges, {told.seconds:g} s, {told.kills} kills, "
        f"{told.think:g} s between a reply and the next answer; load average "
        f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
        flush=True,
    )
    with tempfile.TemporaryDirectory(prefix="adjudge-load-") as name:
        folder = Path(name)
        if told.database == "sqlite":
            well = load(str(folder / "load.sqlite3"), folder, told)
        else:
            with postgresql(folder) as address:
                well = load(address, folder, told)
    if not well:
        raise SystemExit("not all is well")


if __name__ == "__main__":
    main(sys.argv[1:])
