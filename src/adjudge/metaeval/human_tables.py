"""The human side from judgements and from scores."""

import numpy as np
import polars as pl

from adjudge.core.errors import NotEnoughData, one_of
from adjudge.core.parallel import Engine
from adjudge.data.comparisons import Comparisons, encode
from adjudge.data.outputs import attributed, list_systems
from adjudge.metaeval.human_scores import HumanScores
from adjudge.metaeval.ratings import Ratings, means_of_systems
from adjudge.ranking.assessment import assess
from adjudge.ranking.estimation import estimate
from adjudge.ranking.method import METHODS, Method
from adjudge.ranking.participants import participants
from adjudge.ranking.population import auto_unit
from adjudge.ranking.resampling import effective_number
from adjudge.scoring.normalisation import NORMALISATIONS, default_normalisation, normalised
from adjudge.scoring.score_matrix import code
from adjudge.stats.resampling import Resampling
from adjudge.stats.simultaneous import noise
from adjudge.stats.units import Floats


def from_rankings(
    comparisons: Comparisons, method: str | Method, resampling: Resampling, engine: Engine
) -> HumanScores:
    """Systems by a ranking method, with what other judges and texts might have said; preferences.

    `unit="auto"` draws scores with their covariance over other judges and documents, as far as
    the judgements tell; any other unit of judgements is drawn as the papers did.
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
    """Means of scores by system and segment, and of these by system."""
    scored = code(pair, scale, part)
    name = one_of(normalise or default_normalisation(scored), NORMALISATIONS, "normalise")
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
    """People's scores of segments, or an error."""
    if human.segment_scores is None:
        raise NotEnoughData(
            f'{human.pair}: people scored systems only, no segments; ask for `level="system"`'
        )
    return human.segment_scores
