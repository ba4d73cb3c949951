"""Sufficient statistics of every system by every metric, counted once."""

from collections.abc import Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from adjudge.core.parallel import Engine, progress
from adjudge.metrics.metric import Floats, Metric, References, Texts
from adjudge.metrics.metric_inputs import Material
from adjudge.stats.resampling import Codes


@dataclass(frozen=True, eq=False)
class Measured:
    """Sufficient statistics of all systems by one metric."""

    metric: Metric
    pair: str
    systems: tuple[str, ...]
    statistics: Floats  # segments × systems × statistics
    document: Codes  # of each segment, −1: unknown
    references: int

    @property
    def segments(self) -> int:
        """Number of segments."""
        return len(self.statistics)

    def scores(self) -> Floats:
        """Score of every system."""
        return self.metric.values(self.statistics.sum(axis=0))

    def segment_scores(self) -> Floats:
        """Score of every segment (segments × systems)."""
        return self.metric.segment_values(self.statistics)

    def oriented(self, sums: Floats) -> Floats:
        """Values of sums (…, systems · statistics), oriented so that higher is better: (…,
        systems).
        """
        shaped = sums.reshape(*sums.shape[:-1], len(self.systems), -1)
        return self.sign * self.metric.values(shaped)

    @property
    def sign(self) -> int:
        """Orientation: −1 if lower is better."""
        return 1 if self.metric.higher_is_better else -1

    def flat(self) -> Floats:
        """Statistics flattened to (segments × everything)."""
        return self.statistics.reshape(self.segments, -1)


def measure(
    material: Material, metrics: Sequence[Metric], engine: Engine | None = None
) -> list[Measured]:
    """Count the statistics of all outputs by every metric; references are read once per metric.

    With a parallel engine, slow metrics use one process per system; for the others, starting a
    process would take longer.
    """
    systems = tuple(material.systems)
    document = material.document_codes()
    spread = engine or Engine()
    measured = []
    for metric in progress([(metric.short, metric) for metric in metrics]):
        texts = [material.systems[name] for name in systems]
        if metric.slow and spread != Engine() and len(texts) > 1:
            here = str(Path.cwd())  # from which a metric's files are named
            pieces = [(metric, material.references, lines, here) for lines in texts]
            columns = spread.map(_counted, pieces, metric.short, len(pieces))
        else:
            counted = metric.statistics(material.references)
            columns = [counted(lines) for lines in texts]
        statistics = np.stack(columns, axis=1)
        measured.append(
            Measured(metric, material.pair, systems, statistics, document, len(material.references))
        )
    return measured


def _counted(metric: Metric, references: References, texts: Texts, folder: str) -> Floats:
    """Count the statistics of one system in a worker process, possibly in another folder."""
    with chdir(folder):
        return metric.statistics(references)(texts)
