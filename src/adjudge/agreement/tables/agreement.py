"""Tables of agreement: by language pair, coefficient, part, judge, pair of judges, controls."""

from collections.abc import Sequence
from typing import Any

from adjudge.agreement.coefficients import AllCoefficients
from adjudge.agreement.controls import AT_LEAST, MARGIN, ThresholdAgreement
from adjudge.agreement.conventions import CONVENTIONS
from adjudge.agreement.judges import JudgeAgreement, JudgePairAgreement
from adjudge.agreement.labels import KINDS
from adjudge.agreement.pairwise import Agreement
from adjudge.agreement.parts import UNKNOWN, PartAgreement
from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Between, Column, Row, Table
from adjudge.stats.interval_columns import drawn, drawn_keys, interval
from adjudge.stats.resampling import Resampling, Unit

NOTHING_TWICE = "Where nothing is comparable there is no κ: {why}."
WHY_NONE = {
    "inter": "inter needs two judges on the same {item}",
    "intra": "intra needs a judge who judged the same {item} twice",
}
OUTPUTS = "two outputs of one segment"
PI_NOTE = (
    "κ = (P(A) − P(E)) / (1 − P(E)), P(E) from the observed ties (Scott's π); words of Landis and "
    "Koch; by Krippendorff's stricter reading ≥ 0.8 is reliable, ≥ 0.667 tentative."
)


COUNTS = (
    Column("agree", "agree"),
    Column("comparable", "comparable"),
    Column("p_a", "P(A)", 3),
    Column("p_e", "P(E)", 3),
    Column("kappa", "κ", 3),
)
WORDS = (Column("landis_koch", "Landis–Koch"), Column("krippendorff", "Krippendorff"))


def intervals_from(rows: Sequence[Row], resampling: Resampling | None) -> str:
    """Title suffix: population of the intervals, and the resampling unit if there was
    resampling.
    """
    if resampling is None or not rows:
        return ""
    if resampling.unit == "auto":
        return f", intervals {for_whom(rows)}"
    return f", intervals {for_whom(rows)} ({drawn(resampling.unit, resampling.replicates)})"


def for_whom(rows: Sequence[Row], kind: str = "") -> str:
    """Population of the intervals for the title; empty if it differs between rows."""
    held = _held(rows, kind)
    return held[0] if len(held) == 1 else "as the last column says"


def held_columns(rows: Sequence[Row]) -> list[Column]:
    """Column for the population of each row, if it differs between rows."""
    return [Column("holds_for", "holds")] if len(_held(rows)) > 1 else []


def _held(rows: Sequence[Row], kind: str = "") -> list[str]:
    """Populations of rows with comparable labels; `kind` is the prefix of their keys."""
    compared = [row for row in rows if row.get(f"{kind}comparable", True)]
    said = [row[f"{kind}holds_for"] for row in compared or rows]
    return list(dict.fromkeys(text for text in said if text))


def with_resampling(rows: Sequence[Row], resampling: Resampling | None) -> list[dict[str, Any]]:
    """Add the resampling parameters to the rows, if known."""
    if resampling is None:
        return [dict(row) for row in rows]
    unit: Unit = "segment" if resampling.unit == "auto" else resampling.unit
    keys = drawn_keys(unit, resampling.replicates, resampling.seed)
    return [{**keys, **row} for row in rows]


def interval_of(key: str, resampling: Resampling | None) -> Between:
    """Column of the interval of a coefficient."""
    low, high = f"{key}_low", f"{key}_high"
    if resampling is None:
        return Between(low, "interval", 3, to=high)
    return interval(resampling.level, 3, low, high)


def _reference_column(rows: Sequence[Row]) -> list[Column]:
    """Column for the presence of the reference, shown if it varies."""
    if any(row["with_reference"] for row in rows):
        return [Column("with_reference", "ref.")]
    return []


def missing_notes(rows: Sequence[Row], item: str = OUTPUTS) -> list[str]:
    """Notes on rows without κ."""
    kinds = dict.fromkeys(row["kind"] for row in rows if not row["comparable"])
    return [NOTHING_TWICE.format(why=WHY_NONE[kind].format(item=item)) for kind in kinds]


