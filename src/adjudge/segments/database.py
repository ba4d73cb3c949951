"""Database of ranked segments: which candidate has which rank, and which systems produced it.

A database holds one language pair.

It is built from judgements of short segments (Macháček 2014 §2.2, §3.1): a campaign of the protocol
`segments`, a SegRanks database or its export. One *annotation* is one ranking of the candidates of
one source segment by one judge; a segment may have several. The rank of a candidate is the rank of
every system that made it. "Garbage" is the rank after the last.

What a database of segments holds, in numbers.
"""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.errors import NotEnoughData
from adjudge.data.outputs import list_systems, systems_among
from adjudge.data.segranks import indices, sentence, words_at
from adjudge.stats.resampling import Codes, Floats

PROTOCOL = "segments"


@dataclass(frozen=True, eq=False)
class SegmentDatabase:
    """Ranked candidates of source segments, of one language pair."""

    pair: str
    systems: tuple[str, ...]
    sentences: pl.DataFrame  # sentence, source, reference
    segments: pl.DataFrame  # sentence (a row of `sentences`), segment, source_segment
    texts: tuple[str, ...]  # every different candidate
    candidates: pl.DataFrame  # annotation, text (of `texts`), rank, systems (a list)
    segment: Codes  # of each annotation
    judges: int
    unranked: int = 0  # unranked candidates, which are left out

    @property
    def annotations(self) -> int:
        """Number of rankings of segments."""
        return len(self.segment)

    @cached_property
    def sentence(self) -> Codes:
        """Sentence of each annotation."""
        return self.segments["sentence"].to_numpy()[self.segment]

    @cached_property
    def _by_system(self) -> tuple[Floats, Codes]:
        code = {name: number for number, name in enumerate(self.systems)}
        rows = self.candidates.explode("systems").drop_nulls("systems")
        system = rows["systems"].replace_strict(code, return_dtype=pl.Int64).to_numpy()
        annotation = rows["annotation"].to_numpy()
        shape = (self.annotations, len(self.systems))
        rank = np.full(shape, np.nan)
        text = np.full(shape, -1, np.int64)
        rank[annotation, system] = rows["rank"].to_numpy()
        text[annotation, system] = rows["text"].to_numpy()
        return rank, text

    @property
    def rank(self) -> Floats:
        """Ranks (annotations × systems); NaN if the system has no candidate."""
        return self._by_system[0]

    @property
    def text(self) -> Codes:
        """Index into `texts` (annotations × systems), −1 if the system has no candidate."""
        return self._by_system[1]

    @property
    def present(self) -> NDArray[np.bool_]:
        """Mask of existing candidates (annotations × systems)."""
        return self.text >= 0

    def number_of(self, system: str) -> int:
        """Column of a system."""
        return self.systems.index(system)

    def need_systems(self, least: int = 2) -> None:
        """Refuse a database without known systems."""
        if len(self.systems) < least:
            raise NotEnoughData(
                f"{self.pair}: the database names {len(self.systems)} systems, which is too few "
                f"here: it takes {least} that are known to have made candidates"
            )


def holds_segments(table: pl.DataFrame) -> bool:
    """Test whether all judgements are of short segments, with texts and known systems."""
    if not len(table) or table["text"].null_count() == len(table):
        return False
    protocol = pl.col("protocol").cast(pl.String)
    of_segments = protocol.eq(PROTOCOL) | (protocol.is_null() & indices().is_not_null())
    return bool(table.drop_nulls("output").select(of_segments.all()).item())


def databases(table: pl.DataFrame) -> list[SegmentDatabase]:
    """Build the database of every language pair from a table of judgements."""
    protocol = pl.col("protocol").cast(pl.String)
    chosen = table.filter(protocol.is_null() | (protocol == PROTOCOL))
    ranked = chosen.drop_nulls("output")
    if not len(ranked):
        raise NotEnoughData(
            f"no judgements of short segments: those of the protocol {PROTOCOL!r} or in a format "
            "of SegRanks make a database"
        )
    if ranked["rank"].null_count() == len(ranked):
        raise NotEnoughData("nobody ranked these candidates yet; a database needs ranks")
    unranked = Counter(ranked.filter(pl.col("rank").is_null())["pair"].cast(pl.String).to_list())
    ranked = ranked.drop_nulls("rank").with_columns(sentence())
    for column, what in (("text", "candidates"), ("sentence", "sentences")):
        if ranked[column].null_count():
            raise NotEnoughData(
                f"the {what} of {ranked[column].null_count():,} ranked segments are unknown; a "
                "database needs judgements with texts and sentences, as the protocol "
                f"{PROTOCOL!r} and the formats of SegRanks have them"
            )
    names = ranked["pair"].cast(pl.String).unique().sort().to_list()
    return [
        replace(
            _database(ranked.filter(pl.col("pair").cast(pl.String) == name), name),
            unranked=unranked[name],
        )
        for name in names
    ]


