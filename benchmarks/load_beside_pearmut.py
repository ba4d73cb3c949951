"""The same judges at Adjudge (on SQLite) and at Pearmut, one after the other in one run.

    python3.12 -m venv pearmut && pearmut/bin/pip install pearmut==1.1.6
    PEARMUT=pearmut/bin/pearmut python -m benchmarks.load_beside_pearmut --judges 200 --kills 2

Pearmut (https://github.com/zouharvi/pearmut, MIT) is no dependency of ours and needs Python 3.12:
install it into an environment of its own, and name its program in `PEARMUT`. Its judges score five
translations a screen; ours rank them. An answer is timed from when it is sent until the next item
is there: one request at Adjudge, two at Pearmut. Adjudge calls an answer saved when it is on the
disk (it survives a power cut); Pearmut when it is handed to the operating system. A request that is
sent again after a kill is known by its key at Adjudge; Pearmut has no such key and stores it again.
"""

import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.load import Judge, Server, load_options, report, serve_and_judge

SCREENS, SYSTEMS = 300, 5


class PearmutServer(Server):
    """Pearmut. After a kill it wants its lock to be removed by hand, which is done here."""

    def start(self) -> None:
        """Start it, and wait until it answers."""
        (self.folder / "data" / ".lock").unlink(missing_ok=True)
        super().start()


class PearmutJudge(Judge):
    """A simulated judge at Pearmut's page; `token` is the name of a user."""

    def run(self) -> None:
        """Judge until the time is up."""
        try:
            time.sleep(self.rng.uniform(0, self.think))
            item = self._next()
            while item and item["status"] == "ok" and time.monotonic() < self.until:
                think = self.rng.expovariate(1 / self.think) if self.think else 0
                time.sleep(max(0, min(think, self.until - time.monotonic())))
                item = self._score(item)
        except Exception as error:
            self.trouble = f"{type(error).__name__}: {error}"

    def _post(self, path: str, **body: Any) -> Any:
        who = {"campaign_id": "load", "user_id": self.token}
        reply = self._until_replied("POST", path, {**who, **body})
        if reply is not None and reply[0] != 200:
            raise RuntimeError(f"{path} was refused: {reply[0]} {reply[1][:200]}")
        return reply

    def _next(self) -> Any:
        reply = self._post("/get-next-item")
        return reply and json.loads(reply[1])

    def _score(self, item: Any) -> Any:
        key = secrets.token_hex(16)
        scores = [self.rng.randint(0, 100) for _ in range(SYSTEMS)]
        self.sent[key] = scores
        annotation = [{name: {"score": score} for name, score in zip("abcde", scores, strict=True)}]
        payload = {"annotation": annotation, "key": key, "scores": scores}
        sent = time.monotonic()
        if self._post("/log-response", item_i=item["info"]["item_i"], payload=payload) is None:
            return None
        self.acknowledged[key] = scores
        following = self._next()
        if following is not None:
            self.seconds.append((sent, time.monotonic() - sent))
        return following


def compare(folder: Path, judges: Sequence[Judge]) -> dict[str, int]:
    """What Pearmut's file holds against what was sent."""
    acknowledged = {key: one for judge in judges for key, one in judge.acknowledged.items()}
    stored: list[tuple[str, Any]] = []
    unreadable = 0
    for line in (folder / "data/annotations/load.jsonl").read_text().splitlines():
        try:
            entry = json.loads(line)
            stored.append((entry["key"], (entry["user_id"], entry["item_i"])))
        except (ValueError, KeyError):
            unreadable += 1
    keys = {key for key, _ in stored}
    return {
        "acknowledged": len(acknowledged),
        "stored": len(stored),
        "acknowledged but lost": len(acknowledged.keys() - keys),
        "lines that cannot be read": unreadable,
        "stored more than once": len(stored) - len(keys),
        "answered twice": len(keys) - len({place for _, place in stored}),
        "judges in trouble": sum(bool(judge.trouble) for judge in judges),
    }


def pearmut(program: str, folder: Path, told: Any) -> None:
    """Serve the judges with Pearmut."""
    rng = Random(1)

    def text() -> str:
        return " ".join("".join(rng.choices("abcdefghij", k=5)) for _ in range(18))

    def screen(number: int) -> list[dict[str, Any]]:
        outputs = {name: text() for name in "abcde"}
        return [{"src": text(), "tgt": outputs, "item_id": str(number)}]

    screens = [screen(number) for number in range(SCREENS)]
    info = {"assignment": "task-based", "protocol": "DA"}
    campaign = {"info": info, "campaign_id": "load", "data": [screens] * told.judges}
    (folder / "load.json").write_text(json.dumps(campaign))
    os.environ["PEARMUT_ROOT"] = str(folder)
    added = [program, "add", "load.json"]
    subprocess.run(added, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    users = list(json.loads((folder / "data/progress/load.json").read_text()))
    server = PearmutServer("", folder, [program, "run"])
    try:
        judges, started = serve_and_judge(server, PearmutJudge, users, told)
    except SystemExit:
        log = (folder / "server.log").read_text(errors="replace").strip().splitlines()
        print(f"  Pearmut did not start again after a kill; its last word: {log[-1]}")
        return
    report(judges, compare(folder, judges), started, told.seconds)


def main(arguments: Sequence[str] = ()) -> None:
    """Both, one after the other."""
    told = load_options(arguments)
    program = os.environ.get("PEARMUT")
    if not program:
        print("Pearmut is not here: see the beginning of benchmarks/load_beside_pearmut.py")
        return
    given = ("judges", "seconds", "kills", "think")
    options = [part for name in given for part in (f"--{name}", f"{getattr(told, name):g}")]
    ours = [sys.executable, "-m", "benchmarks.load", "--database", "sqlite", *options]
    print("Adjudge")
    subprocess.run(ours, check=False)
    print(f"Pearmut; load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    with tempfile.TemporaryDirectory(prefix="pearmut-load-") as name:
        pearmut(str(Path(program).absolute()), Path(name), told)


if __name__ == "__main__":
    main(sys.argv[1:])
