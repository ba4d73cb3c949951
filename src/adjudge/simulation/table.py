"""Simulated answers as a judgement table."""

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.data.judgement_table import ID, SCHEMA
from adjudge.simulation.assignment import NOBODY, Assignment
from adjudge.simulation.outputs import Material
from adjudge.simulation.simulated_judges import Answers, DrawnJudges

START = datetime(2026, 1, 5, 9, tzinfo=UTC)


def table(
    material: Material,
    assignment: Assignment,
    drawn: DrawnJudges,
    answers: Answers,
    rankings: int,
) -> pl.DataFrame:
    """The first `rankings` by time: one row per shown output, one per skipped ranking.

    It is well-formed by construction, and so spared the checks that files get: they would
    take most of the time of a small campaign.
    """
    chronological = np.argsort(answers.end, kind="stable")[:rankings]
    shown = assignment.shown[chronological]
    skipped = answers.skipped[chronological]
    rows = (shown != NOBODY) & ~skipped[:, None]
    rows[:, 0] |= skipped
    number, place = np.nonzero(rows)
    ranked = chronological[number]
    segment = assignment.segment[ranked]
    code, outputs = material.output_names()
    hits = [f"hit-{i}" for i in range(1, assignment.hits + 1)]
    frame = pl.DataFrame(
        {
            "pair": _named([material.pair], np.zeros(len(ranked), np.int64)),
            "document": _named(material.documents, material.document[segment]),
            "segment": _named(material.segments, segment),
            "ranking": number + 1,
            "hit": _named(hits, assignment.hit[ranked]),
            "judge": _named(drawn.names, assignment.judge[ranked]),
            "output": outputs.gather(code[segment, shown[number, place]]),
            "rank": answers.ranks[ranked, place],
            "position": np.cumsum(rows, axis=1)[number, place],
            "seconds": answers.seconds[ranked],
            "time": np.rint(answers.end[ranked] * 1e6).astype("timedelta64[us]"),
        }
    )
    was_shown = pl.Series(~answers.skipped[ranked])
    labelled = pl.Series(answers.labelled[ranked, place])
    frame = frame.with_columns(
        pl.when(was_shown).then(pl.col("output", "position")),
        pl.when(labelled).then(pl.col("rank")),
        pl.col("time") + pl.lit(START),
    )
    return frame.select(
        (pl.col(name) if name in frame.columns else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in SCHEMA.items()
    )


def _named(names: Sequence[str], codes: NDArray[np.int64]) -> pl.Series:
    return pl.Series(names, dtype=ID).gather(codes)
