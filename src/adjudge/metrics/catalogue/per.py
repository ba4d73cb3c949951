"""PER, position-independent error rate (Tillmann, Vogel, Ney, Zubiaga and Sawaf 1997), as in Moses.

    PER = 100 · (1 − (correct − max(0, |h| − |r|)) / |r|)

`correct` is the number of words of the output that are in the reference, each at most as often as
there. For a corpus, all three are summed first. Lower is better; 0 to 100 and beyond. Of several
references each segment takes the nearest.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.metrics.edits import EditMetric, rate
from adjudge.metrics.metric import Floats
from adjudge.metrics.ngrams import matches
from adjudge.metrics.words import Words


@dataclass(frozen=True)
class Per(EditMetric):
    """PER with its parameters."""

    name: ClassVar[str] = "per"
    title: ClassVar[str] = "PER"
    summary: ClassVar[str] = "wrong words per word of the reference, whatever their order"
    paper: ClassVar[str] = "Tillmann et al. 1997"

    def counts(self, words: Words, reference: Words) -> Floats:
        """Correct words, length of the output, length of the reference."""
        correct = matches(words, reference, 1, 1)[:, 0]
        return np.column_stack([correct, words.lengths, reference.lengths]).astype(np.float64)

    def values(self, sums: Floats) -> Floats:
        """PER of a corpus."""
        correct, length, reference = sums[..., 0], sums[..., 1], sums[..., 2]
        cost = reference - correct + np.maximum(0.0, length - reference)
        return rate(cost, reference)


METRIC = Per()
