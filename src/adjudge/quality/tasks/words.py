"""Task 2: predict for every word of a translation whether a post-editor would keep it.

Labels are binary (keep or change, which WMT14 on calls OK and BAD) or name the edit: keep,
substitute or delete. Missing labels are derived from post-edits: words of translation and
post-edit, case ignored, are aligned with the fewest edits (WMT13 §6.3, by WER; `label_kernels`). A
word that is aligned to an equal one is kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.errors import InputError, NotEnoughData, one_of
from adjudge.quality.label_kernels import edit_labels
from adjudge.quality.translations import Codes, document_groups
from adjudge.text.resources.corpus import encode

BINARY = ("OK", "BAD")
EDITS = ("K", "S", "D")  # keep, substitute, delete
LABELS = {"binary": BINARY, "edits": EDITS}
# What data call the labels; WMT13 says keep and change, later years OK and BAD.
CALLED = {
    "binary": {"OK": 0, "GOOD": 0, "K": 0, "BAD": 1, "C": 1},
    "edits": {"K": 0, "S": 1, "D": 2},
}

Labels = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class WordTask:
    """Translations, their words, and a label for each word."""

    table: pl.DataFrame  # of translations; every row has its labels
    words: tuple[str, ...]  # of all translations, one after the other
    start: Codes  # the words of row i are words[start[i]:start[i + 1]]
    gold: Labels  # of each word: its place in `classes`
    classes: tuple[str, ...]
    given: bool = True  # supplied with the data, not derived from post-edits

    @property
    def labels(self) -> str:
        """Kind of labels: `binary` or `edits`."""
        return "binary" if self.classes == BINARY else "edits"

    def __len__(self) -> int:
        return len(self.table)

    @property
    def sentence(self) -> Codes:
        """Row of every word."""
        return np.repeat(np.arange(len(self)), np.diff(self.start))

    @property
    def groups(self) -> Codes:
        """Group of every row for cross-validation: documents."""
        return document_groups(self.table)

    def take(self, rows: Codes) -> "WordTask":
        """Restrict to these rows."""
        ranges = [np.arange(self.start[row], self.start[row + 1]) for row in rows]
        chosen = np.concatenate([np.empty(0, np.int64), *ranges])
        start = np.concatenate([[0], np.cumsum([len(each) for each in ranges])]).astype(np.int64)
        words = tuple(self.words[place] for place in chosen)
        return WordTask(self.table[rows], words, start, self.gold[chosen], self.classes, self.given)


def word_task(table: pl.DataFrame, labels: str = "binary") -> WordTask:
    """Select the translations whose words have labels, supplied (`tags`) or from post-edits.

    `labels`: "binary" or "edits".
    """
    classes = LABELS[one_of(labels, LABELS, "labels")]
    given = table.drop_nulls("tags")
    edited = table.drop_nulls(["target", "post_edit"])
    names = set(chain.from_iterable(given["tags"].to_list()))
    if len(given) and (names <= CALLED[labels].keys() or not len(edited)):
        words, start = words_of(given)
        return WordTask(given, words, start, _given_labels(given, labels), classes)
    if not len(edited):
        raise NotEnoughData("words have no labels; give data with tags or post-edits")
    words, start = words_of(edited)
    gold = labels_from_post_edits(edited["target"].to_list(), edited["post_edit"].to_list())
    if labels == "binary":
        gold = np.minimum(gold, 1).astype(np.int8)
    return WordTask(edited, words, start, gold, classes, given=False)


def _given_labels(given: pl.DataFrame, labels: str) -> Labels:
    """Labels supplied with the data; an invalid one is refused with file and line."""
    tags = given["tags"].to_list()
    try:
        return coded(list(chain.from_iterable(tags)), labels)
    except NotEnoughData as error:
        row = next(row for row, names in enumerate(tags) if set(names) - CALLED[labels].keys())
        file, line = given["file"][row], given["line"][row]
        if file is None:
            raise
        raise InputError(str(error), file=file, line=line) from None


def words_of(table: pl.DataFrame) -> tuple[tuple[str, ...], Codes]:
    """Words of all translations, and the offsets of each row.

    If only tags are known, every word is empty.
    """
    split = [
        [""] * len(tags or ()) if text is None else text.split()
        for text, tags in table.select("target", "tags").iter_rows()
    ]
    start = np.concatenate([[0], np.cumsum([len(words) for words in split])]).astype(np.int64)
    return tuple(chain.from_iterable(split)), start


def coded(names: Sequence[str], labels: str) -> Labels:
    """Index of every label among its classes."""
    called = CALLED[labels]
    unknown = sorted(set(names) - called.keys())
    if unknown:
        raise NotEnoughData(
            f'{unknown[0][:60]!r} is no label of a word with `labels="{labels}"`; there are '
            f"{', '.join(called)}"
        )
    return np.array([called[name] for name in names], np.int8)


def labels_from_post_edits(targets: Sequence[str], post_edits: Sequence[str]) -> Labels:
    """Derive keep (0), substitute (1) or delete (2) for every word of all translations."""
    own = encode(text.lower().split() for text in targets)
    other = encode((text.lower().split() for text in post_edits), own.vocabulary)
    return edit_labels(own.word, own.start, other.word, other.start)
