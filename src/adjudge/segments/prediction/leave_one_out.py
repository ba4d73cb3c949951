"""Leave-one-out evaluation of predicted scores of known systems: error and coverage.

The prediction of system A excludes A entirely: its candidates are in no feature, and its ranks in
no answer, of the training systems. Each training row of system B is made without A and B.
"""

from collections.abc import Sequence

import numpy as np

from adjudge.core.errors import one_of
from adjudge.segments.closest_ranks import distances, nearest
from adjudge.segments.database import SegmentDatabase
from adjudge.segments.leave_one_out import LeftOut
from adjudge.segments.overall import ratio_of_wins, wins_and_losses
from adjudge.segments.prediction.predicted_score import estimate, learn
from adjudge.segments.prediction.similarity import likeness
from adjudge.stats.resampling import Resampling
from adjudge.stats.standings import standings

LEAST = 4  # systems: one unseen, one to check the learning with, two to compare


def predict_each_left_out(
    database: SegmentDatabase, resampling: Resampling, systems: Sequence[str] = ()
) -> list[LeftOut]:
    """Treat every system (or those named) as unseen in turn, and predict its score."""
    database.need_systems(LEAST)
    alike, apart = likeness(database), distances(database)
    totals = [sums.sum(axis=0) for sums in wins_and_losses(database.rank)]
    known = ratio_of_wins(np.concatenate(totals))
    results = []
    for system in systems or database.systems:
        one_of(system, database.systems, "left_out")
        own = database.number_of(system)
        others = [column for column in range(len(database.systems)) if column != own]
        unseen = estimate(alike, learn(alike, others, [own]), own, resampling)
        standing = standings(unseen.scored)
        names = [database.systems[column] for column in unseen.columns]
        distance, _ = nearest(database, apart, system)
        results.append(
            LeftOut(
                pair=database.pair,
                matching="predicted",
                resampling=resampling,
                system=system,
                hits=unseen.hits,
                misses=unseen.misses,
                annotations=database.annotations,
                distance=float(np.maximum(distance, 0).mean()),
                systems=tuple(names[i] for i in standing.order),
                standing=standing,
                known=float(known[own]),
                guessed=unseen.guessed,
            )
        )
    return results
