"""Models on the command line: standard input, formats, what is shown, made again."""

import json
import zipfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def edited(tmp_path_factory) -> Path:
    """Translations of which some words are to be changed, the more the longer they are."""
    path = tmp_path_factory.mktemp("edited") / "edited.tsv"
    random = np.random.default_rng(3)
    rows = ["source\ttarget\tpost_edit\tdocument"]
    for number in range(120):
        words = random.choice(["Haus", "Hund", "xx", "geht", "yy"], int(random.integers(2, 15)))
        target = " ".join(words)
        edit = target.replace("xx", "der Hund").replace("yy", "sieht")
        rows.append(f"{target.lower()}\t{target}\t{edit}\td{number // 6}")
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.fixture(scope="module")
def model(edited, adjudge) -> Path:
    """A model of HTER."""
    path = edited.with_name("hter.adjudge")
    told = ("quality", "train", edited, "-o", path, "--feature", "counts")
    answer = adjudge(*told, "--learner", "elastic-net")
    assert answer.code == 0, answer.err
    return path


TEXTS = (("the dog walks", "Hund xx"), ("the house", "Haus"))
AS_TABLE = "source\ttarget\n" + "".join(f"{s}\t{t}\n" for s, t in TEXTS)
AS_JSON = "".join(json.dumps({"source": s, "target": t}) + "\n" for s, t in TEXTS)


@pytest.mark.parametrize("given", [AS_TABLE, AS_JSON])
def test_predict_reads_standard_input_and_gives_intervals(adjudge, model, given) -> None:
    answer = adjudge("quality", "predict", model, "-", stdin=given.encode())
    assert answer.code == 0, answer.err
    heading, *rows = (line.split("\t") for line in answer.out.splitlines())
    assert heading == ["segment", "score", "low", "high"]
    assert len(rows) == 2
    for row in rows:
        score, low, high = map(float, row[1:])
        assert 0 <= low <= score <= high <= 1
        assert low < high


def test_formats_of_predictions_agree(adjudge, model) -> None:
    def said(form: str) -> str:
        asked = ("quality", "predict", model, "-", "-f", form)
        answer = adjudge(*asked, stdin=AS_TABLE.encode())
        assert answer.code == 0, answer.err
        return answer.out

    rows = json.loads(said("json"))
    assert [row["score"] for row in rows] == [
        float(line.split(",")[1]) for line in said("csv").splitlines()[1:]
    ]
    assert said("tsv") == said("csv").replace(",", "\t")


def test_bad_standard_input_is_named_so(adjudge, model) -> None:
    answer = adjudge("quality", "predict", model, "-", stdin=b'{"source": "a", "target": 3.5}\n')
    assert answer.code == 2
    assert answer.err == ("adjudge: standard input: line 1: target '3.5' is not text; correct it\n")
    answer = adjudge("quality", "predict", model, "-", stdin=b"nothing\n")
    assert answer.code == 2
    assert answer.err.startswith("adjudge: standard input: holds no data for quality estimation")


def test_words_have_tags_and_chances(adjudge, edited, tmp_path) -> None:
    model = tmp_path / "words.adjudge"
    told = ("quality", "train", edited, "-o", model, "--task", "words", "--feature", "word")
    assert adjudge(*told).code == 0
    tags = adjudge("quality", "predict", model, "-", stdin=AS_TABLE.encode()).out
    assert tags == "OK BAD\nOK\n"
    answer = adjudge("quality", "predict", model, "-", "-f", "json", stdin=AS_TABLE.encode())
    first, second = json.loads(answer.out)
    assert first["tags"] == ["OK", "BAD"]
    assert second["tags"] == ["OK"]
    assert first["chances"][1] > 0.5 > first["chances"][0]
    csv = adjudge("quality", "predict", model, "-", "-f", "csv", stdin=AS_TABLE.encode()).out
    assert csv.splitlines()[0] == "segment,tags,chances"
    predicted = tmp_path / "predicted.txt"
    assert adjudge("quality", "predict", model, edited, "-o", predicted).code == 0
    answer = adjudge("quality", "evaluate", edited, predicted, "--replicates", "20", "-f", "json")
    ours = next(row for row in json.loads(answer.out) if row["submission"] == "predicted")
    assert ours["macro_f1"] > 0.95  # made-up words tell it all


