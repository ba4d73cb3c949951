"""Tables of scores: the systems on each scale, and how far judges agree."""

from collections.abc import Sequence

import numpy as np

from adjudge.report.tables import Between, Column, Row, Table
from adjudge.scoring.agreement import ScoreAgreement
from adjudge.scoring.system_scores import SystemScores
from adjudge.statistics.resampling import Resampling
from adjudge.statistics.significance import SIGNIFICANT

NORMALISED = {
    "raw": "scores as given",
    "wmt07": "scores as places among the judge's own, from 0 to 1",
    "z": "z-scores per judge",
}


def system_scores_table(result: SystemScores) -> Table:
    """The systems from best to worst, a line between clusters of rank ranges."""
    resampling = result.resampling
    drawn = (
        "nothing resampled"
        if resampling.unit == "none"
        else f"{resampling.replicates:,} replicates of {resampling.unit}s"
    )
    common = {
        "kind": "system",
        "normalisation": result.normalisation,
        "unit": resampling.unit,
        "replicates": resampling.replicates,
        "seed": resampling.seed,
        "level": result.level,
    }
    digits = 3 if np.abs(result.scores).max() < 10 else 2
    raw = [] if result.normalisation == "raw" else [Column("raw", "mean as given", 2)]
    return Table(
        rows=[row | common for row in result.to_frame().to_dicts()],
        columns=[
            Column("rank", "rank"),
            Column("system", "system"),
            Column("score", "score", digits),
            Between("low", f"{100 * result.level:g} % interval", digits, to="high"),
            *raw,
            Between("rank_low", "rank range", to="rank_high"),
            Column("cluster", "cluster"),
            Column("significance_cluster", "by tests"),
            Column("better_than_next", "better than next", percent=True),
            Column("scores", "scores"),
            Column("segments", "segments"),
        ],
        title=f"{result.pair}, {result.scale}: {NORMALISED[result.normalisation]}, {drawn}",
        notes=[
            "by tests: clusters from one-sided Wilcoxon rank-sum tests of segment scores, "
            f"p < {SIGNIFICANT:g}, as WMT draws them; better than next: the share of replicates.",
            *result.notes,
        ],
        lines_after=frozenset(int(end) for end in np.flatnonzero(np.diff(result.cluster))),
    )


def pairs_table(result: SystemScores) -> Table:
    """One row for every two systems: how sure one is better (JSON and CSV)."""
    first, second = np.triu_indices(len(result.systems), 1)
    rows = [
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
    return Table(rows, [])


def better_table(result: SystemScores) -> Table:
    """The probability that the row's system is better than the column's."""
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
    )


def score_agreement_table(results: Sequence[ScoreAgreement], bootstrap: Resampling) -> Table:
    """Agreement on values and on the ranks they imply."""
    rows = [{"kind": "agreement", **_renamed(result.row())} for result in results]
    how = {"unit": bootstrap.unit, "replicates": bootstrap.replicates, "seed": bootstrap.seed}
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
        [row | how for row in rows],
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
            Between("k_low", f"{100 * bootstrap.level:g} % interval", 3, to="k_high"),
            Column("alpha", "α", 3),
            Between("alpha_low", f"{100 * bootstrap.level:g} % interval", 3, to="alpha_high"),
        ],
        title=f"Agreement on scores, intervals from {bootstrap.replicates:,} replicates of "
        f"{bootstrap.unit}s",
        notes=notes,
    )


def _renamed(row: Row) -> Row:
    """`kind` says what a row of the JSON is; inter or intra is `between`."""
    return {("between" if key == "kind" else key): value for key, value in row.items()}
