"""Candidate lists: alternatives for every sentence from a decoder or elsewhere, with features.

A list is read row by row. Every row must have the features of the first, every sentence a
candidate, and every number must parse: violations are refused with their line.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Row:
    """Candidate as read from a file."""

    line: int
    sentence: int  # from 0
    text: str
    names: tuple[str, ...]  # of its features
    values: tuple[float, ...]
    scores: Mapping[str, float] = field(default_factory=dict)  # how good it is, where given


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidates of one list, sentence after sentence."""

    file: str
    names: tuple[str, ...]  # of features
    starts: Numbers  # of every sentence among the candidates, and the end of the last
    features: Floats  # candidates × features
    texts: tuple[str, ...]  # none where only features are known
    scores: Mapping[str, Floats] = field(default_factory=dict)

    @property
    def sentences(self) -> int:
        """Number of sentences."""
        return len(self.starts) - 1

    @property
    def first_texts(self) -> tuple[str, ...]:
        """First candidate of every sentence: the decoder's choice."""
        return tuple(self.texts[place] for place in self.starts[:-1])

    def __len__(self) -> int:
        return len(self.features)


def gathered(file: InputFile, rows: Iterable[Row], counted_from: int = 0) -> Candidates:
    """Collect the rows of a file as a list; `counted_from` is the number of its first sentence."""
    read: list[Row] = []
    for row in rows:
        _check(file, row, read[0] if read else row)
        read.append(row)
    if not read:
        raise InputError("has no candidates; give an n-best list", file=file.name)
    sentence = np.array([row.sentence for row in read], np.int64)
    numbers = np.bincount(sentence)
    if not numbers.all():
        lacking = int(numbers.argmin()) + counted_from
        raise InputError(
            f"sentence {lacking} has no candidates, but a later one has; is a part of the list "
            "missing?",
            file=file.name,
        )
    read = [read[place] for place in np.argsort(sentence, kind="stable")]
    return Candidates(
        file.name,
        read[0].names,
        np.concatenate([[0], np.cumsum(numbers)]),
        # Adding 0 makes 0 of −0: they are equal, and so are candidates that differ in nothing else.
        np.array([row.values for row in read], np.float64) + 0.0,
        tuple(row.text for row in read),
        {name: np.array([row.scores[name] for row in read]) for name in read[0].scores},
    )


def _check(file: InputFile, row: Row, first: Row) -> None:
    """Refuse a row whose features differ from the first."""
    if row is first or row.names != first.names:
        wrong = _bad_features(row) or ("" if row is first else _other_features(row, first))
        if wrong:
            raise file.bad_line(row.line, wrong)
    if not all(map(isfinite, row.values)):
        name = next(n for n, v in zip(row.names, row.values, strict=True) if not isfinite(v))
        raise file.bad_line(row.line, f"feature {name} is not a finite number; correct it")
    if row.scores.keys() != first.scores.keys():
        raise file.bad_line(
            row.line,
            f"has the scores {_listed(tuple(row.scores))}, line {first.line} has "
            f"{_listed(tuple(first.scores))}; give all candidates the same",
        )
    if not all(map(isfinite, row.scores.values())):
        name = next(name for name, value in row.scores.items() if not isfinite(value))
        raise file.bad_line(row.line, f"score {name} is not a finite number; correct it")


def _bad_features(row: Row) -> str:
    if not row.names:
        return "has no features; tuning weighs features"
    twice = [name for name in row.names if row.names.count(name) > 1]
    return f"has feature {twice[0]} twice; give each once" if twice else ""


def _other_features(row: Row, first: Row) -> str:
    lacking = [name for name in first.names if name not in row.names]
    more = [name for name in row.names if name not in first.names]
    if lacking or more:
        said = f"lacks feature {lacking[0]}" if lacking else f"has feature {more[0]} besides"
    else:
        said = "has features in another order"
    return f"{said}, unlike line {first.line}; every candidate has the same features"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "none"
