"""System-level meta-evaluation: correlations with people, intervals, tests of metric pairs.

Resampling units of intervals:

* `judge`, `ranking`, `comparison`, …: people's judgements, and the scores of systems anew from
  them (Macháček 2014 §4.3); `auto` with rankings is other judges and documents.
* `segment`, `document`: of scores by people, segments or documents, the same on both sides. A
  metric's score of a system moves by as much as the mean of its segments does. `auto` with scores.
* `judge`, `item` of scores: judges or single judgements; the metric's scores stay as they are.
* `system`: systems themselves, for what other systems would give, judged as much as these.

Intervals of judgements and texts hold what all judgements and all texts would give: noise, which
lowers every coefficient, is taken out of the replicates (`attenuation`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from adjudge.core.errors import BadParameter, one_of
from adjudge.metaeval.attenuation import true_replicates
from adjudge.metaeval.correlations import (
    CORRELATIONS,
    CorrelationGaps,
    correlation_gaps,
    count_pairs,
)
from adjudge.metaeval.evaluation import MetaEvaluation, Values, evaluation, pairs_in_order
from adjudge.metaeval.human_scores import RATING_UNITS, means_of_systems
from adjudge.metaeval.metrics_task import MetricsTask
from adjudge.metaeval.permutation import SYSTEM_TESTS, system_tests
from adjudge.metaeval.segment_coefficients import soft_accuracy
from adjudge.metaeval.submission import Submission
from adjudge.stats.bootstrap import Bootstrapped
from adjudge.stats.resampling import FEW_UNITS, Codes, Floats, Resampling, Units, drawing, units_of
from adjudge.stats.tests import Correction

SOFT = "soft-accuracy"
TESTS = ("permutation", "williams")
SYSTEM_STATISTICS = (*CORRELATIONS, SOFT)
WITHOUT_NOISE = (
    "Scores from few judgements and texts are noisy, and noise lowers agreement: the intervals "
    "hold the value without noise, and so lie higher."
)
USUAL_STATISTICS = ("pearson", "spearman", "kendall", "accuracy")


def system_level(
    task: MetricsTask,
    statistics: Sequence[str],
    resampling: Resampling,
    correction: Correction = "bh",
    test: str = "permutation",
) -> MetaEvaluation:
    """Correlate every metric with people over the systems."""
    chosen = tuple(statistics) or USUAL_STATISTICS
    for name in chosen:
        one_of(name, SYSTEM_STATISTICS, "statistic")
    values = np.array(
        [[system_value(task, each, name) for name in chosen] for each in task.submissions]
    )
    taken = _taken(task, resampling)
    low, high = _intervals(task, chosen[0], values[:, 0], taken)
    gaps = None
    if chosen[0] == "pearson":
        gaps = correlation_gaps(values[:, 0], _system_scores(task), resampling.level)
    p, notes = _tests(task, chosen[0], values[:, 0], resampling, test, gaps)
    if taken.unit != "system" and np.isfinite(low).any():
        notes.append(WITHOUT_NOISE)
    found = Values(chosen, values, low, high, p, len(task.systems), notes=tuple(notes), gaps=gaps)
    return evaluation(task, "system", found, taken, correction)


def system_value(task: MetricsTask, submission: Submission, statistic: str) -> float:
    """Statistic of one metric; NaN if undefined."""
    if statistic == SOFT:
        if task.human.segment_scores is None or submission.segment_scores is None:
            return float("nan")
        return soft_accuracy(task.human.segment_scores, submission.segment_scores)
    scores = submission.system_scores
    if scores is None or np.isnan(scores).any():
        return float("nan")
    return float(CORRELATIONS[statistic](task.human.system_scores, scores))


def _system_scores(task: MetricsTask) -> Floats:
    """Scores of systems by every metric (metrics × systems); NaN if missing."""
    nothing = np.full(len(task.systems), np.nan)
    return np.array(
        [nothing if each.system_scores is None else each.system_scores for each in task.submissions]
    )


def _taken(task: MetricsTask, resampling: Resampling) -> Resampling:
    """Replace `auto` by documents or segments of scores; rankings were resampled before."""
    human = task.human
    if resampling.unit != "auto" or human.replicates is not None:
        return resampling
    if human.segment_scores is None or len(human.segments) < 2:
        return replace(resampling, unit="none")
    known = human.document is not None and len(np.unique(human.document)) >= FEW_UNITS
    return replace(resampling, unit="document" if known else "segment")


def _intervals(
    task: MetricsTask, statistic: str, main: Floats, resampling: Resampling
) -> tuple[Floats, Floats]:
    nothing = np.full(len(main), np.nan)
    if resampling.unit == "none" or statistic == SOFT:
        return nothing, nothing
    coefficient = CORRELATIONS[statistic]
    least, most = (0.0, 1.0) if statistic == "accuracy" else (-1.0, 1.0)
    scores = _system_scores(task)
    if resampling.unit == "system":
        number: float = len(task.systems)
        random = np.random.default_rng(resampling.seed)
        place = random.integers(0, len(task.systems), (resampling.replicates, len(task.systems)))
        human = task.human.system_scores[place]
        if statistic == "accuracy":
            coefficient = _accuracy_of_others
        replicates = [coefficient(human, score[place]) for score in scores]
    else:
        human, metrics, number = _drawn_scores(task, scores, resampling)
        replicates = [
            true_replicates(
                coefficient,
                (task.human.system_scores, score),
                (human, metric),
                number,
                (least, most),
            )
            for score, metric in zip(scores, metrics, strict=True)
        ]
    shares = (np.array([main, *np.stack(replicates, axis=1)]) - least) / (most - least)
    drawn = Bootstrapped(shares[0], shares[1:], number, resampling.level, "share")
    low, high = (least + (most - least) * end for end in drawn.interval())
    defined = np.isfinite(main)
    return np.where(defined, low, np.nan), np.where(defined, high, np.nan)


def _accuracy_of_others(human: Floats, metric: Floats) -> Floats:
    """Accuracy without pairs tied on both sides, which arise from systems drawn twice."""
    pairs = count_pairs(human, metric)
    number = pairs.total - pairs.both_ties
    nothing = np.full(np.shape(number), np.nan)
    return np.asarray(np.divide(pairs.concordant, number, out=nothing, where=number > 0))


def _drawn_scores(
    task: MetricsTask, scores: Floats, resampling: Resampling
) -> tuple[Floats, Iterable[Floats], float]:
    """Scores of systems in every replicate, by people and by each metric, and the number of units.

    If judges or judgements are resampled, metric scores stay fixed.
    """
    if task.human.replicates is not None:
        return task.human.replicates, scores, task.human.drawn_number
    if resampling.unit in RATING_UNITS and task.human.ratings is not None:
        ratings = task.human.ratings
        units = ratings.units(resampling, task.pair)
        draw = ratings.drawer(units, resampling.seed)
        human = np.array([means_of_systems(draw(n)) for n in range(resampling.replicates)])
        return human, scores, units.effective_number
    return _drawn_segments(task, resampling)


def _drawn_segments(
    task: MetricsTask, resampling: Resampling
) -> tuple[Floats, list[Floats], float]:
    """Scores of systems from resampled segments, on both sides (replicates × systems)."""
    human = task.human
    if human.segment_scores is None:
        raise BadParameter('`unit` can be "system" or "none" where only systems are scored')
    units = _units(task, resampling)
    drawn = drawing((units,), resampling.seed)
    weights = drawn.weights(range(resampling.replicates))[:, drawn.row]
    people = _weighted(weights, human.segment_scores)
    metrics = []
    for each in task.submissions:
        whole = each.system_scores
        if each.segment_scores is None or whole is None or np.isnan(each.segment_scores).any():
            fixed = np.full(len(task.systems), np.nan) if whole is None else whole
            metrics.append(np.broadcast_to(fixed, people.shape))
            continue
        moved = _weighted(weights, each.segment_scores)
        metrics.append(whole + moved - each.segment_scores.mean(axis=1))
    return people, metrics, units.effective_number


def _units(task: MetricsTask, resampling: Resampling) -> Units:
    segments = len(task.human.segments)
    label: Codes = np.arange(segments)
    if resampling.unit == "document":
        label = task.human.document if task.human.document is not None else np.full(segments, -1)
    elif resampling.unit != "segment":
        raise BadParameter(
            f'`unit="{resampling.unit}"` is not known of these scores; draw "segment", '
            '"document", "judge", "item" or "system"'
        )
    return units_of(label, resampling.unit, about=task.pair)


def _weighted(weights: Floats, scores: Floats) -> Floats:
    """Weighted means of known scores (systems × segments) with weights (replicates × segments)."""
    known = np.isfinite(scores)
    total, number = weights @ np.where(known, scores, 0).T, weights @ known.T
    nothing = np.full(total.shape, np.nan)
    return np.asarray(np.divide(total, number, out=nothing, where=number > 0))


def _tests(
    task: MetricsTask,
    statistic: str,
    main: Floats,
    resampling: Resampling,
    test: str,
    gaps: CorrelationGaps | None,
) -> tuple[Floats, list[str]]:
    """p-values of all pairs of metrics, by permutation of scores or by Williams's test."""
    one_of(test, TESTS, "test")
    if test == "williams" and gaps is None:
        raise BadParameter('`test="williams"` is of Pearson\'s r; order by `statistic="pearson"`')
    p = np.full((len(main), len(main)), np.nan)
    if statistic not in SYSTEM_TESTS:
        return p, [f"No test is available for {statistic}, so no metrics are separated."]
    better, worse = pairs_in_order(main)
    if not len(better):
        return p, []
    if test == "williams" and gaps is not None:
        p[better, worse] = gaps.p[better, worse]
        return p, ["Metrics are compared by Williams's test, for other systems like these."]
    p[better, worse] = system_tests(
        statistic,
        task.human.system_scores,
        np.nan_to_num(_system_scores(task)),
        better,
        worse,
        seed=resampling.seed,
    )
    return p, []
