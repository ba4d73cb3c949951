"""Tables of segments: extraction, the database of ranked segments, leave-one-out evaluation."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Between, Column, Row, Table
from adjudge.data.segranks import GARBAGE
from adjudge.segments.closest_ranks import COMPARED, ClosestRanks
from adjudge.segments.coverage import Coverage
from adjudge.segments.database import DatabaseSummary
from adjudge.segments.examples import NEAR, ExampleSentence
from adjudge.segments.extraction import Extraction
from adjudge.segments.leave_one_out import LeftOut, mean_error
from adjudge.segments.overall import SegmentRanking
from adjudge.segments.sentence_level import BesideSentences, Scored
from adjudge.stats.interval_columns import drawn_keys, interval, rules_between
from adjudge.stats.resampling import FEW_UNITS, Resampling


@shows(Extraction)
def extraction_tables(results: Sequence[Extraction]) -> list[Table]:
    """Summary of the extraction in one row."""
    columns = [
        Column("sentences", "sentences"),
        Column("segments", "segments"),
        Column("unmerged", "before merging"),
        Column("candidates", "candidates"),
        Column("candidates_a_segment", "a segment", 2),
        Column("unaligned", "without aligned words"),
        Column("covered", "words covered", percent=True),
        Column("covered_predicates", "predicates covered", percent=True),
    ]
    rows = [row for result in results for row in result.to_frame().to_dicts()]
    return [Table(rows, columns, title="Segments to be judged")]


@shows(DatabaseSummary)
def summary_tables(results: Sequence[DatabaseSummary]) -> list[Table]:
    """One row per language pair."""
    columns = [
        Column("pair", "pair"),
        Column("sentences", "sentences"),
        Column("segments", "segments"),
        Column("annotations", "annotations"),
        Column("repeated", "ranked twice or more"),
        Column("candidates", "candidates"),
        Column("candidates_a_segment", "a segment", 2),
        Column("unranked", "not ranked"),
        Column("unattributed", "of no known system"),
        Column("all_equal", "annotations that tell nothing apart"),
        Column("systems", "systems"),
        Column("judges", "judges"),
    ]
    return [Table([vars(result) for result in results], columns, title="Database of segments")]


@shows(Coverage)
def coverage_tables(results: Sequence[Coverage]) -> list[Table]:
    """One row for words, and rows for predicates if known."""
    return [
        Table(
            [row | _drawn(result.resampling) for row in result.to_frame().to_dicts()],
            [
                Column("what", "what"),
                Column("number", "in all"),
                Column("covered", "covered"),
                Column("share", "share", 3),
                interval(result.level, 3),
            ],
            title=f"{result.pair}: what the judged segments cover in {result.sentences:,} "
            f"sentences, {_replicates(result.resampling)}",
            notes=[]
            if len(result.what) > 1
            else ["Which words are predicates, only `trees` can tell."],
        )
        for result in results
    ]


@shows(SegmentRanking)
def ranking_tables(results: Sequence[SegmentRanking]) -> list[Table]:
    """One table per language pair, with a rule between clusters."""
    return [
        Table(
            rows=[row | _drawn(result.resampling) for row in result.to_frame().to_dicts()],
            columns=[
                Column("rank", "rank"),
                Column("system", "system"),
                Column("score", "ratio of wins", 4),
                interval(result.level, 4),
                Between("rank_low", "rank range", to="rank_high"),
                Column("cluster", "cluster"),
                Column("comparisons", "wins and losses"),
            ],
            title=f"{result.pair}: {result.annotations:,} annotations of segments, "
            f"{_replicates(result.resampling)}",
            notes=[
                f"Whole sentences were drawn, {result.sentences:,} of them: segments of one "
                "sentence are not independent.",
                *_few(result.effective_sentences),
            ],
            lines_after=rules_between(result.standing.cluster),
        )
        for result in results
    ]


@shows(BesideSentences)
def beside_tables(results: Sequence[BesideSentences], *, examples: int = 0) -> list[Table]:
    """Both kinds of judgements side by side, or the sentences with the largest disagreement."""
    if examples:
        return [_disagreeing(result, examples) for result in results]
    tables = []
    for result in results:
        level = result.level
        tables.append(
            Table(
                [row | _drawn(result.resampling) for row in result.to_frame().to_dicts()],
                [
                    Column("system", "system"),
                    Column("segment_score", "by segments", 4),
                    _ends("segment", level, 4),
                    Column("sentence_score", "by sentences", 4),
                    _ends("sentence", level, 4),
                    Column("tau_better", "τ better", 3),
                    Column("tau_worse", "τ worse", 3),
                    Column("tau_all", "τ all", 3),
                    _ends("tau_all", level, 3),
                ],
                title=f"{result.pair}: ratio of wins by segments and by whole sentences, and how "
                f"far they agree, {_replicates(result.resampling)}",
                notes=_beside_notes(result),
            )
        )
    return tables


def _ends(key: str, level: float, digits: int) -> Between:
    return interval(level, digits, f"{key}_low", f"{key}_high")


def _beside_notes(result: BesideSentences) -> list[str]:
    def span(scored: Scored) -> str:
        return f"{np.nanmin(scored.scores):.3f} to {np.nanmax(scored.scores):.3f}"

    pearson = result.pearson
    scores = f"By segments from {span(result.segments)}, by sentences from {span(result.sentences)}"
    notes = [
        scores + (f"; Pearson's r {pearson:.3f}." if pearson is not None else "."),
        _tau_note(result),
        f"{result.shared:,} sentences were judged in both ways, {result.judged:,} as a whole.",
    ]
    if result.left_out:
        notes.append(f"Left out, as only one kind knows them: {', '.join(result.left_out)}.")
    return notes


def _tau_note(result: BesideSentences) -> str:
    whole = result.overall
    if not whole.agree[0] + whole.disagree[0]:
        return "No pair of comparisons, of a sentence and of its segment, is without a tie: no τ."
    drawn = np.isfinite(whole.low[0])
    ends = f"{whole.low[0]:.3f} to {whole.high[0]:.3f}"
    return (
        "τ: of a comparison of whole sentences and one of a segment of the same sentence, agreeing "
        "less disagreeing pairs, of comparisons that the system won (better), lost (worse), or "
        f"both (all); of all systems {whole.tau[0]:.3f}"
        + (f", {100 * result.level:g} % interval {ends}." if drawn else ", by one sentence only.")
    )


def _disagreeing(result: BesideSentences, number: int) -> Table:
    rows = result.examples(number).to_dicts()
    for row in rows:
        for kind in ("segment", "sentence"):
            wins, losses = row[f"{kind}_wins"], row[f"{kind}_losses"]
            row[f"{kind}_won"] = f"{wins} of {wins + losses}"
    return Table(
        rows,
        [
            Column("quotient", "quotient", 2),
            Column("system", "system"),
            Column("sentence", "sentence"),
            Column("segment_won", "segments won"),
            Column("sentence_won", "sentences won"),
            Column("source", "source"),
            Column("segments", "its segments"),
            *([Column("output", "output")] if any(row["output"] for row in rows) else []),
        ],
        title=f"{result.pair}: sentences whose segments were judged otherwise than the whole",
        notes=[
            "The disagreement quotient is the ratio of wins by segments, divided by that by whole "
            f"sentences. The highest and the lowest of {len(result.quotients):,}; left out are "
            "sentences for which a denominator is 0."
        ],
        lines_after=frozenset({len(rows) // 2 - 1}) if len(rows) == 2 * number else frozenset(),
    )


@shows(LeftOut)
def left_out_tables(results: Sequence[LeftOut]) -> list[Table]:
    """One row per system treated as unseen; the data have all scores of all systems."""
    tables = []
    for pair in dict.fromkeys(result.pair for result in results):
        mine = [result for result in results if result.pair == pair]
        first = mine[0]
        rows: list[Row] = [
            {
                "left_out": result.system,
                "hit_rate": result.hit_rate,
                "edit_distance": result.distance,
                "known": result.known,
                "score": result.score,
                "low": float(result.standing.low[result.place]),
                "high": float(result.standing.high[result.place]),
                "error": result.error,
                "place": int(result.standing.rank[result.place]),
                "guessed": result.guessed,
            }
            for result in mine
        ]
        predicted = [Column("guessed", "guessed right", percent=True)]
        signed, absolute, worst = mean_error(mine)
        tables.append(
            Table(
                rows,
                [
                    Column("left_out", "taken for unseen"),
                    Column("hit_rate", "hit rate", percent=True),
                    Column("edit_distance", "edit distance", 2),
                    Column("known", "by its own ranks", 4),
                    Column("score", f"by {first.matching} matching", 4),
                    interval(first.resampling.level, 4),
                    Column("error", "too high by", 4),
                    Column("place", "place"),
                    *(predicted if first.guessed is not None else []),
                ],
                title=f"{pair}: each system taken for unseen, {first.matching} matching, "
                f"{first.annotations:,} annotations, {_replicates(first.resampling)}",
                notes=[
                    f"Mean error {signed:+.3f}, mean |error| {absolute:.3f}, worst {worst:.3f} in "
                    "the ratio of wins.",
                    _what_the_interval_knows(mine),
                ],
                data=[
                    row | _drawn(result.resampling)
                    for result in mine
                    for row in result.to_frame().to_dicts()
                ],
            )
        )
    return tables


def _what_the_interval_knows(results: Sequence[LeftOut]) -> str:
    if results[0].matching != "predicted":
        return (
            "The interval is of the drawn sentences only: it does not know that the matching is "
            "wrong."
        )
    held = sum(
        bool(
            result.standing.low[result.place] <= result.known <= result.standing.high[result.place]
        )
        for result in results
    )
    return (
        f"The interval is of the drawn sentences and of the prediction; it holds for {held} of "
        f"{len(results)} systems. guessed right: comparisons of candidates that nobody else made."
    )


@shows(ClosestRanks)
def closest_tables(
    results: Sequence[ClosestRanks], *, by: str = "system", examples: int = 0, seed: int = 1
) -> list[Table]:
    """Rank of the nearest candidate compared with the true rank."""
    if examples:
        return [_examples(result, examples, seed) for result in results]
    shares = [Column(name, name, percent=True) for name in COMPARED]
    tables = []
    for result in results:
        frame = result.by_system() if by == "system" else result.by_distance()
        tables.append(
            Table(
                frame.to_dicts(),
                [Column(by, by), Column("misses", "misses"), *shares],
                title=f"{result.pair}: the rank of the nearest candidate, beside the true rank",
                notes=[
                    "Of candidates that no other system made. worse: the nearest one was ranked "
                    f"worse. Of several as near, the mean rank over {result.averaged}."
                ],
                totals=1 if by == "system" else 0,
                data=result.to_frame().to_dicts(),
            )
        )
    return tables


def _examples(result: ClosestRanks, number: int, seed: int) -> Table:
    return Table(
        result.examples(number, seed).to_dicts(),
        [
            Column("system", "system"),
            Column("unseen", "taken for unseen"),
            Column("closest", "nearest"),
            Column("distance", "distance"),
            Column("rank", "rank", 0),
            Column("given", "given", 1),
            Column("compared", "the nearest is ranked"),
        ],
        title=f"{result.pair}: candidates that only one system made, and the nearest of others",
    )


def example_table(pair: str, examples: Sequence[ExampleSentence]) -> Table:
    """All segments of every example sentence."""
    return Table(
        [
            {
                "pair": pair,
                "system": example.system,
                "sentence": example.sentence,
                "source": " ".join(example.source),
                "segment": part.source,
                "candidate": part.candidate,
                "match": part.match,
                "nearest": part.nearest,
                "distance": part.distance,
                "rank": rank_shown(part.rank, part.candidates),
                "given": rank_shown(part.given, part.candidates),
            }
            for example in examples
            for part in example.segments
        ],
        [
            Column("system", "taken for unseen"),
            Column("sentence", "sentence"),
            Column("segment", "segment"),
            Column("candidate", "candidate"),
            Column("match", "match"),
            Column("nearest", "nearest of the others"),
            Column("distance", "edits"),
            Column("given", "rank by the nearest"),
            Column("rank", "rank by judges"),
        ],
        title=f"{pair}: segments of some sentences, looked up among those of the other systems",
        notes=[
            "hit: another system wrote the same. near: edits of at most "
            f"{100 * NEAR:g} % of the candidate's characters lead to the nearest. miss: more."
        ],
    )


def rank_shown(rank: float, candidates: int) -> str:
    """Format a rank, or a mean of ranks; worse than all ranks is garbage."""
    if rank > candidates:
        return GARBAGE
    return f"{rank:.0f}" if rank == int(rank) else f"{rank:.1f}"


def _drawn(resampling: Resampling) -> dict[str, Any]:
    keys = drawn_keys(resampling.unit, resampling.replicates, resampling.seed)
    return keys | {"unit": "sentence", "level": resampling.level}


def _few(sentences: float) -> list[str]:
    """Note on intervals from few sentences."""
    if sentences >= FEW_UNITS:
        return []
    return [
        f"Effective number of sentences: {sentences:.1f}; intervals from so few units are "
        "approximate."
    ]


def _replicates(resampling: Resampling) -> str:
    return f"{resampling.replicates:,} replicates of sentences"
