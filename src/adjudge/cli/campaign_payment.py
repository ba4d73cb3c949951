"""`adjudge campaign payment`: what each judge is paid by."""

from adjudge.cli.campaign import Database, Name, open_campaign
from adjudge.cli.options import Format, Output, emit


def payment(
    name: Name,
    to: Format = "table",
    output: Output = "-",
    database: Database = None,
) -> None:
    """Items and time of each judge, and what to look at before anybody is paid."""
    chosen = open_campaign(database, name)
    from adjudge.campaigns.people.crowd import UNSIGNED, crowd_of
    from adjudge.campaigns.results.payment import work_of
    from adjudge.cli.campaign import result_row
    from adjudge.core.files.output import private_files
    from adjudge.core.tables.table import Column, Table

    work, crowd = work_of(chosen), crowd_of(chosen)
    notes = [
        f"{judge.judge}: {judge.same} of {judge.items} answers say the same; look before you pay."
        for judge in work
        if judge.same
    ]
    if crowd is not None and not crowd.signed:
        notes.append(UNSIGNED)
    columns = [
        Column("judge", "Judge"),
        Column("worker", "Worker"),
        Column("state", "State"),
        Column("items", "Items"),
        Column("skipped", "Skipped"),
        Column("too_fast", "Too fast"),
        Column("same", "Same"),
        Column("hours", "Hours", 2),
        Column("server_hours", "By the server", 2),
        Column("last_answer", "Last answer"),
    ]
    with private_files():
        emit(
            [Table([result_row("payment", row) for row in work], columns, notes=notes)], to, output
        )
