"""`adjudge demo`: the main job end to end, on a corpus of our own and simulated judges."""

from pathlib import Path
from typing import Annotated

from adjudge.cli.options import emit
from adjudge.cli.parser import option

Folder = Annotated[str, option(help="Where the campaign and its judgements are kept.")]
Stop = Annotated[bool, option("--stop", help="Stop the demonstration's server.")]


def demo(folder: Folder = "demo-output", stop: Stop = False) -> None:
    """Create a small campaign, let simulated judges judge half of it, rank the systems."""
    from adjudge.web import require_packages

    require_packages()
    from adjudge.web.demo import server
    from adjudge.web.demo.command import started_as

    here = Path(folder)
    if stop:
        print("Stopped." if server.stop(here) else "There is no server to stop.")
        return
    here.mkdir(exist_ok=True)
    database = str(here / "campaign.sqlite3")
    server.open_database(database)
    adjudge = started_as()
    _show_results(here, database, adjudge)
    _show_addresses(server.start(here, database).address)
    print(f"The server runs on in the background; end it with {adjudge} demo --stop")


def _show_results(here: Path, database: str, adjudge: str) -> None:
    from adjudge.campaigns.results.tables import judgements_of
    from adjudge.data.table_files import write
    from adjudge.web.demo.campaign import NAME, demo_campaign
    from adjudge.web.demo.results import result_tables, write_report_page

    judged, page = str(here / "judgements.jsonl"), str(here / "report.html")
    table = judgements_of(demo_campaign())
    write(table, judged)
    print(
        f"{NAME}: {table['ranking'].n_unique()} rankings by {table['judge'].n_unique()} judges.\n"
        f"The campaign is in {database}, its judgements in {judged}.\n"
    )
    emit(result_tables(judged), "table", "-")
    print(f"\nThe same from the file:  {adjudge} rank {judged}")
    write_report_page(judged, page, NAME)
    print(f"All of it, with figures: {page}")


def _show_addresses(server: str) -> None:
    from django.urls import reverse

    from adjudge.web.demo.campaign import demo_campaign, invite_guest
    from adjudge.web.organiser.accounts import make_organiser

    dashboard = reverse("dashboard", args=[demo_campaign().pk])
    print(
        f"\nJudge some yourself: {invite_guest().link(server)}\n"
        f"Watch it:            {server}{dashboard}\n"
        f"                     (sign in as demo with the password {make_organiser('demo')})"
    )
