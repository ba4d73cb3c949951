"""Evaluation of Task 1.1: ranking by DeltaAvg (Table 12), scoring by MAE (Table 13).

A submission with ranks only is left out of the second table.
"""

from collections.abc import Sequence

import numpy as np
import polars as pl

from adjudge.quality.evaluation.match_predictions import predicted_numbers
from adjudge.quality.evaluation.oracles import hbleu
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
from adjudge.quality.measures.correlation import pearson, spearman
from adjudge.quality.measures.delta_avg import delta_avg
from adjudge.quality.measures.errors import mean_absolute_error, root_mean_squared_error
from adjudge.quality.quantities import Quantity
from adjudge.quality.tasks.scoring import ScoringTask
from adjudge.stats.resampling import Floats, Resampling

RANKING = (Measure("delta_avg", "DeltaAvg"), Measure("spearman", "Spearman"))


def evaluate_scoring(
    task: ScoringTask,
    submissions: Sequence[Submission],
    table: pl.DataFrame,
    resampling: Resampling,
    *,
    baseline: str | None = None,
    oracles: bool = True,
) -> list[QualityEvaluation]:
    """Evaluate both variants; `table` has all rows of the data."""
    quantity = task.quantity
    known = np.arange(len(table))
    if len(task) < len(table):
        known = np.flatnonzero(table[quantity.name].is_not_null().to_numpy())
    given = [predicted_numbers(each, quantity, table, known) for each in submissions]
    rows = contestants_of(submissions, baseline)
    beyond = _oracles(task) if oracles else []
    at_the_end = [Contestant(name, "oracle") for name, _ in beyond]
    units, chosen = observation_units(task.table, np.arange(len(task)), resampling)
    about = f"{quantity.title} of {len(task):,} translations"

    goodness = [*(order for _, order in given), *(quantity.sign * each for _, each in beyond)]
    measured = _ranking_measures(quantity, task.gold, np.stack(goodness))
    everyone = (*rows, *at_the_end)
    contests = [Contest("1.1", "ranking", about, everyone, RANKING, measured, len(task))]

    scored = [place for place, (score, _) in enumerate(given) if score is not None]
    if scored:
        scores = [score for score, _ in given if score is not None]
        predicted = np.stack([*scores, *(each for _, each in beyond)])
        everyone = (*(rows[place] for place in scored), *at_the_end)
        measured = error_values(quantity, task.gold, predicted)
        contests.append(
            Contest("1.1", "scoring", about, everyone, error_measures(2), measured, len(task))
        )
    return [standing(contest, units, chosen) for contest in contests]


def _oracles(task: ScoringTask) -> list[tuple[str, Floats]]:
    """Truth itself and, for HTER, 1 − HBLEU."""
    name = task.quantity.name
    if name != "hter":
        return [(f"Oracle {name}", task.gold)]
    beside = hbleu(task.table)
    exact = ("Oracle HTER", task.gold)
    return [exact] if beside is None else [exact, ("Oracle HBLEU (1-HBLEU)", beside)]


def _ranking_measures(quantity: Quantity, gold: Floats, goodness: Floats) -> Measured:
    truth = quantity.sign * gold

    def measured(weights: Floats) -> Floats:
        gain = quantity.factor * delta_avg(weights, truth, goodness)
        return np.stack([gain, spearman(weights, truth, goodness)], axis=-1)

    return measured


def error_measures(digits: int) -> tuple[Measure, ...]:
    """Measures MAE, RMSE and r."""
    return (
        Measure("mae", "MAE", False, digits),
        Measure("rmse", "RMSE", False, digits),
        Measure("pearson", "Pearson"),
    )


def error_values(quantity: Quantity, gold: Floats, predicted: Floats) -> Measured:
    """Values of `error_measures` on resampled translations."""

    def measured(weights: Floats) -> Floats:
        return np.stack(
            [
                quantity.factor * mean_absolute_error(weights, gold, predicted),
                quantity.factor * root_mean_squared_error(weights, gold, predicted),
                pearson(weights, gold, predicted),
            ],
            axis=-1,
        )

    return measured
