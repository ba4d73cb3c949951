"""Metric-assisted means of human segment scores: direct assessment, marked errors.

The score of a system is the mean over segments of the mean of its scores in a segment, corrected by
the metric (`stats.control_variates`): y is a score by a judge, x the metric's score of the same
output.
"""

from dataclasses import replace

import numpy as np
import polars as pl

from adjudge.core.errors import NotEnoughData
from adjudge.data.outputs import attributed
from adjudge.metaeval.assisted.result import Assisted, Judged, assisted
from adjudge.metaeval.assisted.segment_matching import KnownTexts
from adjudge.scoring.assessment import assess, auto_unit, placeable, population
from adjudge.scoring.cells import segment_cells
from adjudge.scoring.normalisation import default_normalisation, normalised
from adjudge.scoring.score_matrix import Scored, code
from adjudge.stats.control_variates import Control, control, moved, power
from adjudge.stats.resampling import Codes, Floats, Resampling
from adjudge.stats.standings import unplaced_note


def assist_scores(
    pair: str,
    scale: str,
    part: pl.DataFrame,
    known: KnownTexts,
    normalise: str | None,
    resampling: Resampling,
) -> Assisted:
    """Rank the systems on one scale of one language pair (`scoring.scored.by_scale`)."""
    scored = code(pair, scale, part)
    name = normalise or default_normalisation(scored.scale, bool((scored.judge >= 0).any()))
    kept, notes = normalised(scored, name)
    kept, more_notes = _placed(kept)
    unit = auto_unit(kept)
    if not {"document", "segment"} & set(unit.split("+")):
        raise NotEnoughData(
            f"{pair}, {scale}: the scores name too few segments to know what a metric says of them"
        )
    documents, lines, of_item = _lines(part, known, pair)
    by_metric, lacking = known.scores(kept.systems)
    cells = segment_cells(kept)
    weight = cells.weights()
    given = _control(
        by_metric, of_item[kept.item], kept.system, weight, known.texts(unit, documents, lines)
    )
    alone = assess(kept, cells, unit, resampling.level)
    strength = power(weight * (kept.value - alone.estimate[kept.system]), given)
    corrected = replace(kept, value=kept.value - strength * given.value)
    together = assess(corrected, segment_cells(corrected), unit, resampling.level)
    judged = Judged(
        pair=pair,
        scale=scale,
        what="score",
        made=name,
        systems=kept.systems,
        number=np.bincount(kept.system).astype(np.float64),
        segments=len(np.unique(of_item[kept.item])),
        holds_for=population(kept, unit),
        notes=(*notes, *more_notes, *lacking),
    )
    return assisted(
        judged,
        known,
        given,
        strength,
        alone,
        moved(together, -strength * given.beyond.sum(axis=0), given, strength),
        replace(resampling, unit=unit),
    )


def _placed(scored: Scored) -> tuple[Scored, tuple[str, ...]]:
    """Remove the systems with too few scores."""
    present = scored.among(np.unique(scored.system))
    cells = segment_cells(present)
    enough = placeable(present, cells)
    if len(cells.mean) == len(present.systems) == len(present) > 1:
        raise NotEnoughData(
            f"{scored.pair}, {scored.scale}: one score a system is of no known segment; give the "
            "scores of segments (….seg.score)"
        )
    thin = [name for name, has in zip(present.systems, enough, strict=True) if not has]
    number = 1 / np.bincount(present.system, cells.weights() ** 2)
    notes = unplaced_note(thin, number[~enough].tolist(), "score")
    return present.among(np.flatnonzero(enough)), tuple(notes)


def _lines(
    part: pl.DataFrame, known: KnownTexts, pair: str
) -> tuple[list[str | None], Codes, Codes]:
    """Documents and lines of the judged segments, and the line of every item of `code(part)`."""
    items = part.filter(attributed()).unique("item").sort("item")
    place = items.select(pl.col("document", "segment").cast(pl.String))
    distinct = place.unique(maintain_order=True)
    documents, segments = (distinct[name].to_list() for name in ("document", "segment"))
    lines = known.place(documents, segments, pair)
    index = dict(zip(distinct.rows(), lines, strict=True))
    return documents, lines, np.array([index[key] for key in place.rows()], np.int64)


def _control(
    by_metric: Floats, line: Codes, system: Codes, weight: Floats, texts: Codes
) -> Control:
    """Control variate of scores: the metric's deviation from the mean of each system's segments."""
    population = by_metric.T / by_metric.shape[1]
    return control(by_metric[system, line], weight, system, line, texts, population)
