"""`adjudge campaign`: from text files to collected judgements."""

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from adjudge.cli.global_options import tell
from adjudge.cli.options import Format, Output, emit
from adjudge.cli.parser import argument, option

if TYPE_CHECKING:
    from adjudge.campaigns.models import Campaign
    from adjudge.campaigns.people.invitation import Invitation
    from adjudge.campaigns.people.people import PersonalLink
    from adjudge.core.tables.table import Table


Name = Annotated[str, argument(metavar="NAME", help="The campaign's name.")]
Database = Annotated[
    str | None,
    option(
        "--database",
        help="SQLite file or postgres://… (else DATABASE_URL, else adjudge.sqlite3 here).",
    ),
]
AllowEmpty = Annotated[
    bool,
    option("--allow-empty", help="Also outputs without text, which judges have to score."),
]
Site = Annotated[
    str | None,
    option(help="Where judges reach the server, once [default: where it was served last]."),
]


def _with_accounts() -> None:
    # Accounts are stored with the pages.
    os.environ["DJANGO_SETTINGS_MODULE"] = "adjudge.web.settings"


def open_campaign(database: str | None, name: str) -> "Campaign":
    from adjudge.campaigns.store.opening import open_store

    open_store(database)
    from adjudge.campaigns.setup.campaign_state import campaign_named

    return campaign_named(name)


NO_ADDRESS = (
    "Adjudge does not know yet at which address judges reach it: adjudge serve will print the "
    "links when it starts. To get links now, give the address: --site https://…"
)


def site_of(given: str | None) -> str | None:
    """Where judges reach the server, if that is known; what is given is kept for the next time."""
    from adjudge.campaigns.store.site import known_site, remember_site

    return known_site() if given is None else remember_site(given)


def links_of(
    invitations: "Sequence[Invitation | PersonalLink]", site: str | None
) -> list[str | None]:
    """The links; where nobody knows an address they wait for one, and that is said."""
    from adjudge.campaigns.people.waiting_links import let_wait

    address = site_of(site)
    if address is None:
        let_wait(invitations)
        print(NO_ADDRESS, file=sys.stderr)
        return [None] * len(invitations)
    return [invitation.link(address) for invitation in invitations]


def status(
    name: Annotated[str | None, argument(metavar="[NAME]", help="One campaign.")] = None,
    to: Format = "table",
    output: Output = "-",
    database: Database = None,
) -> None:
    """How campaigns are going; with a NAME, that one and each of its judges."""
    from adjudge.campaigns.store.opening import open_store

    open_store(database)
    from adjudge.campaigns.models import Campaign
    from adjudge.campaigns.results.progress import judges_of, progress_of, protocols_of
    from adjudge.campaigns.setup.campaign_state import campaign_named
    from adjudge.core.files.output import private_files

    chosen = [campaign_named(name)] if name else list(Campaign.objects.order_by("name"))
    tables = [campaigns_table([progress_of(chosen_campaign) for chosen_campaign in chosen])]
    if name:
        if len(chosen[0].protocols) > 1:
            tables.append(_protocols_table(protocols_of(chosen[0])))
        tables.append(_judges_table(judges_of(chosen[0])))
    with private_files():
        emit(tables, to, output)


def result_row(kind: str, result: Any) -> dict[str, Any]:
    from dataclasses import asdict
    from datetime import datetime

    return {"kind": kind} | {
        key: value.isoformat(timespec="seconds") if isinstance(value, datetime) else value
        for key, value in asdict(result).items()
    }


