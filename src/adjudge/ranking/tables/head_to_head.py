"""Tables of head-to-head comparisons (WMT13 Table 21)."""

from collections.abc import Sequence

import numpy as np

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Row, Table
from adjudge.ranking.head_to_head import HeadToHead, mark

_ADJUSTED = {
    "bh": "adjusted over all pairs to control the false discovery rate (Benjamini–Hochberg)",
    "holm": "adjusted over all pairs to control any false one (Holm)",
    "none": "not adjusted for the number of pairs",
}

_TESTS = {
    "clustered": "Test of the difference of expected wins",
    "sign": "Exact sign test",
}
_INDEPENDENT = {
    "sign": "; the test takes comparisons as independent, which those of one ranking are not."
}


@shows(HeadToHead)
def head_to_head_tables(results: Sequence[HeadToHead]) -> list[Table]:
    """One matrix per language pair."""
    return [matrix_table(result) for result in results]


def matrix_table(result: HeadToHead) -> Table:
    """Share of decided comparisons that the column's system won against the row's.

    Its data have one row per pair.
    """
    rows = [
        {"system": name, "number": f"{i + 1}", f"{i}": "–"} for i, name in enumerate(result.systems)
    ]
    shares = zip(result.a, result.b, result.share, result.p_adjusted, strict=True)
    for a, b, share, p in shares:
        if not np.isnan(share):
            rows[b][f"{a}"] = f"{share:.2f}{mark(p)}"
            rows[a][f"{b}"] = f"{1 - share:.2f}{mark(p)}"
    expected_wins = {f"{i}": f"{score:.2f}" for i, score in enumerate(result.scores)}
    numbered = [Column(f"{i}", f"{i + 1}") for i in range(len(result.systems))]
    decided = int(result.wins_a.sum() + result.wins_b.sum())
    return Table(
        [*rows, {"system": "expected wins", **expected_wins}],
        [Column("number", ""), Column("system", "system"), *numbered],
        title=f"{result.pair}: how often the column's system was better than the row's, "
        "ignoring ties",
        notes=[
            f"{_TESTS[result.test]}, {result.holds_for}; p {_ADJUSTED[result.correction]}: "
            "⋆ p ≤ 0.10, † p ≤ 0.05, ‡ p ≤ 0.01.",
            f"{decided:,} decided comparisons, {int(result.ties.sum()):,} ties"
            + _INDEPENDENT.get(result.test, "."),
            *_better_and_worse(result),
        ],
        lines_after=frozenset({len(rows) - 1}),
        totals=1,
        data=_pair_rows(result),
    )


def _better_and_worse(result: HeadToHead) -> list[str]:
    """For two systems only, such as a baseline and a tuned one: how often each was better."""
    if len(result.systems) != 2 or len(result.a) != 1:
        return []
    counts = [int(number[0]) for number in (result.wins_a, result.wins_b, result.ties)]
    better, worse, alike = (f"{n:,} ({100 * n / sum(counts):.0f} %)" for n in counts)
    return [
        f"{result.systems[result.a[0]]} was better {better}, worse {worse}, and alike {alike} "
        f"times: p = {result.p[0]:.3f}."
    ]


def _pair_rows(result: HeadToHead) -> list[Row]:
    common = {
        "correction": result.correction,
        "test": result.test,
        "holds_for": result.holds_for,
    }
    return [{"pair": result.pair} | row | common for row in result.to_frame().to_dicts()]
