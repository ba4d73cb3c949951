"""Long work at a real terminal says what it does and how long it will take."""

import re
from pathlib import Path

import pytest
from tests.cli.test_terminal import EXAMPLES, all_at_terminal

pytestmark = pytest.mark.slow

BAR = re.compile(r"([A-Za-z][A-Za-z -]*)[^━\r\n]*[━╸╺]+([^\r\n]*)")
TIME = re.compile(r"\d:\d\d:\d\d|-:--:--")  # or it is not known yet
JUDGEMENTS = EXAMPLES / "judgements.xml.gz"
CANDIDATES = (EXAMPLES / "candidates.jsonl", "--reference", EXAMPLES / "reference.txt")
SIMULATED = ("--judges", 3, "--effects", "mild", "--rankings", 60, "--campaigns", 4)


@pytest.mark.parametrize(
    ("arguments", "said", "unsaid"),
    [
        (["rank", JUDGEMENTS, "--method", "trueskill"], "TrueSkill runs", ""),
        (["coverage", *SIMULATED], "Simulating", ""),
        (["coverage", *SIMULATED, "--method", "trueskill"], "Simulating", "TrueSkill runs"),
        (["tune", *CANDIDATES], "Searching", ""),
        (["tune", *CANDIDATES, "--tuner", "mira"], "MIRA", ""),
        (["tune", *CANDIDATES, "--tuner", "expected"], "Expected objective", ""),
        (["tune-variance", *CANDIDATES, "--sets", 2, "--seeds", 2], "Tuning", "Searching"),
        (["methods", JUDGEMENTS], "at-least-others", ""),
        (["report", JUDGEMENTS, "-o", "report.html"], "Language pairs", ""),
    ],
    ids=lambda given: given[0] if isinstance(given, list) else given,
)
def test_a_bar_has_a_name_and_a_time(
    arguments: list[object], said: str, unsaid: str, tmp_path: Path
) -> None:
    bars = BAR.findall(all_at_terminal(*arguments, folder=tmp_path))
    assert any(name.strip() == said and TIME.search(rest) for name, rest in bars)
    assert unsaid not in {name.strip() for name, _ in bars}  # what goes on within a piece


def test_training_shows_what_is_tried(tmp_path: Path) -> None:
    rows = [f"{'a ' * (n % 9 + 1)}\t{'b ' * (n % 7 + 1)}\t{n % 9 / 9}" for n in range(60)]
    (tmp_path / "train.tsv").write_text("\n".join(["source\ttarget\thter", *rows, ""]))
    train = ("quality", "train", "train.tsv", "--learner", "elastic-net", "--feature", "counts")
    shown = all_at_terminal(*train, "-o", "model.adjudge", folder=tmp_path)
    timed = {name.strip() for name, rest in BAR.findall(shown) if TIME.search(rest)}
    assert timed >= {"Trying parameters", "Predicting unseen documents"}


def test_processes_that_help_are_as_quiet_as_was_asked_for() -> None:
    spread = ("coverage", *SIMULATED, "--method", "trueskill", "--workers", 2)
    assert "TrueSkill runs" not in all_at_terminal(*spread)
    assert "━" not in all_at_terminal(*spread, "-q")
