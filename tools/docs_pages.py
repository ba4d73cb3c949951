#!/usr/bin/env python3
"""Runs what the documentation shows: every block of code and every command of a page, in order.

    tools/docs_pages.py docs/tutorial-python.md           # run the page; say what differs
    tools/docs_pages.py --write docs/tutorial-python.md   # and write what really comes out
    tools/docs_pages.py --marked                          # what is not run, and why

A page is Markdown. Its blocks run one after another in a new, empty folder:

- `python`: the blocks of a page share their names; like a notebook, a block shows what it prints
  and the value of its last line.
- `sh`: one command after another; what they print is what the block shows.
- `text` directly after one of them: what it shows. `…` stands for anything within a line, a
  line `…` for any lines.
- `json`, `toml`: must be valid. A name in braces is a directive of the site.

A comment above a block changes that: `<!-- not run: WHY -->`, `<!-- not compared: WHY -->` (of
what is shown), `<!-- fails: WHY -->` (a command that is meant to be refused).

A page that says it uses `docs/examples` finds the files of that folder in its own.
"""

import argparse
import ast
import contextlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "docs" / "examples"

_FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,})(?P<language>[^\s`]*)\s*$")
_MARK = re.compile(r"^\s*<!-- (?P<kind>not run|not compared|fails): (?P<why>.+) -->$")
# These open a database or a server, of which a process has one, or mend the process.
_OWN_PROCESS = {"campaign", "serve", "demo"}
_SHELL = re.compile(r"[|<>;&$*`]")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    line: int  # of its first fence, from 1
    language: str
    text: str
    mark: str = ""  # "not run", "not compared", "fails"
    why: str = ""


@dataclass
class Difference:
    """What a block shows, and what came out."""

    page: Path
    block: Block
    came: str

    def __str__(self) -> str:
        place = f"{self.page}:{self.block.line}"
        return f"{place} shows\n{self.block.text}\nbut this came out:\n{self.came}"


@dataclass
class Run:
    """What came of running a page."""

    differences: list[Difference] = field(default_factory=list)
    ran: int = 0


class BlockFailed(Exception):
    """A block that does not run."""


def pages() -> list[Path]:
    """Every page whose blocks are run."""
    return [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *sorted((ROOT / "docs").glob("**/*.md")),
    ]


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    found: list[Block] = []
    lines = page.read_text(encoding="utf-8").splitlines()
    number = 0
    while number < len(lines):
        fence = _FENCE.match(lines[number])
        if fence is None:
            number += 1
            continue
        end = next(
            at for at in range(number + 1, len(lines)) if lines[at].strip() == fence["ticks"]
        )
        indent = len(fence["indent"])
        text = "\n".join(line[indent:] for line in lines[number + 1 : end])
        above = next((line for line in reversed(lines[:number]) if line.strip()), "")
        mark = _MARK.match(above)
        kind, why = (mark["kind"], mark["why"]) if mark else ("", "")
        found.append(Block(number + 1, fence["language"], text, kind, why))
        number = end + 1
    return found


def marked_blocks() -> list[tuple[Path, Block]]:
    """Every block that is not run, not compared or meant to fail, with its page."""
    return [(page, block) for page in pages() for block in blocks(page) if block.mark]


def listed() -> str:
    """How many of them there are, and why."""
    marked = marked_blocks()
    counted = Counter(block.mark for _, block in marked)
    lines = [", ".join(f"{number} {mark}" for mark, number in counted.items())]
    lines += [f"{page.relative_to(ROOT)}:{b.line}: {b.mark}: {b.why}" for page, b in marked]
    return "\n".join(lines)


def run_page(page: Path, folder: Path) -> Run:
    """Run every block of a page in a folder."""
    if "docs/examples" in page.read_text(encoding="utf-8") and EXAMPLES.is_dir():
        shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True)
    result = Run()
    names: dict[str, object] = {"__name__": "__main__"}
    came: str | None = None  # what the block before this one printed
    with contextlib.chdir(folder):
        for block in blocks(page):
            if block.language == "text":
                compared = came is not None and block.mark != "not compared"
                if compared and not same(block.text, came):
                    result.differences.append(Difference(page, block, came))
                came = None
                continue
            came = None
            if block.mark == "not run":
                continue
            try:
                came = _run(block, names)
            except BlockFailed as error:
                raise BlockFailed(f"{page}:{block.line}: {error}") from error
            result.ran += came is not None
    return result


def _run(block: Block, names: dict[str, object]) -> str | None:
    match block.language:
        case "python":
            return _python(block, names)
        case "sh":
            return "".join(_command(line, block.mark == "fails") for line in commands(block))
        case "json":
            _json(block.text)
        case "toml":
            tomllib.loads(block.text)
        case "":
            raise BlockFailed("a block without a language: name it, so that it can be run")
        case _ if not block.language.startswith("{"):
            raise BlockFailed(f"{block.language!r} blocks cannot be run; say why not above it")
    return None


