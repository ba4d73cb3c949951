"""Tables of scores: the systems on each scale, and how far judges agree."""

from collections.abc import Sequence

import numpy as np

from adjudge.agreement.tables.agreement import (
    held_columns,
    interval_of,
    intervals_from,
    with_resampling,
)
from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Between, Column, Row, Table
from adjudge.data.mqm import MQM, WEIGHTING
from adjudge.scoring.agreement import ScoreAgreement
from adjudge.scoring.system_scores import SystemScores
from adjudge.stats.interval_columns import (
    at_once_note,
    drawn_keys,
    interval,
    rules_between,
    variance_of,
)
from adjudge.stats.resampling import Resampling, plural
from adjudge.stats.tests import SIGNIFICANT

NORMALISED = {
    "raw": "scores",
    "wmt07": "scores as places among the judge's own, from 0 to 1",
    "z": "z-scores per judge",
}


@shows(SystemScores)
def system_scores_tables(results: Sequence[SystemScores]) -> list[Table]:
    """For every language pair and scale: the systems, and every two of them."""
    return [
        table for result in results for table in (system_scores_table(result), better_table(result))
    ]


def system_scores_table(result: SystemScores) -> Table:
    """The systems from best to worst, a line between clusters of rank ranges."""
    resampling = result.resampling
    made_by = {
        "kind": "system",
        "normalisation": result.normalisation,
        **drawn_keys(resampling.unit, resampling.replicates, resampling.seed),
        "level": result.level,
        "ranges": result.ranges,
        "holds_for": result.holds_for,
        "variance": "replicates" if result.drawn else "components",
    }
    adjusted = "" if result.drawn else f" adjusted for {plural(resampling.unit)}"
    digits = 3 if np.abs(result.scores).max() < 10 else 2
    as_given = result.drawn and result.normalisation == "raw"
    raw = [] if as_given else [Column("raw", "mean as given", 2)]
    return Table(
        rows=[row | made_by for row in result.to_frame().to_dicts()],
        columns=[
            Column("rank", "rank"),
            Column("system", "system"),
            Column("score", "score", digits),
            interval(result.level, digits),
            *raw,
            Between("rank_low", "rank range", to="rank_high"),
            Column("cluster", "cluster"),
            Column("significance_cluster", "by tests"),
            Column("better_than_next", "better than next", percent=True),
            Column("scores", "scores"),
            Column("segments", "segments"),
        ],
        title=f"{result.pair}, {_about(result.scale)}: "
        f"{NORMALISED[result.normalisation]}{adjusted}, "
        f"{result.holds_for} ({variance_of(resampling, result.drawn)})",
        notes=[
            *at_once_note(result.ranges, result.level, result.placed, result.told_apart),
            "better than next: the "
            + ("share of replicates" if result.drawn else "probability")
            + "; by tests: clusters from one-sided Wilcoxon rank-sum tests of segment scores, "
            f"p < {SIGNIFICANT:g}, as WMT draws them, which take segments as independent.",
            *result.notes,
        ],
        lines_after=rules_between(result.cluster),
    )


def _about(scale: str) -> str:
    """The scale as headings call it; of MQM with weights and direction, on which teams differ."""
    return f"{MQM} ({WEIGHTING}; higher is better)" if scale == MQM else scale


def better_table(result: SystemScores) -> Table:
    """The probability that the row's system is better than the column's.

    Its data are a row for every two systems.
    """
    rows: list[Row] = [
        {"number": f"{i + 1}", "system": name}
        | {
            f"{j}": f"{100 * result.better[i, j]:.0f}"
            + ("†" if result.p[i, j] < SIGNIFICANT else "")
            for j in range(len(result.systems))
            if j != i
        }
        for i, name in enumerate(result.systems)
    ]
    numbered = [Column(f"{i}", f"{i + 1}") for i in range(len(rows))]
    return Table(
        rows,
        [Column("number", ""), Column("system", "system"), *numbered],
        title=f"{result.pair}, {result.scale}: how probable it is, in per cent, that the row's "
        "system is better than the column's",
        notes=[f"† rank-sum test of segment scores, one-sided, p < {SIGNIFICANT:g}."],
        data=_pair_rows(result),
    )


def _pair_rows(result: SystemScores) -> list[Row]:
    first, second = np.triu_indices(len(result.systems), 1)
    return [
        {
            "kind": "systems",
            "pair": result.pair,
            "scale": result.scale,
            "system": result.systems[i],
            "other_system": result.systems[j],
            "difference": result.scores[i] - result.scores[j],
            "better": result.better[i, j],
            "p": result.p[i, j],
            "normalisation": result.normalisation,
        }
        for i, j in zip(first, second, strict=True)
    ]


@shows(ScoreAgreement)
def score_agreement_tables(
    results: Sequence[ScoreAgreement], resampling: Resampling | None = None
) -> list[Table]:
    """All scales in one table."""
    return [score_agreement_table(results, resampling)]


def score_agreement_table(
    results: Sequence[ScoreAgreement], resampling: Resampling | None = None
) -> Table:
    """Agreement on values and on the ranks they imply."""
    rows = [{"kind": "agreement", **_between_renamed(result.row())} for result in results]
    notes = [
        "K = (P(A) − P(E)) / (1 − P(E)); P(E) is 1/5 for values on five points and 1/3 for the "
        "order of two outputs that the values imply. α: Krippendorff's, of values on an interval "
        "scale."
    ]
    if any(not result.exact for result in results):
        notes.append("On a scale as fine as this, values are rarely the same; α says how close.")
    if any(not row["comparable"] for row in rows):
        notes.append(
            "inter needs two judges who scored the same output (for ranks: the same two outputs of "
            "a segment), intra a judge who did so twice."
        )
    return Table(
        with_resampling(rows, resampling),
        [
            Column("pair", "pair"),
            Column("scale", "scale"),
            Column("of", "of"),
            Column("between", "kind"),
            Column("judges", "judges"),
            Column("comparable", "comparable"),
            Column("p_a", "P(A)", 3),
            Column("p_e", "P(E)", 3),
            Column("k", "K", 3),
            interval_of("k", resampling),
            Column("alpha", "α", 3),
            interval_of("alpha", resampling),
            *held_columns(rows),
        ],
        title=f"Agreement on scores{intervals_from(rows, resampling)}",
        notes=notes,
    )


def _between_renamed(row: Row) -> Row:
    """`kind` says what a row of the JSON is; inter or intra is `between`."""
    return {("between" if key == "kind" else key): value for key, value in row.items()}
