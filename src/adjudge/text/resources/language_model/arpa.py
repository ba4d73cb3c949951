r"""ARPA files, the common text format of back-off language models.

    \data\
    ngram 1=3
    …
    \1-grams:
    -0.30103    word    -0.2        log10 probability, the n-gram, log10 back-off if it has one
    …
    \end\

Numbers are written with enough digits to be read back exactly. A model without `<unk>` gives it a
probability of 10⁻¹⁰⁰, as KenLM does.
"""

import math
import re

import numpy as np
import polars as pl

from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import open_output
from adjudge.text.resources.language_model.model import (
    BEGIN,
    END,
    MARKS,
    UNKNOWN,
    Floats,
    LanguageModel,
)
from adjudge.text.resources.ngram_counts import NgramIndex, Numbers

_COUNT = re.compile(r"ngram +(\d+) *= *(\d+)")
_ABSENT = -100.0  # log10 probability of an unknown word that a file does not list


def write_arpa(model: LanguageModel, path: str) -> None:
    """Write a model, compressed according to the path's suffix."""
    vocabulary = pl.Series("words", model.vocabulary, pl.String)
    with open_output(path) as stream:
        counts = [f"ngram {n}={size}" for n, size in enumerate(model.ngrams(), 1)]
        stream.write("\n".join(["\\data\\", *counts, ""]).encode())
        for length in range(1, model.order + 1):
            spelled = model.index.spelled(length)
            columns = [
                vocabulary.gather(spelled[:, place]).alias(str(place)) for place in range(length)
            ]
            frame = pl.DataFrame(columns).select(
                pl.lit(pl.Series("p", model.log_probability[length - 1])),
                pl.concat_str(pl.all(), separator=" ").alias("words"),
            )
            if length < model.order:
                frame = frame.with_columns(pl.Series("b", model.back_off[length - 1]))
            stream.write(f"\n\\{length}-grams:\n".encode())
            frame.write_csv(stream, include_header=False, separator="\t", quote_style="never")
        stream.write(b"\n\\end\\\n")


def read_arpa(path: str) -> LanguageModel:
    """Read a model; an error names the line."""
    file = InputFile(path)
    reader = _Reader(file.name, [line.rstrip("\r") for line in file.text.split("\n")])
    return reader.model()


