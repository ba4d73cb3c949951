"""Tables of agreement: by language pair, coefficient, part, judge, two judges, controls."""

from collections.abc import Mapping, Sequence
from typing import Any

from adjudge.agreement.categorical import Confusion, LabelAgreement, confusion_kappas
from adjudge.agreement.controls import AT_LEAST, MARGIN, ThresholdAgreement
from adjudge.agreement.conventions import CONVENTIONS
from adjudge.agreement.judges import JudgeAgreement, JudgePairAgreement
from adjudge.agreement.pairwise import Agreement
from adjudge.agreement.parts import UNKNOWN, PartAgreement
from adjudge.report.tables import Between, Column, Row, Table
from adjudge.statistics.resampling import Resampling

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


def _interval(bootstrap: Resampling, key: str = "kappa") -> Between:
    return Between(f"{key}_low", f"{100 * bootstrap.level:g} % interval", 3, to=f"{key}_high")


COUNTS = (
    Column("agree", "agree"),
    Column("comparable", "comparable"),
    Column("p_a", "P(A)", 3),
    Column("p_e", "P(E)", 3),
    Column("kappa", "κ", 3),
)
WORDS = (Column("landis_koch", "Landis–Koch"), Column("krippendorff", "Krippendorff"))


def _drawn(bootstrap: Resampling) -> str:
    return f"intervals from {bootstrap.replicates:,} replicates of {bootstrap.unit}s"


def _marked(rows: Sequence[Row], bootstrap: Resampling) -> list[dict[str, Any]]:
    """Rows that say how their intervals were made."""
    how = {"unit": bootstrap.unit, "replicates": bootstrap.replicates, "seed": bootstrap.seed}
    return [{**row, **how} for row in rows]


def _reference(rows: Sequence[Row]) -> list[Column]:
    """Is the reference among what was compared? Shown where it sometimes is."""
    if any(row["with_reference"] for row in rows):
        return [Column("with_reference", "ref.")]
    return []


def _missing(rows: Sequence[Row], item: str = OUTPUTS) -> list[str]:
    """Why some rows have no κ."""
    kinds = dict.fromkeys(row["kind"] for row in rows if not row["comparable"])
    return [NOTHING_TWICE.format(why=WHY_NONE[kind].format(item=item)) for kind in kinds]


def agreement_table(results: Sequence[Agreement], bootstrap: Resampling) -> Table:
    """Every language pair and kind, with the other convention beside."""
    rows = _marked([result.row() for result in results], bootstrap)
    convention = results[0].convention
    other = results[0].other_convention
    beside: list[Column] = []
    notes = [PI_NOTE, *_missing(rows)]
    if _reference(rows):
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
            *_reference(rows),
            *COUNTS,
            _interval(bootstrap),
            *WORDS,
            *beside,
        ],
        title=f"Agreement on pairs of outputs, convention {convention}, {_drawn(bootstrap)}",
        notes=notes,
    )


def coefficient_table(rows: Sequence[Row], bootstrap: Resampling) -> Table:
    """Every coefficient of every language pair and kind."""
    return Table(
        _marked(rows, bootstrap),
        [
            Column("pair", "pair"),
            Column("kind", "kind"),
            *_reference(rows),
            *_COEFFICIENT,
        ],
        title=f"Coefficients of agreement, {_drawn(bootstrap)}",
        notes=[
            "S expects all labels alike; random_clicking random ranks; pi the labels in use; cohen "
            "each judge's own use of them. fleiss and alpha_… take one label per judge and pair of "
            "outputs (intra: the repeats of each judge). Of three labels placed evenly, ordinal "
            "and interval α are the same.",
            *_missing(rows),
        ],
    )


_COEFFICIENT = (
    Column("coefficient", "coefficient"),
    Column("p_a", "P(A)", 3),
    Column("p_e", "P(E)", 3),
    Column("value", "value", 3),
    Between("low", "interval", 3, to="high"),
    *WORDS,
)


def part_table(results: Sequence[PartAgreement], by: str, bootstrap: Resampling) -> Table:
    """Every part of every language pair; parts that are unknown say why."""
    rows = _marked([result.row() for result in results], bootstrap)
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
            *_reference(rows),
            *COUNTS,
            _interval(bootstrap),
            *WORDS,
        ],
        title=f"Agreement by {by}, {_drawn(bootstrap)}",
        notes=notes,
    )


