"""Another installed package brings an item of every kind; nothing of ours is told about it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


class Installed:
    """Python with another package installed beside Adjudge."""

    def __init__(self, packages: Path, folder: Path) -> None:
        self.packages, self.folder = packages, folder

    def run(self, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """`python -m …`."""
        # Coverage and pytest would take this process for their own.
        ours = ("COVERAGE", "PYTEST", "DJANGO")
        told = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
        path = [str(self.packages), *filter(None, [told.get("PYTHONPATH")])]
        told["PYTHONPATH"] = os.pathsep.join(path)
        command = [sys.executable, "-m", *arguments]
        return subprocess.run(
            command, cwd=cwd or self.folder, env=told, capture_output=True, text=True
        )

    def adjudge(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run("adjudge", *arguments)


@pytest.fixture(scope="module")
def installed(tmp_path_factory, build_wheel):
    folder = tmp_path_factory.mktemp("theirs")
    wheel = build_wheel(Path(__file__).with_name("their_project"), folder / "wheel")
    packages = folder / "packages"
    pip = ["install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index"]
    subprocess.run(
        [sys.executable, "-m", "pip", *pip, "--target", str(packages), str(wheel)], check=True
    )
    votes = "model_a,model_b,winner,judge\n" + "x,y,model_a,j\n" * 5 + "x,y,model_b,j\n" * 2
    (folder / "votes.csv").write_text(votes)
    return Installed(packages, folder)


def test_the_method_is_listed_and_ranks(installed):
    listed = json.loads(installed.adjudge("methods", "--format", "json").stdout)
    assert "their-method" in [row["method"] for row in listed]
    done = installed.adjudge("rank", "votes.csv", "--method", "their-method", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[0]["score"] == 5 / 7


@pytest.mark.parametrize(
    ("battery", "item", "test"),
    [
        ("ranking/test_battery.py", "their-method", "test_names_do_not_matter"),
        (
            "campaigns/test_protocols.py",
            "their-protocol",
            "test_simulated_judges_finish",
        ),
        ("data/test_format_battery.py", "their-format", "test_writing_and_reading"),
        ("diagnosis/test_missing_columns.py", "their-finding", "test_a_finding_answers"),
        ("report/test_figures.py", "their-figure", "test_no_text_overlaps"),
        ("metrics/test_battery.py", "their-metric", "test_empty_lines_have_a_score"),
        ("quality/features/test_families.py", "their-features", "test_features_of_translations"),
        ("quality/features/test_families.py", "their-word-features", "test_features_of_words"),
    ],
)
def test_the_common_battery_runs_it(installed, battery, item, test):
    options = ["-vv", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", item]
    done = installed.run("pytest", str(TESTS / battery), *options, cwd=TESTS.parent)
    assert done.returncode == 0, done.stdout
    passed = [line for line in done.stdout.splitlines() if " PASSED" in line]
    assert any(test in line and item in line for line in passed), done.stdout


def test_the_format_is_listed_written_and_recognised(installed):
    done = installed.adjudge("convert", "votes.csv", "-o", "x.jsonl", "--to", "nonsense")
    assert done.returncode == 2
    assert "their-format" in done.stderr
    done = installed.adjudge("convert", "votes.csv", "-o", "votes.theirs")
    assert done.returncode == 0, done.stderr
    assert (installed.folder / "votes.theirs").read_text().startswith("theirs\n")
    done = installed.adjudge("rank", "votes.theirs", "--format", "json", "--replicates", "20")
    assert done.returncode == 0, done.stderr
    assert [row["system"] for row in json.loads(done.stdout)] == ["x", "y"]


def test_the_finding_is_asked(installed):
    done = installed.adjudge("diagnose", "votes.csv", "--only", "their-finding")
    assert done.returncode == 0, done.stderr
    assert "Do they ask the same?" in done.stdout
    listed = json.loads(installed.adjudge("diagnose", "votes.csv", "--format", "json").stdout)
    assert "their-finding" in [row["finding"] for row in listed]


def test_the_figure_is_listed_and_drawn(installed):
    assert "their-figure" in installed.adjudge("plot").stderr
    done = installed.adjudge("plot", "their-figure", "votes.csv", "-o", "theirs.svg")
    assert done.returncode == 0, done.stderr
    assert "Their scores" in (installed.folder / "theirs.svg").read_text()


def test_the_protocol_is_listed(installed):
    source = installed.folder / "source"
    source.write_text("one\ntwo\n")
    texts = ["--source", "source", "--system", "A=source", "--system", "B=source"]
    done = installed.adjudge("campaign", "create", "x", *texts, "--protocol", "nonsense")
    assert done.returncode == 2
    assert "their-protocol" in done.stderr


def test_the_features_are_computed_learned_from_and_kept_in_a_model(installed):
    """Vectors, as embeddings would be: a column a dimension, for translations and for words."""
    rows = [f"{'a ' * n}cat .\t{'ein ' * n}Katze .\t{n / 40}" for n in range(40)]
    text = "\n".join(["source\ttarget\thter", *rows]) + "\n"
    (installed.folder / "texts.tsv").write_text(text)
    refused = installed.adjudge("quality", "features", "texts.tsv", "--feature", "nonsense")
    assert "their-features" in refused.stderr
    by_default = installed.adjudge("quality", "features", "texts.tsv", "-f", "json")
    assert by_default.returncode == 0, by_default.stderr
    listed = {row["column"]: row["what"] for row in json.loads(by_default.stdout)}
    assert listed["their_vector_4"] == "dimension 4 of their vectors"
    words = ["--level", "word", "--feature", "their-word-features", "-f", "json"]
    done = installed.adjudge("quality", "features", "texts.tsv", *words)
    assert json.loads(done.stdout)[0]["column"] == "their_vector_1"
    told = ["--feature", "their-features", "--learner", "elastic-net", "-o", "their.adjudge"]
    done = installed.adjudge("quality", "train", "texts.tsv", *told, "-f", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[0]["families"] == "their-features"
    done = installed.adjudge("quality", "predict", "their.adjudge", "texts.tsv")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 41
    done = installed.adjudge("quality", "features", "texts.tsv", "--model", "their.adjudge")
    assert "their_vector_1" in done.stdout
