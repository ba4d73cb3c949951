"""`adjudge serve`: the web application, on a production server."""

import os
import sys
from typing import Annotated

from adjudge.cli.campaign import Database
from adjudge.cli.parser import option

_NOT_LOGGED = (
    "Links do not belong into a log: adjudge campaign invite NAME PERSON… --replace prints them."
)


def serve(
    host: Annotated[str, option(help="Where to listen.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        option(min=1, max=65535, help="On which port [default: 8000, or the next free]."),
    ] = None,
    workers: Annotated[int, option(min=1, help="Processes.")] = 2,
    threads: Annotated[int, option(min=1, help="Requests at once in each process.")] = 8,
    public: Annotated[
        list[str],
        option("--public", metavar="NAME", help="A name it is reached by (repeatable)."),
    ] = [],  # noqa: B006  (it is only read)
    https: Annotated[
        bool,
        option("--https", help="Only by https, through a proxy that sets X-Forwarded-*."),
    ] = False,
    access_log: Annotated[
        str | None,
        option(help="Write a line for each request into this file, without tokens; -: here."),
    ] = None,
    open_browser: Annotated[
        bool, option("--open", help="Open the organiser's pages in a browser.")
    ] = False,
    database: Database = None,
) -> None:
    """Serve the pages for judges and organisers until interrupted (docs/campaigns.md)."""
    from adjudge.web import require_packages

    require_packages()
    from adjudge.web.secret import secret_key
    from adjudge.web.server import (
        FIRST_PORT,
        Server,
        check_public,
        free_port,
        prepare,
        public_address,
    )

    check_public(host, public)
    chosen = free_port(host, port)
    prepare(secret_key(database), public, https)
    from adjudge.campaigns.store.opening import open_store

    open_store(database, create=True)
    from django.db import connections

    from adjudge.campaigns.store.site import remember_served

    server = Server(host, chosen, workers, threads, access_log)
    address = public_address(server.told["bind"], public, https)
    remember_served(address, bool(public))
    waiting = _waiting_links(address)
    connections.close_all()
    if port is None and chosen != FIRST_PORT:
        print(f"Port {FIRST_PORT} is taken, so it is {chosen}.")
    if open_browser:
        server.when_ready_open(f"{address}/organise/")
    print(f"Adjudge is at {address}/  (Ctrl+C ends it)")
    for line in waiting:
        print(line)
    if public and not https:
        print(
            "Without --https, links and answers travel readable to others on the way.",
            file=sys.stderr,
        )
    server.run()


def _waiting_links(address: str) -> list[str]:
    """Links of judges who were invited before an address was known; none go into a log."""
    from adjudge.campaigns.people.waiting_links import make_waiting, waiting

    if os.environ.get("JOURNAL_STREAM"):  # what is printed becomes systemd's log
        number = len(waiting())
        return [f"Judges who wait for links: {number}. {_NOT_LOGGED}"] if number else []
    invitations = make_waiting()
    lines = [
        f"  {invitation.judges[0].name} "
        f"({', '.join(judge.campaign.name for judge in invitation.judges)}): "
        f"{invitation.link(address)}"
        for invitation in invitations
    ]
    heading = "Links for judges who were invited before this address was known:"
    return [heading, *lines] if lines else []
