"""`adjudge campaign`: from text files to collected judgements."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudge.cli import app
from adjudge.cli.options import Format, Output, TableFormats, emit

if TYPE_CHECKING:
    from adjudge.campaigns.models import Campaign
    from adjudge.report.tables import Table

campaign = typer.Typer(
    help="Collect judgements: create a campaign, invite judges, watch, export, close.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(campaign, name="campaign")


Name = Annotated[str, typer.Argument(metavar="NAME", help="The campaign's name.")]
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        help="SQLite file or postgres://… (else DATABASE_URL, else adjudge.sqlite3 here).",
    ),
]
Site = Annotated[str, typer.Option(help="Where judges reach the server.")]


def _open(database: str | None, name: str) -> "Campaign":
    from adjudge.campaigns.store import open_store

    open_store(database)
    from adjudge.campaigns.management import campaign_named

    return campaign_named(name)


@campaign.command()
def invite(
    name: Name,
    people: Annotated[list[str], typer.Argument(metavar="PERSON…", help="The judges' names.")],
    group: Annotated[str, typer.Option(help="Their group: researchers, crowd, …")] = "",
    own: Annotated[
        list[str], typer.Option("--own-system", help="A system they entered (repeatable).")
    ] = [],  # noqa: B006
    language: Annotated[
        list[str], typer.Option("--language", help="A language they read (repeatable).")
    ] = [],  # noqa: B006
    protocol: Annotated[
        list[str],
        typer.Option("--protocol", help="Ask them only in this way (repeatable) [all]."),
    ] = [],  # noqa: B006
    quota: Annotated[int | None, typer.Option(min=1, help="Items each should judge.")] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="They have links already: make new ones.")
    ] = False,
    site: Site = "http://localhost:8000",
    to: Format = TableFormats.table,
    output: Output = "-",
    database: Database = None,
) -> None:
    """Make personal links. They are shown this once; only their hashes are stored."""
    found = _open(database, name)
    from django.db import transaction

    from adjudge.campaigns.invitation import invite as invite_one
    from adjudge.campaigns.invitation import replace_link
    from adjudge.campaigns.management import judge_named
    from adjudge.report.tables import Column, Table

    with transaction.atomic():
        made = [
            replace_link(judge_named(found, person))
            if replace
            else invite_one(
                found,
                person,
                group=group,
                own_systems=own,
                languages=language,
                protocols=protocol,
                quota=quota,
            )
            for person in people
        ]
        rows = [
            {"judge": one.judge.name, "group": one.judge.group or None, "link": one.link(site)}
            for one in made
        ]
        columns = [Column("judge", "Judge"), Column("group", "Group"), Column("link", "Link")]
        emit([Table(rows, columns)], to, output)


@campaign.command()
def status(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="One campaign.")] = None,
    to: Format = TableFormats.table,
    output: Output = "-",
    database: Database = None,
) -> None:
    """How campaigns are going; with a NAME, that one and each of its judges."""
    from adjudge.campaigns.store import open_store

    open_store(database)
    from adjudge.campaigns.management import campaign_named
    from adjudge.campaigns.models import Campaign
    from adjudge.campaigns.progress import judges_of, progress_of, protocols_of

    chosen = [campaign_named(name)] if name else list(Campaign.objects.order_by("name"))
    tables = [_campaigns_table([progress_of(one) for one in chosen])]
    if name:
        if len(chosen[0].protocols) > 1:
            tables.append(_protocols_table(protocols_of(chosen[0])))
        tables.append(_judges_table(judges_of(chosen[0])))
    emit(tables, to, output)


def _row(kind: str, result: Any) -> dict[str, Any]:
    from dataclasses import asdict
    from datetime import datetime

    return {"kind": kind} | {
        key: value.isoformat(timespec="seconds") if isinstance(value, datetime) else value
        for key, value in asdict(result).items()
    }


def _campaigns_table(progress: list[Any]) -> "Table":
    from adjudge.report.tables import Column, Table

    return Table(
        [_row("campaign", one) for one in progress],
        [
            Column("campaign", "Campaign"),
            Column("pair", "Pair"),
            Column("state", "State"),
            Column("systems", "Systems"),
            Column("segments", "Segments"),
            Column("judges", "Judges"),
            Column("active_judges", "Active"),
            Column("rankings", "Rankings"),
            Column("target", "Wanted"),
            Column("skipped", "Skipped"),
            Column("too_fast", "Too fast"),
            Column("median_seconds", "Median s", 1),
            Column("rankings_per_hour", "Per hour", 1),
            Column("expected_end", "Expected end"),
        ],
        notes=[] if progress else ["No campaigns yet: adjudge campaign create"],
    )


def _protocols_table(protocols: list[Any]) -> "Table":
    from adjudge.report.tables import Column, Table

    return Table(
        [_row("protocol", one) for one in protocols],
        [
            Column("protocol", "Protocol"),
            Column("screens", "Screens a batch"),
            Column("answers", "Answers"),
            Column("skipped", "Skipped"),
            Column("judges", "Judges"),
            Column("median_seconds", "Median s", 1),
        ],
        title="Protocols",
    )


def _judges_table(judges: list[Any]) -> "Table":
    from adjudge.report.tables import Column, Table

    return Table(
        [_row("judge", one) for one in judges],
        [
            Column("judge", "Judge"),
            Column("group", "Group"),
            Column("state", "State"),
            Column("rankings", "Rankings"),
            Column("quota", "Quota"),
            Column("repeats", "Repeats"),
            Column("skipped", "Skipped"),
            Column("too_fast", "Too fast"),
            Column("controls_met", "Controls"),
            Column("controls_failed", "Failed"),
            Column("median_seconds", "Median s", 1),
            Column("last_answer", "Last answer"),
            Column("flag", "Flag"),
        ],
        title="Judges",
    )


class ExportKind(StrEnum):
    """What answers become."""

    judgements = "judgements"
    scores = "scores"
    edits = "edits"


@campaign.command()
def export(
    name: Name,
    output: Annotated[
        str, typer.Option("--output", "-o", help="Where the judgements go; the ending says how.")
    ],
    to: Annotated[str | None, typer.Option(help="Their format, whatever the ending.")] = None,
    kind: Annotated[
        ExportKind | None,
        typer.Option(help="Which, where the campaign's protocols give several kinds."),
    ] = None,
    include_excluded: Annotated[
        bool, typer.Option("--include-excluded", help="Also those of excluded judges.")
    ] = False,
    database: Database = None,
) -> None:
    """Write the judgements (scores, edits), in any format that can be written (docs/formats.md)."""
    found = _open(database, name)
    from adjudge.campaigns.export import edits_of, judgements_of, kinds_of, scores_of
    from adjudge.errors import AdjudgeError, NotEnoughData
    from adjudge.judgements.files import format_for, write
    from adjudge.judgements.kinds import KINDS

    kinds = kinds_of(found)
    if kind is None and len(kinds) > 1:
        raise AdjudgeError(f"campaign {name} has {' and '.join(kinds)}; choose with --kind")
    chosen = kinds[0] if kind is None else kind.value
    format_for(output, to, chosen)  # refused before anything is read
    read = {"judgements": judgements_of, "scores": scores_of, "edits": edits_of}[chosen]
    table = read(found, include_excluded)
    if not len(table):
        raise NotEnoughData(f"campaign {name} has no {chosen} yet; nothing was written")
    write(table, output, to)
    items = "rankings" if chosen == "judgements" else f"items of {chosen}"
    typer.echo(f"{table[KINDS[chosen].number].n_unique():,} {items} written to {output}.", err=True)


@campaign.command()
def close(
    name: Name,
    reopen: Annotated[bool, typer.Option("--reopen", help="Open it again.")] = False,
    database: Database = None,
) -> None:
    """Give out no more work; answers that come later are kept but not exported."""
    found = _open(database, name)
    from adjudge.campaigns import management

    if reopen:
        management.reopen(found)
    else:
        management.close(found)
    typer.echo(f"Campaign {name} is {found.state}.")


@campaign.command()
def controls(name: Name, database: Database = None) -> None:
    """Find control items in what trusted judges agree on, for the crowd to be checked by."""
    found = _open(database, name)
    from adjudge.campaigns.controls import mark_controls

    plan = found.plan
    typer.echo(
        f"{mark_controls(found):,} controls, from consensus above {plan.control_margin} among "
        f"{', '.join(plan.trusted_groups)}, for {', '.join(plan.controlled_groups)}."
    )


class JudgeAction(StrEnum):
    """What may be done about a judge."""

    pause = "pause"
    resume = "resume"
    exclude = "exclude"
    extend = "extend"
    revoke = "revoke"


@campaign.command()
def judge(
    name: Name,
    person: Annotated[str, typer.Argument(metavar="PERSON", help="The judge's name.")],
    action: Annotated[JudgeAction, typer.Argument(help="What to do.")],
    reason: Annotated[str, typer.Option(help="Why (kept with the judge).")] = "",
    items: Annotated[int, typer.Option(min=1, help="How many items more (extend).")] = 100,
    database: Database = None,
) -> None:
    """Pause, resume or exclude a judge, extend their quota, or revoke their link."""
    found = _open(database, name)
    from adjudge.campaigns import management
    from adjudge.campaigns.invitation import revoke_link

    who = management.judge_named(found, person)
    match action:
        case JudgeAction.pause:
            management.pause(who, reason)
        case JudgeAction.resume:
            management.resume(who)
        case JudgeAction.exclude:
            management.exclude(who, reason)
        case JudgeAction.extend:
            management.extend(who, items)
        case JudgeAction.revoke:
            revoke_link(who)
    quota = "no quota" if who.quota is None else f"quota {who.quota:,}"
    link = "a link" if who.token_hash else "no link"
    typer.echo(f"{who.name}: {who.state}, {quota}, {link}.")


@campaign.command()
def backup(
    output: Annotated[
        str, typer.Option("--output", "-o", help="A .jsonl, .jsonl.gz or .zst file.")
    ],
    database: Database = None,
) -> None:
    """Save all campaigns, judges and answers to one file, also while judges work."""
    from adjudge.campaigns.store import open_store

    open_store(database)
    from adjudge.campaigns.backup import backup as save

    typer.echo(f"{save(output):,} rows saved to {output}.", err=True)


@campaign.command()
def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="What campaign backup saved.")],
    database: Database = None,
) -> None:
    """Bring a backup back into an empty database, whichever engine it came from."""
    from adjudge.campaigns.store import open_store

    open_store(database, create=True)
    from adjudge.campaigns.backup import restore as bring_back

    typer.echo(f"{bring_back(file):,} rows restored from {file}.")