def campaigns_table(progress: list[Any]) -> "Table":
    """How campaigns are going."""
    from adjudge.core.tables.table import Column, Table

    return Table(
        [result_row("campaign", progress_row) for progress_row in progress],
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
    from adjudge.core.tables.table import Column, Table

    return Table(
        [result_row("protocol", progress_row) for progress_row in protocols],
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
    from adjudge.core.tables.table import Column, Table

    return Table(
        [result_row("judge", progress_row) for progress_row in judges],
        [
            Column("judge", "Judge"),
            Column("group", "Group"),
            Column("state", "State"),
            Column("rankings", "Rankings"),
            Column("quota", "Quota"),
            Column("repeats", "Repeats"),
            Column("skipped", "Skipped"),
            Column("too_fast", "Too fast"),
            Column("same", "Same"),
            Column("controls_met", "Controls"),
            Column("controls_failed", "Failed"),
            Column("median_seconds", "Median s", 1),
            Column("last_answer", "Last answer"),
            Column("flag", "Flag"),
        ],
        title="Judges",
    )


ExportKind = Literal["judgements", "scores", "edits"]


def export(
    name: Name,
    output: Annotated[
        str, option("--output", "-o", help="Where the judgements go; the ending says how.")
    ],
    to: Annotated[str | None, option(help="Their format, whatever the ending.")] = None,
    kind: Annotated[
        ExportKind | None,
        option(help="Which, where the campaign's protocols give several kinds."),
    ] = None,
    include_excluded: Annotated[
        bool, option("--include-excluded", help="Also those of excluded judges.")
    ] = False,
    database: Database = None,
) -> None:
    """Write the judgements (scores, edits), in any format that can be written (docs/formats.md)."""
    chosen_campaign = open_campaign(database, name)
    from adjudge.campaigns.results.tables import edits_of, judgements_of, kinds_of, scores_of
    from adjudge.core.errors import AdjudgeError, NotEnoughData
    from adjudge.core.files.output import private_files
    from adjudge.data.kinds import KINDS
    from adjudge.data.table_files import format_for, write

    kinds = kinds_of(chosen_campaign)
    if kind is None and len(kinds) > 1:
        raise AdjudgeError(f"campaign {name} has {' and '.join(kinds)}; choose with --kind")
    chosen = kinds[0] if kind is None else kind
    format_for(output, to, chosen)  # refused before anything is read
    read = {"judgements": judgements_of, "scores": scores_of, "edits": edits_of}[chosen]
    table = read(chosen_campaign, include_excluded)
    if not len(table):
        raise NotEnoughData(f"campaign {name} has no {chosen} yet; nothing was written")
    with private_files():
        write(table, output, to)
    items = "rankings" if chosen == "judgements" else f"items of {chosen}"
    tell(f"{table[KINDS[chosen].number].n_unique():,} {items} written to {output}.")


def close(
    name: Name,
    reopen: Annotated[bool, option("--reopen", help="Open it again.")] = False,
    database: Database = None,
) -> None:
    """Give out no more work; answers that come later are kept but not exported."""
    chosen_campaign = open_campaign(database, name)
    from adjudge.campaigns.setup import campaign_state
    from adjudge.campaigns.store.audit import at_the_command_line, recorded

    done = "opened the campaign again" if reopen else "closed the campaign"
    with recorded(chosen_campaign, at_the_command_line(), done):
        if reopen:
            campaign_state.reopen(chosen_campaign)
        else:
            campaign_state.close(chosen_campaign)
    print(f"Campaign {name} is {chosen_campaign.state}.")


def controls(name: Name, database: Database = None) -> None:
    """Find control items in what trusted judges agree on, for the crowd to be checked by."""
    chosen_campaign = open_campaign(database, name)
    from adjudge.campaigns.results.controls import mark_controls
    from adjudge.campaigns.store.audit import at_the_command_line, recorded

    design = chosen_campaign.design
    with recorded(chosen_campaign, at_the_command_line(), "looked for controls") as details:
        details["controls"] = found = mark_controls(chosen_campaign)
    print(
        f"{found:,} controls, from consensus above "
        f"{design.control_margin} among {', '.join(design.trusted_groups)}, for "
        f"{', '.join(design.controlled_groups)}."
    )


JudgeAction = Literal["pause", "resume", "exclude", "extend", "revoke"]


def judge(
    name: Name,
    person: Annotated[str, argument(metavar="PERSON", help="The judge's name.")],
    action: Annotated[JudgeAction, argument(help="What to do.")],
    reason: Annotated[str, option(help="Why (kept with the judge).")] = "",
    items: Annotated[int, option(min=1, help="How many items more (extend).")] = 100,
    database: Database = None,
) -> None:
    """Pause, resume or exclude a judge, extend their quota, or revoke their link."""
    chosen_campaign = open_campaign(database, name)
    from adjudge.campaigns.people import judges
    from adjudge.campaigns.people.invitation import revoke_link
    from adjudge.campaigns.store.audit import at_the_command_line, recorded

    who = judges.judge_named(chosen_campaign, person)
    details: dict[str, Any] = {"reason": reason} if reason else {}
    if action == "extend":
        details["items"] = items
    done = judges.IN_THE_LOG[action]
    with recorded(chosen_campaign, at_the_command_line(), done, judge=who.name, **details):
        match action:
            case "pause":
                judges.pause(who, reason)
            case "resume":
                judges.resume(who)
            case "exclude":
                judges.exclude(who, reason)
            case "extend":
                judges.extend(who, items)
            case "revoke":
                revoke_link(who)
    quota = "no quota" if who.quota is None else f"quota {who.quota:,}"
    link = "a link" if who.token_hash else "no link"
    print(f"{who.name}: {who.state}, {quota}, {link}.")


def backup(
    output: Annotated[str, option("--output", "-o", help="A .jsonl, .jsonl.gz or .zst file.")],
    database: Database = None,
) -> None:
    """Save all campaigns, judges, answers and accounts to one file, also while judges work."""
    _with_accounts()
    from adjudge.campaigns.store.opening import open_store

    open_store(database)
    from adjudge.campaigns.store.backup import backup as save

    tell(f"{save(output):,} rows saved to {output}.")


def restore(
    file: Annotated[str, argument(metavar="FILE", help="What campaign backup saved.")],
    only: Annotated[
        str | None,
        option(metavar="NAME", help="One campaign of it, into the database it is gone from."),
    ] = None,
    database: Database = None,
) -> None:
    """Bring a backup back into an empty database, whichever engine it came from."""
    _with_accounts()
    from adjudge.campaigns.store.opening import new_store

    with new_store(database):
        from adjudge.campaigns.store.backup import restore as bring_back

        rows = bring_back(file, only)
        if only is not None:
            from adjudge.campaigns.setup.campaign_state import campaign_named
            from adjudge.campaigns.store.audit import at_the_command_line, record

            record(
                campaign_named(only), at_the_command_line(), "restored the campaign from a backup"
            )
    print(f"{rows:,} rows restored from {file}.")
