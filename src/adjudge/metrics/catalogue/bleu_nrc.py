"""BLEU-NRC (Chen and Cherry 2014; Macháček 2014 §4.2.3): BLEU of segments, smoothed twice.

First, zero matches m_n become 1/invcnt, where invcnt starts at 1 and is multiplied by K / ln |c|
each time (K = 5), which penalises short outputs. Then matches of adjacent orders are averaged, with
m''_0 = m'_1 + 1:

    m''_n = (m''_(n−1) + m'_n + m'_(n+1)) / 3,   p_n = m''_n / l_n

and BLEU is taken of these p_n. The score of a corpus is the mean of its segments. 0 to 100, and a
little more for short perfect outputs (102.2 for four words).

The thesis leaves open what m'_5 is, which n = 4 needs. `fifth=smoothed` lets the first smoothing
run on to n = 5, `fifth=plain` takes the matches of 5-grams as they are. Both are our reading, as
is 0 for an output that is too short to have n-grams of all four orders. Beyond e^K = 148 words the
smoothed counts grow with the length of the output, which the thesis fears can be gamed; l_n grows
faster, so that the score still falls (docs/metrics.md shows it). Several references count as in
BLEU.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from adjudge.metrics.catalogue.bleu import Bleu, brevity_penalty
from adjudge.metrics.edits import mean_of, scores_and_ones
from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts

_ORDER = 4


@dataclass(frozen=True)
class BleuNrc(Metric):
    """BLEU-NRC with its parameters."""

    name: ClassVar[str] = "bleu-nrc"
    title: ClassVar[str] = "BLEU-NRC"
    summary: ClassVar[str] = "mean over segments of BLEU with counts smoothed twice"
    paper: ClassVar[str] = "Chen and Cherry 2014"
    scale: ClassVar[str] = "0 to 100"

    tokenize: str = "13a"
    lowercase: bool = False
    k: float = 5.0
    fifth: Literal["smoothed", "plain"] = "smoothed"

    def statistics(self, references: References) -> Statistics:
        """Sufficient statistics: the score of every segment, and a count of 1."""
        bleu = Bleu(tokenize=self.tokenize, lowercase=self.lowercase, order=_ORDER + 1)
        counted = bleu.statistics(references)

        def scored(texts: Texts) -> Floats:
            return scores_and_ones(self._smoothed(counted(texts)))

        return scored

    def _smoothed(self, counts: Floats) -> Floats:
        match, number = counts[:, : _ORDER + 1], counts[:, _ORDER + 1 : 2 * _ORDER + 1]
        length, reference = counts[:, -2], counts[:, -1]
        enough = number[:, -1] > 0
        logs = np.log(np.maximum(length, 2.0))
        times = np.cumsum(match == 0, axis=1)
        first = np.where(match == 0, (logs[:, None] / self.k) ** times, match)
        if self.fifth == "plain":
            first[:, -1] = match[:, -1]
        before = first[:, 0] + 1
        total = np.zeros(len(counts))
        for n in range(_ORDER):
            before = (before + first[:, n] + first[:, n + 1]) / 3
            total += np.log(before / np.maximum(number[:, n], 1.0))
        score = 100 * brevity_penalty(length, reference) * np.exp(total / _ORDER)
        return np.where(enough, score, 0.0)

    def values(self, sums: Floats) -> Floats:
        """Mean over segments."""
        return mean_of(sums)


METRIC = BleuNrc()
