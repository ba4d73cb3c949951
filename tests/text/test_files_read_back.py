"""Resources out of files: arrays that compiled kernels follow are checked before they are used."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjudge.core.errors import InputError
from adjudge.text.resources import lexical_table, ngram_counts
from adjudge.text.resources.corpus import encode
from adjudge.text.resources.language_model import kneser_ney
from adjudge.text.resources.language_model.model import LanguageModel
from adjudge.text.resources.lexical_table import LexicalTable
from adjudge.text.resources.ngram_counts import NgramCounts

LINES = [["a", "b", "c"], ["a", "b"], ["c", "a", "b"]]
MADE: dict[str, tuple[Callable[[], Any], Any]] = {
    "lexical table": (lambda: lexical_table.train(encode(LINES), encode(LINES)), LexicalTable),
    "language model": (lambda: kneser_ney.train(encode(LINES), 2), LanguageModel),
    "n-gram counts": (lambda: ngram_counts.count(encode(LINES), 2), NgramCounts),
}
CHANGES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "shorter": lambda array: array[:-1],
    "longer": lambda array: np.concatenate([array, array]),
    "two dimensions": lambda array: np.stack([array, array]),
    "objects": lambda array: array.astype(object),
}


@pytest.mark.parametrize("kind", MADE)
@pytest.mark.parametrize("change", CHANGES)
def test_arrays_that_do_not_fit(tmp_path: Path, kind: str, change: str) -> None:
    make, of = MADE[kind]
    path = str(tmp_path / "resource.npz")
    make().save(path)
    of.load(path)
    with np.load(path) as file:
        arrays = dict(file)
    lists = {"kind", "letters", "lengths", "source", "target", "cuts"}  # words
    for name in arrays.keys() - (lists if change != "objects" else set()):
        np.savez(path, **arrays | {name: CHANGES[change](arrays[name])})
        with pytest.raises(InputError) as refused:
            of.load(path)
        assert refused.value.file == path


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [("word", 0, 10**6), ("word", 0, -1), ("start", 1, 10**9), ("start", 0, -5), ("start", -1, 0)],
)
def test_a_lexical_table_that_leads_outside(
    tmp_path: Path, name: str, place: int, value: int
) -> None:
    path = str(tmp_path / "table.npz")
    MADE["lexical table"][0]().save(path)
    with np.load(path) as file:
        arrays = dict(file)
    arrays[name][place] = value
    np.savez(path, **arrays)
    with pytest.raises(InputError, match="is not a lexical table"):
        LexicalTable.load(path)
