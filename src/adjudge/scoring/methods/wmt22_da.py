"""WMT22's analysis of direct assessment (Kocmi et al. 2022), as since WMT16.

The scores of an output, repetitions among them, are averaged, and the score of a system is the mean
over its segments. For every two systems a one-sided Wilcoxon rank-sum test compares their segment
scores; a cluster ends where every system above is better than every system below at p < .05, not
adjusted for the number of tests. Scores come standardised per judge (z).
"""

import numpy as np
import polars as pl

from adjudge.scoring.method import OfficialRanking, ScoreMethod, ranking, segment_matrix
from adjudge.stats.tests import SIGNIFICANT, rank_sum_tests

NAME = "wmt22-da"


def rank(scores: pl.DataFrame) -> OfficialRanking:
    """Rank the systems by their mean over segments."""
    matrix = segment_matrix(scores, ["segment"]).drop("segment")
    samples = [column.drop_nulls().to_numpy() for column in matrix]
    means = np.array([sample.mean() for sample in samples])
    p = rank_sum_tests(samples)
    better = (p < SIGNIFICANT) & (means[:, None] > means)
    return ranking(NAME, matrix.columns, means, p, better, p < SIGNIFICANT)


METHOD = ScoreMethod(
    name=NAME,
    summary="mean of segments; Wilcoxon's rank-sum tests",
    paper="Kocmi et al. 2022, Findings of the 2022 Conference on Machine Translation",
    rank=rank,
)
