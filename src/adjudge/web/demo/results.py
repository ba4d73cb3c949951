"""Results that the demonstration shows."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudge.core.tables.table import Table


def result_tables(judged: str) -> "list[Table]":
    """Tables of ranking and agreement for the file `judged`."""
    import adjudge

    judgements = adjudge.read(judged)
    return [*judgements.rank().tables, *judgements.agreement().tables]


def write_report_page(judged: str, page: str, title: str) -> None:
    """Write the report of the file `judged`, as `adjudge report` does."""
    import adjudge

    adjudge.read(judged).report(page, title=title)
