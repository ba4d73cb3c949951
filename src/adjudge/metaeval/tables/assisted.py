"""Table of a metric-assisted ranking."""

from collections.abc import Sequence

import numpy as np

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Between, Column, Table
from adjudge.metaeval.assisted.result import Assisted
from adjudge.scoring.tables.scores import NORMALISED
from adjudge.stats.interval_columns import (
    at_once_note,
    drawn_keys,
    interval,
    rules_between,
    variance_of,
)


@shows(Assisted)
def assisted_tables(results: Sequence[Assisted]) -> list[Table]:
    """One table per language pair and scale: systems by people alone and with the metric."""
    return [assisted_table(result) for result in results]


def assisted_table(result: Assisted) -> Table:
    """Systems from best to worst, with a rule between clusters."""
    resampling, judged = result.resampling, result.judged
    made_by = {
        "kind": "assisted",
        "made": judged.made,
        **drawn_keys(resampling.unit, resampling.replicates, resampling.seed),
        "level": result.level,
        "holds_for": judged.holds_for,
    }
    digits = 3 if np.abs(result.scores).max() < 10 else 2
    return Table(
        rows=[row | made_by for row in result.to_frame().to_dicts()],
        columns=[
            Column("rank", "rank"),
            Column("system", "system"),
            Column("score", "score", digits),
            interval(result.level, digits),
            Between("rank_low", "rank range", to="rank_high"),
            Column("cluster", "cluster"),
            Column("alone", "people alone", digits),
            interval(result.level, digits, "alone_low", "alone_high"),
            Column("judgements", f"{judged.what}s"),
            Column("worth", "worth", 0),
            Column("saved", "saved", 0),
        ],
        title=f"{result.pair}, {judged.scale}: "
        f"{NORMALISED.get(judged.made, 'rankings')} and {result.metric} together, "
        f"{judged.holds_for} ({variance_of(resampling, False)})",
        notes=[*_notes(result), *result.notes],
        lines_after=rules_between(result.cluster),
    )


def _notes(result: Assisted) -> list[str]:
    judged = result.judged
    apart = at_once_note(
        "simultaneous", result.level, np.ones(len(result.systems)), result.told_apart
    )
    return [
        f"People judged {judged.segments:,} segments, {result.metric} scored {result.segments:,} "
        f"(λ = {result.power:.3g}).",
        *(f"{note} By people alone: {result.alone_told_apart}." for note in apart),
        f"worth: so many {judged.what}s would make differences between systems as sure without "
        f"the metric; saved: how many of them there are not, {_percent(result)} of all that there "
        "are, as far as these judgements can tell.",
    ]


def _percent(result: Assisted) -> str:
    return f"{100 * float(result.saved.sum() / result.judgements.sum()):.0f} %"
