"""Features of BEER 2014 (Stanojević and Sima'an 2014; Macháček 2014 §4.2.2).

Adequacy, 27 features: precision, recall and F1 of matched function words, content words, all words,
and of character n-grams, n = 1 … 6, of the line with its blanks. Words are matched by METEOR's
aligner. Ordering, six features of the permutation of matched words (`permutation_trees`). Kinds of
words or n-grams absent from both output and reference count as perfectly matched.
"""

from collections.abc import Callable

import numpy as np

from adjudge.metrics.beer.permutation_trees import ORDER, order_features
from adjudge.metrics.edits import ratio
from adjudge.metrics.meteor_alignment import Aligner
from adjudge.metrics.metric import Floats
from adjudge.metrics.ngrams import matches, numbers_of
from adjudge.metrics.tokenizer import Tokens
from adjudge.metrics.words import characters

_CHARACTERS = 6
_KINDS = ("function", "content", "all")
# What a copy of the reference has; an output with nothing of it has 0 of everything.
COPY = {
    **{f"{kind}.{part}": 1.0 for kind in _KINDS for part in "prf"},
    **{f"char{n}.{part}": 1.0 for n in range(1, _CHARACTERS + 1) for part in "prf"},
    **dict(zip((f"order.{name}" for name in ORDER), (1.0, 1.0, 0.0, 0.0, 0.0, 1.0), strict=True)),
}


def beside(
    references: list[Tokens], aligned: Aligner, function: frozenset[str]
) -> Callable[[Tokens], list[dict[str, Floats]]]:
    """Yield the features of a system's lines against each reference."""
    return lambda lines: [features(lines, each, aligned, function) for each in references]


def features(
    lines: Tokens, references: Tokens, aligned: Aligner, function: frozenset[str]
) -> dict[str, Floats]:
    """Compute all features of every segment against one reference."""
    counts, order = _matched(lines, references, aligned, function)
    columns: dict[str, Floats] = {}
    for place, kind in enumerate(_KINDS):
        columns |= _three(kind, *counts[:, :, place].T)
    own, other = (characters(tuple(map(" ".join, each)), True) for each in (lines, references))
    common = matches(own, other, 1, _CHARACTERS).astype(np.float64)
    sizes = [numbers_of(each.lengths, _CHARACTERS).astype(np.float64) for each in (own, other)]
    for n in range(_CHARACTERS):
        both = common[:, n]
        columns |= _three(f"char{n + 1}", both, both, sizes[0][:, n], sizes[1][:, n])
    return columns | {f"order.{name}": column for name, column in zip(ORDER, order.T, strict=True)}


def _matched(
    lines: Tokens, references: Tokens, aligned: Aligner, function: frozenset[str]
) -> tuple[Floats, Floats]:
    """Matched and total words of output and reference by kind (segments × 4 × 3), and the
    permutation of matched words.
    """
    counts = np.zeros((len(lines), 4, len(_KINDS)))
    order = np.zeros((len(lines), len(ORDER)))
    segments = zip(lines, references, aligned(lines, references), strict=True)
    for segment, (output, reference, chosen) in enumerate(segments):
        own, other = ([word in function for word in words] for words in (output, reference))
        places, ours, theirs, of_ours, of_theirs = [], 0, 0, 0, 0
        for start, length, place, size, _ in chosen:
            places.append(place)
            ours, theirs = ours + size, theirs + length
            of_ours += sum(own[place : place + size])
            of_theirs += sum(other[start : start + length])
        for row, (of_function, number) in enumerate(
            ((of_ours, ours), (of_theirs, theirs), (sum(own), len(own)), (sum(other), len(other)))
        ):
            counts[segment, row] = of_function, number - of_function, number
        # Matches come in the order of the reference.
        order[segment] = order_features(np.array(places, np.int64))
    return counts, order


def _three(
    name: str, ours: Floats, theirs: Floats, own: Floats, other: Floats
) -> dict[str, Floats]:
    """Precision, recall and F1."""
    neither = (own == 0) & (other == 0)
    precision, recall = (
        np.where(neither, 1.0, ratio(match, size)) for match, size in ((ours, own), (theirs, other))
    )
    mean = ratio(2 * precision * recall, precision + recall)
    return {f"{name}.p": precision, f"{name}.r": recall, f"{name}.f": mean}
