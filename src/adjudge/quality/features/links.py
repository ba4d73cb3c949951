"""Word links between source and translation, and their probabilities."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import BadParameter
from adjudge.metrics.tokenizer import Tokens
from adjudge.quality.features.column import Floats, Numbers
from adjudge.text.resources.corpus import Corpus, encode
from adjudge.text.resources.lexical_table import LexicalTable

_PAIRS = 1 << 21  # pairs of words looked up together
TENSION = 4.0  # how strongly links keep to the diagonal
LEAST = 0.01  # our own links are at least so likely, or between equal words


@dataclass(frozen=True, eq=False)
class Links:
    """Links in the order of rows and, within a row, of target tokens; positions count from 0."""

    row: Numbers
    source: Numbers
    target: Numbers


@dataclass(frozen=True, eq=False)
class Translated:
    """IBM Model 1 probabilities of the tokens of one side, given the other side.

    Per token: Σ t(token | other) over the others and the empty word, the maximum over real words,
    and the position of the linked word (−1: none), which maximises

        t(token | other) · exp(−4 |i / m − j / n|),

    so that of equal words the one nearest to the diagonal is linked (Dyer, Chahuneau and Smith
    2013).
    """

    start: Numbers
    total: Floats
    best: Floats
    place: Numbers
    others: Numbers  # how many words the other side has, for every row

    def log_probability(self) -> Floats:
        """Log10 p(token | sentence), with p at least a millionth."""
        length = np.repeat(self.others + 1, np.diff(self.start))
        logs: Floats = np.log10(np.maximum(self.total / length, 1e-6))
        return logs


def translated(table: LexicalTable, source: Tokens, target: Tokens) -> Translated:
    """Look up all word pairs of every row; equal words count as translations."""
    texts = (encode(source, table.source), encode(target, table.target))
    lengths = (np.diff(texts[0].start), np.diff(texts[1].start))
    rows = _known(texts[0].word, len(table.source))
    words = _known(texts[1].word, len(table.target))
    same = _common_codes(*texts)
    relative = [_relative_places(text.start) for text in texts]
    empty = np.full(len(words), len(table.source))
    total = table.probabilities(empty, words)
    best = np.zeros(len(words))
    place = np.full(len(words), -1)
    for pair_source, pair_target in _pairs(texts[0].start, texts[1].start, lengths):
        p = table.probabilities(rows[pair_source], words[pair_target])
        p = np.where((p == 0) & (same[0][pair_source] == same[1][pair_target]), 1.0, p)
        starts = np.flatnonzero(np.diff(pair_target, prepend=-1))
        tokens = pair_target[starts]
        total[tokens] += np.add.reduceat(p, starts)
        best[tokens] = np.maximum.reduceat(p, starts)
        off = np.abs(relative[0][pair_source] - relative[1][pair_target])
        likely = p * np.exp(-TENSION * off)
        most = np.maximum.reduceat(likely, starts)
        is_best = likely == np.repeat(most, np.diff(starts, append=len(p)))
        where = np.where(is_best, pair_source, len(rows))
        place[tokens] = np.minimum.reduceat(where, starts)
    row_start = np.repeat(texts[0].start[:-1], lengths[1])
    place = np.where(best > 0, place - row_start, -1)
    return Translated(texts[1].start, total, best, place, lengths[0])


def best_links(words: Translated) -> Links:
    """Best link of every token with a likely translation."""
    linked = np.flatnonzero((words.place >= 0) & (words.best >= LEAST))
    lengths = np.diff(words.start)
    row = np.repeat(np.arange(len(lengths)), lengths)[linked]
    return Links(row, words.place[linked], linked - words.start[row])


def first_links(links: Links, source_start: Numbers, target_start: Numbers) -> Numbers:
    """Position of the first linked source token for every target token of all rows.

    Positions count through all rows; −1: none.
    """
    linked = np.full(int(target_start[-1]), -1)
    places = target_start[links.row] + links.target
    # Of several links the first one counts, so it is written last.
    linked[places[::-1]] = (source_start[links.row] + links.source)[::-1]
    return linked


def read_links(alignments: Sequence[str], source: Numbers, target: Numbers) -> Links:
    """Parse links written like `0-0 1-2`, for rows with these numbers of source and target
    tokens.
    """
    links = [
        (row, int(target_place), int(source_place))
        for row, line in enumerate(alignments)
        for source_place, target_place in (link.split("-") for link in line.split())
    ]
    rows = np.array(sorted(links), np.int64).reshape(-1, 3)
    row, target_place, source_place = rows.T
    if (source_place >= source[row]).any() or (target_place >= target[row]).any():
        raise BadParameter(
            "the alignment counts tokens that spaces separate, but these texts were tokenised in "
            'another way; leave that to `tokenize="none"`'
        )
    return Links(row, source_place, target_place)


def _relative_places(start: Numbers) -> Floats:
    """Relative position of every token in its sentence: from 0, below 1."""
    lengths = np.diff(start)
    place = np.arange(start[-1]) - np.repeat(start[:-1], lengths)
    relative: Floats = place / np.repeat(lengths, lengths)
    return relative


def _known(codes: NDArray[np.int32], words: int) -> Numbers:
    """Codes of the table, −1 for unknown words."""
    return np.where(codes < words, codes, -1).astype(np.int64)


def _common_codes(source: Corpus, target: Corpus) -> tuple[Numbers, Numbers]:
    """Code the tokens of both sides so that equal words have equal codes."""
    code: dict[str, int] = {}
    vocabularies = [
        np.array([code.setdefault(word, len(code)) for word in text.vocabulary], np.int64)
        for text in (source, target)
    ]
    return vocabularies[0][source.word], vocabularies[1][target.word]


def _pairs(
    source_start: Numbers, target_start: Numbers, lengths: tuple[Numbers, Numbers]
) -> Iterator[tuple[Numbers, Numbers]]:
    """Positions of all word pairs within rows, in batches of rows."""
    number = lengths[0] * lengths[1]
    summed = np.append(0, np.cumsum(number))
    first = 0
    while first < len(number):
        last = max(first + 1, int(np.searchsorted(summed, summed[first] + _PAIRS, "right")) - 1)
        row = np.repeat(np.arange(first, last), number[first:last])
        within = np.arange(len(row)) - (summed[row] - summed[first])
        if len(row):
            yield (
                source_start[row] + within % lengths[0][row],
                target_start[row] + within // lengths[0][row],
            )
        first = last
