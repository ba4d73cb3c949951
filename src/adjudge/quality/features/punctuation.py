"""Punctuation marks in lines, by Unicode category or as counted by QuEst."""

import sys
import unicodedata
from collections.abc import Iterable
from functools import cache

import numpy as np

from adjudge.quality.features.column import Numbers

_QUEST_MARKS = ",:;!¡¿،؛؟"


def plain(lines: Iterable[str]) -> Numbers:
    """Number of punctuation characters of every line (categories P* of Unicode)."""
    gone = _without_marks()
    return np.array([len(line) - len(line.translate(gone)) for line in lines], np.int64)


def quest(lines: Iterable[str]) -> Numbers:
    """Number of punctuation marks as reported by QuEst.

    For each of its marks that occurs: the number of pieces into which it splits the line, without
    trailing empty ones. So one comma counts two; full stops and question marks count nothing.
    """
    return np.array([sum(map(_pieces, _QUEST_MARKS, [line.strip()] * 9)) for line in lines])


def _pieces(mark: str, line: str) -> int:
    if mark not in line:
        return 0
    pieces = line.split(mark)
    while pieces and not pieces[-1]:
        pieces.pop()
    return len(pieces)


@cache
def _without_marks() -> dict[int, None]:
    """Translation table that deletes all punctuation marks."""
    points = range(sys.maxunicode + 1)
    return {point: None for point in points if unicodedata.category(chr(point))[0] == "P"}
