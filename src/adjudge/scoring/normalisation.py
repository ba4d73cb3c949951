"""Making the scores of different judges comparable.

Some judges are strict and some use only the middle of a scale. Each normalisation takes all
scores that a judge gave on one scale in one language pair and returns them on a scale common to
all judges; a score that it cannot place is NaN, left out of everything, and a note says why.

raw     as given.
wmt07   the share of the judge's scores below this one plus half the share equal to it, so that
        every judge's scores are spread over 0 to 1 around a mean of one half. WMT07 note 5 says
        that its scores are normalised per judge by the method of Blatz et al. (2003), chapter 5,
        and leaves the formula to that report; this is that idea: a score stands for its place
        among the scores of the same judge.
z       (score − mean) / standard deviation of the judge's scores, as WMT16 to WMT20 normalised
        direct assessments. The deviation is that of a sample (n − 1); a judge with one score, or
        with all scores the same, has none.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from adjudge.core.errors import NotEnoughData
from adjudge.data.mqm import MQM
from adjudge.data.score_table import STANDARDISED
from adjudge.scoring.score_matrix import Scored, Values
from adjudge.stats.resampling import Codes

# MQM counts errors, which WMT averages as they are; the other is normalised already.
AS_GIVEN = (MQM, STANDARDISED)

Parts = Iterable[tuple[Values, Codes]]  # scores and their judges, those of all parts being all
Fitted = Callable[[Values, Codes], Values]  # what scores become, once all are known


def percentiles(value: Values, judge: Codes) -> Values:
    """The place of each score among its judge's scores, from 0 to 1 (`wmt07`)."""
    return fit_percentiles([(value, judge)])(value, judge)


def z_scores(value: Values, judge: Codes) -> Values:
    """Distance from the judge's mean in standard deviations; NaN where there is no deviation."""
    return fit_z([(value, judge)])(value, judge)


def fit_percentiles(parts: Parts) -> Fitted:
    """Learn from scores in parts how many of each value every judge gave."""
    told = pl.DataFrame(schema={"judge": pl.Int64, "value": pl.Float64, "len": pl.UInt32})
    for value, judge in parts:
        own = _frame(value, judge).group_by("judge", "value").len()
        told = pl.concat([told, own]).group_by("judge", "value").agg(pl.col("len").sum())
    equal = pl.col("len").cast(pl.Float64)
    below = equal.cum_sum() - equal / 2
    places = told.sort("judge", "value").select(
        "judge", "value", place=(below / equal.sum()).over("judge")
    )

    def place(value: Values, judge: Codes) -> Values:
        given = _frame(value, judge)
        on = ["judge", "value"]
        found = given.join(places, on=on, how="left", maintain_order="left", nulls_equal=True)
        return found["place"].to_numpy()

    return place


def fit_z(parts: Parts) -> Fitted:
    """Learn from scores in parts the mean and the deviation of every judge.

    What two parts say is put together as Chan, Golub and LeVeque (1983) do.
    """
    number, mean, squares = np.zeros((3, 0))
    for value, judge in parts:
        judges = max(len(number), int(judge.max(initial=-1)) + 1)
        more = (0, judges - len(number))
        number, mean, squares = (np.pad(known, more) for known in (number, mean, squares))
        own = np.bincount(judge, minlength=judges)
        centre = np.bincount(judge, value, judges) / np.maximum(own, 1)
        apart, share = centre - mean, own / np.maximum(number + own, 1)
        squares += np.bincount(judge, (value - centre[judge]) ** 2, judges)
        squares += apart**2 * number * share
        mean += apart * share
        number += own
    # A mean is rarely exact: what is left of equal scores is no deviation.
    known = (number > 1) & (squares > 1e-20 * np.maximum(mean**2, 1))
    spread = np.sqrt(np.where(known, squares, np.nan) / np.maximum(number - 1, 1))
    return lambda value, judge: np.asarray((value - mean[judge]) / spread[judge])


def _frame(value: Values, judge: Codes) -> pl.DataFrame:
    return pl.DataFrame({"judge": judge.astype(np.int64), "value": value + 0.0})  # −0 is 0


NORMALISATIONS: Mapping[str, Callable[[Parts], Fitted] | None] = {
    "raw": None,
    "wmt07": fit_percentiles,
    "z": fit_z,
}


def default_normalisation(scale: str, judges_known: bool) -> str:
    """`z` where judges are known, but scores as given on a scale that is never normalised."""
    return "z" if judges_known and scale not in AS_GIVEN else "raw"


def normalised(scored: Scored, name: str) -> tuple[Scored, tuple[str, ...]]:
    """The scores on a scale common to all judges, without those that have no place on it."""
    fit = NORMALISATIONS[name]
    if fit is None:
        return scored, ()
    known = scored.where(scored.judge >= 0)
    placed = replace(known, value=fit([(known.value, known.judge)])(known.value, known.judge))
    has = np.isfinite(placed.value)
    unplaced = Unplaced(
        unknown=len(scored) - len(known),
        left_out=int(np.count_nonzero(~has)),
        by=[known.judges[code] for code in np.unique(known.judge[~has])],
    )
    return placed.where(has), unplaced.notes(f"{scored.pair}, {scored.scale}", len(scored))


@dataclass(frozen=True)
class Unplaced:
    """Scores that have no place on a common scale."""

    unknown: int  # by unknown judges
    left_out: int  # by judges who have no scale of their own
    by: list[str]  # who they are

    def notes(self, about: str, scores: int) -> tuple[str, ...]:
        """What to say of them; refused where they are all the `scores` there are."""
        if self.unknown == scores:
            raise NotEnoughData(
                f'{about}: no judge is known to normalise by; use `normalise="raw"`'
            )
        if self.unknown + self.left_out == scores:
            raise NotEnoughData(
                f"{about}: no judge gave two different scores, so there is no deviation to "
                'normalise by; use `normalise="raw"`'
            )
        notes = []
        if self.unknown:
            notes.append(
                f"{self.unknown:,} scores by unknown judges cannot be normalised and are left out."
            )
        if self.by:
            notes.append(
                f"{self.left_out:,} scores are left out: {_listed(self.by)} gave one score only, "
                "or the same score to everything, and so no scale of their own."
            )
        return tuple(notes)


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5:,} more judges"
