"""Runs the command lines of sessions/NAME.txt in a folder with the files of docs/examples.

A line is a command without `adjudge`, of which the JSON is recorded, or one of

- `do COMMAND`: run it, record nothing;
- `print COMMAND`: record the signatures that it prints for people;
- `page COMMAND`: record the tables in the page that it writes, `….html`;
- `lines FIRST LAST FILE NEW`, `match TEXT FILE NEW`: copy lines of a file;
- `link FILE NEW`, `folder NEW`: make a link, a folder.

`shared:PATH` is a file of the real data, `{signature}` the last one that was recorded.
"""

import gzip
import json
import re
import shlex
import shutil
import sys
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

from command_line import json_commands
from golden_files import normalised, without_version

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
SESSIONS = {file.stem: file for file in sorted((Path(__file__).parent / "sessions").glob("*.txt"))}
# Runs the words of a command: its exit code, what it printed, its errors.
Run = Callable[[list[str]], tuple[int, str, str]]


def lines_of(name: str) -> list[str]:
    """The lines of a session."""
    lines = SESSIONS[name].read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def shared_files(name: str) -> list[str]:
    """The files of the real data that a session reads."""
    return [word for line in lines_of(name) for word in re.findall(r"shared:(\S+)", line)]


def recorded_commands() -> set[str]:
    """The commands of which some session records the JSON."""
    lines = [line for name in SESSIONS for line in lines_of(name)]
    return {command for line in lines if (command := _json_command(line)) is not None}


def _json_command(line: str) -> str | None:
    """The command of a line, if it can print JSON."""
    longest_first = sorted(json_commands(), key=len, reverse=True)
    return next((name for name in longest_first if f"{line} ".startswith(f"{name} ")), None)


def record(name: str, run: Run, folder: Path, shared: Path | None) -> dict[str, Any]:
    """What the commands of a session print, by line."""
    shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True)
    record: dict[str, Any] = {}
    signature = ""
    for line in lines_of(name):
        words = shlex.split(line.replace("{signature}", shlex.quote(signature)))
        if shared is not None:
            words = [word.replace("shared:", f"{shared}/") for word in words]
        if words[0] in ("folder", "lines", "link", "match"):
            _prepare(folder, *words)
        elif words[0] == "do":
            _printed(run, words[1:], line)
        elif words[0] == "print":
            lines = _printed(run, words[1:], line).splitlines()
            signatures = [without_version(each) for each in lines if each.startswith("adjudge:")]
            record[line] = {"signatures": signatures}
        elif words[0] == "page":
            _printed(run, words[1:], line)
            page = next(folder / word for word in words if word.endswith(".html"))
            record[line] = {"page": normalised(_tables(page, _reads_model(words)), shared is None)}
        else:
            assert _json_command(line), f"{line}: it prints no JSON; write `do` before it"
            code, out, err = run([*words, "--format", "json"])
            assert out.startswith("["), f"{line}: exit code {code}: {err[-500:]}"
            rows = json.loads(out)
            signature = next((row["signature"] for row in rows if "signature" in row), signature)
            told = [normalised(row, public=shared is None) for row in rows]
            if _reads_model(words):
                told = [_without_input(row) for row in told]
            record[line] = ({"exit code": code} if code else {}) | {"rows": told}
    return record


def _printed(run: Run, words: list[str], line: str) -> str:
    code, out, err = run(words)
    assert code == 0, f"{line}: exit code {code}: {err[-500:]}"
    return out


def _tables(page: Path, of_model: bool) -> Any:
    """All tables of a report and how it was made (docs/report.md)."""
    text = page.read_text(encoding="utf-8")
    found = re.search(r'id="summary">(.*?)</script>', text, re.DOTALL)
    assert found, f"{page.name}: no summary"
    summary = json.loads(found[1])
    kept = ("overview", "settings") if of_model else ("overview", "settings", "signature")
    parts = [part["tables"] for part in summary["pairs"]]
    return {key: summary[key] for key in kept if key in summary} | {"tables": parts}


def _reads_model(words: list[str]) -> bool:
    """Is a model an input? The bytes of its file are not the same twice, nor is their hash."""
    return any(word.endswith(".adjudge") and before != "-o" for before, word in pairwise(words))


def _without_input(row: dict[str, Any]) -> dict[str, Any]:
    if "signature" in row:
        return row | {"signature": re.sub(r"\|input:[^|]*", "", row["signature"])}
    return row


def _prepare(folder: Path, what: str, *words: str) -> None:
    new = folder / words[-1]
    new.parent.mkdir(parents=True, exist_ok=True)
    if what == "folder":
        new.mkdir()
    elif what == "link":
        new.symlink_to(words[0])
    else:
        *which, old, _ = words
        with gzip.open(old) if old.endswith(".gz") else (folder / old).open("rb") as file:
            if what == "match":
                kept = [line for line in file if which[0].encode() in line]
            else:
                kept = [*islice(file, int(which[0]) - 1, int(which[1]))]
        new.write_bytes(b"".join(kept))


def run_here(words: list[str]) -> tuple[int, str, str]:
    """Run a command in this process, as the fixture `adjudge` does."""
    from adjudge.__main__ import main

    sys.argv = ["adjudge", *words]
    out, err = (TextIOWrapper(BytesIO(), "utf-8", write_through=True) for _ in range(2))
    code: Any = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
    return int(code), *(each.buffer.getvalue().decode() for each in (out, err))


if __name__ == "__main__":
    with chdir(sys.argv[2]):
        print(json.dumps(record(sys.argv[1], run_here, Path.cwd(), None)))
