"""Help pages: none too wide, a sentence for every option, all commands in a group."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import command_line

from adjudge.cli.commands import COMMANDS, Panel, load
from adjudge.cli.global_options import all_taken_by
from adjudge.cli.help_pages import first_paragraph

PROGRAM = "import sys; sys.argv = ['adjudge']; from adjudge.cli import main; main()"
SENTENCE = re.compile(r"[.?]( \[default: .*\])?$")
ALL = [tuple(name.split()) for name in command_line()]
HOMES = [
    home for entry in COMMANDS.values() for home in (entry.home, *entry.below.values()) if home
]


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


@pytest.mark.parametrize("home", HOMES)
def test_every_option_has_a_sentence(home: str) -> None:
    told = {(each.name, each.word.help) for each in all_taken_by(load(home))}
    assert {sentence for _, sentence in told if not SENTENCE.search(sentence)} == set()


@pytest.mark.parametrize("name", [name for name, entry in COMMANDS.items() if entry.home])
def test_the_list_of_commands_says_what_their_own_pages_say(name: str) -> None:
    assert COMMANDS[name].sentence == first_paragraph(load(COMMANDS[name].home))


@pytest.mark.parametrize("words", [["--help"], ["--version"]])
def test_the_list_of_commands_imports_none(words: list[str]) -> None:
    program = f"""
import sys
sys.argv = ["adjudge", *{words}]
from adjudge.cli import main
try:
    main()
finally:
    print(*(name for name in sys.modules if name.startswith("adjudge.")), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    loaded = {name for name in done.stderr.split() if name.startswith("adjudge.cli.")}
    assert loaded <= {"adjudge.cli.commands", "adjudge.cli.help_pages"}
    assert done.stdout


def test_a_command_that_is_named_is_imported_alone() -> None:
    program = "import sys; sys.argv = ['adjudge', 'info', '-h']; from adjudge.cli import main\n"
    program += "try: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    homes = {"adjudge.cli." + home.partition(":")[0] for home in HOMES}
    assert homes & set(done.stderr.split()) == {"adjudge.cli.info"}


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
        (["rnak", "-"], "did you mean 'rank'?"),
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


def completed(typed: str, folder: Path) -> list[str]:
    """What a shell is told that asks how the line so far can go on."""
    answer = folder / "completions"
    asked = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
        "COMP_LINE": typed,
        "COMP_POINT": str(len(typed)),
        "COMP_TYPE": "9",
    }
    command = [sys.executable, "-c", PROGRAM]
    subprocess.run(command, env=os.environ | asked, capture_output=True, timeout=300)
    return answer.read_text().split()


def test_a_shell_completes_commands_and_options(tmp_path: Path) -> None:
    assert completed("adjudge ran", tmp_path) == ["rank"]
    assert "--without-judge" in completed("adjudge rank --without", tmp_path)
    assert completed("adjudge campaign one", tmp_path) == ["one-link"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_completion_is_shown(adjudge, shell: str) -> None:
    assert "adjudge" in adjudge("--show-completion", shell).out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("rank --method expected", ["expected-wins"]),
        ("rank --unit judge+", ["judge+segment", "judge+document"]),
        ("plot tourn", ["tournament"]),
        ("metrics -m chr", ["chrf", "chrf++"]),
        ("agree", ["agreement"]),
    ],
)
def test_names_are_completed(typed: str, expected: list[str], tmp_path: Path) -> None:
    assert completed(f"adjudge {typed}", tmp_path) == expected
