"""Word alignment by a reparameterised IBM Model 2.

IBM Model 2 with a diagonal prior (Dyer, Chahuneau and Smith 2013 §2), trained by EM.

    p(f_j, a_j = i) = (1 − p0) · exp(−λ |i/m − j/n|) / Z_j · t(f_j | e_i)
    p(f_j, a_j = 0) = p0 · t(f_j | empty word)

t begins as Model 1 left it, λ at 4; p0 is held at 0.15. After each step λ is adjusted until the
mean |i/m − j/n| expected under it equals that of the expected links. Rare words do not draw
everything to themselves because t is estimated by variational Bayes with a flat, low prior. p0 and
the prior are those with which candidates of segments agree most often with GIZA++'s on the data of
Macháček 2014 (fast_align has 0.08 and 0.01).

Parallel sentences to links between their words, learnt from the sentences themselves.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma

from adjudge.text.resources.alignment.kernels import (
    best_places,
    expected_counts,
    expected_distance,
    grow_diag_final_and,
    norms,
)
from adjudge.text.resources.cooccurrence import Cooccurrence, cooccurrence
from adjudge.text.resources.corpus import Corpus, encode
from adjudge.text.resources.lexical_table import model_1

TENSION, LEAST_TENSION, MOST_TENSION = 4.0, 0.1, 14.0
NULL = 0.15
PRIOR = 0.1  # as if every pair had been seen so often before
ITERATIONS = 5


def likeliest_places(
    source: Corpus, target: Corpus, iterations: int = ITERATIONS
) -> NDArray[np.int32]:
    """Likeliest source position of every target word, −1 for the empty word."""
    met = cooccurrence(source, target)
    longest = int(np.diff(target.start).max(initial=0))
    sizes = _sizes(source, target)
    probability, tension = model_1(met, iterations), TENSION
    for _ in range(iterations):
        norm = norms(source.start, target.start, tension, len(target.word))
        count, distance = expected_counts(
            met, source.start, probability, norm, tension, NULL, longest
        )
        probability = _estimated(met, count)
        tension = _moved(tension, distance, sizes)
    norm = norms(source.start, target.start, tension, len(target.word))
    places: NDArray[np.int32] = best_places(
        met, source.start, probability, norm, tension, NULL, longest
    )
    return places


class _Sizes(NamedTuple):
    """Frequencies of sentence pair sizes."""

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    number: NDArray[np.int64]


def _sizes(source: Corpus, target: Corpus) -> _Sizes:
    lengths = np.stack([np.diff(source.start), np.diff(target.start)])
    (left, right), number = np.unique(
        lengths[:, lengths.min(axis=0) > 0], axis=1, return_counts=True
    )
    return _Sizes(left, right, number)


def _estimated(met: Cooccurrence, count: NDArray[np.float64]) -> NDArray[np.float64]:
    """Variational estimate t(f | e) = exp(ψ(count + prior) − ψ(Σ (count + prior))) over the row of
    e.
    """
    summed = np.append(0, np.cumsum(count + PRIOR))
    total = summed[met.row_start[1:]] - summed[met.row_start[:-1]]
    own = digamma(count + PRIOR)
    estimated: NDArray[np.float64] = np.exp(own - np.repeat(digamma(total), np.diff(met.row_start)))
    return estimated


def _moved(tension: float, distance: float, sizes: _Sizes) -> float:
    """Update λ by some steps towards the value with this expected mean distance."""
    if not len(sizes.number):
        return tension
    for _ in range(8):
        tension += 20 * (expected_distance(*sizes, tension) - distance)
        tension = min(max(tension, LEAST_TENSION), MOST_TENSION)
    return tension


Links = dict[int, list[int]]  # source place → target places

LETTERS = 5  # what words begin with tells them apart; the ends of words say little


def align(source: Sequence[Sequence[str]], target: Sequence[Sequence[str]]) -> list[Links]:
    """Align every sentence pair.

    The model is trained in both directions at the same time, and the two are symmetrised by
    grow-diag-final-and (Koehn et al. 2005): links of both directions, then neighbours of links
    while one of their words is unaligned, then links between two unaligned words. Words are equal
    if their first five letters are, ignoring case.
    """
    left, right = _beginnings(source), _beginnings(target)
    with ThreadPoolExecutor(2) as threads:  # the loops are compiled and do not hold each other up
        backward = threads.submit(likeliest_places, right, left)
        forward = threads.submit(likeliest_places, left, right)
        return symmetrised(left.start, right.start, forward.result(), backward.result())


def _beginnings(sentences: Sequence[Sequence[str]]) -> Corpus:
    return encode([word.lower()[:LETTERS] for word in sentence] for sentence in sentences)


def symmetrised(
    source_start: NDArray[np.int64],
    target_start: NDArray[np.int64],
    forward: NDArray[np.int32],
    backward: NDArray[np.int32],
) -> list[Links]:
    """Symmetrise two directions, given by the linked positions in source and target."""
    start, sources, targets = grow_diag_final_and(source_start, target_start, forward, backward)
    alignments = []
    for first, last in zip(start[:-1].tolist(), start[1:].tolist(), strict=True):
        links: Links = {}
        for place, other in zip(
            sources[first:last].tolist(), targets[first:last].tolist(), strict=True
        ):
            links.setdefault(place, []).append(other)
        alignments.append(links)
    return alignments
