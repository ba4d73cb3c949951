"""Interface of learners: a scikit-learn estimator and its parameter grid for cross-validation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adjudge.core.registry import Registry

Grid = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Learner:
    """Estimator factory that takes a seed, with its parameter grid."""

    name: str
    summary: str
    paper: str
    estimator: Callable[[int], Any] = field(repr=False)  # scikit-learn has no types
    grid: Grid = field(default_factory=dict, repr=False)
    # Parameters are chosen on at most so many rows, for what grows with their square or cube.
    rows_to_choose: int = 20_000
    rows_to_learn: int = 1_000_000
    labels: str = (
        ""  # of regressors: the parameter that says how many of the last columns are labels
    )
    weighed: bool = False  # of a VotingRegressor: cross-validation says what each member counts
    in_sentences: bool = False  # of taggers: `fit` and `predict_proba` ask where sentences begin


REGRESSORS = Registry("adjudge.quality.learners.regressors", "LEARNER", Learner, "learner")
RANKERS = Registry("adjudge.quality.learners.rankers", "LEARNER", Learner, "ranker")
TAGGERS = Registry("adjudge.quality.learners.taggers", "LEARNER", Learner, "tagger")
