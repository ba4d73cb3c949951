"""HAMMING, KTD and SPEARMAN: agreement on the order of source words (Macháček 2014 §4.2.7).

    HAMMING = |{i : π(i) = σ(i)}| / n          KTD = 1 − √(discordant pairs / all pairs)
    SPEARMAN = 1 − 6 Σ (π(i) − σ(i))² / (n (n² − 1))

π and σ are the permutations of the n source words in output and reference (`word_orders`; Birch and
Osborne 2011). The lines of outputs and references are alignments with the source (`0-0 1-2 2-1`),
not words: each is the alignment of that translation. The score of a corpus is the mean of its
segments. 0 to 1, SPEARMAN −1 to 1. Of several references the best counts. Two empty lines agree, an
empty one beside another has 0. No tool's numbers are known.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.metrics.edits import mean_of, scores_and_ones
from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts
from adjudge.metrics.word_orders import MEASURES, compared


@dataclass(frozen=True)
class Hamming(Metric):
    """Share of words in the same position."""

    name: ClassVar[str] = "hamming"
    title: ClassVar[str] = "HAMMING"
    summary: ClassVar[str] = "share of source words in the same place (lines are alignments)"
    paper: ClassVar[str] = "Birch and Osborne 2011"
    scale: ClassVar[str] = "0 to 1"
    reads: ClassVar[str] = "alignments"

    def statistics(self, references: References) -> Statistics:
        """Sufficient statistics: the score of every segment, and a count of 1."""
        agreement = MEASURES[self.name]

        def scored(texts: Texts) -> Floats:
            each = [
                [compared(*pair, agreement) for pair in zip(texts, lines, strict=True)]
                for lines in references
            ]
            return scores_and_ones(np.max(each, axis=0))

        return scored

    def values(self, sums: Floats) -> Floats:
        """Mean over segments."""
        return mean_of(sums)


@dataclass(frozen=True)
class Ktd(Hamming):
    """Kendall's tau distance: discordant pairs of words."""

    name: ClassVar[str] = "ktd"
    title: ClassVar[str] = "KTD"
    summary: ClassVar[str] = "1 − √(share of pairs of source words in another order)"


@dataclass(frozen=True)
class Spearman(Hamming):
    """Spearman's correlation of positions."""

    name: ClassVar[str] = "spearman"
    title: ClassVar[str] = "SPEARMAN"
    summary: ClassVar[str] = "rank correlation of the places of source words"
    paper: ClassVar[str] = "Gautam and Bhattacharyya 2014"
    scale: ClassVar[str] = "−1 to 1"


METRIC = (Hamming(), Ktd(), Spearman())
