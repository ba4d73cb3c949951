"""Comparison of judgements of segments with judgements of whole sentences.

Disagreement is measured per system and sentence (Macháček 2014 §3.1.2).

    disagreement quotient = [segment wins / (segment wins + losses)]
                          / [sentence wins / (sentence wins + losses)]

It is undefined if one of the three denominators is 0. It is high for a sentence whose segments are
better than the whole: often the predicate, which no segment covers, is wrong.

Segments beside whole sentences: do both kinds of judgements say the same? (Macháček 2014 §3.1)

Of judgements of whole sentences only comparisons that one system won are looked at, of systems
that the database knows too:

- the ratio of wins by segments beside that by sentences (Table 3.1);
- Kendall's τ = (agreeing − disagreeing) / (agreeing + disagreeing) over every comparison of
  sentences with every annotation of a segment of that sentence that is no tie (§3.1.2, Table 3.2):
  of the comparisons that a system won (*better*), that it lost (*worse*), and of both (*all*);
- the disagreement quotient of a system's sentence (§3.1.2): its ratio of wins by segments, divided
  by its ratio of wins by sentences. It is left out where one of the three denominators is 0.

Whole sentences are resampled. A share p of agreeing pairs makes τ = 2p − 1, so that its interval
is that of the share.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.errors import NotEnoughData
from adjudge.segments.database import SegmentDatabase
from adjudge.segments.overall import ratio_of_wins, resampled_ratio, wins_and_losses
from adjudge.segments.won_sentences import Won, places, shared_systems, won_comparisons
from adjudge.stats.bootstrap import Bootstrapped
from adjudge.stats.resampling import Codes, Floats, Resampling
from adjudge.stats.standings import Standings, standings


def quotients(
    database: SegmentDatabase,
    systems: Sequence[str],
    by_segments: tuple[Floats, Floats],
    by_sentences: tuple[Floats, Floats],
    won: Won,
    place: Codes,
) -> pl.DataFrame:
    """Quotients of all sentences and systems with both kinds of judgements; ties are broken by
    evidence.
    """
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
    """Describe each sentence of each system: its source, and the system's candidates."""
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


SIDES = ("better", "worse", "all")


@dataclass(frozen=True, eq=False)
class Scored:
    """Ratio of wins of every system by one kind of judgements, with its interval.

    NaN if a system neither won nor lost; its rank is 0.
    """

    scores: Floats
    low: Floats
    high: Floats
    rank: NDArray[np.int64]
    comparisons: Floats  # wins and losses of each system

    @property
    def reach(self) -> float:
        """Range from the worst system to the best."""
        return float(np.nanmax(self.scores) - np.nanmin(self.scores))


@dataclass(frozen=True, eq=False)
class Agreeing:
    """Kendall's τ between the two kinds, with the numbers of concordant and discordant pairs."""

    agree: NDArray[np.int64]
    disagree: NDArray[np.int64]
    tau: Floats  # NaN where there is no pair
    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False)
class BesideSentences:
    """Judgements of segments and of whole sentences side by side; arrays in the order of
    `systems`.
    """

    pair: str
    resampling: Resampling
    systems: tuple[str, ...]  # from best to worst by their segments
    left_out: tuple[str, ...]  # systems of the database that no sentence shows, or the reverse
    segments: Scored
    sentences: Scored
    tau: dict[str, Agreeing]  # better, worse, all
    overall: Agreeing  # every pair once
    shared: int  # sentences that were judged in both ways
    judged: int  # as whole sentences
    quotients: pl.DataFrame  # the highest first

    @property
    def level(self) -> float:
        """Confidence level of intervals."""
        return self.resampling.level

    @property
    def pearson(self) -> float | None:
        """Correlation of the two scores over systems; None for fewer than three."""
        both = np.vstack([self.segments.scores, self.sentences.scores])
        both = both[:, np.isfinite(both).all(axis=0)]
        if both.shape[1] < 3 or not np.ptp(both, axis=1).all():
            return None
        return float(np.asarray(np.corrcoef(both))[0, 1])

    def to_frame(self) -> pl.DataFrame:
        """Return one row per system."""
        columns: dict[str, object] = {
            "pair": [self.pair] * len(self.systems),
            "system": self.systems,
        }
        for name, scored in (("segment", self.segments), ("sentence", self.sentences)):
            columns |= {
                f"{name}_rank": [int(rank) or None for rank in scored.rank],
                f"{name}_score": scored.scores,
                f"{name}_low": scored.low,
                f"{name}_high": scored.high,
                f"{name}_comparisons": scored.comparisons.astype(np.int64),
            }
        for side, agreeing in self.tau.items():
            columns |= {
                f"tau_{side}": agreeing.tau,
                f"tau_{side}_low": agreeing.low,
                f"tau_{side}_high": agreeing.high,
                f"{side}_agree": agreeing.agree,
                f"{side}_disagree": agreeing.disagree,
            }
        return pl.DataFrame(columns)

    def examples(self, number: int) -> pl.DataFrame:
        """Sentences with the highest quotients, then those with the lowest."""
        most = len(self.quotients)
        first = min(number, most)
        last = min(number, most - first)
        ends = pl.concat([self.quotients.head(first), self.quotients.tail(last)])
        return ends.select(pl.lit(self.pair).alias("pair"), pl.all())