def test_show_prints_the_card(adjudge, model, edited) -> None:
    answer = adjudge("quality", "show", model, "-f", "json")
    assert answer.code == 0, answer.err
    (row,) = json.loads(answer.out)
    assert (row["task"], row["predicts"], row["families"]) == ("scoring", "hter", "counts")
    assert row["signature"].startswith("adjudge:train_quality|task:scoring|")
    assert row["data"] in row["signature"]
    shown = adjudge("quality", "show", model).out
    assert "A model of HTER × 100" in shown
    assert "resources: none" in shown
    refused = adjudge("quality", "show", edited)
    assert refused.code == 2
    assert "is not a model of `adjudge quality train`" in refused.err


def test_a_model_of_another_scikit_learn_is_refused(adjudge, model, tmp_path) -> None:
    other = tmp_path / "other.adjudge"
    with zipfile.ZipFile(model) as file, zipfile.ZipFile(other, "w") as changed:
        for name in file.namelist():
            content = file.read(name)
            if name == "model.json":
                described = json.loads(content)
                described["card"]["scikit_learn"] = "0.1"
                content = json.dumps(described).encode()
            changed.writestr(name, content)
    answer = adjudge("quality", "predict", other, "-", stdin=AS_TABLE.encode())
    assert answer.code == 2
    assert "was made with scikit-learn 0.1, here is " in answer.err
    assert answer.err.count("\n") == 1


def test_a_model_and_its_evaluation_are_made_again(adjudge, model, edited, tmp_path) -> None:
    (row,) = json.loads(adjudge("quality", "show", model, "-f", "json").out)
    (same,) = json.loads(adjudge("again", row["signature"], edited, "-f", "json").out)
    assert same == row
    changed = tmp_path / "changed.tsv"
    changed.write_text(edited.read_text() + "a\tb\tc\td\n")
    refused = adjudge("again", row["signature"], changed)
    assert refused.code == 2
    assert "not the input of this signature" in refused.err
    predicted = tmp_path / "predicted.tsv"
    assert adjudge("quality", "predict", model, edited, "-o", predicted).code == 0
    asked = ("quality", "evaluate", edited, predicted, "--predict", "hter", "-f", "json")
    rows = json.loads(adjudge(*asked, "--replicates", "50", "--seed", "7").out)
    again = adjudge("again", rows[0]["signature"], edited, predicted, "-f", "json")
    assert json.loads(again.out) == rows


def test_resources_are_part_of_a_model(adjudge, edited, tmp_path) -> None:
    table = pl.read_csv(edited, separator="\t")
    for side, column in (("src", "source"), ("tgt", "post_edit")):
        (tmp_path / f"text.{side}").write_text("\n".join(table[column]) + "\n")
    texts = [tmp_path / f"text.{side}" for side in ("src", "tgt")]
    for name, order in (("ours", "3"), ("other", "2")):
        folder = ("--folder", tmp_path / name, "--order", order)
        made = adjudge("quality", "resources", *texts, *folder)
        assert made.code == 0, made.err
    model = tmp_path / "model.adjudge"
    told = ("quality", "train", edited, "-o", model, "--predict", "hter", "--feature", "baseline")
    made = adjudge(*told, "--learner", "pls", "--resources", tmp_path / "ours", "-f", "json")
    assert made.code == 0, made.err
    (row,) = json.loads(made.out)
    refused = adjudge("quality", "predict", model, edited, "--resources", tmp_path / "other")
    assert refused.code == 2
    assert "trained with other resources; give --resources as in training" in refused.err
    refused = adjudge("again", row["signature"], edited)
    assert "this signature needs --resources, too" in refused.err
    same = adjudge(
        "again", row["signature"], edited, "--resources", tmp_path / "ours", "-f", "json"
    )
    assert json.loads(same.out) == [row]


def test_two_processes_make_the_same_model(adjudge, edited, tmp_path) -> None:
    told = ("quality", "train", edited, "-o", tmp_path / "two.adjudge", "--feature", "counts")
    rows = [
        json.loads(adjudge(*told, "--learner", "pls", "--workers", n, "-f", "json").out)
        for n in (1, 2)
    ]
    assert rows[0] == rows[1]
    refused = adjudge(*told, "--engine", "tcp://nobody")
    assert refused.code == 2
    assert "is not an address of a Dask scheduler" in refused.err


def test_a_folder_that_is_not_there_is_refused_before_anything_is_learned(adjudge, tmp_path):
    """The data are not there either, which would be seen first if they were read first."""
    answer = adjudge("quality", "train", tmp_path / "none.tsv", "-o", tmp_path / "no" / "m.adjudge")
    assert answer.code == 2
    assert "make it first" in answer.err
