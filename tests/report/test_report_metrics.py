"""The part of a report on metrics, where texts are given."""

import json
import re
import shlex
from html import unescape

import numpy as np
import pytest

import adjudge as door
from adjudge.core.errors import BadParameter, NotEnoughData

pytestmark = pytest.mark.slow

QUICK = ("--replicates", "50", "--runs", "2", "--workers", "1")
WORDS = [f"w{i}" for i in range(30)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Judgements and scores of four systems, and texts that get worse as their places do."""
    folder = tmp_path_factory.mktemp("metrics")
    judgements = door.simulate(systems=4, rankings=400, seed=1)
    judgements.write(str(folder / "judged.jsonl"))
    systems = judgements.rank(replicates=50).systems
    random = np.random.default_rng(1)
    lines = [random.choice(WORDS, 10).tolist() for _ in range(40)]
    (folder / "ref.txt").write_text("\n".join(map(" ".join, lines)) + "\n")
    for place, name in enumerate(systems):
        noisy = [[w if random.random() > 0.2 * place else "x" for w in line] for line in lines]
        (folder / f"{name}.txt").write_text("\n".join(map(" ".join, noisy)) + "\n")
    scores = door.from_scores(
        system=[name for name in systems for _ in range(40)],
        segment=[str(segment) for _ in systems for segment in range(1, 41)],
        score=[90 - 10 * place + segment % 3 for place in range(4) for segment in range(40)],
    )
    scores.write(str(folder / "scores.jsonl"))
    (folder / "names.json").write_text(json.dumps(systems))
    return folder


@pytest.fixture(scope="module")
def given(folder):
    names = json.loads((folder / "names.json").read_text())
    systems = [word for name in names for word in ("--system", f"{name}={name}.txt")]
    return names, ["--reference", "ref.txt", *systems]


def _summary(page: str) -> dict:
    return json.loads(re.search(r'id="summary">(.*?)</script>', page)[1])


def test_metrics_stand_beside_people(adjudge, folder, given):
    names, texts = given
    options = [*texts, "-m", "bleu", "-m", "ter", *QUICK, "-o", "report.html"]
    done = adjudge("report", "judged.jsonl", *options, folder=folder)
    assert done.code == 0, done.err
    page = (folder / "report.html").read_text()
    summary = _summary(page)
    (pair,) = summary["pairs"]
    rows = pair["tables"]["metrics"]
    assert [row["system"] for row in rows] == names * 2
    alone = adjudge(
        "metrics", *texts, "-m", "bleu", "-m", "ter", "--replicates", "50", "-f", "json",
        folder=folder,
    )  # fmt: skip
    expected = {(row["metric"], row["system"]): row for row in json.loads(alone.out)}
    for row in rows:
        other = expected[row["metric"], row["system"]]
        assert row["metric_score"] == pytest.approx(other["score"], rel=1e-9)
        assert row["metric_low"] == pytest.approx(other["low"], rel=1e-9)
    assert "bleu agrees with people on" in " ".join(pair["notes"]["metrics"])
    assert {"metric-1", "metric-2"} <= set(pair["tables"])
    assert re.search(r'<figure id="[\w-]*-metrics"', page)
    assert "<dt>Metrics</dt><dd>bleu(" in page
    assert [file["name"] for file in summary["inputs"][1:]] == [
        "ref.txt", *(f"{name}.txt" for name in names)
    ]  # fmt: skip


def test_the_same_command_makes_it_again(adjudge, folder, given):
    _, texts = given
    options = [*texts, "-m", "chrf", *QUICK, "-o", "again.html"]
    assert adjudge("report", "judged.jsonl", *options, folder=folder).code == 0
    page = (folder / "again.html").read_text()
    command = shlex.split(unescape(re.search(r'id="command">(.*?)</code>', page)[1]))
    (folder / "again.html").unlink()
    assert adjudge(*command[1:], folder=folder).code == 0
    assert (folder / "again.html").read_text() == page


@pytest.mark.parametrize("ending", ["html", "md", "tex"])
def test_scores_have_metrics_beside_them_too(adjudge, folder, given, ending):
    names, texts = given
    options = [*texts, "-m", "chrf", "--replicates", "50", "-o", f"scores.{ending}"]
    done = adjudge("report", "scores.jsonl", *options, folder=folder)
    assert done.code == 0, done.err
    text = (folder / f"scores.{ending}").read_text()
    assert "chrf agrees with people on" in text
    if ending == "html":
        sections = {pair["pair"]: pair["tables"] for pair in _summary(text)["pairs"]}
        assert [row["system"] for row in sections["Metrics"]["metrics-1"]] == names
        assert text.count("<figure ") == 1
    else:
        file = {"md": "metrics-1.svg", "tex": "metrics-1.pdf"}[ending]
        assert f"scores-figures/{file}" in text
        assert (folder / "scores-figures" / file).stat().st_size > 1000


def test_a_system_without_a_file_is_chosen_as_before(adjudge, folder, given):
    names, texts = given
    chosen = [word for name in names[:2] for word in ("--system", name)]
    done = adjudge(
        "report", "judged.jsonl", *texts, *chosen, "-m", "chrf", *QUICK, "-f", "markdown",
        folder=folder,
    )  # fmt: skip
    assert done.code == 0, done.err
    table = done.out.split("etrics beside people")[1].split("\n\n")[1]
    assert names[1] in table
    assert names[2] not in table
    assert f"lack them: {names[2]}, {names[3]}" in done.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--documents", "ref.txt"], "--documents are those of texts"),
        (["-m", "bleu"], "--metric scores texts; give them, too"),
        (["--system", "A=nowhere.txt", "--reference", "ref.txt"], "nowhere.txt"),
        (["--testset", "nowhere"], "nowhere"),
    ],
)
def test_what_cannot_be_is_refused(adjudge, folder, options, said):
    done = adjudge("report", "judged.jsonl", *options, "-o", "none.html", folder=folder)
    assert done.code == 2
    assert said in done.err
    assert done.err.count("\n") == 1
    assert not (folder / "none.html").exists()


def test_texts_of_other_systems_are_said_and_left_out(folder):
    texts = door.from_texts({"X": ["a b"] * 4, "Y": ["a c"] * 4}, [["a b"] * 4])
    judged = door.read(str(folder / "judged.jsonl"))
    judged.report(str(folder / "other.md"), texts=texts, metric="chrf", replicates=50, runs=2)
    text = (folder / "other.md").read_text()
    assert "people placed 0 of the systems in the texts (X, Y)" in text
    scores = door.read(str(folder / "scores.jsonl"))
    with pytest.raises(NotEnoughData, match="people placed 0 of the systems"):
        scores.report(str(folder / "other.html"), texts=texts, metric="chrf", replicates=50)


def test_a_signature_asks_for_the_texts(folder, given):
    names, _ = given
    paths = {name: str(folder / f"{name}.txt") for name in names}
    texts = door.read_texts(paths, str(folder / "ref.txt"))
    scores = door.read(str(folder / "scores.jsonl"))
    path = str(folder / "signed.html")
    scores.report(path, texts=texts, metric="wer", replicates=50)
    page = (folder / "signed.html").read_text()
    signature = _summary(page)["signature"]
    with pytest.raises(BadParameter, match="give the same `texts`, too"):
        door.again(signature, str(folder / "scores.jsonl"), path=path)
    other = door.from_texts({"X": ["a"]}, [["a"]])
    with pytest.raises(BadParameter, match="`texts` are not those of this signature"):
        door.again(signature, str(folder / "scores.jsonl"), path=path, texts=other)
    door.again(signature, str(folder / "scores.jsonl"), path=path, texts=texts)
    assert _summary((folder / "signed.html").read_text()) == _summary(page)
