"""Word itself and its neighbours (WMT13 §6.7: UMAC, CNGL)."""

import unicodedata

import numpy as np

from adjudge.quality.features.column import Column, label, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.inputs import Prepared
from adjudge.quality.features.windows import WHERE, joined, window
from adjudge.text.resources.corpus import encode

# Words that are one label together: a name, and their places.
_TOGETHER = {
    "-1:0": (-1, 0),
    ":+1": (0, 1),
    "-1:+1": (-1, 1),
    "-2:-1": (-2, -1),
    "+1:+2": (1, 2),
    "-2:-1:0": (-2, -1, 0),
    "-1:0:+1": (-1, 0, 1),
    ":+1:+2": (0, 1, 2),
}


def _columns(prepared: Prepared) -> list[Column]:
    text = encode(prepared.target_tokens)
    lower = encode([[token.lower() for token in line] for line in prepared.target_tokens])
    around = window("word", "the word", lower, (-2, -1, 0, 1, 2))
    word = {place: column.values for place, column in zip((-2, -1, 0, 1, 2), around, strict=True)}
    suffix = {place: word[place].str.slice(-3) for place in (-1, 0, 1)}
    in_source = [
        float(token.lower() in words)
        for line, words in zip(prepared.target_tokens, _source_sets(prepared), strict=True)
        for token in line
    ]
    return [
        *around,
        *(
            label(
                f"word{name}",
                f"the words {', '.join(WHERE[place] for place in places)}",
                joined(*(word[place] for place in places)),
            )
            for name, places in _TOGETHER.items()
        ),
        label("prefix", "its first three letters", word[0].str.slice(0, 3)),
        label("suffix", "its last three letters", suffix[0]),
        label("suffix-1", "the last three letters of the word before", suffix[-1]),
        label("suffix+1", "the last three letters of the next word", suffix[1]),
        label("suffix-1:0", "its suffix and the one before", joined(suffix[-1], suffix[0])),
        label("suffix:+1", "its suffix and the next", joined(suffix[0], suffix[1])),
        *_form(text.vocabulary, text.word),
        number("in_source", "1 if the source has the same word, whatever its case", in_source),
    ]


def _source_sets(prepared: Prepared) -> list[set[str]]:
    return [{token.lower() for token in line} for line in prepared.source_tokens]


def _form(vocabulary: tuple[str, ...], word: "np.typing.NDArray[np.int32]") -> list[Column]:
    """Surface form of the word, computed once for every distinct word."""
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
    "the word, two words on either side, two and three of them together, its form",
    "WMT13 §6.7",
    _columns,
)
