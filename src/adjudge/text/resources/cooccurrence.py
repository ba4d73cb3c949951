"""Co-occurrences of words in parallel sentences: the parameters of alignment models.

Compiled kernels list the co-occurring words.

Which words of two parallel corpora meet: the parameters of alignment models.

Source words are taken one after the other. For each there is the list of its occurrences, and the
row of the target words it meets. A loop over the words of a sentence then needs no search: the row
is spread over an array as long as the target vocabulary, and every step is a plain look.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from adjudge.core.errors import BadParameter
from adjudge.text.resources.corpus import Corpus

Codes = NDArray[np.int32]
Starts = NDArray[np.int64]


@njit(cache=True, nogil=True)
def list_occurrences(
    word: Codes, start: Starts, vocabulary: int, null: bool
) -> tuple[Starts, Codes, Codes]:
    """Index all occurrences: first entry of each word, sentences and positions.

    If `null`, one more word, the empty one, is in every sentence at position −1.
    """
    sentences = len(start) - 1
    first = np.zeros(vocabulary + 2, np.int64)
    for code in word:
        first[code + 1] += 1
    first[vocabulary + 1] = sentences if null else 0
    first = np.cumsum(first)
    number = first[vocabulary + 1]
    sentence, place = np.empty(number, np.int32), np.full(number, -1, np.int32)
    free = first[:-1].copy()
    for line in range(sentences):
        for token in range(start[line], start[line + 1]):
            at = free[word[token]]
            sentence[at], place[at] = line, token - start[line]
            free[word[token]] += 1
        if null:
            sentence[first[vocabulary] + line] = line
    return first, sentence, place


@njit(cache=True, nogil=True)
def met_words(
    occurrence_start: Starts, sentence: Codes, target: Codes, target_start: Starts, vocabulary: int
) -> tuple[Starts, Codes]:
    """List the distinct target words that co-occur with each source word, in order of first
    occurrence.
    """
    rows = len(occurrence_start) - 1
    row_start = np.zeros(rows + 1, np.int64)
    seen = np.full(vocabulary, -1, np.int64)
    row_word = np.empty(0, np.int32)
    for filling in (False, True):
        if filling:
            row_word = np.empty(row_start[rows], np.int32)
            seen[:] = -1
        number = 0
        for row in range(rows):
            for at in range(occurrence_start[row], occurrence_start[row + 1]):
                line = sentence[at]
                for token in range(target_start[line], target_start[line + 1]):
                    if seen[target[token]] != row:
                        seen[target[token]] = row
                        if filling:
                            row_word[number] = target[token]
                        number += 1
            row_start[row + 1] = number
    return row_start, row_word


class Cooccurrence(NamedTuple):
    """Source words, their occurrences, and the co-occurring target words, as input of compiled
    loops.

    The last row is that of the empty word, which occurs once in every sentence; with `null=False`
    that row is empty.
    """

    occurrence_start: NDArray[np.int64]  # one more than rows
    sentence: NDArray[np.int32]  # of every occurrence
    place: NDArray[np.int32]  # of every occurrence in its sentence; −1 for the empty word
    row_start: NDArray[np.int64]
    row_word: NDArray[np.int32]  # target words, a row a source word
    target: NDArray[np.int32]
    target_start: NDArray[np.int64]
    target_vocabulary: int


def cooccurrence(source: Corpus, target: Corpus, null: bool = True) -> Cooccurrence:
    """List the co-occurrences in two corpora of aligned sentences."""
    if source.sentences != target.sentences:
        raise BadParameter(
            f"`source` has {source.sentences:,} sentences, `target` has {target.sentences:,}; "
            "they must be parallel"
        )
    occurrence_start, sentence, place = list_occurrences(
        source.word, source.start, len(source.vocabulary), null
    )
    row_start, row_word = met_words(
        occurrence_start, sentence, target.word, target.start, len(target.vocabulary)
    )
    return Cooccurrence(
        occurrence_start,
        sentence,
        place,
        row_start,
        row_word,
        target.word,
        target.start,
        len(target.vocabulary),
    )
