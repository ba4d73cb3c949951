"""Evaluation of Task 1.2: τ with ties penalised (Tables 14, 15), and ignored (16, 17).

Random ranks from 1 to 5 are added, like the organisers' baseline.
"""

from collections.abc import Callable, Sequence

import numpy as np

from adjudge.quality.evaluation.match_predictions import predicted_ranks
from adjudge.quality.evaluation.oracles import pair_oracles
from adjudge.quality.evaluation.submissions import Submission
from adjudge.quality.evaluation.system_ranking import (
    Contest,
    Contestant,
    Measure,
    Measured,
    QualityEvaluation,
    contestants_of,
    observation_units,
    standing,
)
from adjudge.quality.measures.pairs import pair_counts, tau_ignored, tau_penalised
from adjudge.quality.tasks.selection import SelectionTask
from adjudge.stats.resampling import Floats, Resampling

RANDOM = "Baseline random ranks with ties"
_RANKS = 5
_VARIANTS = (
    ("ties-penalised", Measure("tau_penalised", "τ, ties penalised"), tau_penalised),
    ("ties-ignored", Measure("tau_ignored", "τ, ties ignored"), tau_ignored),
)


def evaluate_selection(
    task: SelectionTask,
    submissions: Sequence[Submission],
    resampling: Resampling,
    *,
    baseline: str | None = None,
    oracles: bool = True,
) -> list[QualityEvaluation]:
    """Build both tables."""
    better, worse = task.untied
    decided = []
    for each in submissions:
        goodness = predicted_ranks(each, task.table)
        decided.append(np.sign(goodness[better] - goodness[worse]))
    random = np.random.default_rng(resampling.seed).integers(1, _RANKS + 1, len(task.table))
    decided.append(np.sign(random[worse] - random[better]).astype(np.float64))
    rows = contestants_of(submissions, baseline, RANDOM)
    for oracle in pair_oracles(task) if oracles else []:
        rows.append(Contestant(oracle.name, "oracle"))
        decided.append(oracle.decided)
    counts = pair_counts(np.stack(decided))  # rows × pairs × 3
    of_rows = tuple(
        {"non_ties": int(each[0] + each[1]), "decisions": len(better)}
        for each in counts.sum(axis=1)
    )
    about = f"{len(better):,} pairs of candidates in {len(task):,} rankings"
    units, chosen = observation_units(task.table, better, resampling)
    contests = [
        Contest(
            *("1.2", variant, about, tuple(rows), (measure,)),
            _values(counts, tau),
            len(better),
            of_rows,
        )
        for variant, measure, tau in _VARIANTS
    ]
    return [standing(contest, units, chosen) for contest in contests]


def _values(counts: Floats, tau: Callable[[Floats], Floats]) -> Measured:
    def measured(weights: Floats) -> Floats:
        drawn = np.einsum("rp,spk->rsk", weights, counts, optimize=True)
        return tau(drawn)[..., None]

    return measured
