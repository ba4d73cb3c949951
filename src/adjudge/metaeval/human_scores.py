"""Human scores of systems and segments, the standard for metrics.

Single human scores are kept, so that judges or judgements can be resampled.

A judge who is drawn twice counts twice in the mean of every output they scored; an output whose
judges are not drawn has no score in that replicate. The metric's scores stay as they are.

The scores are those of one language pair.

Scores of systems come from any ranking method, from means of scores, or from a file; scores of
segments from direct assessment or marked errors; preferences from rankings. Higher is better, as
everywhere in this program. What nobody scored is NaN.

The human side from judgements and from scores.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from adjudge.core.errors import NotEnoughData, one_of
from adjudge.core.parallel import Engine
from adjudge.data.comparisons import Comparisons, encode
from adjudge.data.outputs import attributed, list_systems
from adjudge.ranking.assessment import assess
from adjudge.ranking.estimation import estimate
from adjudge.ranking.method import METHODS, Method
from adjudge.ranking.participants import participants
from adjudge.ranking.population import auto_unit
from adjudge.ranking.resampling import effective_number
from adjudge.scoring.normalisation import NORMALISATIONS, default_normalisation, normalised
from adjudge.scoring.score_matrix import code
from adjudge.stats.resampling import Codes, Floats, Resampling, Units, drawing, units_of
from adjudge.stats.simultaneous import noise

RATING_UNITS = ("judge", "item")  # that can be drawn: judges, or single judgements


@dataclass(frozen=True, eq=False)
class Ratings:
    """Single scores, one per row, already normalised."""

    value: Floats
    system: Codes
    segment: Codes
    judge: Codes  # −1: unknown
    item: Codes
    systems: int
    segments: int

    def among(self, kept: Sequence[int]) -> "Ratings":
        """Restrict to these systems, in this order."""
        code = np.full(self.systems, -1, np.int64)
        code[list(kept)] = np.arange(len(kept))
        there = code[self.system] >= 0
        rows = {name: getattr(self, name)[there] for name in ("value", "segment", "judge", "item")}
        return replace(self, **rows, system=code[self.system[there]], systems=len(kept))

    def units(self, resampling: Resampling, about: str) -> Units:
        """Resampling units."""
        label = self.judge if resampling.unit == "judge" else self.item
        return units_of(label, resampling.unit, about=about)

    def drawer(self, units: Units, seed: int) -> Callable[[int], Floats]:
        """Function from a replicate's number to its segment scores (systems × segments).

        NaN if no judge of the output was drawn.
        """
        draws = drawing((units,), seed)
        place = self.system.astype(np.int64) * self.segments + self.segment
        size = self.systems * self.segments

        def replicate(number: int) -> Floats:
            weight = draws.weights(range(number, number + 1))[0, draws.row]
            total = np.bincount(place, weight * self.value, size)
            times = np.bincount(place, weight, size)
            nothing = np.full(size, np.nan)
            means = np.divide(total, times, out=nothing, where=times > 0)
            return np.asarray(means.reshape(self.systems, self.segments))

        return replicate


def means_of_systems(by_segment: Floats) -> Floats:
    """Mean over scored segments of every system; NaN without any."""
    known = np.isfinite(by_segment)
    total, number = np.where(known, by_segment, 0).sum(axis=1), known.sum(axis=1)
    nothing = np.full(len(total), np.nan)
    return np.asarray(np.divide(total, number, out=nothing, where=number > 0))


@dataclass(frozen=True, eq=False)
class HumanScores:
    """Human scores of the systems of one language pair."""

    pair: str
    name: str  # of the scale or the ranking method: mqm, expected-wins
    systems: tuple[str, ...]
    system_scores: Floats  # (systems,)
    segments: tuple[str, ...] = ()
    segment_scores: Floats | None = None  # (systems × segments)
    document: Codes | None = None  # of each segment, −1: unknown
    preferences: Comparisons | None = None  # of two outputs of a segment
    replicates: Floats | None = None  # (replicates × systems): system scores from other judges
    drawn_number: float = np.inf  # of units that were drawn for them; many: their spread is true
    ratings: Ratings | None = None  # the single scores behind those of segments

    def among(self, systems: Sequence[str]) -> "HumanScores":
        """Restrict to these systems, in this order, with the preferences among them."""
        place = {name: i for i, name in enumerate(self.systems)}
        kept = np.array([place[name] for name in systems], np.int64)
        return replace(
            self,
            systems=tuple(systems),
            system_scores=self.system_scores[kept],
            segment_scores=None if self.segment_scores is None else self.segment_scores[kept],
            preferences=_between(self.preferences, systems),
            replicates=None if self.replicates is None else self.replicates[:, kept],
            ratings=None if self.ratings is None else self.ratings.among(kept.tolist()),
        )


def _between(preferences: Comparisons | None, systems: Sequence[str]) -> Comparisons | None:
    """Comparisons between these systems, which become their vocabulary."""
    if preferences is None:
        return None
    code = {name: i for i, name in enumerate(systems)}
    place = np.array([code.get(name, -1) for name in preferences.systems], np.int32)
    left, right = place[preferences.left], place[preferences.right]
    renamed = replace(preferences, left=left, right=right, systems=tuple(systems))
    return renamed.where((left >= 0) & (right >= 0))


def from_rankings(
    comparisons: Comparisons, method: str | Method, resampling: Resampling, engine: Engine
) -> HumanScores:
    """Score systems by a ranking method, with resampled scores and preferences.

    `unit="auto"` draws scores with their covariance over other judges and documents, as far as the
    judgements allow; any other unit of judgements is resampled as in the papers.
    """
    chosen = METHODS.named(method)
    taking_part = participants(comparisons, chosen.reference)
    replicates: Floats | None = None
    number = np.inf
    if resampling.unit == "auto":
        unit = auto_unit(taking_part)
        assessed = assess(
            taking_part, chosen, Resampling(unit, resampling.replicates, resampling.seed), engine
        )
        uncertainty = assessed.uncertainty
        scores = uncertainty.estimate
        degrees = float(uncertainty.test_degrees.min())
        drawn = noise(
            uncertainty.covariance, max(degrees, 3.0), resampling.replicates, resampling.seed
        )
        replicates = scores + drawn
    else:
        asked = resampling
        if resampling.unit in ("none", "system"):
            asked = Resampling("none", 1, resampling.seed)
        estimated = estimate(taking_part, chosen, asked, engine)
        scores = estimated.scores
        if resampling.unit not in ("none", "system"):
            replicates = estimated.replicates
            number = effective_number(taking_part, resampling.unit)
    return HumanScores(
        pair=comparisons.pair,
        name=chosen.name,
        systems=taking_part.systems,
        system_scores=scores,
        segments=taking_part.segments,
        preferences=taking_part,
        replicates=replicates,
        drawn_number=number,
    )


def from_scores(
    pair: str, scale: str, part: pl.DataFrame, normalise: str | None = None
) -> HumanScores:
    """Average scores by system and segment, and these by system."""
    scored = code(pair, scale, part)
    usual = default_normalisation(scale, bool((scored.judge >= 0).any()))
    name = one_of(normalise or usual, NORMALISATIONS, "normalise")
    rows = part.filter(attributed()).with_columns(list_systems().alias("output")).explode("output")
    segment, segments = encode(rows["segment"])
    document, _ = encode(rows["document"])
    placed, _ = normalised(scored, name)
    kept = np.isin(scored.item, placed.item)  # those that normalisation kept
    segment, document = segment[kept], document[kept]
    known = segment >= 0
    by_segment = None
    shape = (len(placed.systems), len(segments))
    if known.any():
        place = placed.system[known].astype(np.int64) * shape[1] + segment[known]
        size = shape[0] * shape[1]
        number = np.bincount(place, minlength=size)
        total = np.bincount(place, placed.value[known], size)
        nothing = np.full(size, np.nan)
        means = np.divide(total, number, out=nothing, where=number > 0)
        by_segment = means.reshape(shape)
        by_system = means_of_systems(by_segment)
    else:
        number = np.bincount(placed.system, minlength=shape[0])
        by_system = np.bincount(placed.system, placed.value, shape[0]) / np.maximum(number, 1)
        known = np.ones(len(segment), bool)
    homes = np.full(shape[1], -1)
    if shape[1]:
        homes[segment[known]] = document[known]
    rows_of = placed.where(known)
    ratings = Ratings(
        value=rows_of.value,
        system=rows_of.system,
        segment=np.maximum(segment[known], 0),
        judge=rows_of.judge,
        item=rows_of.item,
        systems=shape[0],
        segments=max(shape[1], 1),
    )
    return HumanScores(
        pair=pair,
        name=scale,
        systems=placed.systems,
        system_scores=by_system,
        segments=segments,
        segment_scores=by_segment,
        document=homes,
        ratings=ratings,
    )


def require_segments(human: HumanScores) -> Floats:
    """Return human scores of segments, or raise an error."""
    if human.segment_scores is None:
        raise NotEnoughData(
            f'{human.pair}: people scored systems only, no segments; ask for `level="system"`'
        )
    return human.segment_scores
