"""`adjudge info`: what is in a file of judgements."""

from typing import TYPE_CHECKING

from adjudge.cli import app
from adjudge.cli.options import (
    Format,
    Output,
    OutputChoice,
    Shared,
    TableFormats,
    emit,
    on_any_judgements,
)

if TYPE_CHECKING:
    import polars as pl

    from adjudge.comparisons.summary import Summary
    from adjudge.report.tables import Column, Table


@app.command()
@on_any_judgements
def info(
    table: "pl.DataFrame",
    outputs: Shared = OutputChoice.expanded,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """Show what is in the judgements: pairs, protocols, systems, judges, rankings, ties, time."""
    from adjudge.comparisons.summary import summarise

    summaries = summarise(table, outputs.value)
    tables = [_pairs(table, summaries, outputs.value)]
    if len(summaries) == 1 and to not in (TableFormats.json, TableFormats.csv):
        tables.extend(_systems(table))
    emit(tables, to, output)


def _pairs(table: "pl.DataFrame", summaries: "list[Summary]", outputs: str) -> "Table":
    from dataclasses import asdict

    from adjudge.report.tables import Table

    rows = [
        {
            **asdict(summary),
            "first": summary.first and summary.first.isoformat(timespec="seconds"),
            "last": summary.last and summary.last.isoformat(timespec="seconds"),
        }
        for summary in summaries
    ]
    shown = [c for c in _columns() if c.key in _ALWAYS or any(row[c.key] for row in rows)]
    return Table(rows, shown, notes=_notes(table, summaries, outputs))


_ALWAYS = ("pair", "systems", "judges", "rankings", "comparisons", "ties", "missing", "duplicates")


def _columns() -> "list[Column]":
    from adjudge.report.tables import Column

    return [
        Column("pair", "Pair"),
        Column("protocol", "Protocol"),
        Column("systems", "Systems"),
        Column("judges", "Judges"),
        Column("groups", "Groups"),
        Column("documents", "Documents"),
        Column("segments", "Segments"),
        Column("rankings", "Rankings"),
        Column("skipped", "Skipped"),
        Column("unfinished", "Unlabelled"),
        Column("comparisons", "Comparisons"),
        Column("ties", "Ties"),
        Column("missing", "Missing labels"),
        Column("duplicates", "Duplicates"),
        Column("reference_share", "With reference", percent=True),
        Column("seconds_median", "Median seconds", digits=0),
        Column("first", "First"),
        Column("last", "Last"),
    ]


def _notes(table: "pl.DataFrame", summaries: "list[Summary]", outputs: str) -> list[str]:
    """What the table alone does not say; only what applies."""
    rankings = sum(summary.rankings for summary in summaries)
    comparisons = sum(summary.comparisons for summary in summaries)
    ties = sum(summary.ties for summary in summaries)
    judges = table["judge"].n_unique() - bool(table["judge"].null_count())
    tied = f", {100 * ties / comparisons:.0f} % of them ties" if comparisons else ""
    notes = [
        f"In all {rankings:,} rankings by {judges:,} judges; {comparisons:,} comparisons{tied}.",
        "An output that several systems share counts as one candidate."
        if outputs == "collapsed"
        else "An output that several systems share counts once for each of them.",
    ]
    if any(summary.skipped for summary in summaries):
        notes.append("Skipped: the judge saw the ranking and left it without an answer.")
    if any(summary.duplicates for summary in summaries):
        notes.append("Duplicates: rankings that repeat another one in every respect.")
    return notes


def _systems(table: "pl.DataFrame") -> "list[Table]":
    """How each system fared, where systems are known."""
    from dataclasses import asdict

    from adjudge.comparisons.summary import summarise_systems
    from adjudge.report.tables import Column, Table

    columns = [
        Column("system", "System"),
        Column("outputs", "Outputs judged"),
        Column("comparisons", "Comparisons"),
        Column("wins", "Wins"),
        Column("ties", "Ties"),
        Column("losses", "Losses"),
    ]
    rows = [asdict(summary) for summary in summarise_systems(table)]
    return [Table(rows, columns)] if rows else []
