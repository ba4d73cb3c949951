"""Simulation fitted to a real campaign: its design, and its estimated effects.

Judges, compared systems and texts are kept. Bradley and Terry's strengths give the qualities, their
variance components (`stats.variance_components`) the effects of judges and documents. Both are on
the scale of logits; what a unit of quality is there follows from the model, and from the threshold
that gives as many ties as there are. Estimated qualities lie further apart than true ones, as
chance is in them.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from adjudge.data.comparisons import Comparisons
from adjudge.data.win_counts import count
from adjudge.ranking.assessment import unit_deviations
from adjudge.ranking.methods.bradley_terry import METHOD as BRADLEY_TERRY
from adjudge.ranking.participants import participants
from adjudge.ranking.population import auto_unit
from adjudge.simulation.design import Design, Judges, Tasks
from adjudge.simulation.expectation import expected_counts
from adjudge.simulation.generators import Answered

Floats = NDArray[np.float64]

ROUNDS = 4  # of finding threshold and scale in turn
THRESHOLDS = (0.01, 5.0)  # between which the tie threshold is sought
LARGEST_EFFECT = 3.0


@dataclass(frozen=True)
class RealCampaign:
    """Known properties of a real campaign; None if unknown."""

    pair: str
    judges: int | None
    documents: int | None
    systems: int
    rankings: int


def described(comparisons: Comparisons) -> RealCampaign:
    """Describe the size of a campaign."""
    judges, documents = (
        len(np.unique(codes[codes >= 0])) or None
        for codes in (comparisons.judge, comparisons.document)
    )
    systems, rankings = len(comparisons.systems), len(np.unique(comparisons.ranking))
    return RealCampaign(comparisons.pair, judges, documents, systems, rankings)


def like(comparisons: Comparisons) -> Answered:
    """Fit a generator of similar campaigns."""
    real = participants(comparisons, reference=False)
    counts = count(real)
    strengths = BRADLEY_TERRY.scores(counts)
    between = unit_deviations(real, BRADLEY_TERRY, auto_unit(real))
    met = counts.comparisons
    ties = float(counts.ties.sum() / max(met.sum(), 1))
    design = Design(
        systems=len(real.systems),
        qualities=tuple(strengths.tolist()),
        identical=0.0,
        tasks=Tasks(block=2, hit_length=1),
        judges=Judges(skipped=0.0, missing=0.0),
    )
    for _ in range(ROUNDS):
        design = _scaled(design, strengths, between)
        design = _with_threshold(design, met, ties)
    return Answered(real, design)


def _scaled(design: Design, strengths: Floats, between: dict[str, float]) -> Design:
    """Rescale qualities and effects to the model's units."""
    slope = _slope(design)
    sizes = {name: min(deviation / slope, LARGEST_EFFECT) for name, deviation in between.items()}
    return replace(
        design,
        qualities=tuple((strengths / slope).tolist()),
        document_effect=sizes.get("document", 0.0),
        segment_effect=sizes.get("segment", design.segment_effect),
        judges=replace(design.judges, preference=sizes.get("judge", 0.0)),
    )


def _slope(design: Design) -> float:
    """Slope of the log odds of winning by quality, at equality."""
    step = 0.01
    two = replace(design, systems=2, qualities=(step, -step))
    wins, _ = expected_counts(two, (step, -step))
    return float(np.log(wins[0, 1] / wins[1, 0]) / (2 * step))


def _with_threshold(design: Design, met: NDArray[np.int64], ties: float) -> Design:
    """Solve for the tie threshold that gives this share of ties."""

    def wide(threshold: float) -> Design:
        return replace(design, judges=replace(design.judges, threshold=threshold))

    def excess(threshold: float) -> float:
        wins, tied = expected_counts(wide(threshold), tuple(design.qualities or ()))
        share = tied / np.maximum(wins + wins.T + tied, 1e-12)
        return float((share * met).sum() / met.sum() - ties)

    low, high = THRESHOLDS
    if excess(low) >= 0:
        return wide(low)
    return wide(high if excess(high) <= 0 else float(brentq(excess, low, high, xtol=1e-3)))
