"""Loops over the words that meet in parallel sentences, compiled."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Codes = NDArray[np.int32]
Starts = NDArray[np.int64]
Floats = NDArray[np.float64]


@njit(cache=True, nogil=True)
def list_occurrences(
    word: Codes, start: Starts, vocabulary: int, null: bool
) -> tuple[Starts, Codes, Codes]:
    """Where every word occurs: first occurrence of each word, their sentences and places.

    One more word, the empty one, is in every sentence at place −1 if `null`.
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
    """The target words that every source word meets, each once, in the order of meeting."""
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


@njit(cache=True, nogil=True)
def model_1_step(
    occurrence_start: Starts,
    sentence: Codes,
    row_start: Starts,
    row_word: Codes,
    target: Codes,
    target_start: Starts,
    vocabulary: int,
    probability: Floats,
) -> None:
    """One step of EM; the probabilities are replaced.

    count(f, e) = t(f | e) · Σ over meetings of 1 / Σ t(f | e') over the words e' of the sentence
    """
    rows = len(row_start) - 1
    total = np.zeros(len(target))
    spread = np.zeros(vocabulary)
    for row in range(rows):
        for entry in range(row_start[row], row_start[row + 1]):
            spread[row_word[entry]] = probability[entry]
        for at in range(occurrence_start[row], occurrence_start[row + 1]):
            line = sentence[at]
            for token in range(target_start[line], target_start[line + 1]):
                total[token] += spread[target[token]]
    share = np.zeros(len(target))
    for token in range(len(target)):
        if total[token] > 0:
            share[token] = 1 / total[token]
    for row in range(rows):
        for entry in range(row_start[row], row_start[row + 1]):
            spread[row_word[entry]] = 0
        for at in range(occurrence_start[row], occurrence_start[row + 1]):
            line = sentence[at]
            for token in range(target_start[line], target_start[line + 1]):
                spread[target[token]] += share[token]
        expected = 0.0
        for entry in range(row_start[row], row_start[row + 1]):
            probability[entry] *= spread[row_word[entry]]
            expected += probability[entry]
        if expected > 0:
            for entry in range(row_start[row], row_start[row + 1]):
                probability[entry] /= expected


@njit(cache=True, nogil=True)
def look_up(
    start: Starts, word: Codes, probability: Floats, rows: Starts, targets: Starts
) -> Floats:
    """The probability of each pair of a row and a target word; rows are sorted. −1 is unknown."""
    result = np.zeros(len(rows))
    for pair in range(len(rows)):
        if rows[pair] < 0 or targets[pair] < 0:
            continue
        low, high = start[rows[pair]], start[rows[pair] + 1]
        end = high
        while low < high:
            middle = (low + high) // 2
            if word[middle] < targets[pair]:
                low = middle + 1
            else:
                high = middle
        if low < end and word[low] == targets[pair]:
            result[pair] = probability[low]
    return result
