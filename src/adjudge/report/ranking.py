"""Tables of rankings: one language pair's ranking, head to head, methods side by side."""

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from adjudge.ranking.compare_methods import MethodsCompared
from adjudge.ranking.head_to_head import HeadToHead, mark
from adjudge.ranking.method import Method
from adjudge.ranking.ranked import Ranking
from adjudge.report.tables import Between, Column, Row, Table


def ranking_table(ranking: Ranking) -> Table:
    """The official table: a line between clusters."""
    resampling = ranking.resampling
    common = {
        "method": ranking.method.name,
        "unit": resampling.unit,
        "replicates": resampling.replicates,
        "seed": resampling.seed,
        "level": ranking.level,
    }
    rows = [row | common for row in ranking.to_frame().to_dicts()]
    ends = np.flatnonzero(np.diff(ranking.cluster))
    drawn = (
        "nothing resampled"
        if resampling.unit == "none"
        else f"{resampling.replicates:,} replicates of {_plural(resampling.unit)}"
    )
    return Table(
        rows=rows,
        columns=[
            Column("rank", "rank"),
            Column("system", "system"),
            Column("score", "score", 3),
            Between("low", f"{100 * ranking.level:g} % interval", 3, to="high"),
            Between("rank_low", "rank range", to="rank_high"),
            Column("cluster", "cluster"),
            Column("comparisons", "comparisons"),
        ],
        title=f"{ranking.pair}: {ranking.method.name}, {drawn}",
        notes=[*_design_note(ranking), *ranking.notes],
        lines_after=frozenset(int(end) for end in ends),
    )


def _plural(unit: str) -> str:
    return " and ".join(f"{part}s" for part in unit.split("+"))


def _design_note(ranking: Ranking) -> list[str]:
    if not ranking.design_effects:
        return []
    effects = ", ".join(f"{unit} {effect:.1f}" for unit, effect in ranking.design_effects.items())
    return [f"Design effects (variance relative to independent comparisons): {effects}."]


def pairs_table(result: HeadToHead) -> Table:
    """One row for every two systems: the JSON and CSV of a comparison."""
    common = {"correction": result.correction}
    return Table([row | common for row in result.to_frame().to_dicts()], [])


def matrix_table(result: HeadToHead) -> Table:
    """How often the system of the column beat that of the row, ignoring ties (WMT13 Table 21)."""
    rows = [
        {"system": name, "number": f"{i + 1}", f"{i}": "–"} for i, name in enumerate(result.systems)
    ]
    shares = zip(result.a, result.b, result.share, result.p_adjusted, strict=True)
    for a, b, share, p in shares:
        if not np.isnan(share):
            rows[b][f"{a}"] = f"{share:.2f}{mark(p)}"
            rows[a][f"{b}"] = f"{1 - share:.2f}{mark(p)}"
    last = len(rows) - 1
    rows.append(
        {"system": "expected wins"} | {f"{i}": f"{s:.2f}" for i, s in enumerate(result.scores)}
    )
    numbered = [Column(f"{i}", f"{i + 1}") for i in range(len(result.systems))]
    adjusted = {
        "bh": "adjusted over all pairs to control the false discovery rate (Benjamini–Hochberg)",
        "holm": "adjusted over all pairs to control any false one (Holm)",
        "none": "not adjusted for the number of pairs",
    }[result.correction]
    decided = int(result.wins_a.sum() + result.wins_b.sum())
    return Table(
        rows,
        [Column("number", ""), Column("system", "system"), *numbered],
        title=f"{result.pair}: how often the column's system was better than the row's, "
        "ignoring ties",
        notes=[
            f"Exact sign test, p {adjusted}: ⋆ p ≤ 0.10, † p ≤ 0.05, ‡ p ≤ 0.01.",
            f"{decided:,} decided comparisons, {int(result.ties.sum()):,} ties; the test takes "
            "comparisons as independent, which those of one ranking are not.",
        ],
        lines_after=frozenset({last}),
        totals=1,
    )


def methods_tables(result: MethodsCompared) -> list[Table]:
    """Ranks by every method; how much the methods agree; cycles."""
    return [
        _ranks_table(result),
        _agreement_table(result),
        _cycles_table(result),
        _least_table(result),
    ]


