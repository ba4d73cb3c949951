"""Sentences as words: the lines of a file, split."""

from collections.abc import Callable, Sequence

from adjudge.core.errors import InputError
from adjudge.text.reading import read_column

Sentences = Sequence[Sequence[str]]
Split = Callable[[Sequence[str]], Sentences]


def at_blanks(texts: Sequence[str]) -> Sentences:
    """Split at blanks; other white space is part of words."""
    return [[word for word in text.split(" ") if word] for text in texts]


def read_sentences(path: str, split: Split) -> Sentences:
    """Read the words of every line."""
    return split(read_column(path).texts)


def check_parallel(file: str, lines: int, other: str, expected: int) -> None:
    """Refuse a file with more or fewer sentences than another."""
    if lines != expected:
        raise InputError(
            f"has {lines:,} sentences, {other} has {expected:,}; they must be parallel", file=file
        )
