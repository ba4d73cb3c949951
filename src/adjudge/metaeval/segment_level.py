"""Segment-level meta-evaluation, by scores of segments or by human preferences (τ)."""

from collections.abc import Sequence

import numpy as np

from adjudge.core.errors import NotEnoughData, one_of
from adjudge.data.comparisons import Comparisons
from adjudge.metaeval.evaluation import MetaEvaluation, Values, evaluation, pairs_in_order
from adjudge.metaeval.human_scores import require_segments
from adjudge.metaeval.metrics_task import MetricsTask
from adjudge.metaeval.segment_coefficients import TauMatrix, set_sizes, sets_of, tau_named
from adjudge.metaeval.segment_statistics import (
    SEGMENT_STATISTICS,
    Grouping,
    Question,
    SegmentValue,
    Undefined,
    drawn_unit,
    grouped,
    segment_intervals,
    segment_value,
    system_weights,
)
from adjudge.metaeval.segment_tests import (
    Truths,
    accuracy_tests,
    pearson_tests,
    right_pairs,
    sign_tests,
)
from adjudge.stats.bootstrap import Bootstrapped, bootstrap
from adjudge.stats.resampling import FEW_UNITS, Codes, Floats, Resampling, Unit, Units, units_of
from adjudge.stats.tests import Correction

USUAL_STATISTICS = ("accuracy-calibrated", "accuracy", "kendall", "pearson")
USUAL_TAUS = ("wmt14", "wmt12", "wmt13", "hties")


def segment_level(
    task: MetricsTask,
    statistics: Sequence[str],
    average_by: Grouping,
    undefined: Undefined,
    resampling: Resampling,
    correction: Correction = "bh",
) -> MetaEvaluation:
    """Evaluate the agreement of every metric with human scores of segments."""
    human = require_segments(task.human)
    chosen = tuple(statistics) or USUAL_STATISTICS
    for name in chosen:
        one_of(name, SEGMENT_STATISTICS, "statistic")
    judged = np.asarray(np.isfinite(human).any(axis=0))
    scored = scores_of_segments(task)
    missing = SegmentValue(float("nan"), 0, 0)
    found = [
        [
            missing if scores is None else segment_value(name, human, scores, average_by, undefined)
            for name in chosen
        ]
        for scores in scored
    ]
    values = np.array([[each.value for each in row] for row in found])
    epsilon = np.array(
        [next((each.epsilon for each in row if each.epsilon is not None), np.nan) for row in found]
    )
    known = [np.zeros_like(human) if scores is None else scores for scores in scored]
    sides = _sides(human, known, average_by, judged)
    taken = drawn_unit(task, resampling)
    question = Question(chosen[0], average_by, undefined)
    low, high = segment_intervals(task, question, values[:, 0], epsilon, known, taken)
    p, notes = _tests(chosen[0], average_by, values[:, 0], epsilon, *sides, resampling)
    if undefined == "leave-out" and any(0 < v.groups < v.of_groups for row in found for v in row):
        notes.append(
            "Groups without a defined value are left out, as WMT did; metrics with many ties gain "
            'by it (`undefined="zero"` counts them as 0).'
        )
    same = np.zeros_like(human)
    tied = [segment_value(name, human, same, average_by, undefined).value for name in chosen]
    result = Values(
        chosen,
        values,
        low,
        high,
        p,
        int(judged.sum()),
        epsilon,
        average_by,
        tuple(notes),
        ties_everything=np.array(tied),
    )
    return evaluation(task, "segment", result, taken, correction)


def scores_of_segments(task: MetricsTask) -> list[Floats | None]:
    """Scores of each metric; None if it lacks one of a segment that people judged."""
    judged = np.isfinite(require_segments(task.human)).any(axis=0)
    return [
        each.segment_scores
        if each.segment_scores is not None and np.isfinite(each.segment_scores[:, judged]).all()
        else None
        for each in task.submissions
    ]


def _sides(
    human: Floats, scores: Sequence[Floats], by: Grouping, judged: Truths
) -> tuple[Floats, Floats]:
    people = grouped(human[:, judged], by)
    return people, np.array([grouped(each[:, judged], by) for each in scores])


def _tests(
    statistic: str,
    by: Grouping,
    main: Floats,
    epsilon: Floats,
    human: Floats,
    scores: Floats,
    resampling: Resampling,
) -> tuple[Floats, list[str]]:
    """p-values of all pairs of metrics, if a test is known."""
    p = np.full((len(main), len(main)), np.nan)
    better, worse = pairs_in_order(main)
    if not len(better):
        return p, []
    drawing = (resampling.replicates, resampling.seed)
    if statistic == "accuracy-calibrated" and by != "none":
        pairs = [
            right_pairs(human, each, e).ravel() for each, e in zip(scores, epsilon, strict=True)
        ]
        p[better, worse] = sign_tests(np.array(pairs), better, worse)
    elif statistic == "accuracy" and by == "item":
        p[better, worse] = accuracy_tests(human, scores, better, worse, *drawing)
    elif statistic == "pearson":
        p[better, worse] = pearson_tests(human, scores, better, worse, *drawing)
    else:
        return p, [
            f"No test is available for {statistic} with this grouping, so no metrics are separated."
        ]
    return p, []