def _ranks_table(result: MethodsCompared) -> Table:
    rows: list[Row] = [
        {"system": system} | {f"{m}": int(rank) for m, rank in enumerate(result.ranks[:, i])}
        for i, system in enumerate(result.systems)
    ]
    violated = {f"{m}": int(number) for m, number in enumerate(result.violated)}
    rows.append({"system": "violated comparisons"} | violated)
    names = ", ".join(f"{i} {method.name}" for i, method in enumerate(result.methods, 1))
    return Table(
        rows,
        [Column("system", "system"), *(Column(key, f"{int(key) + 1}") for key in violated)],
        title=f"{result.pair}: the rank of each system by every method",
        notes=[f"Methods: {names}.", *result.notes],
        lines_after=frozenset({len(rows) - 2}),
        totals=1,
    )


def _agreement_table(result: MethodsCompared) -> Table:
    rows: list[Row] = [
        {"number": f"{i + 1}", "method": method.name}
        | {
            f"{j}": float((result.spearman if j > i else result.kendall)[i, j])
            for j in range(len(result.methods))
            if j != i
        }
        for i, method in enumerate(result.methods)
    ]
    numbered = [Column(f"{i}", f"{i + 1}", 2) for i in range(len(result.methods))]
    return Table(
        rows,
        [Column("number", ""), Column("method", "method"), *numbered],
        title=f"{result.pair}: Spearman's ρ above the diagonal, Kendall's τ below it",
    )


def _cycles_table(result: MethodsCompared) -> Table:
    rows = [
        {
            "systems": ", ".join(cycle.systems),
            "example": " > ".join((*cycle.example, cycle.example[0])),
        }
        for cycle in result.cycles
    ]
    return Table(
        rows,
        [Column("systems", "systems"), Column("example", "a shortest cycle among them")],
        title=f"{result.pair}: systems in cycles of majorities"
        + ("" if rows else ": none, some order violates nothing"),
    )


def _least_table(result: MethodsCompared) -> Table:
    least = result.least
    proof = (
        "which is proved to be the least"
        if least.optimal
        else f"the least found in {least.seconds:g} s; no order violates fewer than {least.bound:,}"
    )
    orders = "" if least.orders is None else f" Orders that violate as few: {least.orders:,}."
    return Table(
        [asdict(majority) for majority in least.reversed],
        [
            Column("better", "preferred"),
            Column("worse", "to"),
            Column("weight", "by comparisons"),
        ],
        title=f"{result.pair}: majorities that mfas goes against"
        + ("" if least.reversed else ": none"),
        notes=[f"mfas violates {least.cost:,} comparisons, {proof}.{orders}"],
    )


def methods_rows(result: MethodsCompared) -> Table:
    """The same as flat rows of five kinds: rank, agreement, cycle, least, reversed."""
    rows: list[Row] = [
        {
            "kind": "rank",
            "pair": result.pair,
            "method": method.name,
            "system": system,
            "rank": int(result.ranks[m, s]),
            "score": float(result.scores[m, s]),
            "violated": int(result.violated[m]),
        }
        for m, method in enumerate(result.methods)
        for s, system in enumerate(result.systems)
    ]
    rows += [
        {
            "kind": "agreement",
            "pair": result.pair,
            "method": result.methods[i].name,
            "other_method": result.methods[j].name,
            "spearman": float(result.spearman[i, j]),
            "kendall": float(result.kendall[i, j]),
        }
        for i, j in zip(*np.triu_indices(len(result.methods), 1), strict=True)
    ]
    rows += [
        {
            "kind": "cycle",
            "pair": result.pair,
            "cycle": number,
            "system": system,
            "example": " > ".join((*cycle.example, cycle.example[0])),
        }
        for number, cycle in enumerate(result.cycles, 1)
        for system in cycle.systems
    ]
    least = result.least
    rows.append(
        {
            "kind": "least",
            "pair": result.pair,
            "violated": least.cost,
            "bound": least.bound,
            "optimal": least.optimal,
            "orders": least.orders,
        }
    )
    rows += [
        {"kind": "reversed", "pair": result.pair} | asdict(majority) for majority in least.reversed
    ]
    return Table(rows, [])


def method_list(methods: Sequence[Method]) -> Table:
    """What methods there are."""
    return Table(
        [
            {
                "method": method.name,
                "formula": method.summary,
                "paper": method.paper,
                "ties": method.ties,
                "reference": method.reference,
            }
            for method in methods
        ],
        [
            Column("method", "method"),
            Column("formula", "score"),
            Column("ties", "ties"),
            Column("reference", "reference takes part"),
            Column("paper", "paper"),
        ],
        title="Ranking methods (docs/methods.md)",
    )
