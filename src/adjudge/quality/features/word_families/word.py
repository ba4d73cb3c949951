"""The word itself and its neighbours (WMT13 §6.7: UMAC, CNGL)."""

import unicodedata

import numpy as np
import polars as pl

from adjudge.quality.features.column import Column, label, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.prepared import Prepared
from adjudge.quality.features.windows import window
from adjudge.resources.corpus import encode


def _columns(prepared: Prepared) -> list[Column]:
    text = encode(prepared.target_tokens)
    lower = encode([[token.lower() for token in line] for line in prepared.target_tokens])
    around = window("word", "the word", lower, (-2, -1, 0, 1, 2))
    by_name = {column.name: column.values for column in around}
    in_source = [
        float(token.lower() in words)
        for line, words in zip(prepared.target_tokens, _source_sets(prepared), strict=True)
        for token in line
    ]
    return [
        *around,
        label("word-1:0", "the word and the one before", _joined(by_name, "word-1", "word")),
        label("word:+1", "the word and the one after", _joined(by_name, "word", "word+1")),
        label("word-1:+1", "the words before and after", _joined(by_name, "word-1", "word+1")),
        label("prefix", "its first three letters", by_name["word"].str.slice(0, 3)),
        label("suffix", "its last three letters", by_name["word"].str.slice(-3)),
        *_form(text.vocabulary, text.word),
        number("in_source", "1 if the source has the same word, whatever its case", in_source),
    ]


def _source_sets(prepared: Prepared) -> list[set[str]]:
    return [{token.lower() for token in line} for line in prepared.source_tokens]


def _joined(columns: dict[str, pl.Series], first: str, second: str) -> pl.Series:
    return pl.select(pl.concat_str(columns[first], columns[second], separator=" ")).to_series()


def _form(vocabulary: tuple[str, ...], word: "np.typing.NDArray[np.int32]") -> list[Column]:
    """What the word looks like, worked out once for every distinct word."""
    forms = {
        "word_length": ("its characters", [len(each) for each in vocabulary]),
        "word_capital": (
            "1 if it begins with a capital",
            [each[0].isupper() for each in vocabulary],
        ),
        "word_digit": ("1 if it has a digit", [any(map(str.isdigit, each)) for each in vocabulary]),
        "word_punctuation": (
            "1 if it is punctuation only",
            [all(unicodedata.category(c)[0] in "PS" for c in each) for each in vocabulary],
        ),
    }
    return [
        number(name, what, np.array(values, np.float64)[word])
        for name, (what, values) in forms.items()
    ]


FAMILY = Family(
    "word",
    "the word, two words on either side, pairs of them, its form; is it in the source?",
    "WMT13 §6.7",
    _columns,
)
