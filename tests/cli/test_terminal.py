"""Commands at a real terminal: tables fit, the next command is named, interrupts leave nothing."""

import fcntl
import os
import pty
import re
import shlex
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import IO, Any

import pytest

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def at_terminal(*arguments: object, **how: Any) -> list[str]:
    """The lines that a terminal shows after a command."""
    text = all_at_terminal(*arguments, **how)
    return [line.rpartition("\r")[2] for line in text.splitlines()]  # a bar is drawn over itself


def all_at_terminal(
    *arguments: object,
    columns: int = 80,
    folder: Path | None = None,
    stdin: IO[str] | None = None,
) -> str:
    """All that a terminal of so many columns ever shows of a command."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    told = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    process = subprocess.Popen(
        [sys.executable, "-m", "adjudge", *map(str, arguments)],
        stdin=stdin or theirs,
        stdout=theirs,
        stderr=theirs,
        env=told | {"TERM": "xterm"},
        cwd=folder,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other side was closed
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    assert process.wait() == 0
    return CONTROL.sub("", shown.decode()).replace("\r\n", "\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["info", EXAMPLES / "judgements.xml.gz"],
        ["rank", EXAMPLES / "judgements.xml.gz"],
        ["agreement", EXAMPLES / "judgements.xml.gz"],
        ["scores", EXAMPLES / "scores.jsonl"],
        ["understandability", EXAMPLES / "edits.jsonl"],
        ["methods"],
        ["metrics"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_tables_fit_eighty_columns(arguments: list[object]) -> None:
    lines = at_terminal(*arguments)
    wide = [line for line in lines if len(line) > 80 and not line.startswith("adjudge:")]
    assert wide == []


def test_a_wide_table_is_whole_where_it_was_asked_for() -> None:
    lines = at_terminal("scores", EXAMPLES / "scores.jsonl", "--wide")
    heading = next(line for line in lines if line.startswith("rank   system"))
    assert heading.endswith("scores   segments")


def test_a_ranking_ends_with_the_next_command() -> None:
    file = EXAMPLES / "judgements.xml.gz"
    chosen = ("--pair", "fre-eng", "--system", "system-01", "--system", "system-02")
    assert at_terminal("rank", file)[-1] == f"Next: adjudge plan {file}"
    assert at_terminal("rank", file, *chosen)[-1] == " ".join(
        ("Next: adjudge plan", str(file), *chosen)
    )
    assert at_terminal("rank", file, "-q")[-1].startswith("adjudge:rank|")


def test_the_next_command_can_be_pasted(tmp_path: Path) -> None:
    votes = tmp_path / "-votes of mine.csv"
    votes.write_text("model_a,model_b,winner\n" + "A,B,model_a\nB,A,model_a\n" * 20)
    *_, hint = at_terminal("rank", "--", votes.name, folder=tmp_path)
    assert hint == "Next: adjudge plan './-votes of mine.csv'"
    at_terminal(*shlex.split(hint)[2:], "--simulations", "10", folder=tmp_path)


def test_what_came_through_a_pipe_cannot_be_read_again(tmp_path: Path) -> None:
    votes = tmp_path / "votes.csv"
    votes.write_text("model_a,model_b,winner\n" + "A,B,model_a\nB,A,model_a\n" * 20)
    with votes.open() as piped:
        *_, last = at_terminal("rank", "-", stdin=piped)
    assert last.startswith("adjudge:rank|")


def test_details_are_said_where_they_were_asked_for(adjudge) -> None:
    file = EXAMPLES / "judgements.xml.gz"
    assert adjudge("rank", file).err == ""
    details = adjudge("rank", file, "-v").err.splitlines()
    assert details[0] == f"adjudge: reading {file} ({file.stat().st_size:,} bytes)"
    assert details[1].startswith(f"adjudge: read {file}: ")
    assert details[2].startswith("adjudge: done in ")


def test_every_file_is_named_once(adjudge) -> None:
    texts = [EXAMPLES / name for name in ("source.txt", "A.txt")]
    system = f"A={texts[1]}"
    said = adjudge("metrics", "--reference", texts[0], "--system", system, "--metric", "wer", "-v")
    reading = [f"adjudge: reading {path} ({path.stat().st_size:,} bytes)" for path in texts]
    assert said.err.splitlines()[:-1] == reading


def test_an_interrupt_leaves_neither_half_a_file_nor_a_traceback(tmp_path: Path) -> None:
    out = tmp_path / "ranking.json"
    command = [sys.executable, "-m", "adjudge", "rank", str(EXAMPLES / "judgements.xml.gz")]
    endless = ["--method", "trueskill", "--replicates", "1000000", "-v"]
    process = subprocess.Popen(
        [*command, *endless, "-f", "json", "-o", str(out)], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith("adjudge: reading ")
    assert process.stderr.readline().startswith("adjudge: read ")  # now it works
    process.send_signal(signal.SIGINT)
    said = process.stderr.read()
    assert process.wait() == 130
    assert said == ""
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_while_it_starts_is_no_traceback_either() -> None:
    program = """
import sys
class Interrupting:
    def find_spec(self, name, *_):
        if name == "adjudge.cli":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
from adjudge.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
