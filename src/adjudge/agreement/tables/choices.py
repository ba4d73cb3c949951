"""Tables of side-by-side choices between two outputs (Bojar 2011 §2.5.2)."""

from collections.abc import Mapping, Sequence
from typing import Any

from adjudge.agreement.choices import SystemChoices
from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Table


@shows(SystemChoices)
def choices_tables(results: Sequence[SystemChoices]) -> list[Table]:
    """All systems in one table."""
    return [choices_table(results)]


def choices_table(results: Sequence[SystemChoices]) -> Table:
    """Wins of each of two systems, and kinds of ties; Bojar 2011 Table 8."""
    rows: list[Mapping[str, Any]] = [
        {
            "kind": "systems" if choice.judge is None else "judge",
            "pair": choice.pair,
            "judge": choice.judge,
            "system": choice.first,
            "other_system": choice.second,
            **choice.said.row(),
        }
        for choice in results
    ]
    by_judge = any(choice.judge is not None for choice in results)
    several = len({choice.pair for choice in results}) > 1
    two = {(choice.first, choice.second) for choice in results}
    named = next(iter(two)) if len(two) == 1 else None
    better = [f"{name} better" for name in named] if named else ["first better", "second better"]
    columns = [
        *([Column("pair", "pair")] if several else []),
        *([Column("judge", "judge")] if by_judge else []),
        *([] if named else [Column("system", "first"), Column("other_system", "second")]),
        Column("first_better", better[0]),
        Column("second_better", better[1]),
        Column("both_fine", "both fine"),
        Column("both_wrong", "both wrong"),
        *([Column("ties", "tie")] if any(choice.said.ties for choice in results) else []),
        Column("total", "total"),
    ]
    return Table(
        rows, columns, title="What each judge said" if by_judge else "Systems side by side"
    )
