"""Cosine of the vectors that a network makes of output and reference.

    score of a segment = 100 · max(0, cosine); of a corpus: the mean of its segments

Of several references the nearest counts. An empty line is like nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.metrics.edits import mean_of, scores_and_ones
from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts
from neural_metric.network import Vectors, network


@dataclass(frozen=True)
class Embedding(Metric):
    """The fields are parameters, as in `embedding(seed=2,batch=64)`."""

    name: ClassVar[str] = "embedding"
    title: ClassVar[str] = "Embedding"
    summary: ClassVar[str] = "cosine of a network's vectors"
    paper: ClassVar[str] = "an example, in no paper"
    scale: ClassVar[str] = "0 to 100"

    seed: int = 1  # of the weights; a real metric would name its model
    batch: int = 256  # lines at a time

    def statistics(self, references: References) -> Statistics:
        """References go through the network once, then the lines of every system."""
        encoded = [self._encode(lines) for lines in references]

        def scored(texts: Texts) -> Floats:
            vectors = self._encode(texts)
            cosines = [(vectors * reference).sum(axis=1) for reference in encoded]
            return scores_and_ones(100 * np.clip(np.max(cosines, axis=0), 0, 1))

        return scored

    def values(self, sums: Floats) -> Floats:
        """The mean of the segments; intervals and tests come from it by themselves."""
        return mean_of(sums)

    def _encode(self, lines: Sequence[str]) -> Vectors:
        model = network(self.seed)
        return np.concatenate([model.encode(part) for part in _parts(lines, max(1, self.batch))])


def _parts(lines: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (lines[start : start + size] for start in range(0, max(1, len(lines)), size))


METRIC = Embedding()