def commands(block: Block) -> list[str]:
    """The commands of a block: continued lines joined, comments left out."""
    joined = re.sub(r"\\\n\s*", "", block.text)
    lines = (re.sub(r"\s+# .*$", "", line).strip() for line in joined.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _python(block: Block, names: dict[str, object]) -> str:
    """Run a block as a notebook would: the value of its last line is shown."""
    tree = ast.parse(block.text)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with _captured() as output:
        try:
            exec(compile(tree, "page", "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), "page", "eval"), names)
                if value is not None:
                    print(repr(value))
        except Exception as error:
            if block.mark != "fails":
                raise BlockFailed(f"{type(error).__name__}: {error}") from error
            print(f"{type(error).__name__}: {error}")
    return output.getvalue()


def _command(line: str, fails: bool) -> str:
    words = shlex.split(line)
    if words[0] == "make":  # the target is there; running it is what other tests do
        words.insert(1, "-n")
        code, output = _process(words, str(ROOT))
        output = ""
    elif words[0] == "adjudge" and words[1] not in _OWN_PROCESS and not _SHELL.search(line):
        code, output = _adjudge(words)
    else:
        code, output = _process(["bash", "-e", "-c", line])
    if (code != 0) != fails:
        raise BlockFailed(f"{line}\nended with code {code}:\n{output}")
    return output


def _adjudge(words: list[str]) -> tuple[int, str]:
    """A command of ours in this process: starting Python anew for each takes long."""
    from adjudge.cli import main

    before = sys.argv
    sys.argv = words
    try:
        with _captured() as output:
            main()
    except SystemExit as ended:
        return int(ended.code or 0), output.getvalue()
    finally:
        sys.argv = before
    return 0, output.getvalue()


def _process(words: list[str], folder: str | None = None) -> tuple[int, str]:
    ours = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")
    env = {name: value for name, value in os.environ.items() if name not in ours}
    with tempfile.TemporaryDirectory() as programs:
        program = Path(programs) / "adjudge"
        program.write_text(
            f'#!/bin/sh\nexec {sys.executable} -c "from adjudge.cli import main; main()" "$@"\n'
        )
        program.chmod(0o755)
        env["PATH"] = f"{programs}:{Path(sys.executable).parent}:{env['PATH']}"
        ended = subprocess.run(
            words,
            cwd=folder,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    return ended.returncode, ended.stdout


class _Captured(io.TextIOWrapper):
    """A stream that can be read afterwards, as text; it has the bytes below it too."""

    def getvalue(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode()  # type: ignore[attr-defined]


@contextlib.contextmanager
def _captured() -> Iterator[_Captured]:
    stream = _Captured(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        yield stream


def _json(text: str) -> None:
    try:
        json.loads(text)
    except ValueError:
        try:
            for line in text.splitlines():
                json.loads(line)
        except ValueError as error:
            raise BlockFailed(f"no JSON: {error}") from error


def same(shown: str, came: str) -> bool:
    """Is this what a page shows, but for `…`?"""
    pattern = ""
    for line in _stripped(shown):
        if line == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(map(re.escape, line.split("…"))) + "\n"
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _stripped(came))) is not None


def _stripped(text: str) -> list[str]:
    """The lines that matter; a new version alone makes no page stale."""
    text = re.sub(r"version:\d[\w.]*", "version:…", text.strip("\n"))
    lines = [line.rstrip() for line in text.splitlines()]
    return [line for line in lines if line]


def write(page: Path, differences: list[Difference]) -> list[Difference]:
    """Write what came out into the page, where `…` is at most its end; the rest people mend."""
    lines = page.read_text(encoding="utf-8").splitlines()
    left = []
    for difference in sorted(differences, key=lambda each: -each.block.line):
        block = difference.block
        *shown, last = block.text.splitlines() or [""]
        beginning = len(shown) if last == "…" and "…" not in "".join(shown) else None
        if "…" in block.text and beginning is None:
            left.append(difference)
            continue
        indent = " " * (len(lines[block.line - 1]) - len(lines[block.line - 1].lstrip()))
        lines_came = difference.came.strip("\n").splitlines()[:beginning]
        lines_came += [] if beginning is None else ["…"]
        came = [f"{indent}{line}".rstrip() for line in lines_came]
        lines[block.line : block.line + len(block.text.splitlines())] = came
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return left


def main() -> int:
    """Run pages; 1 where one shows what does not come out."""
    parser = argparse.ArgumentParser(description="Run what the documentation shows.")
    parser.add_argument("pages", nargs="*", type=Path, help="all where none is named")
    parser.add_argument("--write", action="store_true", help="write what really comes out")
    parser.add_argument("--marked", action="store_true", help="list what is not run, and why")
    options = parser.parse_args()
    if options.marked:
        print(listed())
        return 0
    wrong = 0
    for page in options.pages or pages():
        with tempfile.TemporaryDirectory() as folder:
            try:
                differences = run_page(page.resolve(), Path(folder)).differences
            except BlockFailed as error:
                print(error)
                wrong += 1
                continue
        if options.write:
            differences = write(page, differences)
        for difference in differences:
            print(difference)
        wrong += len(differences)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
