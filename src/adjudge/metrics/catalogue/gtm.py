"""GTM, general text matcher (Turian, Shen and Melamed 2003), equal to GTM 1.4.

    F = 1 / (α/P + (1 − α)/R),   P = size/|h|,   R = size/|r|,   size = (Σ run^e)^(1/e)

Runs are sequences of words that output and reference have in common; they are chosen greedily, the
longest first, no word being used twice, until min(|h|, |r|) words are covered. An exponent e above
1 rewards long runs. Sizes and lengths are summed over a corpus first. 0 to 1. The default is GTM's
own (e = 1, α = 1/2); WMT07 (note 4) took `gtm(exponent=1.2,alpha=0.1)`. Several references are
laid end to end, |r| being their mean length. An empty output scores 0.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from adjudge.core.errors import within
from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts
from adjudge.metrics.words import Vocabulary, interleaved, split_references, split_texts

Numbers = NDArray[np.int64]


@njit(cache=True)
def _match_size(words: Numbers, reference: Numbers, most: float, exponent: float) -> float:
    """Match size (Σ length^e)^(1/e) of the chosen runs; −1 in the reference is a break."""
    length, size = len(words), len(reference)
    longest = np.zeros((length + 1, size + 1), np.int64)  # run that ends before word i and word j
    hits = 0
    for i in range(1, length + 1):
        for j in range(1, size + 1):
            if words[i - 1] == reference[j - 1]:
                longest[i, j] = longest[i - 1, j - 1] + 1
                hits += 1
    # Where each run may begin: from every hit, as far as the diagonal goes on.
    ahead = np.zeros((length + 2, size + 2), np.int64)
    for i in range(length, 0, -1):
        for j in range(size, 0, -1):
            if longest[i, j] > 0:
                ahead[i, j] = ahead[i + 1, j + 1] + 1
    row_used, column_used = np.zeros(length + 1, np.bool_), np.zeros(size + 1, np.bool_)
    covered, total = 0.0, 0.0
    run = ahead.max()
    while run > 0 and covered < most:
        # Runs of this length from the last place to the first.
        for i in range(length, 0, -1):
            for j in range(size, 0, -1):
                if ahead[i, j] < run:
                    continue
                free = True
                for k in range(run):
                    if row_used[i + k] or column_used[j + k]:
                        free = False
                        break
                if not free:
                    continue
                for k in range(run):
                    row_used[i + k] = column_used[j + k] = True
                part = min(float(run), most - covered)
                covered += part
                total += part**exponent
                if covered >= most:
                    return float(total ** (1.0 / exponent))
        run -= 1
    return total ** (1.0 / exponent) if total > 0 else 0.0


@njit(cache=True, nogil=True)
def match_sizes(
    words: Numbers,
    starts: Numbers,
    reference: Numbers,
    reference_starts: Numbers,
    references: int,
    exponent: float,
) -> Floats:
    """Match size of every segment; references of a segment are interleaved."""
    segments = len(starts) - 1
    result = np.zeros(segments)
    for segment in range(segments):
        first = segment * references
        begin, end = reference_starts[first], reference_starts[first + references]
        joined = np.full(end - begin + references, -1, np.int64)
        place = 0
        for which in range(first, first + references):
            for position in range(reference_starts[which], reference_starts[which + 1]):
                joined[place] = reference[position]
                place += 1
            place += 1  # a break
        own = words[starts[segment] : starts[segment + 1]]
        most = min(float(len(own)), (end - begin) / references)
        result[segment] = _match_size(own, joined, most, exponent)
    return result


@dataclass(frozen=True)
class Gtm(Metric):
    """GTM with its parameters."""

    name: ClassVar[str] = "gtm"
    title: ClassVar[str] = "GTM"
    summary: ClassVar[str] = "F of matched runs of words, long runs rewarded"
    paper: ClassVar[str] = "Turian et al. 2003"
    scale: ClassVar[str] = "0 to 1"

    tokenize: str = "13a"
    lowercase: bool = False
    exponent: float = 1.0
    alpha: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        within(self.exponent, "exponent", 0.1)
        within(self.alpha, "alpha", 0, 1)

    def statistics(self, references: References) -> Statistics:
        """Sufficient statistics: match size, length of the output, mean length of the
        references.
        """
        vocabulary = Vocabulary(split_references(references, self.tokenize, self.lowercase))
        together = interleaved(vocabulary.references)
        length = np.mean([words.lengths for words in vocabulary.references], axis=0)

        def counted(texts: Texts) -> Floats:
            words = vocabulary.system(split_texts(texts, self.tokenize, self.lowercase))
            size = match_sizes(
                words.numbers,
                words.starts,
                together.numbers,
                together.starts,
                len(references),
                float(self.exponent),
            )
            return np.column_stack([size, words.lengths, length]).astype(np.float64)

        return counted

    def values(self, sums: Floats) -> Floats:
        """F of a corpus: 1/(α|h|/size + (1 − α)|r|/size)."""
        size, output, reference = sums[..., 0], sums[..., 1], sums[..., 2]
        below = self.alpha * output + (1 - self.alpha) * reference
        return np.asarray(np.divide(size, below, out=np.zeros_like(size), where=below > 0))


METRIC = Gtm()
