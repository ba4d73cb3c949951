"""`adjudge demo`: the main job end to end, on a corpus of our own and simulated judges."""

from pathlib import Path
from typing import Annotated

import typer

from adjudge.cli import app
from adjudge.cli.options import TableFormats, emit

Folder = Annotated[str, typer.Option(help="Where the campaign and its judgements are kept.")]
Stop = Annotated[bool, typer.Option("--stop", help="Stop the demonstration's server.")]


@app.command()
def demo(folder: Folder = "demo-output", stop: Stop = False) -> None:
    """Create a small campaign, let simulated judges judge half of it, rank the systems."""
    from adjudge.web import demonstration as pages

    here = Path(folder)
    if stop:
        typer.echo("Stopped." if pages.stop(here) else "There is no server to stop.")
        return
    here.mkdir(exist_ok=True)
    database = str(here / "campaign.sqlite3")
    _store(database)
    judged, page = str(here / "judgements.jsonl"), str(here / "report.html")
    _results(judged, database)
    _report(judged, page)
    _web(pages.start(here, database).address)


def _store(database: str) -> None:
    from adjudge.campaigns.store import open_store
    from adjudge.web.secret import secret_key
    from adjudge.web.server import prepare

    prepare(secret_key(database), [], https=False)
    open_store(database, create=True)


def _results(judged: str, database: str) -> None:
    from adjudge.agreement.pairwise import agreement
    from adjudge.campaigns.demonstration import demonstration
    from adjudge.campaigns.export import judgements_of
    from adjudge.comparisons import compare
    from adjudge.judgements import write
    from adjudge.ranking import Resampling, rank
    from adjudge.report.agreement import agreement_table
    from adjudge.report.ranking import ranking_table

    campaign = demonstration()
    table = judgements_of(campaign)
    write(table, judged)
    typer.echo(
        f"{campaign.name}: {table['ranking'].n_unique()} rankings by "
        f"{table['judge'].n_unique()} judges.\n"
        f"The campaign is in {database}, its judgements in {judged}.\n"
    )
    ranking = rank(compare(table), "expected-wins")
    bootstrap = Resampling("segment")
    agreed = agreement_table(agreement(table, resampling=bootstrap), bootstrap)
    emit([ranking_table(ranking), agreed], TableFormats.table, "-")
    typer.echo(f"\nThe same from the file:  .venv/bin/adjudge rank {judged}")


def _report(judged: str, page: str) -> None:
    import shlex

    from adjudge.analysis.analysis import Settings
    from adjudge.campaigns.demonstration import NAME
    from adjudge.judgements import read
    from adjudge.report.contents import Input
    from adjudge.report.making import FORMS, make_report, write_report

    command = shlex.join(["adjudge", "report", judged, "--title", NAME, "--output", page])
    form = FORMS["html"]
    table = read(judged)
    made = make_report(table, Settings(), [Input.of(judged)], command, form.images, NAME)
    write_report(made, form, page)
    typer.echo(f"All of it, with figures: {page}")


def _web(address: str) -> None:
    from django.urls import reverse

    from adjudge.campaigns.demonstration import demonstration, guest
    from adjudge.web.organiser.accounts import make_organiser

    dashboard = reverse("dashboard", args=[demonstration().pk])
    typer.echo(
        f"\nJudge some yourself: {guest().link(address)}\n"
        f"Watch it:            {address}{dashboard}\n"
        f"                     (sign in as demo with the password {make_organiser('demo')})\n"
        "The server runs on in the background; end it with .venv/bin/adjudge demo --stop"
    )
