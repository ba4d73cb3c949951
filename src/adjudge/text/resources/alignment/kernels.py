"""Compiled kernels of the diagonal model and of symmetrisation.

`place` and `token` count from 0 within a sentence of `source` and `length` words. The weight of a
link is exp(−λ |(place + 1) / source − (token + 1) / length|); Z of a target word is its sum over
all places.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from adjudge.text.resources.cooccurrence import Cooccurrence

Codes = NDArray[np.int32]
Starts = NDArray[np.int64]
Floats = NDArray[np.float64]


@njit(cache=True, nogil=True)
def diagonal(place: int, source: int, length: int, tension: float, weight: Floats) -> None:
    """Write the weights of one source word for all words of a target sentence into `weight`.

    Along the target sentence they grow and then shrink by the same factor, so two `exp` suffice.
    """
    along = (place + 1) / source
    crossing = min(int(along * length), length)  # tokens before it stand before the diagonal
    factor = np.exp(-tension / length)
    value = np.exp(-tension * (along - crossing / length))
    for token in range(crossing - 1, -1, -1):
        weight[token] = value
        value *= factor
    value = np.exp(-tension * ((crossing + 1) / length - along))
    for token in range(crossing, length):
        weight[token] = value
        value *= factor


@njit(cache=True, nogil=True)
def norms(source_start: Starts, target_start: Starts, tension: float, target_words: int) -> Floats:
    """Normaliser Z of every target word: two geometric series, away from the diagonal on both
    sides.
    """
    norm = np.ones(target_words)
    for line in range(len(source_start) - 1):
        source = source_start[line + 1] - source_start[line]
        length = target_start[line + 1] - target_start[line]
        if source == 0:
            continue
        factor = np.exp(-tension / source)
        for token in range(length):
            along = (token + 1) / length
            crossing = min(int(along * source), source)
            before = np.exp(-tension * (along - crossing / source))
            after = np.exp(-tension * ((crossing + 1) / source - along))
            norm[target_start[line] + token] = (
                before * (1 - factor**crossing) + after * (1 - factor ** (source - crossing))
            ) / (1 - factor)
    return norm


@njit(cache=True, nogil=True)
def expected_distance(source: Starts, length: Starts, number: Starts, tension: float) -> float:
    """Mean |i/m − j/n| expected under λ, over sizes of sentence pairs and their frequencies."""
    result, words = 0.0, 0
    for pair in range(len(source)):
        for token in range(length[pair]):
            along = (token + 1) / length[pair]
            norm, distance = 0.0, 0.0
            for place in range(source[pair]):
                away = abs(along - (place + 1) / source[pair])
                weight = np.exp(-tension * away)
                norm += weight
                distance += weight * away
            result += number[pair] * distance / norm
        words += number[pair] * length[pair]
    return result / words


@njit(cache=True, nogil=True)
def expected_counts(
    met: Cooccurrence,
    source_start: Starts,
    probability: Floats,
    norm: Floats,
    tension: float,
    null: float,
    longest: int,
) -> tuple[Floats, float]:
    """Expected count of links of every pair, and the mean distance of the links."""
    row_start, row_word = met.row_start, met.row_word
    target, target_start = met.target, met.target_start
    rows = len(row_start) - 1
    total = np.zeros(len(target))
    spread, gathered = np.zeros(met.target_vocabulary), np.zeros(met.target_vocabulary)
    weight = np.zeros(longest)
    for row in range(rows - 1):
        for entry in range(row_start[row], row_start[row + 1]):
            spread[row_word[entry]] = probability[entry]
        for at in range(met.occurrence_start[row], met.occurrence_start[row + 1]):
            line = met.sentence[at]
            first, length = target_start[line], target_start[line + 1] - target_start[line]
            if length:
                source = source_start[line + 1] - source_start[line]
                diagonal(met.place[at], source, length, tension, weight)
                for token in range(length):
                    total[first + token] += weight[token] * spread[target[first + token]]
    for entry in range(row_start[rows - 1], row_start[rows]):
        spread[row_word[entry]] = probability[entry]
    share, none = np.zeros(len(target)), np.zeros(len(target))
    for word in range(len(target)):
        every = (1 - null) / norm[word] * total[word] + null * spread[target[word]]
        if every > 0:
            share[word] = (1 - null) / norm[word] / every
            none[word] = null / every
    count = np.zeros(len(row_word))
    distance, linked = 0.0, 0.0
    for row in range(rows - 1):
        for entry in range(row_start[row], row_start[row + 1]):
            spread[row_word[entry]] = probability[entry]
            gathered[row_word[entry]] = 0
        for at in range(met.occurrence_start[row], met.occurrence_start[row + 1]):
            line = met.sentence[at]
            first, length = target_start[line], target_start[line + 1] - target_start[line]
            if length:
                source = source_start[line + 1] - source_start[line]
                diagonal(met.place[at], source, length, tension, weight)
                along = (met.place[at] + 1) / source
                for token in range(length):
                    word = target[first + token]
                    part = weight[token] * share[first + token]
                    gathered[word] += part
                    distance += part * spread[word] * abs(along - (token + 1) / length)
        for entry in range(row_start[row], row_start[row + 1]):
            count[entry] = probability[entry] * gathered[row_word[entry]]
            linked += count[entry]
    gathered[:] = 0
    for word in range(len(target)):
        gathered[target[word]] += none[word]
    for entry in range(row_start[rows - 1], row_start[rows]):
        count[entry] = probability[entry] * gathered[row_word[entry]]
    return count, distance / max(linked, 1e-300)


@njit(cache=True, nogil=True)
def best_places(
    met: Cooccurrence,
    source_start: Starts,
    probability: Floats,
    norm: Floats,
    tension: float,
    null: float,
    longest: int,
) -> Codes:
    """Likeliest source position of every target word; −1 for the empty word."""
    row_start, row_word = met.row_start, met.row_word
    target, target_start = met.target, met.target_start
    rows = len(row_start) - 1
    spread, weight = np.zeros(met.target_vocabulary), np.zeros(longest)
    for entry in range(row_start[rows - 1], row_start[rows]):
        spread[row_word[entry]] = probability[entry]
    likeliest = np.zeros(len(target))
    for word in range(len(target)):
        likeliest[word] = null * spread[target[word]] * norm[word] / (1 - null)
    result = np.full(len(target), -1, np.int32)
    for row in range(rows - 1):
        for entry in range(row_start[row], row_start[row + 1]):
            spread[row_word[entry]] = probability[entry]
        for at in range(met.occurrence_start[row], met.occurrence_start[row + 1]):
            line = met.sentence[at]
            first, length = target_start[line], target_start[line + 1] - target_start[line]
            if length:
                source = source_start[line + 1] - source_start[line]
                diagonal(met.place[at], source, length, tension, weight)
                for token in range(length):
                    value = weight[token] * spread[target[first + token]]
                    if value > likeliest[first + token]:
                        likeliest[first + token] = value
                        result[first + token] = met.place[at]
    return result


@njit(cache=True, nogil=True)
def grow_diag_final_and(
    source_start: Starts, target_start: Starts, forward: Codes, backward: Codes
) -> tuple[Starts, Codes, Codes]:
    """Links of all sentences: start of each sentence, source and target positions.

    `forward` has the source position of every target word, `backward` the target position of every
    source word, −1 for none.
    """
    sentences = len(source_start) - 1
    first = np.zeros(sentences + 1, np.int64)
    most = 0
    for value in forward:
        most += value >= 0
    for value in backward:
        most += value >= 0
    sources, targets = np.empty(most, np.int32), np.empty(most, np.int32)
    number = 0
    for line in range(sentences):
        left, right = source_start[line], target_start[line]
        height, width = source_start[line + 1] - left, target_start[line + 1] - right
        votes = np.zeros((height, width), np.int8)  # 1: forward, 2: backward, 3: both
        for target in range(width):
            if forward[right + target] >= 0:
                votes[forward[right + target], target] += 1
        for source in range(height):
            if backward[left + source] >= 0:
                votes[source, backward[left + source]] += 2
        linked = _grown(votes)
        for source in range(height):
            for target in range(width):
                if linked[source, target]:
                    sources[number], targets[number] = source, target
                    number += 1
        first[line + 1] = number
    return first, sources[:number], targets[:number]


@njit(cache=True, nogil=True)
def _grown(votes: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Grow links from the intersection over neighbours to unaligned words."""
    height, width = votes.shape
    linked: NDArray[np.bool_] = votes == 3
    free_source, free_target = np.ones(height, np.bool_), np.ones(width, np.bool_)
    for source in range(height):
        for target in range(width):
            if linked[source, target]:
                free_source[source] = free_target[target] = False
    growing = True
    while growing:
        growing = False
        for source in range(height):
            for target in range(width):
                if not linked[source, target]:
                    continue
                for near_source in range(max(source - 1, 0), min(source + 2, height)):
                    for near_target in range(max(target - 1, 0), min(target + 2, width)):
                        if (
                            votes[near_source, near_target]
                            and not linked[near_source, near_target]
                            and (free_source[near_source] or free_target[near_target])
                        ):
                            linked[near_source, near_target] = growing = True
                            free_source[near_source] = free_target[near_target] = False
    for direction in (1, 2):
        for source in range(height):
            for target in range(width):
                if (
                    votes[source, target] & direction
                    and free_source[source]
                    and free_target[target]
                ):
                    linked[source, target] = True
                    free_source[source] = free_target[target] = False
    return linked
