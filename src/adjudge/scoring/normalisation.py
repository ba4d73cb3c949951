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

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.errors import NotEnoughData
from adjudge.scoring.scored import Scored, Values


def percentiles(value: Values, judge: NDArray[np.integer]) -> Values:
    """The place of each score among its judge's scores, from 0 to 1 (`wmt07`)."""
    frame = pl.DataFrame({"value": value, "judge": judge})
    place = (pl.col("value").rank("average") - 0.5) / pl.len()
    return frame.select(place.over("judge")).to_series().to_numpy()


def z_scores(value: Values, judge: NDArray[np.integer]) -> Values:
    """Distance from the judge's mean in standard deviations; NaN where there is no deviation."""
    number = np.bincount(judge)[judge]
    deviation = value - (np.bincount(judge, value) / np.maximum(np.bincount(judge), 1))[judge]
    squares = np.bincount(judge, deviation**2)[judge]
    # A mean is rarely exact: what is left of equal scores is no deviation.
    known = (number > 1) & (squares > 1e-20 * np.maximum(value**2, 1))
    spread = np.sqrt(np.where(known, squares, np.nan) / np.maximum(number - 1, 1))
    return np.asarray(deviation / spread)


NORMALISATIONS: Mapping[str, Callable[[Values, NDArray[np.integer]], Values] | None] = {
    "raw": None,
    "wmt07": percentiles,
    "z": z_scores,
}


def default_normalisation(scored: Scored) -> str:
    """`z` where judges are known, else the scores as given."""
    return "raw" if (scored.judge < 0).all() else "z"


def normalised(scored: Scored, name: str) -> tuple[Scored, tuple[str, ...]]:
    """The scores on a scale common to all judges, without those that have no place on it."""
    function = NORMALISATIONS[name]
    if function is None:
        return scored, ()
    about = f"{scored.pair}, {scored.scale}"
    if (scored.judge < 0).all():
        raise NotEnoughData(f'{about}: no judge is known to normalise by; use `normalise="raw"`')
    known = scored.where(scored.judge >= 0)
    placed = replace(known, value=function(known.value, known.judge))
    has = np.isfinite(placed.value)
    if not has.any():
        raise NotEnoughData(
            f"{about}: no judge gave two different scores, so there is no deviation to normalise "
            'by; use `normalise="raw"`'
        )
    notes = []
    if len(known) < len(scored):
        notes.append(
            f"{len(scored) - len(known):,} scores by unknown judges cannot be normalised and are "
            "left out."
        )
    lost = [known.judges[code] for code in np.unique(known.judge[~has])]
    if lost:
        notes.append(
            f"{np.count_nonzero(~has):,} scores are left out: {_listed(lost)} gave one score only, "
            "or the same score to everything, and so no scale of their own."
        )
    return placed.where(has), tuple(notes)


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5:,} more judges"
