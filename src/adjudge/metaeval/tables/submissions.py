"""Table of problems in a submission to a metrics task."""

from collections.abc import Sequence

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Table
from adjudge.metaeval.task.validation import Checked


@shows(Checked)
def checked_tables(results: Sequence[Checked]) -> list[Table]:
    """All problems, errors first."""
    return [_checked_table(result) for result in results]


def _checked_table(result: Checked) -> Table:
    rows = result.to_frame().to_dicts()
    warnings = len(rows) - result.errors
    return Table(
        rows,
        [
            Column("kind", "kind"),
            Column("metric", "metric"),
            Column("pair", "pair"),
            Column("problem", "problem"),
        ],
        title=f"{', '.join(result.metrics)}: {result.scores:,} scores of {', '.join(result.pairs)}",
        notes=[
            f"{result.errors} errors, {warnings} warnings."
            if rows
            else "Nothing is wrong with it: every system and segment is there."
        ],
    )
