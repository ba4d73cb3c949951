"""Tables of all methods: ranks, agreement between methods, cycles, violations."""

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Row, Table
from adjudge.ranking.method_comparison import MethodsCompared


@shows(MethodsCompared)
def all_methods_tables(results: Sequence[MethodsCompared]) -> list[Table]:
    """Four tables per language pair."""
    return [table for result in results for table in methods_tables(result)]


def methods_tables(result: MethodsCompared) -> list[Table]:
    """Ranks by every method, agreement between methods, cycles, and majorities against the best
    order.
    """
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
        data=[
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
        ],
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
        data=[
            {
                "kind": "agreement",
                "pair": result.pair,
                "method": result.methods[i].name,
                "other_method": result.methods[j].name,
                "spearman": float(result.spearman[i, j]),
                "kendall": float(result.kendall[i, j]),
            }
            for i, j in zip(*np.triu_indices(len(result.methods), 1), strict=True)
        ],
    )


def _cycles_table(result: MethodsCompared) -> Table:
    examples = [" > ".join((*cycle.example, cycle.example[0])) for cycle in result.cycles]
    rows = [
        {"systems": ", ".join(cycle.systems), "example": example}
        for cycle, example in zip(result.cycles, examples, strict=True)
    ]
    return Table(
        rows,
        [Column("systems", "systems"), Column("example", "a shortest cycle among them")],
        title=f"{result.pair}: systems in cycles of majorities"
        + ("" if rows else ": none, some order violates nothing"),
        data=[
            {
                "kind": "cycle",
                "pair": result.pair,
                "cycle": number,
                "system": system,
                "example": examples[number - 1],
            }
            for number, cycle in enumerate(result.cycles, 1)
            for system in cycle.systems
        ],
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
        data=[
            {
                "kind": "least",
                "pair": result.pair,
                "violated": least.cost,
                "bound": least.bound,
                "optimal": least.optimal,
                "orders": least.orders,
            },
            *(
                {"kind": "reversed", "pair": result.pair} | asdict(majority)
                for majority in least.reversed
            ),
        ],
    )
