"""SegRanksBLEU: best-ranked segments as additional references (Macháček 2014 §3.2.3).

BLEU whose n-grams are clipped by the maximum over the reference and every candidate that had the
best rank in some annotation of the sentence. The brevity penalty uses the length of the reference
only, since segments are shorter than sentences. Texts are tokenised as the database is; case
matters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import ClassVar, TypeVar

import polars as pl

from adjudge.core.errors import InputError
from adjudge.metrics.catalogue.bleu import Bleu
from adjudge.metrics.metric import Texts
from adjudge.metrics.metric_inputs import Material
from adjudge.metrics.sufficient_statistics import Measured, measure
from adjudge.metrics.words import Numbers, Words
from adjudge.segments.database import SegmentDatabase

T = TypeVar("T")


@dataclass(frozen=True)
class SegRanksBleu(Bleu):
    """BLEU with the reference first and segments of it as additional references."""

    name: ClassVar[str] = "segranks-bleu"
    title: ClassVar[str] = "SegRanksBLEU"
    summary: ClassVar[str] = "BLEU with the best-ranked segments as further references"
    paper: ClassVar[str] = "Macháček 2014 §3.2.3"

    tokenize: str = "none"

    def _reference_length(self, words: Words, references: list[Words]) -> Numbers:
        return references[0].lengths

    def peer_signature(self, references: int) -> str | None:
        """Return None, as sacrebleu lacks this metric."""
        return None


def best_segments(database: SegmentDatabase) -> dict[str, list[str]]:
    """Candidates with the best rank in some annotation, for every sentence."""
    best = database.candidates.filter(pl.col("rank") == pl.col("rank").min().over("annotation"))
    names = database.sentences["sentence"].to_list()
    segments: dict[str, list[str]] = {name: [] for name in names}
    for annotation, text in (
        best.select("annotation", "text").unique(maintain_order=True).iter_rows()
    ):
        segments[names[database.sentence[annotation]]].append(database.texts[text])
    return {name: list(dict.fromkeys(texts)) for name, texts in segments.items()}


def segranks_bleu(
    database: SegmentDatabase, material: Material, metric: SegRanksBleu | None = None
) -> Measured:
    """Count all outputs; sentence 7 of the database is line 7 of the texts."""
    further = further_references(database, material.segments)
    enhanced = replace(material, references=(material.references[0], *further))
    (measured,) = measure(enhanced, [metric or SegRanksBleu()])
    return replace(measured, references=1)


def further_references(database: SegmentDatabase, lines: int) -> Sequence[Texts]:
    """Best segments as references: the first of every line, the second, …; empty if there is
    none.
    """
    return list(zip_longest(*by_line(best_segments(database), lines), fillvalue=""))


def by_line(segments: Mapping[str, Sequence[T]], lines: int) -> list[Sequence[T]]:
    """Arrange the items of a database's sentences by line: sentence 7 is line 7 of the texts."""
    in_order: list[Sequence[T]] = [()] * lines
    for name, own in segments.items():
        if not name.isdecimal() or not 1 <= int(name) <= lines:
            raise InputError(
                f"sentence {name!r} of the database is not a line of the texts, which have "
                f"{lines:,}; give the texts that the segments were taken from"
            )
        in_order[int(name) - 1] = own
    return in_order
