"""WER, word error rate: Levenshtein's distance between words.

    WER = 100 · (insertions + deletions + substitutions) / words of the reference

Costs and lengths are summed over the corpus first. Lower is better; 0 to 100 and beyond. Of several
references each segment takes the nearest. Moses prints 1 − WER/100.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.metrics.edits import EditMetric, costs, rate
from adjudge.metrics.metric import Floats
from adjudge.metrics.words import Words


@dataclass(frozen=True)
class Wer(EditMetric):
    """WER with its parameters."""

    name: ClassVar[str] = "wer"
    title: ClassVar[str] = "WER"
    summary: ClassVar[str] = "word edits per word of the reference"
    paper: ClassVar[str] = "Su, Wu and Chang 1992"

    jumps: ClassVar[bool] = False

    def counts(self, words: Words, reference: Words) -> Floats:
        """Sufficient statistics: cost and reference length."""
        cost = costs(words.numbers, words.starts, reference.numbers, reference.starts, self.jumps)
        return np.column_stack([cost, reference.lengths]).astype(np.float64)

    def values(self, sums: Floats) -> Floats:
        """Error rate of a corpus."""
        return rate(sums[..., 0], sums[..., 1])


METRIC = Wer()
