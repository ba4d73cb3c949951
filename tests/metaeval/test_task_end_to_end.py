"""A metrics task from texts and judgements to the tables, as organisers and a participant do it."""

import json
from pathlib import Path

import numpy as np
import pytest

import adjudge as door

WORDS = ("the", "cat", "sat", "on", "a", "red", "mat", "two", "dogs", "ran", "home", "in", "rain")
ERRORS = {"online-A": 1, "uni-B": 2, "lab-C": 3, "rules-D": 5}  # words a segment, about
SEGMENTS = 40


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A test set whose systems get more and more words wrong, and people who count them."""
    random = np.random.default_rng(5)
    folder = tmp_path_factory.mktemp("task") / "en-cs"
    (folder / "systems").mkdir(parents=True)
    reference = [list(random.choice(WORDS, 10)) for _ in range(SEGMENTS)]
    for name in ("source", "reference"):
        (folder / f"{name}.txt").write_text("".join(" ".join(line) + "\n" for line in reference))
    judged = []
    for system, errors in ERRORS.items():
        lines = []
        for number, line in enumerate(reference, 1):
            words = list(line)
            for place in random.choice(10, random.poisson(errors)):
                words[place] = "xyz"
            wrong = sum(a != b for a, b in zip(words, line, strict=True))
            lines.append(" ".join(words) + "\n")
            score = 100 - 8 * wrong + float(random.normal(0, 3))
            judged.append({"system": system, "segment": f"{number}", "score": score})
        (folder / "systems" / f"{system}.txt").write_text("".join(lines))
    columns = {key: [row[key] for row in judged] for key in ("system", "segment", "score")}
    door.from_scores(**columns, pair="en-cs", scale="da").write(str(folder.parent / "people.jsonl"))
    return folder


def test_from_texts_and_judgements_to_the_tables(adjudge, texts: Path) -> None:
    root = texts.parent
    task, people = root / "task", root / "people.jsonl"

    # Organisers make the package.
    made = adjudge("metaeval", "package", texts, "--output", task, "--name", "newstest")
    assert made.code == 0, made.err

    # A participant scores the blind outputs, with a metric of theirs, and checks the result.
    home = task / "submissions" / "team"
    options = ("--metric", "wer", "--level", "segment", "--layout", "wmt14")
    scored = adjudge("metrics", "--testset", task, "--pair", "en-cs", *options, "-o", f"{home}/")
    assert scored.code == 0, scored.err
    turned = adjudge("metaeval", "check", home, "--package", task)
    assert "is the sign turned?" in turned.out  # of an error metric, which must be turned
    for path in home.glob("*.score"):
        rows = [line.split("\t") for line in path.read_text().splitlines()]
        path.write_text("".join("\t".join([*r[:-1], f"{-float(r[-1])}"]) + "\n" for r in rows))
    checked = adjudge("metaeval", "check", home, "--package", task)
    assert checked.code == 0, checked.out
    assert "Nothing is wrong with it" in checked.out

    # Scores in.
    collected = root / "collected"
    done = adjudge("metaeval", "collect", task, "--key", f"{task}.key.tsv", "-o", collected)
    assert done.code == 0, done.err

    # Tables out: the metric that sees what people saw correlates best.
    asked = ("metaeval", people, "--metric-scores", collected, "--replicates", 50)
    values = {
        (row["metric"], row["statistic"], level): row["value"]
        for level in ("system", "segment")
        for row in json.loads(adjudge(*asked, "--level", level, "--format", "json").out)
    }
    for metric in ("wer", "chrf", "sentbleu"):
        assert values[metric, "pearson", "system"] > 0.9
    assert values["wer", "pearson", "segment"] > values["sentbleu", "pearson", "segment"] > 0.3
    latex = adjudge(*asked, "--format", "latex")
    assert "\\toprule" in latex.out or "\\hline" in latex.out

    # And the metric helps to rank systems of which people judged a part.
    together = adjudge(
        *("assist", people, "--metric-scores", collected / "metric-scores/en-cs/wer.seg.score"),
        *("--format", "json"),
    )
    assert together.code == 0, together.err
    assert [row["system"] for row in json.loads(together.out)] == list(ERRORS)