def tau_level(
    task: MetricsTask,
    variants: Sequence[str],
    resampling: Resampling,
    correction: Correction = "bh",
) -> MetaEvaluation:
    """Evaluate metrics by Kendall's τ with human preferences, one column per variant.

    Intervals, and p of every two metrics, are from replicates of the comparisons (the thesis), or
    of segments, judges, documents or rankings: p = (k + 1) / (n + 1), where the better metric is
    not better in k of n replicates. A metric that lacks a score of any output that people compared
    has no value, as in the organisers' scripts.
    """
    preferences = task.human.preferences
    if preferences is None or not len(preferences):
        raise NotEnoughData(
            f"{task.pair}: Kendall's τ needs rankings by people; ask for a `statistic` of scores"
        )
    matrices = [tau_named(name) for name in (variants or USUAL_TAUS)]
    taken = resampling.among(_tau_units(task))
    segment = np.append(np.arange(len(preferences.segments)), -1)
    tied = np.where(preferences.segment >= 0, 3 * (1 - preferences.outcome.astype(int)) + 1, -1)
    sets = [
        np.full(len(preferences), -1)
        if each.segment_scores is None
        else sets_of(preferences, each.segment_scores, segment)
        for each in task.submissions
    ]
    named = preferences.segment >= 0
    whole = [bool((each[named] >= 0).all()) for each in sets]
    counts = [
        set_sizes(each) if all_there else np.zeros(9)
        for each, all_there in zip(sets, whole, strict=True)
    ]
    values = np.array([[float(matrix.values(count)) for matrix in matrices] for count in counts])
    replicates = _replicates(task, sets, matrices, taken)
    low, high = np.full((2, *values.shape), np.nan)
    p = np.full((len(sets), len(sets)), np.nan)
    if replicates is not None:
        for m, drawn in enumerate(replicates):
            if whole[m]:
                low[m], high[m] = drawn.interval()
        for a, b in zip(*pairs_in_order(values[:, 0]), strict=True):
            gap = replicates[a].replicates[:, 0] - replicates[b].replicates[:, 0]
            p[a, b] = (np.count_nonzero(~(gap > 0)) + 1) / (len(gap) + 1)
    gamed = np.array([float(matrix.values(set_sizes(tied))) for matrix in matrices])
    names = tuple(matrix.name for matrix in matrices)
    found = Values(names, values, low, high, p, len(preferences), ties_everything=gamed)
    return evaluation(task, "segment", found, taken, correction)


def _tau_units(task: MetricsTask) -> tuple[Unit, ...]:
    """Possible resampling units, the default first."""
    preferences = task.human.preferences
    assert preferences is not None
    usual: Unit = "segment"
    if len(np.unique(preferences.document[preferences.document >= 0])) >= FEW_UNITS:
        usual = "document"
    others: tuple[Unit, ...] = (
        "segment",
        "document",
        "judge",
        "ranking",
        "hit",
        "comparison",
        "system",
        "none",
    )
    return (usual, *(unit for unit in others if unit != usual))


def _replicates(
    task: MetricsTask, sets: Sequence[Codes], matrices: Sequence[TauMatrix], resampling: Resampling
) -> list[Bootstrapped] | None:
    """Replicates of τ of every metric, with common draws."""
    preferences = task.human.preferences
    if resampling.unit == "none" or preferences is None:
        return None
    if resampling.unit == "system":
        return _of_drawn_systems(task, preferences, sets, matrices, resampling)
    label = (
        np.arange(len(preferences))
        if resampling.unit == "comparison"
        else getattr(preferences, resampling.unit)
    )
    units = units_of(label, resampling.unit, about=task.pair)
    drawn = []
    for each in sets:
        members = np.zeros((units.number, 9))
        known = each >= 0
        np.add.at(members, (units.code[known], each[known]), 1.0)
        single = Units(units.name, np.arange(units.number), units.size)
        drawn.append(
            bootstrap(members, lambda sums: _variants(matrices, sums), (single,), resampling)
        )
    return drawn


def _variants(matrices: Sequence[TauMatrix], sums: Floats) -> Floats:
    """Apply every matrix to sizes of sets (…, 9): (…, variants)."""
    return np.stack([matrix.values(sums) for matrix in matrices], axis=-1)


def _of_drawn_systems(
    task: MetricsTask,
    preferences: Comparisons,
    sets: Sequence[Codes],
    matrices: Sequence[TauMatrix],
    resampling: Resampling,
) -> list[Bootstrapped]:
    """Replicates over systems: a comparison has the product of its two systems' weights."""
    number = len(task.systems)
    weights = system_weights(number, resampling)
    pair = preferences.left.astype(np.int64) * number + preferences.right
    drawn = []
    for each in sets:
        members = np.zeros((number * number, 9))
        known = each >= 0
        np.add.at(members, (pair[known], each[known]), 1.0)
        there = np.flatnonzero(members.any(axis=1))
        counted = weights[:, there // number] * weights[:, there % number]
        values = _variants(matrices, counted @ members[there])
        estimate = _variants(matrices, members.sum(axis=0))
        drawn.append(Bootstrapped(estimate, values, number, resampling.level))
    return drawn
