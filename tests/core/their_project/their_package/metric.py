"""A metric: the share of lines that are the reference's."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.metrics.edits import mean_of, scores_and_ones
from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts


@dataclass(frozen=True)
class Same(Metric):
    """100 where a line is the reference's, else 0."""

    name: ClassVar[str] = "their-metric"
    title: ClassVar[str] = "same"
    summary: ClassVar[str] = "share of lines that are the reference's"
    paper: ClassVar[str] = "theirs"
    scale: ClassVar[str] = "0 to 100"

    def statistics(self, references: References) -> Statistics:
        """The score of every segment, and one for each."""

        def scored(texts: Texts) -> Floats:
            lines = zip(*references, strict=True)
            same = [text in known for text, known in zip(texts, lines, strict=True)]
            return scores_and_ones(100.0 * np.array(same))

        return scored

    def values(self, sums: Floats) -> Floats:
        """The mean of the segments."""
        return mean_of(sums)


METRIC = Same()
