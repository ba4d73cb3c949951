"""Ranking of submissions, winners, and differences from the baseline.

As in Tables 12 to 20 of WMT13: segments (whole documents, where at least ten are known) are drawn
with replacement, the same for all submissions. Two submissions differ if the interval of their
difference excludes 0. Winners are the smallest group at the top whose members are all better than
every other submission by that test. Those that do not differ from the baseline are what the paper
shows in grey.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.errors import NotEnoughData, one_of
from adjudge.quality.evaluation.submissions import Submission
from adjudge.quality.translations import Codes, codes_of
from adjudge.stats.replicates import each_replicate
from adjudge.stats.resampling import FEW_UNITS, Floats, Resampling, Unit, Units, drawing, units_of
from adjudge.stats.tests import interval, significance_clusters

Role = Literal["submission", "baseline", "oracle"]
Beside = Literal["better", "not different", "worse"]
Measured = Callable[[Floats], Floats]  # weights (replicates, …) to (replicates, rows, measures)

_STILL = 1e-12  # no interval is so narrow


@dataclass(frozen=True)
class Measure:
    """Measure: a column of the table."""

    name: str  # its key
    title: str
    higher_is_better: bool = True
    digits: int = 2


@dataclass(frozen=True)
class Contestant:
    """Submission, baseline or oracle: a row of the table."""

    name: str
    role: Role = "submission"


@dataclass(frozen=True, eq=False)
class QualityEvaluation:
    """Table of submissions from best to worst by the first measure, then oracles."""

    task: str  # its number in WMT13 §6: 1.1, 1.2, 1.3 or 2
    variant: str
    about: str  # what was predicted, of how much
    measures: tuple[Measure, ...]
    names: tuple[str, ...]
    roles: tuple[Role, ...]
    values: Floats  # (names × measures)
    low: Floats
    high: Floats
    winner: NDArray[np.bool_]
    baseline: str | None
    beside_baseline: tuple[Beside | None, ...]
    resampling: Resampling
    counts: tuple[dict[str, int], ...] = ()  # of each row: numbers that belong to a measure
    notes: tuple[str, ...] = ()

    def to_frame(self) -> pl.DataFrame:
        """Return one row per submission; every measure with its confidence limits."""
        return pl.DataFrame([self.row(place) for place in range(len(self.names))])

    def row(self, place: int) -> dict[str, Any]:
        """Return a row as flat keys."""
        row: dict[str, Any] = {
            "task": self.task,
            "variant": self.variant,
            "submission": self.names[place],
            "role": self.roles[place],
            "winner": bool(self.winner[place]),
            "baseline": self.baseline,
            "beside_baseline": self.beside_baseline[place],
        }
        for column, measure in enumerate(self.measures):
            row[measure.name] = float(self.values[place, column])
            row[f"{measure.name}_low"] = float(self.low[place, column])
            row[f"{measure.name}_high"] = float(self.high[place, column])
        return row | (self.counts[place] if self.counts else {})


@dataclass(frozen=True, eq=False)
class Contest:
    """Rows, measures, and the function that computes them on resampled observations."""

    task: str
    variant: str
    about: str
    contestants: tuple[Contestant, ...]
    measures: tuple[Measure, ...]
    measured: Measured
    observations: int
    counts: tuple[dict[str, int], ...] = ()
    notes: tuple[str, ...] = ()


def standing(contest: Contest, units: Units | None, resampling: Resampling) -> QualityEvaluation:
    """Build the table of a contest; `units` are those of its observations, None disables
    resampling.
    """
    values = contest.measured(np.ones((1, contest.observations)))[0]
    shape = values.shape
    low, high = np.full(shape, np.nan), np.full(shape, np.nan)
    better = np.zeros((shape[0], shape[0]), np.bool_)
    if units is not None:
        drawn = drawing((units,), resampling.seed)
        replicates = each_replicate(
            drawn,
            resampling.replicates,
            lambda weights: contest.measured(weights[:, drawn.row]).reshape(len(weights), -1),
            4 * contest.observations,
        )
        number, level = units.effective_number, resampling.level
        low, high = (
            end.reshape(shape) for end in interval(values.ravel(), replicates, number, level)
        )
        narrow = high - low < _STILL
        low[narrow] = high[narrow] = np.nan
        first = replicates.reshape(len(replicates), *shape)[:, :, 0]
        sign = 1 if contest.measures[0].higher_is_better else -1
        better = told_apart(sign * values[:, 0], sign * first, number, level)
    return _ordered(contest, values, (low, high), better, units is not None, resampling)


def told_apart(
    values: Floats, replicates: Floats, number: float, level: float
) -> NDArray[np.bool_]:
    """Matrix `[i, j]`: i is better than j, the interval of their difference being above 0."""
    better = np.zeros((len(values), len(values)), np.bool_)
    pairs = list(combinations(range(len(values)), 2))
    if pairs:
        first, second = (np.array(side) for side in zip(*pairs, strict=True))
        difference = replicates[:, first] - replicates[:, second]
        low, high = interval(values[first] - values[second], difference, number, level)
        better[first, second], better[second, first] = low > _STILL, high < -_STILL
    return better


def _ordered(
    contest: Contest,
    values: Floats,
    ends: tuple[Floats, Floats],
    better: NDArray[np.bool_],
    drawn: bool,
    resampling: Resampling,
) -> QualityEvaluation:
    roles = [contestant.role for contestant in contest.contestants]
    order = _order(contest, values)
    winner = np.zeros(len(roles), np.bool_)
    taking_part = np.array([place for place in order if roles[place] != "oracle"])
    clusters = significance_clusters(1.0 - better[np.ix_(taking_part, taking_part)])
    if clusters[-1] > 1:  # otherwise there is no winner
        winner[taking_part[clusters == 1]] = True
    baseline = roles.index("baseline") if "baseline" in roles else None
    beside: list[Beside | None] = [
        None
        if baseline is None or place == baseline or not drawn
        else "better"
        if better[place, baseline]
        else "worse"
        if better[baseline, place]
        else "not different"
        for place in order
    ]
    return QualityEvaluation(
        contest.task,
        contest.variant,
        contest.about,
        contest.measures,
        tuple(contest.contestants[place].name for place in order),
        tuple(roles[place] for place in order),
        values[order],
        ends[0][order],
        ends[1][order],
        winner[order],
        None if baseline is None else contest.contestants[baseline].name,
        tuple(beside),
        resampling if drawn else replace(resampling, unit="none"),
        tuple(contest.counts[place] for place in order) if contest.counts else (),
        contest.notes,
    )


def _order(contest: Contest, values: Floats) -> list[int]:
    """Order by the first measure, then by the second; oracles stay at the end, in their order."""

    def key(place: int) -> tuple[float, ...]:
        if contest.contestants[place].role == "oracle":
            return (1, place)
        signs = [-1 if measure.higher_is_better else 1 for measure in contest.measures[:2]]
        keys = [sign * value for sign, value in zip(signs, values[place, :2], strict=True)]
        return (0, *(np.inf if np.isnan(each) else each for each in keys), place)

    return sorted(range(len(values)), key=key)


def observation_units(
    table: pl.DataFrame, row: Codes, resampling: Resampling
) -> tuple[Units | None, Resampling]:
    """Resampling units of observations, each of a `row` of the table, and the named resampling.

    `auto` chooses documents if every row has one and at least ten are distinct, else segments:
    translations of one source.
    """
    documents, names = codes_of(table["document"])
    known = bool((documents >= 0).all()) and len(names) >= FEW_UNITS
    first: tuple[Unit, Unit] = ("document", "segment") if known else ("segment", "document")
    chosen = resampling.among((*first, "none"))
    if chosen.unit == "none":
        return None, chosen
    if chosen.unit == "document":
        if (documents < 0).all():
            raise NotEnoughData('no document is known; choose another `unit` than "document"')
        return units_of(documents[row], "document"), chosen
    column = "source" if table["source"].null_count() == 0 else "segment"
    return units_of(codes_of(table[column])[0][row], "segment"), chosen


def contestants_of(
    submissions: Sequence[Submission], baseline: str | None, ours: str | None = None
) -> list[Contestant]:
    """List submissions, and after them a baseline of `ours` if the task has one.

    The baseline is the named one, or the only one with `baseline` in its name, or ours.
    """
    names = [submission.name for submission in submissions]
    if baseline is not None:
        one_of(baseline, [*names, *([ours] if ours else [])], "baseline")
    else:
        called = [name for name in names if "baseline" in name.lower()]
        baseline = called[0] if len(called) == 1 else ours
    everyone = [*names, *([ours] if ours else [])]
    return [Contestant(name, "baseline" if name == baseline else "submission") for name in everyone]
