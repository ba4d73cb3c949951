"""`adjudge quality resources` and `adjudge quality features`, and their page."""

import json
import re
from pathlib import Path

import polars as pl
import pytest

from adjudge.quality.features.family import FAMILIES, WORD_FAMILIES

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "docs" / "examples"
PARALLEL = (EXAMPLES / "source.txt", EXAMPLES / "reference.txt")


@pytest.fixture(scope="module")
def kept(adjudge, tmp_path_factory) -> Path:
    """Resources of the examples."""
    folder = tmp_path_factory.mktemp("resources") / "kept"
    answer = adjudge("quality", "resources", *PARALLEL, "--folder", folder, "--arpa")
    assert answer.code == 0, answer.err
    return folder


@pytest.fixture
def data(tmp_path) -> Path:
    sources, targets = (
        (EXAMPLES / f"{name}.txt").read_text().splitlines()[:20] for name in ("source", "A")
    )
    rows = [f"{source}\t{target}" for source, target in zip(sources, targets, strict=True)]
    file = tmp_path / "translations.tsv"
    file.write_text("\n".join(["source\ttarget", *rows]) + "\n")
    return file


def test_resources_are_made_once(adjudge, kept) -> None:
    before = (kept / "source_model.npz").stat().st_mtime_ns
    answer = adjudge("quality", "resources", *PARALLEL, "--folder", kept, "-f", "json")
    rows = json.loads(answer.out)
    assert [row["reused"] for row in rows] == [True] * 6
    assert (kept / "source_model.npz").stat().st_mtime_ns == before


def test_models_of_others(adjudge, kept, tmp_path) -> None:
    """What --arpa wrote is a model that --source-model takes: the same numbers come out."""
    given = ("--source-model", kept / "source_model.arpa.gz", "--folder", tmp_path / "other")
    answer = adjudge("quality", "resources", *PARALLEL, *given, "-f", "json")
    assert answer.code == 0, answer.err
    assert json.loads(answer.out)[0]["reused"] is False
    first, second = (
        (folder / "source_model.npz").read_bytes() for folder in (kept, tmp_path / "other")
    )
    assert len(first) == len(second)


def test_values_are_written(adjudge, kept, data, tmp_path) -> None:
    for ending, read in (
        ("csv", pl.read_csv),
        ("jsonl", pl.read_ndjson),
        ("parquet", pl.read_parquet),
    ):
        file = tmp_path / f"features.{ending}"
        asked = ("quality", "features", data, "--resources", kept, "--feature", "baseline")
        answer = adjudge(*asked, "--write", file)
        assert answer.code == 0, answer.err
        values = read(file)
        assert values.shape == (20, 17)
    summary = json.loads(adjudge(*asked, "-f", "json").out)
    assert [row["column"] for row in summary] == values.columns
    assert summary[0]["mean"] == pytest.approx(values["source_tokens"].mean())


def test_words_and_others(adjudge, kept, data, tmp_path) -> None:
    other = tmp_path / "B.txt"
    other.write_text("".join((EXAMPLES / "B.txt").read_text().splitlines(keepends=True)[:20]))
    asked = ("quality", "features", data, "--pseudo-reference", f"B={other}", "-f", "json")
    rows = json.loads(adjudge(*asked, "-m", "bleu", "--feature", "pseudo-references").out)
    assert [row["column"] for row in rows] == ["bleu_against_B"]
    rows = json.loads(adjudge(*asked, "--level", "word", "--resources", kept).out)
    words = sum(len(line.split("\t")[1].split()) for line in data.read_text().splitlines()[1:])
    assert {row["rows"] for row in rows} == {words}
    by_name = {row["column"]: row for row in rows}
    assert by_name["word"]["distinct"] > 50
    assert by_name["B_has_word"]["mean"] > 0.3


def test_what_is_wrong_is_said(adjudge, kept, data, tmp_path) -> None:
    short = tmp_path / "short.txt"
    short.write_text("one\ntwo\n")
    for asked, says in (
        (("resources", PARALLEL[0], short, "--folder", tmp_path / "x"), "60 lines, .* has 2"),
        (
            ("resources", *PARALLEL, "--folder", tmp_path / "x", "--source-model", short),
            r"short\.txt: line 1: an ARPA file begins with",
        ),
        (
            ("resources", *PARALLEL, "--folder", tmp_path / "x", "--order", "9"),
            "--order is between",
        ),
        (("features", data, "--resources", tmp_path), "holds no resources"),
        (("features", data, "--feature", "basline"), "--feature cannot be 'basline'; did you mean"),
        (("features", data, "--feature", "lexicon"), r"lexicon needs resources \(give --resources"),
        (("features", data, "--pseudo-reference", f"B={short}"), "B has 2 lines for 20"),
        (("features", data, "--target-tags", short), "--target-tags has 2 lines for 20"),
        (("features", data, "--level", "word", "--tokenize", "13a"), "--tokenize none"),
        (("features", data, "--write", tmp_path / "x.doc"), "names no format"),
    ):
        answer = adjudge("quality", *asked)
        assert answer.code == 2
        assert re.search(says, answer.err), answer.err
        assert answer.err.count("\n") == 1
    assert not (tmp_path / "x").exists()


def test_the_page_lists_every_family() -> None:
    page = (ROOT / "docs" / "quality-features.md").read_text()
    tables = [
        re.findall(r"^\| `([a-z-]+)` \|", part, flags=re.MULTILINE)
        for part in page.split("## Features of words")
    ]
    assert sorted(tables[0]) == sorted(FAMILIES)
    assert sorted(tables[1]) == sorted(WORD_FAMILIES)
