"""`adjudge demo`: the main job end to end, on a corpus of our own and simulated judges."""

from pathlib import Path
from typing import Annotated

import typer

from adjudge.cli import app
from adjudge.cli.options import TableFormats, emit

Folder = Annotated[str, typer.Option(help="Where the campaign and its judgements are kept.")]


@app.command()
def demo(folder: Folder = "demo-output") -> None:
    """Create a small campaign, let simulated judges judge it, rank the systems."""
    from adjudge.agreement.bootstrap import Bootstrap
    from adjudge.agreement.pairwise import agreement
    from adjudge.campaigns.store import open_store
    from adjudge.judgements import compare, write
    from adjudge.ranking import Resampling, method_named, rank
    from adjudge.report.agreement import agreement_table
    from adjudge.report.ranking import ranking_table

    Path(folder).mkdir(exist_ok=True)
    database = str(Path(folder, "campaign.sqlite3"))
    judged = str(Path(folder, "judgements.jsonl"))
    open_store(database, create=True)
    from adjudge.campaigns.demonstration import demonstration
    from adjudge.campaigns.export import judgements_of

    campaign = demonstration()
    table = judgements_of(campaign)
    write(table, judged)
    typer.echo(
        f"Campaign “{campaign.name}” in {database}: "
        f"{table['ranking'].n_unique()} rankings by {table['judge'].n_unique()} simulated judges, "
        f"no people. The judgements are in {judged}.\n"
    )
    ranking = rank(compare(table), method_named("expected-wins"), Resampling())
    bootstrap = Bootstrap()
    emit(
        [ranking_table(ranking), agreement_table(agreement(table, bootstrap=bootstrap), bootstrap)],
        TableFormats.table,
        "-",
    )
    typer.echo(f"\nThe same from the file: .venv/bin/adjudge rank {judged}")
