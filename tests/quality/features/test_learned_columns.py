"""Columns that are learned from translations of known quality, by the command and in Python."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import adjudge as door
from adjudge.quality.features.extraction import fit
from adjudge.quality.features.inputs import prepare
from adjudge.quality.models.train import task_named
from adjudge.quality.reading import read_quality

pytestmark = pytest.mark.slow

WORDS = ["Haus", "Hund", "xx", "geht", "yy", "Katze"]


@pytest.fixture(scope="module")
def table() -> pl.DataFrame:
    """Translations of which some words are to be changed, in 20 documents."""
    random = np.random.default_rng(5)
    rows = []
    for number in range(160):
        words = [str(word) for word in random.choice(WORDS, int(random.integers(3, 12)))]
        target = " ".join(words)
        edit = target.replace("xx", "der Hund").replace("yy", "sieht")
        bad = sum(word in ("xx", "yy") for word in words) / len(words)
        row = {"source": target.lower(), "target": target, "post_edit": edit}
        rows.append(row | {"hter": round(bad, 3), "document": f"d{number // 8}"})
    return pl.DataFrame(rows)


@pytest.fixture
def written(tmp_path):
    """`written(table)` is a file of it."""

    def write(table: pl.DataFrame, name: str = "data.tsv") -> Path:
        table.write_csv(tmp_path / name, separator="\t")
        return tmp_path / name

    return write


def columns_of(adjudge, data: Path, *asked: object) -> pl.DataFrame:
    file = data.with_suffix(".parquet")
    answer = adjudge("quality", "features", data, *asked, "--write", file)
    assert answer.code == 0, answer.err
    return pl.read_parquet(file)


LEARNED = ("--feature", "style", "--feature", "changes", "--feature", "counts")


def test_values_are_those_that_training_uses(adjudge, table, written) -> None:
    data = written(table)
    ours = columns_of(adjudge, data, *LEARNED)
    read = read_quality([str(data)])
    task = task_named("scoring", read.table, "hter")
    families = ("style", "changes", "counts")
    _, training = fit(prepare(task.table), task.gold, task.groups, families)
    assert ours.equals(training.to_frame())
    in_python = door.quality_features(str(data), feature=families)
    assert in_python.features.to_frame().equals(ours)
    weight = ours["style_target_words_1_weight"].to_numpy()
    assert np.corrcoef(weight, table["hter"])[0, 1] < -0.8
    rate = ours["changed_before_1"].to_numpy()
    assert np.corrcoef(rate, table["hter"])[0, 1] > 0.8


def test_a_document_knows_nothing_of_its_own_quality(adjudge, table, written) -> None:
    """A large one, so that what is usual would change with it."""
    own = pl.Series(range(160)) < 70
    table = table.with_columns(document=pl.when(own).then(pl.lit("d0")).otherwise("document"))
    changed = table.with_columns(
        hter=pl.when(own).then(1.0).otherwise("hter"),
        post_edit=pl.when(own).then(pl.lit("ganz anders")).otherwise("post_edit"),
    )
    before = columns_of(adjudge, written(table, "before.tsv"), *LEARNED)
    after = columns_of(adjudge, written(changed, "after.tsv"), *LEARNED)
    assert before.filter(own).equals(after.filter(own))
    for beginning in ("style_", "changed_"):
        learned = [name for name in before.columns if name.startswith(beginning)]
        assert not before.filter(~own)[learned].equals(after.filter(~own)[learned])


def test_by_default_nothing_is_learned(adjudge, table, written) -> None:
    with_truth = columns_of(adjudge, written(table, "known.tsv"))
    without = columns_of(adjudge, written(table.drop("hter", "post_edit"), "unknown.tsv"))
    assert with_truth.equals(without)


def test_changes_are_learned_from_words_alone(adjudge, table, written) -> None:
    """Data of Task 2 have no number for a translation, or several."""
    tags = [
        " ".join("BAD" if word in ("xx", "yy") else "OK" for word in text.split())
        for text in table["target"]
    ]
    words = table.drop("hter", "post_edit").with_columns(tags=pl.Series(tags))
    from_tags = columns_of(adjudge, written(words, "tags.tsv"), "--feature", "changes")
    edited = table.with_columns(effort=pl.lit(3.0), seconds=pl.lit(9.0))
    from_edits = columns_of(adjudge, written(edited, "edits.tsv"), "--feature", "changes")
    assert np.allclose(from_tags["changed_before_1"], from_edits["changed_before_1"])
    assert len(from_tags.columns) == 8


def test_the_columns_of_a_model(adjudge, table, written, tmp_path) -> None:
    data, model = written(table), tmp_path / "hter.adjudge"
    told = ("--predict", "hter", "--learner", "elastic-net")
    trained = adjudge("quality", "train", data, *LEARNED, *told, "-o", model)
    assert trained.code == 0, trained.err
    others = written(table[::-1].drop("hter", "post_edit", "document"), "others.tsv")
    ours = columns_of(adjudge, others, "--model", model)
    fitted = door.quality_model(str(model))[0].model.features
    expected = fitted.features(prepare(read_quality([str(others)]).table))
    assert ours.equals(expected.to_frame())
    assert set(ours.columns) == set(columns_of(adjudge, data, *LEARNED).columns)
    in_python = door.quality_features(str(others), model=str(model))
    assert in_python.features.to_frame().equals(ours)
    assert "model:sha256-" in str(in_python.signature)
    for asked, says in (
        ((data, "--model", model), "learned style, changes from these translations"),
        ((others, "--model", model, "--feature", "counts"), "leave out --feature"),
        ((others, "--model", model, "--level", "word"), "leave out --level word"),
        ((others, "--model", others), "is not a model of `adjudge quality train`"),
    ):
        refused = adjudge("quality", "features", *asked)
        assert refused.code == 2
        assert says in refused.err
        assert refused.err.count("\n") == 1


def test_the_columns_of_a_model_of_words(adjudge, table, written, tmp_path) -> None:
    data, model = written(table), tmp_path / "words.adjudge"
    told = ("--task", "words", "--feature", "word", "--learner", "naive-bayes")
    assert adjudge("quality", "train", data, *told, "-o", model).code == 0
    ours = columns_of(adjudge, data, "--model", model, "--level", "word")
    assert ours.equals(columns_of(adjudge, data, "--feature", "word", "--level", "word"))
    refused = adjudge("quality", "features", data, "--model", model)
    assert refused.code == 2
    assert "the model is of words; give --level word" in refused.err


def test_links_that_the_model_did_not_learn_from(adjudge, table, written, tmp_path) -> None:
    """Trained on tags without links, asked of translations with links: the same columns."""
    tags = [" ".join("OK" for _ in text.split()) for text in table["target"]]
    model = tmp_path / "model.adjudge"
    told = ("--feature", "changes", "--predict", "hter", "--learner", "elastic-net", "-o", model)
    known = written(table.with_columns(tags=pl.Series(tags)), "known.tsv")
    trained = adjudge("quality", "train", known, *told)
    assert trained.code == 0, trained.err
    linked = table.drop("hter", "post_edit")[:7].with_columns(alignment=pl.lit("0-0"))
    ours = columns_of(adjudge, written(linked, "linked.tsv"), "--model", model)
    assert len(ours.columns) == 8


def test_what_cannot_be_learned_is_said(adjudge, table, written) -> None:
    plain = table.drop("hter", "post_edit", "document")
    several = table.with_columns(effort=pl.lit(3.0))
    holes = several.with_columns(effort=pl.Series([None, *[3.0] * 159]))
    one = table.with_columns(document=pl.lit("d"))
    high = table.with_columns(hter=pl.lit(1.5))
    for number, (given, asked, says) in enumerate(
        (
            (plain, (), "give data with hter, effort, …, or a --model that was trained with it"),
            (several, (), "--predict says what is predicted; there are: hter, effort"),
            (several, ("--predict", "efort"), "did you mean 'effort'"),
            (holes, ("--predict", "effort"), "style is learned from effort, which 1 of 160"),
            (one, (), "style needs translations of several documents or sources"),
            (high, (), "line 2: hter 1.5 is not between 0 and 1"),
        )
    ):
        refused = adjudge(
            "quality", "features", written(given, f"{number}.tsv"), "--feature", "style", *asked
        )
        assert refused.code == 2
        assert says in refused.err, refused.err
        assert refused.err.count("\n") == 1
    refused = adjudge("quality", "features", written(table), "--predict", "hter")
    assert refused.code == 2
    assert "name --feature style, or leave it out" in refused.err


def test_any_number_will_do(adjudge, table, written) -> None:
    """In which direction it is better need not be said: low and high are told apart alike."""
    asked = ("--feature", "style")
    ours = columns_of(adjudge, written(table), *asked)
    other = table.rename({"hter": "badness"}).drop("post_edit")
    assert ours.equals(columns_of(adjudge, written(other, "other.tsv"), *asked))


def test_the_summary_names_every_column(adjudge, table, written) -> None:
    answer = adjudge("quality", "features", written(table), *LEARNED, "-f", "json")
    rows = json.loads(answer.out)
    assert all(row["what"] for row in rows)
    assert len({row["what"] for row in rows}) == len(rows)