@shows(Agreement)
def agreement_tables(
    results: Sequence[Agreement], resampling: Resampling | None = None
) -> list[Table]:
    """All language pairs in one table."""
    return [agreement_table(results, resampling)]


def agreement_table(results: Sequence[Agreement], resampling: Resampling | None = None) -> Table:
    """Agreement of every language pair and kind, with the alternative convention."""
    rows = with_resampling([result.row() for result in results], resampling)
    convention = results[0].convention
    other = results[0].other_convention
    beside: list[Column] = []
    notes = [PI_NOTE, *missing_notes(rows)]
    if _reference_column(rows):
        notes.append("ref.: with the comparisons that involve the reference, or without them.")
    if other is None:
        notes.append(
            "The convention wmt15 cannot be shown beside: the order of outputs is not recorded."
        )
    else:
        beside = [
            Column("other_kappa", f"κ {other}", 3),
            Column("difference", "difference", 3),
        ]
        notes += [f"{name}: {CONVENTIONS[name].summary}." for name in (convention, other)]
    return Table(
        rows,
        [
            Column("pair", "pair"),
            Column("kind", "kind"),
            *([Column("outputs", "outputs")] if len({r.outputs for r in results}) > 1 else []),
            *_reference_column(rows),
            *COUNTS,
            interval_of("kappa", resampling),
            *WORDS,
            *beside,
            *held_columns(rows),
        ],
        title=f"Agreement on pairs of outputs, convention {convention}"
        + intervals_from(rows, resampling),
        notes=notes,
    )


@shows(AllCoefficients)
def coefficient_tables(
    results: Sequence[AllCoefficients], resampling: Resampling | None = None
) -> list[Table]:
    """All coefficients in one table."""
    return [coefficient_table([row for result in results for row in result.rows()], resampling)]


def coefficient_table(rows: Sequence[Row], resampling: Resampling | None = None) -> Table:
    """Coefficients of every language pair and kind."""
    return Table(
        with_resampling(rows, resampling),
        [
            Column("pair", "pair"),
            Column("kind", "kind"),
            *_reference_column(rows),
            *COEFFICIENT,
            *held_columns(rows),
        ],
        title=f"Coefficients of agreement{intervals_from(rows, resampling)}",
        notes=[
            "S expects all labels alike; random_clicking random ranks; pi the labels in use; cohen "
            "each judge's own use of them. fleiss and alpha_… take one label per judge and pair of "
            "outputs (intra: the repeats of each judge). Of three labels placed evenly, ordinal "
            "and interval α are the same.",
            *missing_notes(rows),
        ],
    )


COEFFICIENT = (
    Column("coefficient", "coefficient"),
    Column("p_a", "P(A)", 3),
    Column("p_e", "P(E)", 3),
    Column("value", "value", 3),
    Between("low", "interval", 3, to="high"),
    *WORDS,
)


@shows(PartAgreement)
def part_tables(
    results: Sequence[PartAgreement], resampling: Resampling | None = None
) -> list[Table]:
    """All parts in one table."""
    return [part_table(results, resampling)]


def part_table(results: Sequence[PartAgreement], resampling: Resampling | None = None) -> Table:
    """Agreement of every part of every language pair; unknown parts give the reason."""
    by = results[0].by
    rows = [result.row() for result in results]
    unknown = sum(result.tally.total for result in results if result.part is None)
    notes = [PI_NOTE]
    if unknown:
        total = sum(result.tally.total for result in results)
        which = "All" if unknown == total else f"{100 * unknown / total:.0f} % of the"
        notes.append(f"{which} comparisons are in no part by {by}: {UNKNOWN[by]}.")
    return Table(
        rows,
        [
            Column("pair", "pair"),
            Column("part", by),
            Column("kind", "kind"),
            *_reference_column(rows),
            *COUNTS,
            interval_of("kappa", resampling),
            *WORDS,
            *held_columns(rows),
        ],
        title=f"Agreement by {by}, intervals {for_whom(rows)}",
        notes=notes,
    )


