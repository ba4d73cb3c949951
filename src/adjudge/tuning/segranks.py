"""Tuning towards human ranks of short segments (Macháček 2014 §3.3.2).

    ExactMatch      = 100 · wins / (wins + losses)   over segments that are found in the candidate
    PenalizeUnknown = the same, a segment that is not found having lost to every ranked system

Of every ranked source segment of the sentence, that ranked translation is looked for which is the
longest one in the candidate, word for word. Where one is found, it is a hit: its comparisons with
all systems that were ranked there count, ties left out. The *hit rate* is hits / segments; every
metric here counts both, in its last two columns.

Whoever says what people ranked high is more often found, so that ExactMatch is too high for
candidates that the ranked systems did not make (§3.2.1, `adjudge segments leave-one-out`), and a
tuned system may learn to be found rarely. The thesis therefore interpolates both with BLEU.
SegRanksBLEU has the best-ranked segments as further references (`segments/segranks_bleu.py`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from adjudge.core.errors import BadParameter
from adjudge.metrics.metric import Metric, References, Statistics, Texts
from adjudge.segments.database import SegmentDatabase
from adjudge.segments.segranks_bleu import SegRanksBleu, by_line, further_references
from adjudge.tuning.candidates import Floats
from adjudge.tuning.objective import Objective, Share, tunable


@dataclass(frozen=True)
class Ranked:
    """Source segment with its ranked translations, the longest first."""

    texts: tuple[tuple[str, float, float], ...]  # with wins and comparisons
    systems: int  # that were ranked


@dataclass(frozen=True)
class ExactMatch(Share):
    """Ratio of wins of the segments found."""

    name: ClassVar[str] = "exact-match"
    title: ClassVar[str] = "ExactMatch"
    summary: ClassVar[str] = "ratio of wins of ranked segments that are found in the candidate"
    paper: ClassVar[str] = "Macháček 2014 §3.3.2"
    scale: ClassVar[str] = "0 to 100"

    penalised: ClassVar[bool] = False

    database: SegmentDatabase = field(repr=False)

    def statistics(self, references: References) -> Statistics:
        """Sufficient statistics: 100 · wins, comparisons, hits, segments."""
        return _counting(self.database, len(references[0]), self.penalised)

    def __str__(self) -> str:
        return self.name

    @property
    def short(self) -> str:
        """Name as given by the user."""
        return self.name


@dataclass(frozen=True)
class PenalizeUnknown(ExactMatch):
    """ExactMatch with segments not found counted as worst."""

    name: ClassVar[str] = "penalize-unknown"
    title: ClassVar[str] = "PenalizeUnknown"
    summary: ClassVar[str] = "ExactMatch with segments that are not found as the worst"

    penalised: ClassVar[bool] = True


@dataclass(frozen=True)
class TunedSegRanksBleu(SegRanksBleu):
    """SegRanksBLEU of candidates, with best-ranked segments as additional references."""

    database: SegmentDatabase | None = field(default=None, repr=False)

    def statistics(self, references: References) -> Statistics:
        """Sufficient statistics: those of BLEU with additional references; hits, segments."""
        assert self.database is not None
        lines = len(references[0])
        further = further_references(self.database, lines)
        bleu = super().statistics((references[0], *further))
        found = _counting(self.database, lines)
        return lambda texts: np.column_stack([bleu(texts), found(texts)[:, -2:]])

    def __str__(self) -> str:
        return self.name

    @property
    def short(self) -> str:
        """Name as given by the user."""
        return self.name


SEGMENT_METRICS: Mapping[str, Callable[[SegmentDatabase], Metric]] = {
    ExactMatch.name: lambda database: ExactMatch(database=database),
    PenalizeUnknown.name: lambda database: PenalizeUnknown(database=database),
    SegRanksBleu.name: lambda database: TunedSegRanksBleu(database=database),
}


def _counting(database: SegmentDatabase, lines: int, penalised: bool = False) -> Statistics:
    """Function that counts 100 · wins, comparisons, hits and segments in texts of this many
    lines.
    """
    ranked = by_line(ranked_segments(database), lines)

    def counted(texts: Texts) -> Floats:
        each = zip(texts, ranked, strict=True)
        return np.array([_found(text, own, penalised) for text, own in each], np.float64)

    return counted


def _found(text: str, segments: Sequence[Ranked], penalised: bool) -> tuple[float, float, int, int]:
    words = f" {text} "
    wins = comparisons = 0.0
    hits = 0
    for segment in segments:
        match = next((own for own in segment.texts if f" {own[0]} " in words), None)
        if match is not None:
            wins += match[1]
            comparisons += match[2]
            hits += 1
        elif penalised:
            comparisons += segment.systems
    return 100 * wins, comparisons, hits, len(segments)


def ranked_segments(database: SegmentDatabase) -> dict[str, list[Ranked]]:
    """Segments of every sentence, with the human ranks of each translation."""
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
    """Parse a metric signature, including metrics over a database of segments."""
    make = SEGMENT_METRICS.get(signature) if isinstance(signature, str) else None
    if make is None:
        return tunable(signature)
    if database is None:
        raise BadParameter(f"`metric` {signature} needs ranked `segments`; name their file")
    return make(database)


def database_of(objective: Objective) -> SegmentDatabase | None:
    """Database of ranked segments used by the objective, if any."""
    metrics = (term.metric for term in objective.terms)
    return next(
        (m.database for m in metrics if isinstance(m, ExactMatch | TunedSegRanksBleu)), None
    )


def hit_rate(statistics: Floats, objective: Objective) -> float | None:
    """Share of ranked segments found in these candidates; None if the objective looks for none."""
    for term in objective.terms:
        if isinstance(term.metric, ExactMatch | TunedSegRanksBleu):
            hits, segments = statistics[:, term.end - 2 : term.end].sum(axis=0)
            return float(hits / max(segments, 1))
    return None


def unseen_hit_rate(database: SegmentDatabase) -> float:
    """Hit rate of the ranked systems, each treated as unseen (§3.2.1, Table 3.3).

    A candidate is found if another system made it, too.
    """
    made = database.candidates["systems"].list.len().fill_null(0).to_numpy()
    return float(made[made > 1].sum() / max(made.sum(), 1))