def _database(ranked: pl.DataFrame, pair: str) -> SegmentDatabase:
    rows = ranked.select(
        "ranking",
        "sentence",
        pl.col("source", "reference", "text").cast(pl.String),
        _key().alias("segment"),
        words_at().list.join(" ").alias("words"),
        pl.col("judge").cast(pl.String),
        pl.col("rank").cast(pl.Float64),
        list_systems().alias("systems"),
    ).with_columns(source_segment=pl.coalesce("words", "source"))
    sentences = rows.group_by("sentence", maintain_order=True).agg(
        pl.col("source", "reference").drop_nulls().first()
    )
    segments = rows.unique(["sentence", "segment"], maintain_order=True).select(
        pl.col("sentence").replace_strict(*_codes(sentences["sentence"])),
        "segment",
        "source_segment",
    )
    texts = rows["text"].unique(maintain_order=True)
    numbered = rows.with_columns(
        pl.col("ranking").rank("dense").cast(pl.Int64) - 1,
        pl.col("text").replace_strict(*_codes(texts)),
        pl.col("segment").replace_strict(*_codes(segments["segment"])),
    ).sort("ranking", maintain_order=True)
    _refuse_two_of_one(numbered, texts)
    first = numbered.unique("ranking", keep="first", maintain_order=True)
    return SegmentDatabase(
        pair=pair,
        systems=tuple(sorted(systems_among(ranked["output"].cast(pl.String).unique()))),
        sentences=sentences,
        segments=segments,
        texts=tuple(texts),
        candidates=numbered.select(
            pl.col("ranking").alias("annotation"), "text", "rank", "systems"
        ),
        segment=first["segment"].to_numpy(),
        judges=rows["judge"].n_unique() - bool(rows["judge"].null_count()),
    )


def _key() -> pl.Expr:
    """Key of a segment within the language pair: its sentence and the indices of its words.

    SegRanks's export has no indices of words; the words themselves replace them.
    """
    return pl.coalesce(pl.col("sentence") + ":" + indices(), pl.col("segment").cast(pl.String))


def _codes(names: pl.Series) -> tuple[pl.Series, pl.Series]:
    return names, pl.Series(range(len(names)), dtype=pl.Int64)


def _refuse_two_of_one(rows: pl.DataFrame, texts: pl.Series) -> None:
    """Refuse two candidates of one system for a segment."""
    each = rows.explode("systems").drop_nulls("systems")
    twice = each.filter(pl.struct("ranking", "systems").is_duplicated())
    if len(twice):
        row = twice.row(0, named=True)
        raise NotEnoughData(
            f"{row['systems']} has two candidates of the segment {row['source_segment']!r} in "
            f"sentence {row['sentence']}, {texts[row['text']]!r} and another; keep one"
        )


@dataclass(frozen=True)
class DatabaseSummary:
    """Size of a database, and the informative part of it."""

    pair: str
    sentences: int
    segments: int
    annotations: int
    repeated: int  # segments with several annotations
    candidates: int  # ranked texts, each once a segment
    candidates_a_segment: float
    unranked: int  # unranked candidates, which are left out
    unattributed: int  # candidates of unknown systems
    all_equal: int  # annotations that put all candidates into one rank, or had only one
    systems: int
    judges: int

    def to_frame(self) -> pl.DataFrame:
        """Return a single row."""
        return pl.DataFrame([vars(self)])


def summarise(database: SegmentDatabase) -> DatabaseSummary:
    """Summarise a database."""
    candidates = database.candidates
    segment = pl.Series(database.segment).gather(candidates["annotation"])
    different = candidates.with_columns(segment=segment).unique(["segment", "text"])
    ranks = candidates.group_by("annotation").agg(pl.col("rank").n_unique())
    segments = len(database.segments)
    return DatabaseSummary(
        pair=database.pair,
        sentences=len(database.sentences),
        segments=segments,
        annotations=database.annotations,
        repeated=int((np.bincount(database.segment) > 1).sum()),
        candidates=len(different),
        candidates_a_segment=len(different) / segments,
        unranked=database.unranked,
        unattributed=int((different["systems"].list.len() == 0).sum()),
        all_equal=int((ranks["rank"] == 1).sum()),
        systems=len(database.systems),
        judges=database.judges,
    )
