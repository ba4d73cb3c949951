"""Parallel sentences to links between their words, learnt from the sentences themselves."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from adjudge.text.resources.alignment.kernels import grow_diag_final_and
from adjudge.text.resources.alignment.model import likeliest_places
from adjudge.text.resources.corpus import Corpus, encode

Links = dict[int, list[int]]  # source place → target places

LETTERS = 5  # what words begin with tells them apart; the ends of words say little


def align(source: Sequence[Sequence[str]], target: Sequence[Sequence[str]]) -> list[Links]:
    """The links of every sentence pair.

    The model is trained in both directions at the same time, and the two are put together by
    grow-diag-final-and (Koehn et al. 2005): links that both have, then neighbours of links as long
    as one of their words has none, then links between two words that have none. Words are the same
    if their first five letters are, in capitals or not.
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
    """Two directions as one, from the places in source and target that words are linked to."""
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
