"""`adjudge project`: the language pairs of a shared task, made, judged and published together."""

import os
import shlex
from typing import TYPE_CHECKING, Annotated, Any

from adjudge.cli.campaign import (
    AllowEmpty,
    Database,
    ExportKind,
    Site,
    campaigns_table,
    links_of,
)
from adjudge.cli.campaign_create import design_values
from adjudge.cli.global_options import manner, tell
from adjudge.cli.options import Format, Output, emit
from adjudge.cli.parser import argument, option

if TYPE_CHECKING:
    from adjudge.campaigns.models import Project


ProjectName = Annotated[str, argument(metavar="NAME", help="The project's name.")]
Pair = Annotated[list[str], option("--pair", help="Only this language pair (repeatable).")]


def _open(database: str | None, name: str) -> "Project":
    from adjudge.campaigns.store.opening import open_store

    open_store(database)
    from adjudge.campaigns.setup.projects import project_named

    return project_named(name)


def create(
    name: ProjectName,
    texts: Annotated[
        str,
        argument(metavar="FOLDER|TABLE", help="A folder or a row for each language pair."),
    ],
    preset: Annotated[str, option(help="Design (docs/campaigns.md).")] = "recommended",
    change: Annotated[
        list[str],
        option("--set", metavar="VALUE=…", help="Change a value of the design (repeatable)."),
    ] = [],  # noqa: B006  (it is only read)
    protocol: Annotated[
        list[str],
        option(metavar="NAME[:SCREENS]", help="How judges are asked [default: ranking]."),
    ] = [],  # noqa: B006
    instructions: Annotated[str | None, option(help="A Markdown file for judges.")] = None,
    allow_empty: AllowEmpty = False,
    owner: Annotated[
        str | None, option(help="The organiser whose project it is on the web pages.")
    ] = None,
    database: Database = None,
) -> None:
    """Create a campaign for each language pair of a folder or a table, all or none."""
    from adjudge.campaigns.design import design_named
    from adjudge.core.files.input_file import InputFile
    from adjudge.text.reading import read_pairs

    pairs = read_pairs(texts)
    design = design_named(preset, **design_values(change))
    told: dict[str, Any] = {"protocols": protocol or ["ranking"], "allow_empty": allow_empty}
    if instructions is not None:
        told["instructions"] = InputFile(instructions).text
    # Accounts, and whether judges can be shown a protocol, are known to the pages.
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "adjudge.web.settings")
    from adjudge.campaigns.store.opening import new_store

    with new_store(database):
        from adjudge.campaigns.people.access import record_creation
        from adjudge.campaigns.setup.batches import batches_from
        from adjudge.campaigns.setup.projects import create_project
        from adjudge.campaigns.store.audit import at_the_command_line
        from adjudge.web.judging.screens import check_pages
        from adjudge.web.organiser.accounts import require_organiser

        check_pages(asked for asked, _ in batches_from(told["protocols"]))
        if owner is not None:
            require_organiser(owner)
        who = at_the_command_line()
        told["finish"] = lambda made: record_creation(made, who, owner)
        campaigns = create_project(name, pairs, design, **told)
    print(f"Project {name}: {len(campaigns)} campaigns ({', '.join(c.pair for c in campaigns)}).")
    if not manner.quiet:
        invite = f"adjudge project invite {shlex.quote(name)} PERSON… --language …"
        print(f"Now invite judges: {invite}")


def status(
    name: ProjectName,
    to: Format = "table",
    output: Output = "-",
    database: Database = None,
) -> None:
    """How every language pair is going."""
    chosen = _open(database, name)
    from adjudge.campaigns.results.progress import progress_of

    campaigns = chosen.campaigns.order_by("name")
    emit([campaigns_table([progress_of(campaign) for campaign in campaigns])], to, output)


def invite(
    name: ProjectName,
    people: Annotated[list[str], argument(metavar="PERSON…", help="The judges' names.")],
    pair: Pair = [],  # noqa: B006
    language: Annotated[
        list[str],
        option("--language", help="A language they read (repeatable): the pairs of those."),
    ] = [],  # noqa: B006
    group: Annotated[str, option(help="Their group: researchers, crowd or any other name.")] = "",
    quota: Annotated[int | None, option(min=1, help="Items of each pair.")] = None,
    site: Site = None,
    to: Format = "table",
    output: Output = "-",
    database: Database = None,
) -> None:
    """Invite judges to the language pairs they know: one link each, for all of their pairs."""
    chosen = _open(database, name)
    from django.db import transaction

    from adjudge.campaigns.people.people import invite_to_all
    from adjudge.campaigns.setup.projects import chosen_campaigns
    from adjudge.campaigns.store.audit import at_the_command_line, record
    from adjudge.core.files.output import private_files
    from adjudge.core.tables.table import Column, Table

    with transaction.atomic():
        campaigns = chosen_campaigns(chosen, pair, language)
        for campaign in campaigns:
            record(campaign, at_the_command_line(), "invited", {"judges": people})
        told = {"group": group, "languages": language, "quota": quota}
        invitations = [invite_to_all(campaigns, person, **told) for person in people]
        pairs = ", ".join(campaign.pair for campaign in campaigns)
        rows = [
            {"judge": person, "pairs": pairs, "link": link}
            for person, link in zip(people, links_of(invitations, site), strict=True)
        ]
        columns = [Column("judge", "Judge"), Column("pairs", "Pairs"), Column("link", "Link")]
        with private_files():
            emit([Table(rows, columns)], to, output)


def export(
    name: ProjectName,
    output: Annotated[
        str, option("--output", "-o", help="Where the judgements go; the ending says how.")
    ],
    to: Annotated[str | None, option(help="Their format, whatever the ending.")] = None,
    kind: Annotated[ExportKind | None, option(help="Which, where there are several kinds.")] = None,
    database: Database = None,
) -> None:
    """Write the judgements of all language pairs to one file."""
    campaigns = list(_open(database, name).campaigns.order_by("name"))
    from adjudge.campaigns.results.projects import kinds_of_all, table_of_all
    from adjudge.core.errors import AdjudgeError, NotEnoughData
    from adjudge.core.files.output import private_files
    from adjudge.data.table_files import write

    kinds = kinds_of_all(campaigns)
    if kind is None and len(kinds) > 1:
        raise AdjudgeError(f"project {name} has {' and '.join(kinds)}; choose with --kind")
    table = table_of_all(campaigns, kinds[0] if kind is None else kind)
    if not len(table):
        raise NotEnoughData(f"project {name} has no judgements yet; nothing was written")
    with private_files():
        write(table, output, to)
    tell(f"{table['pair'].n_unique()} language pairs written to {output}.")
