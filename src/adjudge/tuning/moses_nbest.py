"""N-best lists in Moses' format.

    0 ||| a candidate ||| d= 0 -3.3 lm= -47.3 w= -14 ||| -9.26

Fields: sentence from 0, words, features, and what the decoder thought of it, which is not read;
nor is a word alignment after it. Features have labels `d=` (or `d:`, as old versions print), each
with one value or more, which are called d_0, d_1, …; `name=value` is one feature by that name.
Values without a label are feature_0, feature_1, … (Z-MERT). Words may be marked with the phrases
they come from (`|0-1|`, or `|0-1,wa=0-0 1-1|` with an alignment); marks are taken off.
"""

import re
from collections.abc import Iterator

from adjudge.core.files.input_file import InputFile
from adjudge.tuning.candidates import Candidates, Row, gathered

_FIELDS = "|||"
_PHRASE = re.compile(r"\|\d+-\d+(?:,[^|]*)?\|")
_UNLABELLED = "feature"


def looks_like_nbest(file: InputFile) -> bool:
    """Test whether the first line has the fields."""
    return re.match(r"\s*\d+\s*\|\|\|", file.first_line) is not None


def read_nbest(file: InputFile) -> Candidates:
    """Read the list of a file."""
    return gathered(file, _rows(file))


def _rows(file: InputFile) -> Iterator[Row]:
    features = FeatureReader(file)
    for line, text in enumerate(file.text.split("\n"), 1):
        if not text.strip():
            continue
        fields = text.split(_FIELDS)
        if len(fields) < 3 or not fields[0].strip().isdecimal():
            raise file.bad_line(
                line, "is not a candidate; write SENTENCE ||| WORDS ||| FEATURES, sentences from 0"
            )
        names, values = features.read(line, fields[2].split())
        words = " ".join(_PHRASE.sub(" ", fields[1]).split())
        yield Row(line, int(fields[0]), words, names, values)


class FeatureReader:
    """Parser of feature fields that caches the layout of labels, which rarely changes between
    lines.
    """

    def __init__(self, file: InputFile) -> None:
        self._file = file
        self._labels: list[tuple[int, str]] = []  # and where they stand
        self._places: list[int] = []  # of values
        self._names: tuple[str, ...] = ()
        self._length = -1

    def read(self, line: int, tokens: list[str]) -> tuple[tuple[str, ...], tuple[float, ...]]:
        """Parse names and values."""
        if len(tokens) == self._length and all(tokens[k] == label for k, label in self._labels):
            try:
                return self._names, tuple([float(tokens[k]) for k in self._places])
            except ValueError:
                pass  # a label where a value was, or something wrong
        return self._read(line, tokens)

    def _read(self, line: int, tokens: list[str]) -> tuple[tuple[str, ...], tuple[float, ...]]:
        names: list[str] = []
        values: list[float] = []
        self._labels, self._places, self._length = [], [], len(tokens)
        label, number = _UNLABELLED, 0
        for k, token in enumerate(tokens):
            if token[-1] in "=:" and len(token) > 1:
                label, number = token[:-1], 0
                self._labels.append((k, token))
                continue
            name, equals, value = token.rpartition("=")
            try:
                values.append(float(value))
            except ValueError:
                raise self._file.bad_line(
                    line, f"{token[:80]!r} is not a feature; write NAME= NUMBER"
                ) from None
            names.append(name if equals else f"{label}_{number}")
            number += not equals
            if equals:
                self._length = -1  # names that stand with their values are read each time
            self._places.append(k)
        self._names = tuple(names)
        return self._names, tuple(values)
