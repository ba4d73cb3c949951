"""Labels in a tidy frame: merging, confusion tables, values as ranks, and bad files."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from adjudge.agreement.categorical import (
    agreement_of,
    confusion_kappas,
    confusions,
    load,
    merging,
    read_labels,
    relative_ranks,
)
from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files.input_file import InputFile


def frame(rows: list[tuple[str, str, str]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["item", "judge", "label"], orient="row")


def test_labels_are_in_the_order_of_their_values() -> None:
    labels = read_labels(frame([("x", "a", "10"), ("x", "b", "9"), ("y", "a", "2")]))
    assert labels.categories == ("2", "9", "10")


def test_merging_renames_and_refuses_what_is_not_there() -> None:
    rows = frame([("x", "a", "GOOD"), ("x", "b", "ALMOST")])
    assert agreement_of(read_labels(rows))[0].agree == 0
    assert agreement_of(read_labels(rows, {"ALMOST": "GOOD"}))[0].agree == 1
    with pytest.raises(AdjudgeError, match="here are: ALMOST, GOOD"):
        read_labels(rows, {"SOSO": "GOOD"})
    with pytest.raises(AdjudgeError, match="OLD=NEW"):
        merging(["ALMOST"])


def test_a_missing_label_is_none() -> None:
    rows = frame([("x", "a", "GOOD"), ("x", "b", None), ("x", "c", "GOOD")])  # type: ignore[list-item]
    assert agreement_of(read_labels(rows))[0].comparable == 1


def test_confusions_of_all_pairs_of_judges() -> None:
    rows = frame(
        [(i, j, v) for j, said in (("a", "xxyy"), ("b", "xyyy"), ("c", "zz")) for i, v in
         zip("1234", said, strict=False)]
    )  # fmt: skip
    tables = {(t.judge, t.other): t for t in confusions(read_labels(rows))}
    assert set(tables) == {("a", "b"), ("a", "c"), ("b", "c")}
    assert tables["a", "b"].table.tolist() == [[1, 1, 0], [0, 2, 0], [0, 0, 0]]
    assert (tables["a", "b"].agree, tables["a", "b"].comparable) == (3, 4)
    assert np.allclose(confusion_kappas(list(tables.values())), [0.5, 0, 0])


def test_values_become_relative_ranks() -> None:
    values = pl.DataFrame(
        {
            "segment": ["1"] * 6,
            "system": ["p", "q", "r"] * 2,
            "judge": ["a"] * 3 + ["b"] * 3,
            "label": ["5", "3", "3", "4", "2", "1"],
        }
    )
    inter, _ = agreement_of(relative_ranks(values))
    # Both say p > q and p > r; a ties q with r. As values nothing is the same.
    assert (inter.agree, inter.comparable) == (2, 3)
    assert next(c.p_e for c in inter.coefficients if c.name == "S") == pytest.approx(1 / 3)
    with pytest.raises(InputError, match="not a number"):
        relative_ranks(values.with_columns(label=pl.lit("good")))
    with pytest.raises(InputError, match="missing: system"):
        relative_ranks(values.drop("system"))


def test_files_and_what_is_wrong_with_them(tmp_path: Path) -> None:
    file = tmp_path / "labels.tsv"
    file.write_text("item\tjudge\tlabel\nx\ta\tgood, really\n")
    assert load(InputFile(str(file))).rows() == [("x", "a", "good, really")]
    file.write_text("item,label\nx,good\n")
    with pytest.raises(InputError, match="missing: judge"):
        read_labels(load(InputFile(str(file))))
    file.write_text("item,judge,label\nx,a,good,bad,ugly\n")
    with pytest.raises(InputError, match=r"labels\.tsv: line 2: has 5 fields"):
        load(InputFile(str(file)))
