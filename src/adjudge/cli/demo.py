"""`adjudge demo`: the main job end to end, on a corpus of our own and simulated judges."""

from pathlib import Path
from typing import Annotated

import typer

from adjudge.cli import app
from adjudge.cli.help_pages import Panel
from adjudge.cli.options import TableFormats, emit

Folder = Annotated[str, typer.Option(help="Where the campaign and its judgements are kept.")]
Stop = Annotated[bool, typer.Option("--stop", help="Stop the demonstration's server.")]


@app.command(rich_help_panel=Panel.collect)
def demo(folder: Folder = "demo-output", stop: Stop = False) -> None:
    """Create a small campaign, let simulated judges judge half of it, rank the systems."""
    from adjudge.web.demo import server
    from adjudge.web.demo.command import started_as

    here = Path(folder)
    if stop:
        typer.echo("Stopped." if server.stop(here) else "There is no server to stop.")
        return
    here.mkdir(exist_ok=True)
    database = str(here / "campaign.sqlite3")
    server.open_database(database)
    adjudge = started_as()
    _show_results(here, database, adjudge)
    _show_addresses(server.start(here, database).address)
    typer.echo(f"The server runs on in the background; end it with {adjudge} demo --stop")


def _show_results(here: Path, database: str, adjudge: str) -> None:
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.data.table_files import write
    from adjudge.web.demo.campaign import NAME, demo_campaign
    from adjudge.web.demo.results import result_tables, write_report_page

    judged, page = str(here / "judgements.jsonl"), str(here / "report.html")
    table = judgements_of(demo_campaign())
    write(table, judged)
    typer.echo(
        f"{NAME}: {table['ranking'].n_unique()} rankings by {table['judge'].n_unique()} judges.\n"
        f"The campaign is in {database}, its judgements in {judged}.\n"
    )
    emit(result_tables(judged), TableFormats.table, "-")
    typer.echo(f"\nThe same from the file:  {adjudge} rank {judged}")
    write_report_page(judged, page, NAME)
    typer.echo(f"All of it, with figures: {page}")


def _show_addresses(server: str) -> None:
    from django.urls import reverse

    from adjudge.web.demo.campaign import demo_campaign, invite_guest
    from adjudge.web.organiser.accounts import make_organiser

    dashboard = reverse("dashboard", args=[demo_campaign().pk])
    typer.echo(
        f"\nJudge some yourself: {invite_guest().link(server)}\n"
        f"Watch it:            {server}{dashboard}\n"
        f"                     (sign in as demo with the password {make_organiser('demo')})"
    )