def judge_table(results: Sequence[JudgeAgreement], bootstrap: Resampling) -> Table:
    """One row a judge."""
    rows = _marked([result.row() for result in results], bootstrap)
    return Table(
        rows,
        [
            Column("pair", "pair"),
            Column("judge", "judge"),
            *([Column("group", "group")] if any(row["group"] for row in rows) else []),
            *_reference(rows),
            Column("rankings", "rankings"),
            Column("segments", "segments"),
            Column("seconds_per_ranking", "s/ranking", 0),
            Column("tie_share", "ties", 0, percent=True),
            Column("intra_comparable", "intra n"),
            Column("intra_kappa", "κ intra", 3),
            _interval(bootstrap, "intra_kappa"),
            Column("inter_comparable", "inter n"),
            Column("inter_kappa", "κ inter", 3),
            _interval(bootstrap, "inter_kappa"),
            Column("inter_cohen", "Cohen inter", 3),
            Column("consensus_p_a", "with consensus", 0, percent=True),
        ],
        title=f"Agreement by judge, {_drawn(bootstrap)}",
        notes=[
            "κ takes P(E) from everybody's ties, Cohen from the judges' own. With consensus: how "
            "often the judge says what most other judges of the same two outputs said.",
            "No κ: the judge repeated nothing (intra), or nobody else judged the same (inter).",
        ],
    )


def judge_pair_table(results: Sequence[JudgePairAgreement]) -> Table:
    """One row for every two judges with something in common."""
    rows = [result.row() for result in results]
    none = "No two judges judged the same two outputs of a segment."
    return Table(
        rows,
        [
            Column("pair", "pair"),
            Column("judge", "judge"),
            Column("other_judge", "other"),
            *_reference(rows),
            *COUNTS,
            Column("cohen", "Cohen", 3),
            Column("landis_koch", "Landis–Koch"),
        ],
        title="Agreement of every two judges",
        notes=["κ takes P(E) from everybody's ties, Cohen from the two judges' own."]
        if rows
        else [none],
    )


def controls_table(results: Sequence[ThresholdAgreement], trusted: Sequence[str]) -> Table:
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


def label_tables(
    results: Sequence[LabelAgreement], tables: Sequence[Confusion], bootstrap: Resampling
) -> list[Table]:
    """Agreement on labels, and the two judges' table or the range of κ over all pairs."""
    rows = _marked([row for result in results for row in result.rows()], bootstrap)
    title = "Agreement on labels: " + ", ".join(results[0].categories)
    notes = _missing(rows, "item")
    inter = next(result for result in results if result.kind == "inter")
    if inter.items:
        share = 100 * (inter.unanimous or 0) / inter.items
        notes.append(
            f"All judges gave the same label to {inter.unanimous:,} of {inter.items:,} items "
            f"({share:.0f} %)."
        )
    kappas = confusion_kappas(tables)
    if len(kappas) > 1:
        notes.append(
            f"Cohen's κ of two judges ranges from {kappas.min():.3f} to {kappas.max():.3f}, on "
            f"average {kappas.mean():.3f} ± {kappas.std(ddof=1):.3f}."
        )
    counts = (Column("agree", "agree"), Column("comparable", "comparable"))
    main = Table(rows, [Column("kind", "kind"), *counts, *_COEFFICIENT], title, notes)
    return [main, *([confusion_table(tables[0])] if len(tables) == 1 else [])]


def confusion_table(confusion: Confusion) -> Table:
    """What one judge said (rows) and the other (columns); Bojar 2011 Table 7."""
    rows: list[Mapping[str, Any]] = [
        {
            "kind": "confusion",
            "judge": confusion.judge,
            "other_judge": confusion.other,
            "label": label,
            **{f"other_{name}": int(n) for name, n in zip(confusion.categories, line, strict=True)},
        }
        for label, line in zip(confusion.categories, confusion.table, strict=True)
    ]
    return Table(
        rows,
        [
            Column("label", f"{confusion.judge} says"),
            *(Column(f"other_{name}", name) for name in confusion.categories),
        ],
        title=f"{confusion.judge} (rows) and {confusion.other} (columns)",
    )
