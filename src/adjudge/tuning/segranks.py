"""Tuning towards people's ranks of short segments (Macháček 2014 §3.3.2).

    ExactMatch      = 100 · wins / (wins + losses)   over segments that are found in the candidate
    PenalizeUnknown = the same, a segment that is not found having lost to every ranked system

Of every ranked source segment of the sentence, that ranked translation is looked for which is the
longest one in the candidate, word for word. Where one is found, it is a hit: its comparisons with
all systems that were ranked there count, ties left out. The *hit rate* is hits / segments.

Whoever says what people ranked high is more often found, so that ExactMatch is too high for
candidates that the ranked systems did not make (§3.2.1, `adjudge segments leave-one-out`), and a
tuned system may learn to be found rarely. The thesis therefore interpolates both with BLEU.
SegRanksBLEU has the best-ranked segments as further references (`segments/segranks_bleu.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from adjudge.errors import BadParameter
from adjudge.metrics.metric import Metric, References, Statistics, Texts
from adjudge.segments.database import SegmentDatabase
from adjudge.segments.segranks_bleu import SegRanksBleu, by_line, further_references
from adjudge.tuning.candidates import Floats
from adjudge.tuning.objective import Objective, Share, tunable

HITS, SEGMENTS = 2, 3  # the columns of what is found


@dataclass(frozen=True)
class Ranked:
    """One source segment: its ranked translations, the longest first."""

    texts: tuple[tuple[str, float, float], ...]  # with wins and comparisons
    systems: int  # that were ranked


@dataclass(frozen=True)
class ExactMatch(Share):
    """The ratio of wins of segments that are found."""

    name: ClassVar[str] = "exact-match"
    title: ClassVar[str] = "ExactMatch"
    summary: ClassVar[str] = "ratio of wins of ranked segments that are found in the candidate"
    paper: ClassVar[str] = "Macháček 2014 §3.3.2"
    scale: ClassVar[str] = "0 to 100"

    penalised: ClassVar[bool] = False

    database: SegmentDatabase = field(repr=False)

    def statistics(self, references: References) -> Statistics:
        """100 · wins, comparisons, hits, segments."""
        lines = by_line(self.segments, len(references[0]))

        def counted(texts: Texts) -> Floats:
            return np.array(
                [self._found(text, own) for text, own in zip(texts, lines, strict=True)], np.float64
            )

        return counted

    def _found(self, text: str, segments: Sequence[Ranked]) -> tuple[float, float, int, int]:
        words = f" {text} "
        wins = comparisons = 0.0
        hits = 0
        for segment in segments:
            match = next((own for own in segment.texts if f" {own[0]} " in words), None)
            if match is not None:
                wins += match[1]
                comparisons += match[2]
                hits += 1
            elif self.penalised:
                comparisons += segment.systems
        return 100 * wins, comparisons, hits, len(segments)

    @cached_property
    def unseen_hit_rate(self) -> float:
        """The hit rate of the ranked systems, each taken for unseen (§3.2.1, Table 3.3).

        A candidate is found if another system made it, too.
        """
        made = self.database.candidates["systems"].list.len().fill_null(0).to_numpy()
        return float(made[made > 1].sum() / max(made.sum(), 1))

    @cached_property
    def segments(self) -> Mapping[str, Sequence[Ranked]]:
        """The ranked segments of every sentence of the database."""
        return ranked_segments(self.database)

    def __str__(self) -> str:
        return self.name

    @property
    def short(self) -> str:
        """As it is asked for."""
        return self.name


@dataclass(frozen=True)
class PenalizeUnknown(ExactMatch):
    """ExactMatch to which what is not found is the worst."""

    name: ClassVar[str] = "penalize-unknown"
    title: ClassVar[str] = "PenalizeUnknown"
    summary: ClassVar[str] = "ExactMatch with segments that are not found as the worst"

    penalised: ClassVar[bool] = True


@dataclass(frozen=True)
class TunedSegRanksBleu(SegRanksBleu):
    """SegRanksBLEU of candidates: the references grow by the best-ranked segments."""

    database: SegmentDatabase | None = field(default=None, repr=False)

    def statistics(self, references: References) -> Statistics:
        """BLEU's, with further references."""
        assert self.database is not None
        further = further_references(self.database, len(references[0]))
        return super().statistics((references[0], *further))

    def __str__(self) -> str:
        return self.name

    @property
    def short(self) -> str:
        """As it is asked for."""
        return self.name


def ranked_segments(database: SegmentDatabase) -> dict[str, list[Ranked]]:
    """Of every sentence, its segments with all that people said of each translation."""
    names = database.sentences["sentence"].to_list()
    rows: list[list[tuple[str, float, int]]] = [[] for _ in range(database.annotations)]
    for annotation, text, rank, systems in database.candidates.iter_rows():
        rows[annotation].append((database.texts[text], rank, len(systems or ())))
    counts: dict[int, dict[str, list[float]]] = {}
    systems_of: dict[int, int] = {}
    for annotation, ranked in enumerate(rows):
        segment = int(database.segment[annotation])
        own = counts.setdefault(segment, {})
        number = sum(systems for *_, systems in ranked)
        systems_of[segment] = max(number, systems_of.get(segment, 0))
        for text, rank, _ in ranked:
            wins = sum(systems for _, other, systems in ranked if other > rank)
            losses = sum(systems for _, other, systems in ranked if other < rank)
            total = own.setdefault(text, [0.0, 0.0])
            total[0] += wins
            total[1] += wins + losses
    sentence = database.segments["sentence"].to_list()
    result: dict[str, list[Ranked]] = {name: [] for name in names}
    for segment, own in counts.items():
        longest = sorted(own.items(), key=lambda item: (-len(item[0]), item[0]))
        texts = tuple((text, wins, comparisons) for text, (wins, comparisons) in longest)
        result[names[sentence[segment]]].append(Ranked(texts, systems_of[segment]))
    return result


def metric_of_segments(signature: str | Metric, database: SegmentDatabase | None) -> Metric:
    """The metric of a signature, those over a database of segments included."""
    kinds = {ExactMatch.name: ExactMatch, PenalizeUnknown.name: PenalizeUnknown}
    if not isinstance(signature, str) or signature not in (*kinds, SegRanksBleu.name):
        return tunable(signature)
    if database is None:
        raise BadParameter(f"`metric` {signature} needs ranked `segments`; name their file")
    if signature == SegRanksBleu.name:
        return TunedSegRanksBleu(database=database)
    return kinds[signature](database=database)


def exact_match_of(objective: Objective) -> ExactMatch | None:
    """The term that looks for ranked segments, if there is one."""
    return next((t.metric for t in objective.terms if isinstance(t.metric, ExactMatch)), None)


def hit_rate(statistics: Floats, objective: Objective) -> float | None:
    """Of the ranked segments of these candidates, how many are found; None: nobody looked."""
    for term in objective.terms:
        if isinstance(term.metric, ExactMatch):
            found = statistics[:, term.first : term.end].sum(axis=0)
            return float(found[HITS] / max(found[SEGMENTS], 1))
    return None