def beside_sentences(
    database: SegmentDatabase, table: pl.DataFrame, resampling: Resampling
) -> BesideSentences:
    """Compare a database with judgements of whole sentences of the same language pair."""
    systems, left_out = shared_systems(database, table)
    columns = [database.number_of(system) for system in systems]
    rank = database.rank[:, columns]
    won = won_comparisons(table, systems)
    by_segments = wins_and_losses(rank)
    by_sentences = won.counted(len(systems))
    segments = resampled_ratio(*by_segments, database.sentence, resampling)
    sentences = resampled_ratio(*by_sentences, np.arange(len(won.names)), resampling)
    place = places(database, won.names)
    if not (place >= 0).any():
        raise NotEnoughData(
            f"{database.pair}: no sentence of the database ({database.sentences['sentence'][0]!r}, "
            f"…) is among those that were judged as a whole ({won.names[0]!r}, …); name them alike"
        )
    if not by_segments[0].any():
        raise NotEnoughData(
            f"{database.pair}: no segment tells two of these systems apart; judge more segments"
        )
    order = standings(segments).order
    tau, overall = _tau(won, place, database, rank, resampling)
    return BesideSentences(
        pair=database.pair,
        resampling=resampling,
        systems=tuple(systems[i] for i in order),
        left_out=left_out,
        segments=_scored(segments, by_segments, order),
        sentences=_scored(sentences, by_sentences, order),
        tau={side: _ordered(agreeing, order) for side, agreeing in tau.items()},
        overall=overall,
        shared=int((place >= 0).sum()),
        judged=len(won.names),
        quotients=quotients(database, systems, by_segments, by_sentences, won, place),
    )


def _scored(
    scored: Bootstrapped, counted: tuple[Floats, Floats], order: NDArray[np.int64]
) -> Scored:
    standing: Standings = standings(scored)
    back = np.argsort(standing.order)[order]  # from places in the standing to those by segments
    comparisons = sum(sums.sum(axis=0)[order] for sums in counted)
    known = comparisons > 0
    scores, low, high = (
        np.where(known, values[back], np.nan)
        for values in (standing.scores, standing.low, standing.high)
    )
    return Scored(scores, low, high, np.where(known, standing.rank[back], 0), comparisons)


def _tau(
    won: Won, place: Codes, database: SegmentDatabase, rank: Floats, resampling: Resampling
) -> tuple[dict[str, Agreeing], Agreeing]:
    """Compute τ of each system for the better, the worse and all, and of all systems together."""
    agree, disagree = _pairs(won, place, database, rank)
    number, systems = len(place), rank.shape[1]
    sums = {}
    for side, system in (("better", won.winner), ("worse", won.loser)):
        for name, pairs in (("agree", agree), ("disagree", disagree)):
            sums[side, name] = np.zeros((number, systems))
            np.add.at(sums[side, name], (won.sentence, system), pairs)
    for name in ("agree", "disagree"):
        sums["all", name] = sums["better", name] + sums["worse", name]
        # Each pair has one winner: their sums hold every pair once.
        sums["overall", name] = sums["better", name].sum(axis=1, keepdims=True)
    everything = [
        np.hstack([sums[s, n] for s in (*SIDES, "overall")]) for n in ("agree", "disagree")
    ]
    share = resampled_ratio(everything[0], everything[1], np.arange(number), resampling)
    counts = [each.sum(axis=0).astype(np.int64) for each in everything]
    low, high = share.interval()
    unknown = counts[0] + counts[1] == 0
    tau, low, high = (
        np.where(unknown, np.nan, 2 * ends - 1) for ends in (share.estimate, low, high)
    )
    whole = Agreeing(counts[0], counts[1], tau, low, high)
    each = {
        side: _ordered(whole, np.arange(first * systems, (first + 1) * systems))
        for first, side in enumerate(SIDES)
    }
    return each, _ordered(whole, np.array([3 * systems]))


def _pairs(
    won: Won, place: Codes, database: SegmentDatabase, rank: Floats
) -> tuple[Floats, Floats]:
    """Numbers of annotations of a sentence's segments that agree and disagree with each
    comparison.
    """
    by_sentence = np.argsort(database.sentence, kind="stable")
    sizes = np.bincount(database.sentence, minlength=len(database.sentences))
    starts = np.cumsum(sizes) - sizes
    row = place[won.sentence]
    repeats = np.where(row >= 0, sizes[row], 0)
    comparison = np.repeat(np.arange(len(row)), repeats)
    within = np.arange(len(comparison)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    annotation = by_sentence[starts[row[comparison]] + within]
    winner = rank[annotation, won.winner[comparison]]
    loser = rank[annotation, won.loser[comparison]]
    agree, disagree = (
        np.bincount(comparison, pairs, len(row)).astype(np.float64)
        for pairs in (winner < loser, winner > loser)
    )
    return agree, disagree


def _ordered(agreeing: Agreeing, order: NDArray[np.int64]) -> Agreeing:
    return replace(agreeing, **{name: values[order] for name, values in vars(agreeing).items()})
