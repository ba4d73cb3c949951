"""Comparisons of whole sentences with a winner, for systems that a database contains too."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from adjudge.core.errors import NotEnoughData
from adjudge.data.comparisons import MISSING, compare
from adjudge.data.outputs import list_systems, systems_among
from adjudge.segments.database import PROTOCOL, SegmentDatabase
from adjudge.stats.resampling import Codes, Floats

PHRASES = (PROTOCOL, "constituent")  # protocols that ask about parts of a sentence


@dataclass(frozen=True, eq=False)
class Won:
    """Decided comparisons of whole sentences between the systems in both sets."""

    sentence: Codes  # of `names`
    winner: Codes
    loser: Codes
    names: tuple[str, ...]
    texts: pl.DataFrame  # sentence, system, output

    def counted(self, systems: int) -> tuple[Floats, Floats]:
        """Wins and losses (sentences × systems)."""
        shape = (len(self.names), systems)
        wins, losses = np.zeros(shape), np.zeros(shape)
        np.add.at(wins, (self.sentence, self.winner), 1)
        np.add.at(losses, (self.sentence, self.loser), 1)
        return wins, losses


def sentence_judgements(table: pl.DataFrame) -> pl.DataFrame:
    """Rankings of whole sentences among judgements of several protocols."""
    protocol = pl.col("protocol").cast(pl.String)
    return table.filter(protocol.is_null() | ~protocol.is_in(PHRASES))


def shared_systems(
    database: SegmentDatabase, table: pl.DataFrame
) -> tuple[list[str], tuple[str, ...]]:
    shown = systems_among(table["output"].cast(pl.String).unique().drop_nulls())
    both = [system for system in database.systems if system in shown]
    if len(both) < 2:
        raise NotEnoughData(
            f"{database.pair}: the database knows {', '.join(database.systems) or 'no system'} and "
            f"the sentences are of {', '.join(sorted(shown)) or 'none'}; two systems must be in "
            "both, by the same names"
        )
    return both, tuple(sorted(set(database.systems) ^ shown))


def won_comparisons(table: pl.DataFrame, systems: Sequence[str]) -> Won:
    comparisons = compare(table, "expanded")
    number = {system: place for place, system in enumerate(systems)}
    code = np.array([number.get(system, MISSING) for system in comparisons.systems])
    left, right = code[comparisons.left], code[comparisons.right]
    kept = (
        (left >= 0) & (right >= 0) & (comparisons.outcome != 0) & (comparisons.segment != MISSING)
    )
    if not kept.any():
        raise NotEnoughData(
            f"{comparisons.pair}: no two of these systems differ in a sentence that has a "
            "name; give judgements that name their segments"
        )
    left_wins = comparisons.outcome[kept] > 0
    present, sentence = np.unique(comparisons.segment[kept], return_inverse=True)
    return Won(
        sentence=sentence,
        winner=np.where(left_wins, left[kept], right[kept]),
        loser=np.where(left_wins, right[kept], left[kept]),
        names=tuple(comparisons.segments[i] for i in present),
        texts=_texts(table),
    )


def _texts(table: pl.DataFrame) -> pl.DataFrame:
    """Text of each system for each sentence, if the judgements contain it."""
    rows = table.drop_nulls(["text", "segment", "output"]).select(
        pl.col("segment").cast(pl.String).alias("sentence"),
        list_systems().alias("system"),
        pl.col("text").cast(pl.String).alias("output"),
    )
    return rows.explode("system").unique(["sentence", "system"], maintain_order=True)


def places(database: SegmentDatabase, names: Sequence[str]) -> Codes:
    """Row of `database.sentences` for each name, −1 if absent."""
    row = {name: place for place, name in enumerate(database.sentences["sentence"])}
    return np.array([row.get(name, MISSING) for name in names])
