"""Every option of a question changes its answer, its signature, and the report that contains it."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

import adjudge
from adjudge.agreement.options import AgreementOptions
from adjudge.cli.commands import COMMANDS, load
from adjudge.cli.global_options import all_taken_by
from adjudge.core.options import Options
from adjudge.ranking.options import CompareOptions, MethodsOptions, RankOptions
from adjudge.report.options import AnalysisOptions, ReportOptions

pytestmark = pytest.mark.slow

QUESTIONS: dict[str, type[Options]] = {
    "rank": RankOptions,
    "compare": CompareOptions,
    "methods": MethodsOptions,
    "agreement": AgreementOptions,
}
# Each off its default, with the options without which it would change nothing.
OFF: dict[str, tuple[Any, dict[str, Any]]] = {
    "method": ("win-ratio", {}),
    "unit": ("judge", {}),
    "replicates": (30, {"unit": "judge"}),
    "seed": (2, {"unit": "judge"}),
    "level": (0.6, {}),
    "outputs": ("collapsed", {}),
    "ranges": ("wmt13", {}),
    "correction": ("none", {}),
    "test": ("sign", {}),
    "runs": (3, {}),
    "by": ("judge", {}),
    "convention": ("wmt15", {}),
    "trusted": ("experts", {"by": "controls"}),
    "title": ("Another title", {}),
    "to": ("latex", {}),
}
# Options that differ where a question differs from the others.
OWN: dict[tuple[str, str], tuple[Any, dict[str, Any]]] = {
    ("agreement", "outputs"): ("expanded", {}),
    ("methods", "seed"): (2, {}),
}
QUICK = {"replicates": 20, "runs": 2}
SAME_ANSWER = {"workers", "engine"}  # say where the work is done


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> str:
    """Rankings by experts and a crowd; now and then two systems share an output."""
    chance = random.Random(4)
    rows = []
    for number in range(160):
        judge = chance.randrange(6)
        about = {
            "pair": "en-de",
            "ranking": number,
            "judge": f"judge-{judge}",
            "group": "experts" if judge < 3 else "crowd",
            "segment": str(number % 20),
            "document": str(number % 5),
        }
        together = chance.random() < 0.3
        outputs = [["A", "B"], ["C"], ["D"]] if together else [["A"], ["B"], ["C"], ["D"]]
        for position, systems in enumerate(outputs, 1):
            worth = "ABCD".index(systems[0]) + chance.gauss(0, 1.5)
            rank = min(5, max(1, round(1 + worth)))
            rows.append(
                json.dumps(about | {"systems": systems, "rank": rank, "position": position})
            )
    path = tmp_path_factory.mktemp("judged") / "judged.jsonl"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return str(path)


def off_default(question: str, option: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters of a question without and with the option."""
    value, needed = OWN.get((question, option), OFF.get(option, (None, {})))
    assert value is not None, f"say in OFF what {option} may be besides its default"
    options = QUESTIONS.get(question, ReportOptions)
    names = {each.name for each in options.declared()}
    usual = {name: given for name, given in (QUICK | needed).items() if name in names}
    return usual, usual | {option: value}


@pytest.mark.parametrize(
    ("question", "option"),
    [
        (question, each.name)
        for question, options in QUESTIONS.items()
        for each in options.declared()
        if each.name not in SAME_ANSWER
    ],
)
def test_an_option_changes_the_answer_and_its_signature(file, question: str, option: str) -> None:
    judgements = adjudge.read(file)
    usual, off = off_default(question, option)
    before, after = (getattr(judgements, question)(**asked) for asked in (usual, off))
    assert f"|{option}:" in str(after.signature)
    assert str(before.signature) != str(after.signature)
    tables = [
        [(table.machine_rows(), table.notes) for table in each.tables] for each in (before, after)
    ]
    assert tables[0] != tables[1]
    again = adjudge.again(str(after.signature), file)
    assert str(again.signature) == str(after.signature)


@pytest.mark.parametrize(
    "option",
    [
        each.name
        for each in ReportOptions.declared()
        if each.name not in {*SAME_ANSWER, "path", "texts", "metric"}
    ],
)
def test_an_option_changes_the_report(file, tmp_path: Path, option: str) -> None:
    """What the report says of itself, its signature and command, does not count."""
    texts = []
    for asked in off_default("report", option):
        path = tmp_path / "report.md"
        adjudge.read(file).report(str(path), **{"workers": 1, **asked})
        texts.append(re.sub(r"adjudge[: ]report.*", "", path.read_text(encoding="utf-8")))
    assert texts[0] != texts[1]


def test_the_report_has_the_options_of_what_it_contains() -> None:
    told = {each.name for each in ReportOptions.declared()}
    for question in (RankOptions, CompareOptions, MethodsOptions):
        assert {each.name for each in question.declared()} <= told


def test_texts_and_metrics_change_the_report(file, tmp_path: Path) -> None:
    outputs = {name: [f"a {name} cat", "the dog", "no"] * 7 for name in "ABCD"}
    texts = adjudge.from_texts(outputs, [["a cat", "a dog", "no"] * 7])
    reports = []
    for number, given in enumerate(({}, {"texts": texts}, {"texts": texts, "metric": "chrf"})):
        path = tmp_path / f"{number}.md"
        adjudge.read(file).report(str(path), **QUICK, **given)
        reports.append(re.sub(r"adjudge[: ]report.*", "", path.read_text(encoding="utf-8")))
    assert len(set(reports)) == 3


@pytest.mark.parametrize("question", [*QUESTIONS, "report"])
def test_the_command_line_has_every_option(question: str) -> None:
    taken = {each.name: each for each in all_taken_by(load(COMMANDS[question].home))}
    options = QUESTIONS.get(question, AnalysisOptions)
    for declared in options.declared():
        if (question, declared.name) != ("report", "workers"):  # there as many as processors
            assert taken[declared.name].default == declared.default
            assert taken[declared.name].choices == declared.choices
