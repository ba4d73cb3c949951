"""Help pages: none too wide, a sentence for every option, all commands in a group."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main

from adjudge import cli
from adjudge.cli.commands import register
from adjudge.cli.help_pages import Panel


def pages(command, *names: str) -> Iterator[tuple[str, ...]]:
    """The names of a command and of all below it."""
    yield names
    for name, below in getattr(command, "commands", {}).items():
        yield from pages(below, *names, name)


PROGRAM = "import sys; sys.argv = ['adjudge']; from adjudge.cli import main; main()"
SENTENCE = re.compile(r"[.?]( \[default: .*\])?$")
register()
ALL = sorted(pages(typer.main.get_command(cli.app)))


@pytest.mark.parametrize("names", ALL, ids=lambda names: " ".join(names) or "adjudge")
def test_page(adjudge, names: tuple[str, ...], monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    page = adjudge(*names, "-h")
    assert page.code == 0
    assert page.out == adjudge(*names, "--help").out
    assert [line for line in page.out.splitlines() if len(line) > 80] == []
    usage, _, sentences = page.out.partition("\n\n")
    assert usage.startswith(f"Usage: {' '.join(('adjudge', *names))}")
    assert [line for line in sentences.splitlines() if line.endswith("...")] == []  # none is cut
    assert "<list[" not in page.out
    assert "x>=" not in page.out


def test_every_option_has_a_sentence() -> None:
    def parameters(command):
        yield from command.params
        for below in getattr(command, "commands", {}).values():
            yield from parameters(below)

    told = {
        (parameter.name, parameter.help)
        for parameter in parameters(typer.main.get_command(cli.app))
        if not parameter.hidden
    }
    assert {sentence for _, sentence in told if not SENTENCE.search(sentence or "")} == set()


def test_a_command_that_is_named_is_made_alone() -> None:
    program = """
import sys
from adjudge.cli import app
from adjudge.cli.commands import register
register(sys.argv[1])
print(*(command.callback.__module__ for command in app.registered_commands))
"""
    words = [sys.executable, "-c", program]
    made = {
        name: subprocess.run([*words, name], capture_output=True, text=True).stdout.split()
        for name in ("info", "campaign", "options")
    }
    assert made["info"] == ["adjudge.cli.info"]
    assert made["campaign"] == []  # a group, whose commands are its own
    assert len(made["options"]) > 20  # all, as it is no command


def test_a_command_is_in_the_module_of_its_name() -> None:
    def homes(command) -> set[str]:
        below = getattr(command, "commands", {}).values()
        return set().union(*map(homes, below)) if below else {command.callback.__module__}

    for name, command in typer.main.get_command(cli.app).commands.items():
        module = f"{cli.__name__}.{name.replace('-', '_')}"
        assert all(f"{home}_".startswith(f"{module}_") for home in homes(command)), name


def test_every_command_is_in_a_group(adjudge) -> None:
    page = adjudge("--help").out
    assert "\nCommands:" not in page
    places = [page.index(f"\n{panel}:") for panel in Panel]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rank", "-", "--unit", "judgee"], "did you mean 'judge'?"),
        (["rank", "-", "--method", "expected-win"], "did you mean 'expected-wins'?"),
        (["rank", "-", "--system", "sistem-1"], "did you mean 'system-1'?"),
        (["rank", "-", "--pair", "aren"], "did you mean 'arena'?"),
        (["plot", "tornament", "-"], "did you mean 'tournament'?"),
        (["rank", "-", "--without-system", "sistem-1"], "did you mean 'system-1'?"),
        (["rank", "-", "--reference", "sistem-1"], "did you mean 'system-1'?"),
        (["rnak", "-"], "Did you mean 'rank'?"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_near_name_is_suggested(adjudge, arguments: list[str], words: str) -> None:
    votes = b"model_a,model_b,winner\n" + b"system-1,system-2,model_a\n" * 12
    done = adjudge(*arguments, stdin=votes)
    assert done.code == 2
    assert words in done.err


def test_a_campaign_is_made_quietly(adjudge_process, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("A cat.\nA dog.\n")
    texts = ("--source", "text.txt", "--system", "A=text.txt", "--system", "B=text.txt")
    made = adjudge_process(
        "campaign", "create", "c", "--pair", "en-de", *texts, "-q", folder=tmp_path
    )
    assert made.code == 0, made.err
    assert made.out.count("\n") == 1  # what was made, and no advice


def test_a_shell_completes_commands_and_options() -> None:
    """As bash asks: the words so far, and which of them is to be completed."""

    def completed(words: str) -> list[str]:
        asked = {
            "_ADJUDGE_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split()) - 1),
        }
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=os.environ | asked,
            capture_output=True,
            text=True,
        )
        return done.stdout.split()

    assert completed("adjudge ran") == ["rank"]
    assert "--without-judge" in completed("adjudge rank --without")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("rank --method expected", ["expected-wins"]),
        ("rank --unit judge+", ["judge+segment", "judge+document"]),
        ("plot tourn", ["tournament"]),
        ("metrics -m chr", ["chrf", "chrf++"]),
        ("agree", ["agreement"]),
    ],
)
def test_names_are_completed(typed: str, completed: list[str]) -> None:
    words = {"COMP_WORDS": f"adjudge {typed}", "COMP_CWORD": str(len(typed.split()))}
    asked = os.environ | words | {"_ADJUDGE_COMPLETE": "complete_bash"}
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, env=asked, capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == completed
