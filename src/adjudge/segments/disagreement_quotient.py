"""Sentences whose segments were judged otherwise than the whole (Macháček 2014 §3.1.2).

    disagreement quotient = [segment wins / (segment wins + losses)]
                          / [sentence wins / (sentence wins + losses)]

of a system and a sentence. It is left out where one of the three denominators is 0. A high one is
of a sentence whose segments are better than the whole: often the predicate, which no segment
covers, is wrong.
"""

from collections.abc import Sequence

import numpy as np
import polars as pl

from adjudge.segments.database import SegmentDatabase
from adjudge.segments.overall import ratio_of_wins
from adjudge.segments.won_sentences import Won
from adjudge.stats.units import Codes, Floats


def quotients(
    database: SegmentDatabase,
    systems: Sequence[str],
    by_segments: tuple[Floats, Floats],
    by_sentences: tuple[Floats, Floats],
    won: Won,
    place: Codes,
) -> pl.DataFrame:
    """Every sentence of every system that both kinds judged; of equal ones the best known first."""
    shape = (len(database.sentences), len(systems))
    sums = []
    for counted in by_segments:
        total = np.zeros(shape)
        np.add.at(total, database.sentence, counted)
        sums.append(total[place[place >= 0]])
    sums += [counted[place >= 0] for counted in by_sentences]
    wins, losses, sentence_wins, sentence_losses = sums
    known = (wins + losses > 0) & (sentence_wins > 0)
    sentence, system = np.nonzero(known)
    ratio = ratio_of_wins(np.hstack([wins, losses]))[known]
    whole = ratio_of_wins(np.hstack([sentence_wins, sentence_losses]))[known]
    row = place[place >= 0][sentence]
    frame = pl.DataFrame(
        {
            "system": np.array(systems, dtype=object)[system],
            "row": row,
            "quotient": ratio / whole,
            "segment_wins": wins[known].astype(np.int64),
            "segment_losses": losses[known].astype(np.int64),
            "sentence_wins": sentence_wins[known].astype(np.int64),
            "sentence_losses": sentence_losses[known].astype(np.int64),
        },
        schema_overrides={"system": pl.String},
    )
    evidence = pl.sum_horizontal(pl.col("^.*_(wins|losses)$"))
    joined = frame.join(_described(database), on=["row", "system"]).join(
        won.texts, on=["sentence", "system"], how="left"
    )
    signed = pl.when(pl.col("quotient") > 1).then(-evidence).otherwise(evidence)
    ordered = joined.sort(
        pl.col("quotient"), signed, "row", "system", descending=[True, *[False] * 3]
    )
    return ordered.select(
        "sentence",
        *(name for name in frame.columns if name != "row"),
        "source",
        "segments",
        "output",
    )


def _described(database: SegmentDatabase) -> pl.DataFrame:
    """Each sentence of each system: its source, and what the system made of the segments."""
    texts = pl.Series(database.texts, dtype=pl.String)
    candidates = database.candidates
    made = (
        candidates.select(
            pl.Series("segment", database.segment).gather(candidates["annotation"]),
            pl.col("systems").alias("system"),
            texts.gather(candidates["text"]).alias("candidate"),
        )
        .explode("system")
        .drop_nulls("system")
        .unique(["segment", "system"], maintain_order=True)
    )
    named = database.segments.select(
        pl.int_range(pl.len()).alias("segment"),
        pl.col("sentence").alias("row"),
        "source_segment",
    )
    said = pl.format("{} → {}", "source_segment", "candidate")
    of_sentence = made.join(named, on="segment", maintain_order="right")
    return (
        of_sentence.group_by("row", "system")
        .agg(said.str.join(" | ").alias("segments"))
        .join(database.sentences.with_columns(row=pl.int_range(pl.len())), on="row")
        .select("row", "system", "sentence", "source", "segments")
    )
