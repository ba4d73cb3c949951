"""Evaluation of a new system from its plain output, with a choice of segments to judge next.

Its candidates are found in the output (`database_hits`), hits have known ranks, misses are
predicted (`predicted_score`). Candidates of that system that judges have ranked keep their ranks.

Which misses to judge next is drawn, a miss the more likely the more doubt there is of it
(`predicted_score.draw_misses`). Those with the most doubt of all would narrow the interval a
little more, but to a wrong place: a system that is worse than predicted in some segments need not
be so in others.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl

from adjudge.core.errors import NotEnoughData
from adjudge.segments.database import SegmentDatabase
from adjudge.segments.extraction import merge_candidates, write_candidates
from adjudge.segments.prediction.database_hits import found_candidates
from adjudge.segments.prediction.predicted_score import Unseen, draw_misses, estimate, learn
from adjudge.segments.prediction.similarity import likeness
from adjudge.stats.resampling import Codes, Resampling
from adjudge.stats.standings import Standings, standings

LEAST = 3  # ranked systems: one to check the learning with, two to compare


@dataclass(frozen=True, eq=False)
class Evaluation:
    """New system among the ranked ones."""

    pair: str
    system: str
    resampling: Resampling
    systems: tuple[str, ...]  # from best to worst
    standing: Standings
    unseen: Unseen
    database: SegmentDatabase
    candidates: tuple[str | None, ...]  # of every annotation: what the new system made
    asked: int  # segments for judges

    @property
    def place(self) -> int:
        """Index of the new system in `systems`."""
        return self.systems.index(self.system)

    @property
    def hit_rate(self) -> float:
        """Share of annotations in which another system made the same candidate."""
        return self.unseen.hits / self.database.annotations

    @property
    def missing(self) -> int:
        """Number of annotations for whose segment the output has no words."""
        return sum(candidate is None for candidate in self.candidates)

    @property
    def score(self) -> float:
        """Ratio of wins of the new system."""
        return self.unseen.score

    @cached_property
    def next_segments(self) -> pl.DataFrame:
        """Segments to judge next, drawn by doubt; a smaller number is a prefix."""
        drawn = draw_misses(self.unseen.doubt, self.resampling.seed)
        rows = drawn.with_columns(
            segment=pl.Series(self.database.segment).gather(drawn["annotation"])
        )
        rows = rows.unique("segment", keep="first", maintain_order=True).head(self.asked)
        segments = self.database.segments[rows["segment"].to_list()]
        names = self.database.sentences["sentence"]
        return pl.DataFrame(
            {
                "sentence": names.gather(segments["sentence"]),
                "segment": segments["segment"],
                "source_segment": segments["source_segment"],
                "candidate": [self.candidates[annotation] for annotation in rows["annotation"]],
                "doubt": rows["doubt"],
            }
        )

    @property
    def narrowed(self) -> float:
        """Expected width of the interval after judging these, relative to the current width."""
        return self.unseen.narrowing(float(self.next_segments["doubt"].sum()))

    def write_next(self, path: str) -> None:
        """Write the next segments with all their candidates, for `adjudge campaign create`."""
        if not len(self.next_segments):
            raise NotEnoughData(
                f"every candidate of {self.system} has a rank; there is nothing to ask judges"
            )
        write_candidates(merge_candidates(self._to_judge()), path)

    def _to_judge(self) -> pl.DataFrame:
        """Return one row per segment and system, including the new one."""
        wanted = self.next_segments.select("segment", "candidate", "source_segment")
        code = {name: number for number, name in enumerate(self.database.segments["segment"])}
        numbers = [code[name] for name in wanted["segment"]]
        segment = pl.Series(self.database.segment).gather(self.database.candidates["annotation"])
        ranked = self.database.candidates.with_columns(segment=segment)
        ranked = ranked.filter(pl.col("segment").is_in(numbers)).explode("systems")
        texts = pl.Series(self.database.texts, dtype=pl.String)
        new = pl.DataFrame(
            {"segment": numbers, "candidate": wanted["candidate"]},
            schema={"segment": pl.Int64, "candidate": pl.String},
        ).with_columns(systems=pl.lit(self.system))
        ranked = ranked.select("segment", candidate=texts.gather(ranked["text"]), systems="systems")
        rows = pl.concat([ranked, new]).unique(maintain_order=True)
        segments = self.database.segments[rows["segment"].to_list()]
        sentences = self.database.sentences[segments["sentence"].to_list()]
        return rows.select(
            sentence=sentences["sentence"],
            source=sentences["source"],
            reference=sentences["reference"].fill_null(""),
            source_segment=segments["source_segment"],
            candidate="candidate",
            indices=segments["segment"].str.extract(r":([\d,]+)$").str.replace_all(",", " "),
            system="systems",
        )

    def to_frame(self) -> pl.DataFrame:
        """Return one row per system."""
        standing, number = self.standing, len(self.systems)
        return pl.DataFrame(
            {
                "pair": [self.pair] * number,
                "system": self.systems,
                "new": [name == self.system for name in self.systems],
                "rank": standing.rank,
                "score": standing.scores,
                "low": standing.low,
                "high": standing.high,
                "rank_low": standing.rank_low,
                "rank_high": standing.rank_high,
                "hit_rate": [self.hit_rate] * number,
                "hits": [self.unseen.hits] * number,
                "misses": [self.unseen.misses] * number,
                "judged": [self.unseen.judged] * number,
                "missing": [self.missing] * number,
                "annotations": [self.database.annotations] * number,
            }
        )


def evaluate(
    database: SegmentDatabase,
    lines: Sequence[str],
    file: str,
    system: str,
    resampling: Resampling,
    asked: int,
) -> Evaluation:
    """Score a system by its output."""
    known = [place for place, name in enumerate(database.systems) if name != system]
    replace(database, systems=tuple(database.systems[i] for i in known)).need_systems(LEAST)
    candidates = found_candidates(database, lines, file)
    if all(candidate is None for candidate in candidates):
        raise NotEnoughData(
            f"{file} has no words for any segment of the database; is it the output for its source?"
        )
    own = [database.number_of(system)] if system in database.systems else []
    for column in own:
        candidates = _as_judged(database, column, candidates)
    ranks = database.rank[:, own[0]] if own else np.full(database.annotations, np.nan)
    alike = likeness(database, candidates, ranks)
    target = len(database.systems)
    learnt = learn(alike, known, [*own, target])
    unseen = estimate(alike, learnt, target, resampling, own, ~np.isnan(ranks))
    standing = standings(unseen.scored)
    names = [*database.systems, system]
    return Evaluation(
        pair=database.pair,
        system=system,
        resampling=resampling,
        systems=tuple(names[unseen.columns[i]] for i in standing.order),
        standing=standing,
        unseen=unseen,
        database=database,
        candidates=tuple(candidates),
        asked=asked,
    )


def _as_judged(
    database: SegmentDatabase, own: int, candidates: Sequence[str | None]
) -> list[str | None]:
    """Replace candidates found in the output by those that judges saw."""
    text: Codes = database.text[:, own]
    seen = {int(database.segment[row]): int(text[row]) for row in np.flatnonzero(text >= 0)}
    return [
        database.texts[seen[segment]] if segment in seen else candidate
        for segment, candidate in zip(database.segment.tolist(), candidates, strict=True)
    ]
