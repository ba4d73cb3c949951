"""What the demonstration shows of its judgements."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudge.core.tables.table import Table


def result_tables(judged: str) -> "list[Table]":
    """The ranking and the agreement of the file `judged`."""
    import adjudge

    judgements = adjudge.read(judged)
    return [*judgements.rank().tables, *judgements.agreement().tables]


def write_report_page(judged: str, page: str, title: str) -> None:
    """The report of the file `judged`, as `adjudge report` writes it."""
    import adjudge

    adjudge.read(judged).report(page, title=title)
