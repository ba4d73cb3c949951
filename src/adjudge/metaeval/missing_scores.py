"""Reasons why a metric has no value: missing or constant scores.

A metric that lacks a required score gets no value, at either level: a value over fewer systems or
segments is not comparable with those of the other metrics, and leaving out hard ones would pay.
WMT's scripts did the same.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.metaeval.metrics_task import MetricsTask
from adjudge.metaeval.submission import Submission
from adjudge.stats.resampling import Floats

FIRST = 3  # that are named; the others are counted

Truths = NDArray[np.bool_]


def needed_outputs(task: MetricsTask) -> Truths:
    """Mask of outputs (systems × segments) that need a score: of segments that people judged."""
    human = task.human
    if human.segment_scores is not None:
        judged = np.isfinite(human.segment_scores).any(axis=0)
        return np.broadcast_to(judged, human.segment_scores.shape)
    needed = np.zeros((len(task.systems), len(human.segments)), bool)
    if human.preferences is not None:
        known = human.preferences.segment >= 0
        segment = human.preferences.segment[known]
        needed[human.preferences.left[known], segment] = True
        needed[human.preferences.right[known], segment] = True
    return needed


def undefined_notes(task: MetricsTask, level: str, main: Floats) -> list[str]:
    """Notes on metrics without a value, one each, or one note if the human scores are the cause."""
    without = [
        each for each, value in zip(task.submissions, main, strict=True) if not np.isfinite(value)
    ]
    if without and _alike(task.human.system_scores) and level == "system":
        return ["People give every system the same score: nothing can agree with that."]
    reason = _of_systems if level == "system" else _of_segments
    return [f"{each.metric} {reason(task, each)}: no value." for each in without]


def _of_systems(task: MetricsTask, submission: Submission) -> str:
    scores = submission.system_scores
    if scores is None:
        return "has no scores"
    lacks = np.isnan(scores)
    if not lacks.any():
        alike = _alike(scores)
        return "gives every system the same score" if alike else "has no scores that this needs"
    names = [name for name, missing in zip(task.systems, lacks, strict=True) if missing]
    said = f"has no score for {some(names)} ({len(names):,} of {len(lacks):,} systems)"
    by_segment = submission.segment_scores
    if by_segment is not None and np.isfinite(by_segment[lacks]).any(axis=1).any():
        said += ", since some of its segments have none"
    return said


def _of_segments(task: MetricsTask, submission: Submission) -> str:
    scores = submission.segment_scores
    if scores is None:
        return "has no scores of segments"
    needed = needed_outputs(task)
    lacks = needed & np.isnan(scores)
    if not lacks.any():
        alike = _alike(scores[needed])
        return (
            "gives every output the same score"
            if alike
            else "has no outputs that both it and people tell apart"
        )
    whole = (lacks.sum(axis=1) == needed.sum(axis=1)) & needed.any(axis=1)
    if not lacks[~whole].any():
        names = [name for name, missing in zip(task.systems, whole, strict=True) if missing]
        return f"has no score for {some(names)} ({len(names):,} of {len(whole):,} systems)"
    places = np.argwhere(lacks)
    first = [f"segment {task.human.segments[c]} of {task.systems[r]}" for r, c in places[:FIRST]]
    more = f" and {len(places) - FIRST:,} more" if len(places) > FIRST else ""
    return (
        f"has no score for {', '.join(first)}{more} ({len(places):,} of {int(needed.sum()):,} "
        "outputs that people judged)"
    )


def some(names: Sequence[str]) -> str:
    """List the first few names, and the number of the others."""
    shown = ", ".join(names[:FIRST])
    return shown if len(names) <= FIRST else f"{shown} and {len(names) - FIRST:,} more"


def _alike(scores: Floats) -> bool:
    return bool(np.ptp(scores) == 0)
