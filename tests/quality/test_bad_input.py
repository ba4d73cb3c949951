"""What does not fit is refused in one sentence, with code 2, and nothing is left half-written."""

import json
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROWS = 24


def folder_of(path: Path, features: int = 3, **changed: str) -> Path:
    """A folder in the layout of WMT16: sources, translations, HTER and given features."""
    path.mkdir()
    files = {
        "src": "".join(f"the cat {n}\n" for n in range(ROWS)),
        "mt": "".join(f"die Katze {n}\n" for n in range(ROWS)),
        "hter": "".join(f"{n / ROWS:.3f}\n" for n in range(ROWS)),
        "features17.tsv": "".join("\t".join([str(n)] * features) + "\n" for n in range(ROWS)),
    }
    for name, text in (files | changed).items():
        (path / name).write_text(text)
    return path


@pytest.fixture
def model(tmp_path: Path, adjudge) -> Path:
    """A model of three given features."""
    path = tmp_path / "model.adjudge"
    asked = ("--feature", "given", "--learner", "elastic-net", "-o", path)
    answer = adjudge("quality", "train", folder_of(tmp_path / "train"), *asked)
    assert answer.code == 0, answer.err
    return path


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"mt": "eins\nzwei\n"}, "mt: line 3: has 2 lines, "),
        ({"hter": "0.1\n1.5\n" + "0.2\n" * (ROWS - 2)}, "line 2: hter 1.5 is not between 0 and 1"),
        (
            {"features17.tsv": "1\t2\n" + "1\n" * (ROWS - 1)},
            "features17.tsv: line 2: has 1 features, the first line has 2",
        ),
    ],
)
def test_data_that_do_not_fit(adjudge, tmp_path: Path, changed: dict[str, str], says: str) -> None:
    data, model = folder_of(tmp_path / "data", **changed), tmp_path / "no.adjudge"
    asked = ("--predict", "hter", "--feature", "counts", "--learner", "pls", "-o", model)
    answer = adjudge("quality", "train", data, *asked)
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert says in answer.err
    assert not model.exists()


def refused(adjudge, model: Path, data: Path) -> str:
    """What `predict` says, having written nothing."""
    output = model.with_name("predicted.tsv")
    answer = adjudge("quality", "predict", model, data, "-o", output)
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert not output.exists()
    return str(answer.err)


def test_features_of_another_width(adjudge, model: Path, tmp_path: Path) -> None:
    said = refused(adjudge, model, folder_of(tmp_path / "two", features=2))
    assert "not those that the model was trained with: feature_3 is missing" in said
    said = refused(adjudge, model, folder_of(tmp_path / "four", features=4))
    assert "not those that the model was trained with: feature_4 is new" in said


def test_a_model_of_another_version(adjudge, model: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(model) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    described = json.loads(parts["model.json"])
    described |= {"format": 0, "card": {"version": "0.0.1"}}
    old = tmp_path / "old.adjudge"
    with zipfile.ZipFile(old, "w") as file:
        for name, content in (parts | {"model.json": json.dumps(described)}).items():
            file.writestr(name, content)
    said = refused(adjudge, old, tmp_path / "train")
    assert "old.adjudge: was made by version 0.0.1" in said
    assert "train it again" in said


def test_a_translator_that_nobody_knows(adjudge, tmp_path: Path) -> None:
    rows = [f"a {'b ' * n}\tc\t{5 + n}\t{'ann' if n % 2 else 'bob'}\n" for n in range(ROWS)]
    heading = "source\ttarget\tseconds\ttranslator\n"
    (tmp_path / "train.tsv").write_text(heading + "".join(rows))
    (tmp_path / "test.tsv").write_text(heading + "a\tc\t4\teve\n")
    model = tmp_path / "time.adjudge"
    asked = ("--learner", "elastic-net", "-o", model)
    assert adjudge("quality", "train", tmp_path / "train.tsv", *asked).code == 0
    said = refused(adjudge, model, tmp_path / "test.tsv")
    assert "row 1: the model knows no translator 'eve'; there are: ann, bob" in said


def test_a_broken_language_model(adjudge, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a b c\n" * 4)
    arpa = tmp_path / "broken.arpa"
    arpa.write_text("\\data\\\nngram 1=2\n\n\\1-grams:\n-1.0\ta\n\n\\end\\\n")
    kept = tmp_path / "kept"
    asked = ("--folder", kept, "--target-model", arpa)
    answer = adjudge("quality", "resources", tmp_path / "text", tmp_path / "text", *asked)
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert "broken.arpa: line " in answer.err
    assert not kept.exists() or not list(kept.iterdir())
