"""Models of candidate ranks, Task 1.2: pairwise decisions turned into a ranking.

Every pair of candidates with different human ranks is used twice, in both orders, as the difference
of their features. A candidate's score is the sum of its probabilities of beating each other
candidate; ranks follow the score (WMT13 §6.7, Avramidis and Popović 2013).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjudge.quality.features.extraction import Fitted, chosen_families
from adjudge.quality.features.family import FAMILIES
from adjudge.quality.features.inputs import Prepared
from adjudge.quality.learners.cross_validation import Numbers, learn
from adjudge.quality.learners.learner import RANKERS, Learner
from adjudge.quality.models.design import Design, design_of
from adjudge.quality.tasks.selection import SelectionTask, pairs_within
from adjudge.stats.ranks import best_ranks
from adjudge.stats.resampling import Floats


@dataclass(frozen=True, eq=False)
class RankModel:
    """Fitted model of the ranks of one source's candidates."""

    features: Fitted
    design: Design
    learner: str
    chosen: dict[str, Any]
    estimator: Any
    measured: Mapping[str, float]  # on rankings of documents that a model had not seen

    def predict(self, prepared: Prepared, ranking: Numbers) -> tuple[Floats, Numbers]:
        """Score every candidate, and rank it within its ranking, 1 being best."""
        matrix = self.design.matrix(self.features.features(prepared))
        first, second = pairs_within(ranking)
        better = np.asarray(self.estimator.predict_proba(matrix[first] - matrix[second]))[:, 1]
        score: Floats = np.bincount(first, better, len(ranking)).astype(np.float64)
        score += np.bincount(second, 1 - better, len(ranking))
        rank = np.zeros(len(ranking), np.int64)
        start = np.flatnonzero(np.diff(ranking, prepend=-1))
        for begin, end in zip(start, [*start[1:], len(ranking)], strict=True):
            rank[begin:end] = best_ranks(score[begin:end])
        return score, rank


def train_rank_model(
    task: SelectionTask,
    prepared: Prepared,
    learner: str | Learner = "logistic",
    families: tuple[str, ...] = (),
    *,
    seed: int = 1,
    workers: int = 1,
) -> RankModel:
    """Fit to all pairs of candidates with different human ranks."""
    chosen = RANKERS.named(learner)
    fitted = Fitted(chosen_families(FAMILIES, prepared, families, learning=False), {})
    features = fitted.features(prepared)
    design = design_of(features, tuple(features.labels))
    matrix = design.matrix(features)
    better, worse = task.untied
    difference = matrix[better] - matrix[worse]
    groups = task.groups[task.ranking[better]]
    learned = learn(
        chosen,
        np.concatenate([difference, -difference]),
        np.repeat([1.0, 0.0], len(difference)),
        np.tile(groups, 2),
        seed, scoring="neg_log_loss", workers=workers,
    )  # fmt: skip
    right = learned.from_others.ravel()[: len(difference)] > 0.5
    measured = {"pairs": float(len(difference)), "tau": float(2 * right.mean() - 1)}
    return RankModel(fitted, design, chosen.name, learned.chosen, learned.estimator, measured)
