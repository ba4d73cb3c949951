"""Linear-chain conditional random field (WMT13 §6.7, LIG)."""

from typing import Any

from adjudge.quality.learners.learner import Learner


def _estimator(seed: int) -> Any:
    from adjudge.quality.learners.conditional_random_field import ConditionalRandomField

    return ConditionalRandomField()


LEARNER = Learner(
    "crf",
    "linear-chain conditional random field",
    "WMT13 §6.7",
    _estimator,
    {"C": [0.01, 0.03, 0.1]},
    rows_to_choose=60_000,
    in_sentences=True,
)
