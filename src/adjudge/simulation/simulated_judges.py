"""Answers of simulated judges (the model is in `design`)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.simulation.assignment import NOBODY, Assignment
from adjudge.simulation.design import Judges
from adjudge.simulation.outputs import Material

Floats = NDArray[np.float64]
Ranks = NDArray[np.int32]

SMALLEST = 1e-12  # a tie threshold of nothing
WEEK = 7 * 24 * 3600.0  # within which the judges begin
BREAK = 300.0  # mean seconds between two HITs of a judge


@dataclass(frozen=True, eq=False)
class DrawnJudges:
    """Judges of one campaign, one entry each."""

    names: tuple[str, ...]
    noise: Floats
    threshold: Floats
    leniency: Floats
    careless: NDArray[np.bool_]
    workload: Floats
    pace: Floats  # median seconds of a ranking
    preference: Floats  # (judges, systems)


@dataclass(frozen=True, eq=False)
class Answers:
    """Outcome of each assigned ranking."""

    ranks: Ranks  # (rankings, block)
    labelled: NDArray[np.bool_]  # (rankings, block): has the output a rank?
    skipped: NDArray[np.bool_]
    seconds: Floats
    end: Floats  # seconds since the campaign began


def draw_judges(judges: Judges, systems: int, rng: np.random.Generator) -> DrawnJudges:
    """Draw a sample of judges from their population."""
    count = judges.count
    careless = np.zeros(count, bool)
    careless[rng.choice(count, judges.number_careless, replace=False)] = True
    digits = max(3, len(str(count)))
    return DrawnJudges(
        names=tuple(f"simulated-{i:0{digits}}" for i in range(1, count + 1)),
        noise=judges.noise * rng.lognormal(0, judges.spread, count),
        threshold=np.maximum(judges.threshold * rng.lognormal(0, judges.spread, count), SMALLEST),
        leniency=rng.uniform(judges.least_leniency, 1, count),
        careless=careless,
        workload=rng.lognormal(0, judges.workload, count),
        # A careless judge is done in a third of the time.
        pace=judges.seconds * rng.lognormal(0, 0.4, count) / np.where(careless, 3, 1),
        preference=rng.normal(0, judges.preference, (count, systems)),
    )


def answer(
    assignment: Assignment,
    material: Material,
    judges: Judges,
    drawn: DrawnJudges,
    rng: np.random.Generator,
) -> Answers:
    """Simulate the answers of the judges."""
    ranks = ranks_given(assignment, material, judges, drawn, rng)
    seconds, end = _times(assignment, drawn, rng)
    skipped = rng.random(len(ranks)) < judges.skipped
    labelled = rng.random(ranks.shape) >= judges.missing
    return Answers(ranks, labelled & ~skipped[:, None], skipped, seconds, end)


def ranks_given(
    assignment: Assignment,
    material: Material,
    judges: Judges,
    drawn: DrawnJudges,
    rng: np.random.Generator,
) -> Ranks:
    """Rank of every output shown (rankings × block)."""
    perceived = _perceived(assignment, material, judges, drawn, rng)
    return _ranks(perceived, assignment, judges, drawn, rng)


def _perceived(
    assignment: Assignment,
    material: Material,
    judges: Judges,
    drawn: DrawnJudges,
    rng: np.random.Generator,
) -> Floats:
    """Quality as perceived by the judge: repeated outputs differ only by fresh noise."""
    judge, segment, shown = assignment.judge[:, None], assignment.segment[:, None], assignment.shown
    perceived = material.quality[segment, shown] + drawn.preference[judge, shown]
    if judges.taste:
        seen = assignment.judge * len(material.segments) + assignment.segment
        distinct, again = np.unique(seen, return_inverse=True)
        taste = rng.normal(0, judges.taste, (len(distinct), len(material.systems)))
        perceived += taste[again[:, None], shown]
    perceived += drawn.noise[judge] * rng.standard_normal(shown.shape)
    return perceived


def _ranks(
    perceived: Floats,
    assignment: Assignment,
    judges: Judges,
    drawn: DrawnJudges,
    rng: np.random.Generator,
) -> Ranks:
    """Rank outputs by grades, or click at random."""
    judge = assignment.judge[:, None]
    grade = np.floor(perceived / drawn.threshold[judge] + rng.random(judge.shape))
    empty = assignment.shown == NOBODY
    grade[empty] = -np.inf
    ranks = dense_ranks(grade)
    block = grade.shape[1]
    unused = block - np.where(empty, 1, ranks).max(axis=1, keepdims=True)
    ranks += np.rint((1 - drawn.leniency[judge]) * unused).astype(np.int32)
    random = drawn.careless[judge] & (rng.random(judge.shape) < judges.carelessness)
    return np.where(random, rng.integers(1, block + 1, ranks.shape, np.int32), ranks)


def dense_ranks(grade: Floats) -> Ranks:
    """Ranks 1, 2, … in every row, the highest grade first, equal grades equal."""
    order = np.argsort(-grade, axis=1)
    descending = np.take_along_axis(grade, order, axis=1)
    ranks = np.ones(grade.shape, np.int32)
    ranks[:, 1:] += np.cumsum(descending[:, 1:] < descending[:, :-1], axis=1, dtype=np.int32)
    result = np.empty_like(ranks)
    np.put_along_axis(result, order, ranks, axis=1)
    return result


def _times(
    assignment: Assignment, drawn: DrawnJudges, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Duration in seconds and end time of every ranking, without overlap for a judge."""
    by = assignment.judge
    seconds = np.round(drawn.pace[by] * rng.lognormal(0, 0.7, len(by)), 1)
    pause = np.where(assignment.place == 0, rng.exponential(BREAK, len(by)), 0)
    elapsed = np.cumsum(seconds + pause)
    first = np.flatnonzero(np.diff(by, prepend=-1))
    before = (elapsed - seconds - pause)[first]
    begin = rng.uniform(0, WEEK, len(drawn.names))
    return seconds, elapsed - np.repeat(before, np.diff(first, append=len(by))) + begin[by]
