"""The command line keeps its commands, their options, choices and defaults, and its exit codes."""

from pathlib import Path

import pytest
from command_line import command_line, json_commands
from sessions import EXAMPLES, recorded_commands


def test_options_of_every_command(golden) -> None:
    golden("command-line", command_line())


def test_every_command_that_prints_json_is_frozen() -> None:
    lacking = set(json_commands()) - recorded_commands()
    assert not lacking, f"a line of each goes into a session of tests/golden/sessions: {lacking}"


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--help",),
        ("--version",),
        ("rank", "-h"),
        ("rank", "judgements.csv", "--replicates", "20"),
        ("convert", "judgements.csv", "-o", "-", "--to", "jsonl"),
        ("info", "judgements.csv", "-q"),
    ],
)
def test_what_succeeds(adjudge, words) -> None:
    answer = adjudge(*words, folder=EXAMPLES)
    assert (answer.code == 0) == bool(words), answer.err  # without a command: help, and 2
    assert answer.code in (0, 2)


@pytest.mark.parametrize(
    "words",
    [
        ("no-such-command",),
        ("rank",),
        ("rank", "no-such-file.csv"),
        ("rank", "judgements.csv", "--no-such-option"),
        ("rank", "judgements.csv", "--method", "no-such-method"),
        ("rank", "judgements.csv", "--pair", "xx-yy"),
        ("rank", "judgements.csv", "--replicates", "0"),
        ("rank", "judgements.csv", "--format", "no-such-format"),
        ("rank", "judgements.csv", "--unit", "no-such-unit"),
        ("rank", "broken.csv"),
        ("scores", "judgements.csv"),
        ("again", "adjudge:rank|input:sha256-0|version:0", "judgements.csv"),
        ("metrics", "--reference", "reference.txt", "--system", "A=A.txt", "-m", "no-such-metric"),
        ("tune", "candidates.jsonl", "--reference", "no-such-file"),
        ("plot", "no-such-figure", "judgements.csv"),
    ],
)
def test_bad_input_ends_with_2(adjudge, words, tmp_path: Path) -> None:
    (tmp_path / "broken.csv").write_text("model_a,model_b,winner\nx,y,z\n", encoding="utf-8")
    for file in EXAMPLES.iterdir():
        (tmp_path / file.name).symlink_to(file)
    answer = adjudge(*words, folder=tmp_path)
    assert (answer.code, answer.out) == (2, ""), answer.err
    assert answer.err
