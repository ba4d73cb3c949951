"""System scores with their covariance over other judges and texts.

By default scores are adjusted for judges and texts by a mixed model (`adjusted_scores`). Any other
unit is drawn (`cells`), and the score of a system is the mean over its segments. A normalisation is
taken as given. A system whose scores are worth fewer than ten of equal weight is not placed among
the others.

Means of segments with the rule for all means (`stats.means`), a score weighing 1 / (segments of its
system · scores in its segment), are what `adjudge assist` moves (`assess`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from adjudge.core.errors import NotEnoughData
from adjudge.scoring.adjusted_scores import adjusted, memory_cells
from adjudge.scoring.cells import (
    SCORE_UNITS,
    Cells,
    bootstrapped,
    least_variance,
    score_units,
    segment_cells,
)
from adjudge.scoring.score_matrix import Scored
from adjudge.stats import population as populations
from adjudge.stats.bootstrap import Bootstrapped
from adjudge.stats.means import MeanUncertainty, Observed, assess_means
from adjudge.stats.resampling import Codes, Floats, Resampling, Unit
from adjudge.stats.standings import (
    FEW_EFFECTIVE,
    Standings,
    assessed_standings,
    resampling_notes,
    standings,
    unplaced_note,
    with_unplaced,
)

LEAST_SCORES = 10.0  # of equal weight, that it takes to place a system
KNOWN: tuple[Unit, ...] = ("judge", "document", "segment")


@dataclass(frozen=True, eq=False)
class Tally:
    """What scores say of systems, and how sure that is, before the systems are put in order."""

    systems: tuple[str, ...]
    raw: Floats  # scores of the systems as judges gave them
    number: NDArray[np.int64]  # of scores of every system
    segments: NDArray[np.int64]
    effective: Floats  # scores of equal weight behind that of every system
    means: Sequence[Floats]  # of segments, for every system
    times: Sequence[NDArray[np.int64]] | None  # how often each is there, where not once
    in_segments: NDArray[np.bool_]  # [i, j]: have two systems a segment in common?
    by_judges: NDArray[np.bool_]  # [i, j]: a judge who is known?
    resampling: Resampling  # with the unit that was taken
    holds_for: str
    units: float  # of equal size, that there are
    found: MeanUncertainty | Bootstrapped


@dataclass(frozen=True, eq=False)
class ScoreStanding:
    """Systems from best to worst by their scores, and how that was found."""

    standing: Standings
    placed: NDArray[np.bool_]  # in the order of the systems as given
    drawn: bool
    variance_parts: Mapping[str, float]
    notes: tuple[str, ...]


def tally_of(scored: Scored, raw: Floats, resampling: Resampling) -> Tally:
    """What scores say that are held in memory; `raw` are the scores of systems as given."""
    cells = segment_cells(scored)
    one_each = len(cells.mean) == cells.systems == len(scored)
    refuse_single_scores(one_each, resampling, f"{scored.pair}, {scored.scale}", cells.systems)
    found: MeanUncertainty | Bootstrapped
    if resampling.unit == "auto":
        resampling = replace(resampling, unit=auto_unit(scored))
        unit = resampling.unit
        found = adjusted(memory_cells(scored, unit), unit, resampling.level, least_variance(scored))
        units = [score_units(scored, _one(name)) for name in resampling.unit.split("+")]
        number = min(unit.effective_number for unit in units)
    else:
        found = bootstrapped(scored, cells, resampling.among(SCORE_UNITS))
        number = np.inf
    known = scored.where(scored.judge >= 0)
    return Tally(
        systems=scored.systems,
        raw=raw,
        number=np.bincount(scored.system),
        segments=np.bincount(cells.system),
        effective=effective_scores(scored, cells),
        means=cells.samples(),
        times=None,
        in_segments=in_common(cells.system, cells.segment, cells.systems),
        by_judges=in_common(known.system, known.judge, cells.systems),
        resampling=resampling,
        holds_for=population(scored, resampling.unit),
        units=number,
        found=found,
    )


def refuse_single_scores(one_each: bool, resampling: Resampling, about: str, systems: int) -> None:
    """Refuse to say how sure a score is that is the only one of its system."""
    if one_each and systems > 1 and resampling.unit != "none":
        raise NotEnoughData(
            f"{about}: one score a system cannot say how sure it is; give the scores of segments "
            "(….seg.score)"
        )


def in_common(system: Codes, thing: Codes, systems: int) -> NDArray[np.bool_]:
    """[i, j]: have two systems such a thing (a segment, a judge) in common?"""
    seen = np.zeros((systems, int(thing.max(initial=0)) + 1), bool)
    seen[system, thing] = True
    once = sparse.csr_array(seen, dtype=np.int64)
    return np.asarray((once @ once.T).toarray() > 0)


def stand(tally: Tally) -> ScoreStanding:
    """Order the systems; those with too few scores come last."""
    placed = _enough(tally.effective)
    if isinstance(tally.found, Bootstrapped):
        return _resampled(tally, tally.found, placed)
    return _assessed(tally, tally.found, placed)


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
    return _enough(effective_scores(scored, cells))


def effective_scores(scored: Scored, cells: Cells) -> Floats:
    """How many scores of equal weight are behind that of every system."""
    return np.asarray(1 / np.bincount(scored.system, cells.weights() ** 2, cells.systems))


def _enough(effective: Floats) -> NDArray[np.bool_]:
    enough = effective > LEAST_SCORES - 1e-9
    return enough if enough.sum() > 1 else np.ones_like(enough)


def _assessed(tally: Tally, whole: MeanUncertainty, placed: NDArray[np.bool_]) -> ScoreStanding:
    resampling = tally.resampling
    standing = assessed_standings(
        whole.among(placed), "simultaneous", resampling.replicates, resampling.seed
    )
    if not placed.all():
        ends = whole.interval()
        standing = with_unplaced(standing, placed, whole.estimate, ends, whole.better())
    total = sum(whole.parts.values())
    few = resampling_notes(resampling.unit, tally.units) if tally.units < FEW_EFFECTIVE else []
    return ScoreStanding(
        standing,
        placed,
        drawn=False,
        variance_parts={k: float((v / total).mean()) for k, v in whole.parts.items()},
        notes=(*_unplaced(tally, placed), *few),
    )


def _resampled(tally: Tally, drawn: Bootstrapped, placed: NDArray[np.bool_]) -> ScoreStanding:
    standing = standings(drawn.among(placed))
    if not placed.all():
        ends = drawn.interval()
        every = standings(drawn)
        better = np.empty_like(every.better)
        better[np.ix_(every.order, every.order)] = every.better
        standing = with_unplaced(standing, placed, drawn.estimate, ends, better)
    notes = (
        *_unplaced(tally, placed),
        *resampling_notes(tally.resampling.unit, drawn.effective_number),
        *_incomplete(tally.resampling, len(drawn.replicates)),
    )
    return ScoreStanding(standing, placed, True, {}, notes)


def _unplaced(tally: Tally, placed: NDArray[np.bool_]) -> list[str]:
    names = [name for name, has in zip(tally.systems, placed, strict=True) if not has]
    return unplaced_note(names, tally.effective[~placed].tolist(), "score")


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
