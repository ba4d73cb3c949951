"""sentBLEU (Lin and Och 2004; Macháček 2014 §4.2), equal to Moses' `sentence-bleu`.

    100 · BP · (Π (m_n + 1)/(l_n + 1))^(1/4)

BLEU with one added to the matches m_n and to the numbers l_n of n-grams of every order, unigrams
among them (sacrebleu's `add-k` leaves unigrams as they are). The score of a corpus is the mean of
its segments. 0 to 100. Several references count as in BLEU. An empty output scores 0 beside a
reference that is not.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.metrics.catalogue.bleu import Bleu, brevity_penalty
from adjudge.metrics.edits import mean_of, scores_and_ones
from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts


@dataclass(frozen=True)
class SentBleu(Metric):
    """sentBLEU with its parameters."""

    name: ClassVar[str] = "sentbleu"
    title: ClassVar[str] = "sentBLEU"
    summary: ClassVar[str] = "mean over segments of BLEU with one added to every count"
    paper: ClassVar[str] = "Lin and Och 2004"
    scale: ClassVar[str] = "0 to 100"

    tokenize: str = "13a"
    lowercase: bool = False
    order: int = 4

    def statistics(self, references: References) -> Statistics:
        """Sufficient statistics: the score of every segment, and a count of 1."""
        bleu = Bleu(tokenize=self.tokenize, lowercase=self.lowercase, order=self.order)
        counted = bleu.statistics(references)

        def scored(texts: Texts) -> Floats:
            return scores_and_ones(self._smoothed(counted(texts)))

        return scored

    def _smoothed(self, counts: Floats) -> Floats:
        match, number = counts[:, : self.order] + 1, counts[:, self.order : 2 * self.order] + 1
        length, reference = counts[:, -2], counts[:, -1]
        penalty = np.where(reference > 0, brevity_penalty(length, reference), 1.0)
        return np.asarray(100 * penalty * np.exp(np.log(match / number).mean(axis=1)))

    def values(self, sums: Floats) -> Floats:
        """Mean over segments."""
        return mean_of(sums)


METRIC = SentBleu()
