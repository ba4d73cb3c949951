"""System scores with their covariance over other judges and texts: what `unit="auto"` takes.

A score weighs 1 / (segments of its system · scores in its segment) in the score of its system; the
rest is the rule for all means (`statistics.means`). Normalisation is held as all scores give it.
Any other unit is drawn (`cells`). A system whose scores are worth fewer than ten of equal weight is
not placed among the others.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.scoring.cells import SCORE_UNITS, Cells, bootstrapped, least_variance, score_units
from adjudge.scoring.scored import Scored
from adjudge.statistics import population as populations
from adjudge.statistics.means import MeanUncertainty, Observed, assess_means
from adjudge.statistics.resampling import Resampling, Unit
from adjudge.statistics.standings import (
    FEW_EFFECTIVE,
    Standings,
    assessed_standings,
    resampling_notes,
    standings,
    unplaced_note,
    with_unplaced,
)
from adjudge.statistics.units import Codes, Floats

LEAST_SCORES = 10.0  # of equal weight, that it takes to place a system
KNOWN: tuple[Unit, ...] = ("judge", "document", "segment")


@dataclass(frozen=True, eq=False)
class ScoreStanding:
    """Systems from best to worst by their scores, and how that was found."""

    standing: Standings
    placed: NDArray[np.bool_]  # in the order of the systems as given
    resampling: Resampling  # with the unit that was taken
    drawn: bool
    variance_parts: Mapping[str, float]
    notes: tuple[str, ...]


def stand(scored: Scored, cells: Cells, resampling: Resampling) -> ScoreStanding:
    """Order the systems; those with too few scores come last."""
    placed = placeable(scored, cells)
    if resampling.unit == "auto":
        return _assessed(scored, cells, replace(resampling, unit=auto_unit(scored)), placed)
    return _resampled(scored, cells, resampling.among(SCORE_UNITS), placed)


def auto_unit(scored: Scored) -> Unit:
    """Judges and documents, or as much of that as the scores can tell; else single items."""
    return populations.auto_unit(_labels(scored), otherwise="item")


def population(scored: Scored, unit: Unit) -> str:
    """For whom intervals, ranges and clusters by this unit hold."""
    return populations.population(_labels(scored), unit)


def assess(scored: Scored, cells: Cells, unit: Unit, level: float) -> MeanUncertainty:
    """The scores of the systems with their covariance over new units."""
    units = tuple(score_units(scored, _one(name)) for name in unit.split("+"))
    observed = Observed(scored.value, cells.weights(), scored.system, cells.systems, units)
    return assess_means(observed, unit, "strength", level, least_variance(scored))


def placeable(scored: Scored, cells: Cells) -> NDArray[np.bool_]:
    """Which systems have enough scores to be placed; all of them, if no two others have."""
    enough = _effective_scores(scored, cells) > LEAST_SCORES - 1e-9
    return enough if enough.sum() > 1 else np.ones_like(enough)


def _effective_scores(scored: Scored, cells: Cells) -> Floats:
    return np.asarray(1 / np.bincount(scored.system, cells.weights() ** 2, cells.systems))


def _assessed(
    scored: Scored, cells: Cells, resampling: Resampling, placed: NDArray[np.bool_]
) -> ScoreStanding:
    whole = assess(scored, cells, resampling.unit, resampling.level)
    units = [score_units(scored, _one(name)) for name in resampling.unit.split("+")]
    number = min(unit.effective_number for unit in units)
    standing = assessed_standings(
        whole.among(placed), "simultaneous", resampling.replicates, resampling.seed
    )
    if not placed.all():
        ends = whole.interval()
        standing = with_unplaced(standing, placed, whole.estimate, ends, whole.better())
    total = sum(whole.parts.values())
    few = resampling_notes(resampling.unit, number) if number < FEW_EFFECTIVE else []
    return ScoreStanding(
        standing,
        placed,
        resampling,
        drawn=False,
        variance_parts={k: float((v / total).mean()) for k, v in whole.parts.items()},
        notes=(*_unplaced(scored, cells, placed), *few),
    )


def _resampled(
    scored: Scored, cells: Cells, resampling: Resampling, placed: NDArray[np.bool_]
) -> ScoreStanding:
    drawn = bootstrapped(scored, cells, resampling)
    standing = standings(drawn.among(placed))
    if not placed.all():
        ends = drawn.interval()
        every = standings(drawn)
        better = np.empty_like(every.better)
        better[np.ix_(every.order, every.order)] = every.better
        standing = with_unplaced(standing, placed, drawn.estimate, ends, better)
    notes = (
        *_unplaced(scored, cells, placed),
        *resampling_notes(resampling.unit, drawn.effective_number),
        *_incomplete(resampling, len(drawn.replicates)),
    )
    return ScoreStanding(standing, placed, resampling, True, {}, notes)


def _unplaced(scored: Scored, cells: Cells, placed: NDArray[np.bool_]) -> list[str]:
    names = [name for name, has in zip(scored.systems, placed, strict=True) if not has]
    return unplaced_note(names, _effective_scores(scored, cells)[~placed].tolist(), "score")


def _incomplete(resampling: Resampling, complete: int) -> list[str]:
    if resampling.unit == "none" or complete == resampling.replicates:
        return []
    return [
        f"{resampling.replicates - complete:,} of {resampling.replicates:,} replicates lacked "
        "some system and are left out; intervals may be too narrow."
    ]


def _one(name: str) -> Unit:
    return next(unit for unit in (*KNOWN, "item") if unit == name)


def _labels(scored: Scored) -> dict[Unit, Codes]:
    return {unit: getattr(scored, unit) for unit in KNOWN}
