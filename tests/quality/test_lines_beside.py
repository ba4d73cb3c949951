"""Models that learn from other systems' translations and parts of speech, as files or columns."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A translation is bad where another system says something else; tags tell bad words."""
    folder = tmp_path_factory.mktemp("beside")
    random = np.random.default_rng(5)
    words = np.array(["Haus", "Hund", "Katze", "geht", "sieht", "rot"])
    rows, others, tags = ["source\ttarget\thter\ttags\tdocument"], [], []
    for number in range(150):
        target = random.choice(words, 8)
        wrong = random.random(8) < random.random()
        other = np.where(wrong, "anders", target)
        labels = " ".join(np.where(wrong, "BAD", "OK"))
        text = " ".join(target)
        rows.append(f"{'a ' * 8}\t{text}\t{wrong.mean():.3f}\t{labels}\td{number % 30}")
        others.append(" ".join(other))
        tags.append(" ".join(np.where(wrong, "X", "N")))
    for name, lines in (("data.tsv", rows), ("other.txt", others), ("tags.txt", tags)):
        (folder / name).write_text("\n".join(lines) + "\n")
    columns = [rows[0] + "\tpseudo_reference:B\ttarget_tags"]
    columns += [
        f"{row}\t{other}\t{tag}" for row, other, tag in zip(rows[1:], others, tags, strict=True)
    ]
    (folder / "columns.tsv").write_text("\n".join(columns) + "\n")
    return folder


def files(folder: Path) -> tuple[object, ...]:
    return ("--pseudo-reference", f"B={folder / 'other.txt'}")


def test_other_systems_teach_a_model_of_numbers(adjudge, folder, tmp_path) -> None:
    data, columns, model = folder / "data.tsv", folder / "columns.tsv", tmp_path / "m.adjudge"
    told = ("--learner", "elastic-net", "-m", "wer", "--predict", "hter")
    for feature, beside in (("counts", ()), ("pseudo-references", files(folder))):
        asked = ("quality", "train", data, *told, "--feature", feature, *beside, "-o", model)
        answer = adjudge(*asked, "-f", "json")
        assert answer.code == 0, answer.err
        error = json.loads(answer.out)[0]["mae"]
        assert error < 1 if beside else error > 15  # HTER × 100: without them nothing is seen
    by_files = adjudge("quality", "predict", model, data, *files(folder))
    by_columns = adjudge("quality", "predict", model, "-", stdin=columns.read_bytes())
    assert by_files.code == 0, by_files.err
    assert by_files.out == by_columns.out
    answer = adjudge("quality", "predict", model, data)
    assert answer.code == 2
    assert "other systems' translations (give --pseudo-reference" in answer.err
    shown = adjudge("quality", "show", model)
    line = next(line for line in shown.out.splitlines() if line.startswith("adjudge:train_quality"))
    assert "beside:" in line
    answer = adjudge("again", line, data)
    assert answer.code == 2
    assert "as columns of the data" in answer.err


def test_parts_of_speech_teach_a_model_of_words(adjudge, folder, tmp_path) -> None:
    data, model = folder / "data.tsv", tmp_path / "m.adjudge"
    beside = (*files(folder), "--target-tags", folder / "tags.txt")
    told = ("quality", "train", data, "--task", "words", "--learner", "logistic", *beside)
    answer = adjudge(*told, "-o", model, "-f", "json")
    assert answer.code == 0, answer.err
    assert json.loads(answer.out)[0]["macro_f1"] > 0.98
    held = folder / "held.tsv"
    table = pl.read_csv(folder / "columns.tsv", separator="\t")[::-1]
    table.head(60).write_csv(held, separator="\t")
    page = tmp_path / "page.html"
    answer = adjudge("quality", "report", model, held, "-o", page, "--replicates", "50")
    assert answer.code == 0, answer.err
    assert page.exists()


def test_a_system_that_translates_only_some_is_refused(adjudge, folder, tmp_path) -> None:
    table = pl.read_csv(folder / "columns.tsv", separator="\t")
    holes = table.with_columns(
        pl.when(pl.int_range(pl.len()) > 2).then("pseudo_reference:B").alias("pseudo_reference:B")
    )
    path = tmp_path / "holes.tsv"
    holes.write_csv(path, separator="\t")
    answer = adjudge("quality", "features", path)
    assert answer.code == 2
    assert "not every translation has a pseudo_reference:B; give one for each" in answer.err