class _Reader:
    """Sequential parser of the lines of a file."""

    def __init__(self, name: str, lines: list[str]) -> None:
        self.name = name
        self.lines = lines
        self.place = 0  # of the line to be read next

    def wrong(self, reason: str, line: int | None = None) -> InputError:
        """Error at a line, by default the next one."""
        return InputError(reason, file=self.name, line=self.place + 1 if line is None else line)

    def model(self) -> LanguageModel:
        """Parse the whole file."""
        counts = self._counts()
        listed = self._words(counts[0])
        code = {word: number for number, word in enumerate(listed)}
        values = np.array(list(listed.values()))
        probabilities, back_offs = [values[:, 0]], [values[:, 1]]
        index = NgramIndex(len(code), ())
        for length, count in enumerate(counts[1:], 2):
            key, values = self._ngrams(length, count, index, code)
            index = NgramIndex(index.words, (*index.key, key))
            probabilities.append(values[:, 0])
            back_offs.append(values[:, 1])
        self._skip_blank()
        if self._line() != "\\end\\":
            raise self.wrong("the file ends without \\end\\; it was cut, copy it again")
        return LanguageModel(tuple(code), index, tuple(probabilities), tuple(back_offs[:-1]))

    def _line(self) -> str:
        return self.lines[self.place].strip() if self.place < len(self.lines) else ""

    def _skip_blank(self) -> None:
        while self.place < len(self.lines) - 1 and not self._line():
            self.place += 1

    def _counts(self) -> list[int]:
        """Parse the table of contents."""
        self._skip_blank()
        if self._line() != "\\data\\":
            raise self.wrong("an ARPA file begins with \\data\\; this one does not, give another")
        self.place += 1
        counts: list[int] = []
        while row := _COUNT.fullmatch(self._line()):
            if int(row[1]) != len(counts) + 1:
                raise self.wrong(f"expected the number of {len(counts) + 1}-grams; correct it")
            counts.append(int(row[2]))
            self.place += 1
        if not counts:
            raise self.wrong("expected a line like ngram 1=20; correct it")
        return counts

    def _section(self, length: int, count: int) -> tuple[int, list[str]]:
        """Parse a section: the number of its first row, and its rows."""
        self._skip_blank()
        if self._line() != f"\\{length}-grams:":
            raise self.wrong(f"expected \\{length}-grams:; correct it, or copy the file again")
        first = end = self.place + 1
        while end < len(self.lines) and self.lines[end] and not self.lines[end].isspace():
            end += 1
        if end - first != count:
            raise self.wrong(
                f"{end - first:,} {length}-grams where the top of the file promises {count:,}; "
                "it was cut or edited, make it anew"
            )
        self.place = end
        return first + 1, self.lines[first:end]

    def _row(self, row: str, number: int, length: int) -> tuple[list[str], float, float]:
        """Parse the words of a row, its log probability and its log back-off."""
        fields = row.replace("\t", " ").split(" ")
        if not length + 1 <= len(fields) <= length + 2:
            raise self.wrong(
                f"expected a probability, {length} words and optionally a back-off; correct it",
                number,
            )
        try:
            probability = float(fields[0])
            back_off = float(fields[length + 1]) if len(fields) > length + 1 else 0.0
        except ValueError:
            raise self.wrong(f"{row[:60]!r} has no number where one is due", number) from None
        if not (-math.inf < probability <= 0 and math.isfinite(back_off)):
            raise self.wrong(
                f"{row[:60]!r}: the log10 of a probability is a number of 0 or less", number
            )
        return fields[1 : length + 1], probability, back_off

    def _words(self, count: int) -> dict[str, tuple[float, float]]:
        """Parse the 1-grams with probability and back-off, the sentence marks first."""
        first, rows = self._section(1, count)
        listed: dict[str, tuple[float, float]] = {}
        for number, row in enumerate(rows, first):
            (word,), *values = self._row(row, number, 1)
            if word in listed:
                raise self.wrong(f"the word {word!r} is listed twice; remove one", number)
            listed[word] = (values[0], values[1])
        listed.setdefault(UNKNOWN, (_ABSENT, 0.0))
        for mark in (BEGIN, END):
            if mark not in listed:
                raise self.wrong(f"no 1-gram {mark}; models of sentences have it, give another")
        return {mark: listed[mark] for mark in MARKS} | listed

    def _ngrams(
        self, length: int, count: int, index: NgramIndex, code: dict[str, int]
    ) -> tuple[Numbers, Floats]:
        """Parse longer n-grams: their sorted keys, probabilities and back-offs."""
        first, rows = self._section(length, count)
        codes: list[int] = []
        values: list[tuple[float, float]] = []
        for number, row in enumerate(rows, first):
            words, probability, back_off = self._row(row, number, length)
            values.append((probability, back_off))
            for word in words:
                if word not in code:
                    raise self.wrong(f"the word {word!r} is not among the 1-grams; add it", number)
                codes.append(code[word])
        key = self._keys(index, np.array(codes, np.int64).reshape(-1, length), first)
        order = np.argsort(key, kind="stable")
        twice = np.flatnonzero(np.diff(key[order]) == 0)
        if len(twice):
            line = first + int(order[twice[0] + 1])
            raise self.wrong("this n-gram is listed before; remove one", line)
        return key[order], np.array(values).reshape(-1, 2)[order]

    def _keys(self, index: NgramIndex, words: Numbers, first: int) -> Numbers:
        """Keys of n-grams whose prefixes are in the index."""
        prefix = words[:, 0]
        for length in range(2, words.shape[1]):
            prefix = index.find(length, prefix, words[:, length - 1])
        if (prefix < 0).any():
            raise self.wrong(
                "the n-gram without its last word is not listed; make the file anew",
                first + int(np.argmax(prefix < 0)),
            )
        return prefix * index.words + words[:, -1]
