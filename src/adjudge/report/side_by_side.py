"""Tables of what judges said of two outputs side by side (Bojar 2011 §2.5.2)."""

from collections.abc import Mapping, Sequence
from typing import Any

from adjudge.agreement.choices import SystemChoices
from adjudge.report.tables import Column, Table


def choices_table(found: Sequence[SystemChoices]) -> Table:
    """How often each of two systems was better, and how they tied; Bojar 2011 Table 8."""
    rows: list[Mapping[str, Any]] = [
        {
            "kind": "systems" if one.judge is None else "judge",
            "pair": one.pair,
            "judge": one.judge,
            "system": one.first,
            "other_system": one.second,
            **one.said.row(),
        }
        for one in found
    ]
    by_judge = any(one.judge is not None for one in found)
    several = len({one.pair for one in found}) > 1
    two = {(one.first, one.second) for one in found}
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
        *([Column("ties", "tie")] if any(one.said.ties for one in found) else []),
        Column("total", "total"),
    ]
    return Table(
        rows, columns, title="What each judge said" if by_judge else "Systems side by side"
    )