@shows(JudgeAgreement)
def judge_tables(
    results: Sequence[JudgeAgreement], resampling: Resampling | None = None
) -> list[Table]:
    """One row per judge."""
    rows = [result.row() for result in results]
    table = Table(
        rows,
        [
            Column("pair", "pair"),
            Column("judge", "judge"),
            *([Column("group", "group")] if any(row["group"] for row in rows) else []),
            *_reference_column(rows),
            Column("rankings", "rankings"),
            Column("segments", "segments"),
            Column("seconds_per_ranking", "s/ranking", 0),
            Column("tie_share", "ties", 0, percent=True),
            Column("intra_comparable", "intra n"),
            Column("intra_kappa", "κ intra", 3),
            interval_of("intra_kappa", resampling),
            Column("inter_comparable", "inter n"),
            Column("inter_kappa", "κ inter", 3),
            interval_of("inter_kappa", resampling),
            Column("inter_cohen", "Cohen inter", 3),
            Column("consensus_p_a", "with consensus", 0, percent=True),
            *(
                Column(f"{kind}_holds_for", f"{kind} holds")
                for kind in KINDS
                if len(_held(rows, f"{kind}_")) > 1
            ),
        ],
        title=f"Agreement by judge, {_of_judges(rows)}",
        notes=[
            "κ takes P(E) from everybody's ties, Cohen from the judges' own. With consensus: how "
            "often the judge says what most other judges of the same two outputs said.",
            "No κ: the judge repeated nothing (intra), or nobody else judged the same (inter).",
        ],
    )
    return [table]


def _of_judges(rows: Sequence[Row]) -> str:
    """Population of the judges' intervals, between and within judges."""
    if all(len(_held(rows, f"{kind}_")) > 1 for kind in KINDS):
        return "intervals as the last columns say"
    held = [f"of {kind} {for_whom(rows, f'{kind}_')}" for kind in KINDS if _held(rows, f"{kind}_")]
    return f"intervals {'; '.join(held)}" if held else "nothing to compare"


@shows(JudgePairAgreement)
def judge_pair_tables(results: Sequence[JudgePairAgreement]) -> list[Table]:
    """One row per pair of judges with common items."""
    return [judge_pair_table(results)]


def judge_pair_table(results: Sequence[JudgePairAgreement]) -> Table:
    """One row per pair of judges with common items."""
    rows = [result.row() for result in results]
    none = "No two judges judged the same two outputs of a segment."
    return Table(
        rows,
        [
            Column("pair", "pair"),
            Column("judge", "judge"),
            Column("other_judge", "other"),
            *_reference_column(rows),
            *COUNTS,
            Column("cohen", "Cohen", 3),
            Column("landis_koch", "Landis–Koch"),
        ],
        title="Agreement of every two judges",
        notes=["κ takes P(E) from everybody's ties, Cohen from the two judges' own."]
        if rows
        else [none],
    )


@shows(ThresholdAgreement)
def controls_tables(
    results: Sequence[ThresholdAgreement], trusted: Sequence[str] = ()
) -> list[Table]:
    """All thresholds in one table; `trusted` are the groups whose consensus makes controls."""
    return [controls_table(results, trusted)]


def controls_table(results: Sequence[ThresholdAgreement], trusted: Sequence[str] = ()) -> Table:
    """Inter-annotator agreement by share of controls passed."""
    who = f"judges of {' and '.join(trusted)}" if trusted else "all other judges"
    return Table(
        [result.row() for result in results],
        [
            Column("pair", "pair"),
            Column("threshold", "threshold", 1),
            Column("controls", "controls"),
            Column("judges", "judges"),
            Column("rankings", "rankings"),
            *COUNTS,
            Column("landis_koch", "Landis–Koch"),
        ],
        title="Agreement between judges by share of controls passed",
        notes=[
            f"A control is a pair of outputs where {who} lean one way by more than {MARGIN} votes. "
            f"Judges who met fewer than {AT_LEAST} controls are left out at every threshold."
        ],
    )
