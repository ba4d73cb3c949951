"""Tables of edits and their reviews: systems, statuses, agreement, new references."""

from collections.abc import Sequence

import numpy as np

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Between, Column, Row, Table
from adjudge.scoring.edits.agreement import AcceptabilityAgreement
from adjudge.scoring.edits.data_rows import STATUSES
from adjudge.scoring.edits.references import NewReferences
from adjudge.scoring.edits.results import Occurrence, Understood
from adjudge.scoring.edits.understandability import Understandability
from adjudge.stats.interval_columns import at_once_note, rules_between, variance_of

FEW = 30  # rows; a score of fewer deceives


@shows(Understood)
def all_understandability_tables(results: Sequence[Understood]) -> list[Table]:
    """The tables of every campaign."""
    return [table for result in results for table in understandability_tables(result)]


def understandability_tables(result: Understood) -> list[Table]:
    """All tables of `adjudge understandability`, told apart in JSON by `kind`."""
    return [
        *(systems_table(pair, result.repeated) for pair in result.systems),
        pairs_table(result.systems, result.waiting),
        occurrence_table(result.occurrences),
        agreement_table(result.agreement),
        references_table(result.references),
    ]


def systems_table(result: Understandability, repeated: bool) -> Table:
    """WMT13 Table 9: the best understood system first, a line between clusters."""
    return Table(
        [{"kind": "system", **row} for row in result.rows()],
        [
            Column("rank", "rank"),
            Column("system", "system"),
            Column("understandable", "understandable", 1, percent=True),
            _Percentages("low", f"{100 * result.resampling.level:g} % interval", 1, to="high"),
            Between("rank_low", "rank range", to="rank_high"),
            Column("cluster", "cluster"),
            *(Column(status.lower(), status) for status in STATUSES),
            Column("rows", "rows"),
            Column("editor_effect", "one editor less", 1, percent=True),
            Column("reviewer_effect", "one reviewer less", 1, percent=True),
        ],
        title=f"{result.pair}: understandability, {result.holds_for} "
        f"({variance_of(result.resampling, result.drawn)})",
        notes=[
            *at_once_note(result.ranges, result.resampling.level, result.placed, result.told_apart),
            "Understandable: GOOD and ALMOST rows of all"
            + ("." if repeated else "; edits of segments the editor had seen before are left out."),
            "One editor (reviewer) less: how far the share moves, at most, when one is left out.",
            *(_few_notes(result) if result.drawn else []),
            *result.notes,
            *(
                [f"{result.own_reviews:,} reviews are by the editor; leave such reviews out."]
                if result.own_reviews
                else []
            ),
        ],
        lines_after=rules_between(result.cluster),
    )


class _Percentages(Between):
    """An interval of shares."""

    def show(self, row: Row) -> str:
        """From … to, in percent; nothing where it is not known."""
        if row[self.key] is None or np.isnan(row[self.key]):
            return ""
        return f"{100 * row[self.key]:.{self.digits}f}–{100 * row[self.to]:.{self.digits}f}"


def _few_notes(result: Understandability) -> list[str]:
    notes = []
    for i, system in enumerate(result.systems):
        rows = int(result.counts[i].sum())
        if rows < FEW:
            low, high = (100 * end for end in result.wilson(i))
            notes.append(
                f"{system} has {rows} rows only: its share may be anything from {low:.0f} to "
                f"{high:.0f} % (Wilson)."
            )
    return notes


def pairs_table(results: Sequence[Understandability], waiting: int) -> Table:
    """The average of WMT13 §4.3, and how many edits the systems have (Bojar 2011 Table 11)."""
    rows = [
        {
            "kind": "pair",
            "pair": result.pair,
            "systems": len(result.systems),
            "average": result.average,
            "average_low": result.average_low,
            "average_high": result.average_high,
            "edits_least": result.edits.min(),
            "edits_mean": result.edits.mean(),
            "edits_deviation": result.edits.std(ddof=1) if len(result.edits) > 1 else None,
            "edits_most": result.edits.max(),
        }
        for result in results
    ]
    return Table(
        rows,
        [
            Column("pair", "pair"),
            Column("systems", "systems"),
            Column("average", "average", 1, percent=True),
            _Percentages("average_low", "interval", 1, to="average_high"),
            Column("edits_least", "edits: min"),
            Column("edits_mean", "mean", 1),
            Column("edits_deviation", "deviation", 1),
            Column("edits_most", "max"),
        ],
        title="Average understandability of the systems, and how many edits they have",
        notes=[
            "The average leaves the human reference out; edits that nobody reviewed do not count.",
            *([f"{waiting:,} edits wait for a review."] if waiting else []),
        ],
    )


def occurrence_table(results: Sequence[Occurrence]) -> Table:
    """WMT13 Table 7."""
    return Table(
        [{"kind": "occurrence", **result.row()} for result in results if result.total],
        [
            Column("pair", "pair"),
            Column("occurrence", "occurrence"),
            *(Column(f"{s.lower()}_share", s, 1, percent=True) for s in STATUSES),
            Column("rows", "rows"),
        ],
        title="Statuses, by whether the editor had seen the segment before",
    )


def agreement_table(results: Sequence[AcceptabilityAgreement]) -> Table:
    """WMT13 Table 8."""
    rows: list[Row] = [{"kind": "agreement", **result.row()} for result in results]
    return Table(
        rows,
        [
            Column("pair", "pair"),
            Column("agreement", "agreement"),
            Column("almost", "ALMOST counts"),
            Column("agree", "agree"),
            Column("comparable", "comparable"),
            Column("share", "share", 1, percent=True),
            Column("fleiss", "Fleiss's κ", 3),
            Between("fleiss_low", "interval", 3, to="fleiss_high"),
            Column("holds_for", "holds"),
        ],
        title="Agreement of reviewers on the same edited text",
        notes=[] if results else ["No edited text was reviewed twice."],
    )


def references_table(results: Sequence[NewReferences]) -> Table:
    """WMT13 Table 10: how many segments have how many new references."""
    return Table(
        [{"kind": "references", **row} for result in results for row in result.rows()],
        [
            Column("pair", "pair"),
            Column("references", "new references"),
            Column("segments", "segments"),
        ],
        title="New reference translations",
        notes=[
            f"{result.pair}: {result.number:,} distinct ones for {sum(result.segments):,} "
            f"segments, {result.mean:.2f} ± {result.deviation:.2f} each."
            for result in results
        ],
    )
