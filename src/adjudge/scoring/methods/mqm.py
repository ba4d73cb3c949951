"""Mean MQM score (Freitag et al. 2021): the mean over segments of the mean over annotators.

Nothing is normalised and nothing is tested: a single cluster holds all systems.
"""

import numpy as np
import polars as pl

from adjudge.scoring.method import OfficialRanking, ScoreMethod, ranking, segment_matrix

NAME = "mqm"


def rank(scores: pl.DataFrame) -> OfficialRanking:
    """Rank the systems by their mean over segments."""
    matrix = segment_matrix(scores, ["document", "segment"]).drop("document", "segment")
    means = np.array([column.drop_nulls().to_numpy().mean() for column in matrix])
    nothing = np.zeros((len(means), len(means)), bool)
    untested = np.full(nothing.shape, np.nan)
    return ranking(NAME, matrix.columns, means, untested, nothing, nothing)


METHOD = ScoreMethod(
    name=NAME,
    summary="mean penalty of marked errors",
    paper="Freitag et al. 2021, Experts, Errors, and Context",
    rank=rank,
    columns=("document",),
)
