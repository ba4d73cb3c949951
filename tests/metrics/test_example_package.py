"""The package in `examples/`: installed beside Adjudge, it is a metric like any other."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
LINES = [f"the {animal} sat on the mat in the sun" for animal in ("cat", "dog", "cow", "ape")] * 4


class Beside:
    """Python with the package installed."""

    def __init__(self, packages: Path, folder: Path) -> None:
        self.packages, self.folder = packages, folder

    def run(self, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """`python -m …`."""
        ours = ("COVERAGE", "PYTEST", "DJANGO")  # would take this process for their own
        told = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
        path = [str(self.packages), *filter(None, [told.get("PYTHONPATH")])]
        told["PYTHONPATH"] = os.pathsep.join(path)
        command = [sys.executable, "-m", *arguments]
        return subprocess.run(
            command, cwd=cwd or self.folder, env=told, capture_output=True, text=True
        )


@pytest.fixture(scope="module")
def beside(tmp_path_factory, build_wheel):
    folder = tmp_path_factory.mktemp("example")
    wheel = build_wheel(PROJECT / "examples" / "neural-metric", folder / "wheel")
    packages = folder / "packages"
    pip = ["install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index"]
    subprocess.run(
        [sys.executable, "-m", "pip", *pip, "--target", str(packages), str(wheel)], check=True
    )
    good = [line.replace("the mat", "a mat") for line in LINES]
    bad = [line.replace("the", "of")[::-1] for line in LINES]
    for name, lines in (("source", LINES), ("ref", LINES), ("good", good), ("bad", bad)):
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")
    return Beside(packages, folder)


def test_it_is_listed_and_scores(beside):
    listed = json.loads(beside.run("adjudge", "metrics", "-f", "json").stdout)
    assert "embedding" in [row["metric"] for row in listed]
    files = ["--reference", "ref.txt", "--system", "bad=bad.txt", "--system", "good=good.txt"]
    metrics = ["-m", "embedding(seed=2)", "-m", "bleu"]
    done = beside.run("adjudge", "metrics", *files, *metrics, "-f", "json")
    assert done.returncode == 0, done.stderr
    rows = [row for row in json.loads(done.stdout) if row["metric"].startswith("embedding")]
    assert [row["system"] for row in rows] == ["good", "bad"]
    assert rows[0]["metric"] == "embedding(seed=2,batch=256)"
    assert rows[0]["low"] <= rows[0]["score"] <= rows[0]["high"] <= 100


def test_the_common_battery_runs_it(beside):
    options = ["-q", "-rA", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", "embedding"]
    battery = str(PROJECT / "tests" / "metrics" / "test_battery.py")
    done = beside.run("pytest", battery, *options, cwd=PROJECT)
    assert done.returncode == 0, done.stdout
    assert "test_nothing_is_better_than_a_copy_of_the_reference[embedding]" in done.stdout


def test_its_scores_come_as_files_too(beside, adjudge):
    systems = ["good=good.txt", "bad=bad.txt"]
    files = ["embedding.seg.score", "source.txt", "ref.txt", *systems]
    done = beside.run("neural_metric.elsewhere", *files)
    assert done.returncode == 0, done.stderr
    judged = [
        (name, f"{n}", score) for name, score in (("good", 80), ("bad", 20)) for n in (1, 2, 3)
    ]
    rows = [
        {"pair": "en-de", "protocol": "direct-assessment", "item": item, "systems": [name]}
        | {"segment": segment, "judge": "A", "scale": "overall", "score": score}
        for item, (name, segment, score) in enumerate(judged, 1)
    ]
    scores = beside.folder / "scores.jsonl"
    scores.write_text("\n".join(map(json.dumps, rows)) + "\n")
    asked = ["--metric-scores", "embedding.seg.score", "-f", "json"]
    assisted = adjudge("assist", "scores.jsonl", *asked, folder=beside.folder)
    assert assisted.code == 0, assisted.err
    assert json.loads(assisted.out)[0]["system"] == "good"
