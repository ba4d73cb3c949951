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

from adjudge.core.errors import within
from adjudge.metrics.gtm_kernels import match_sizes
from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts
from adjudge.metrics.words import Vocabulary, interleaved, split_references, split_texts


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
        """Match size, length of the output, mean length of the references."""
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
