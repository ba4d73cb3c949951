"""`adjudge campaign change`, `add`, `archive`, `delete`: what organisers do after creation."""

from datetime import UTC, datetime
from typing import Annotated, Any

from adjudge.cli.campaign import AllowEmpty, Database, Name, open_campaign
from adjudge.cli.campaign_create import design_values, named_values
from adjudge.cli.parser import option


def change(
    name: Name,
    new_name: Annotated[str | None, option("--name", help="Another name.")] = None,
    instructions: Annotated[str | None, option(help="A Markdown file for judges.")] = None,
    values: Annotated[
        list[str],
        option("--set", metavar="VALUE=…", help="Change a value of the design (repeatable)."),
    ] = [],  # noqa: B006  (it is only read)
    opens: Annotated[datetime | None, option(help="No work before this time (UTC).")] = None,
    ends: Annotated[datetime | None, option(help="No work from this time on (UTC).")] = None,
    database: Database = None,
) -> None:
    """Change a campaign that is there; the log and the export say since when it is so."""
    from adjudge.core.files.input_file import InputFile

    told: dict[str, Any] = dict(design_values(values))
    if new_name is not None:
        told["name"] = new_name
    if instructions is not None:
        told["instructions"] = InputFile(instructions).text
    for key, moment in (("opens", opens), ("ends", ends)):
        if moment is not None:
            told[key] = moment.replace(tzinfo=UTC)
    chosen = open_campaign(database, name)
    from adjudge.campaigns.setup import changes
    from adjudge.campaigns.store.audit import at_the_command_line

    changed = changes.change(chosen, at_the_command_line(), **told)
    print(f"Changed: {', '.join(changed)}." if changed else "Nothing is another than before.")


def add(
    name: Name,
    system: Annotated[
        list[str], option("--system", metavar="NAME=FILE", help="A new system (repeatable).")
    ] = [],  # noqa: B006
    segments: Annotated[
        str | None,
        option(
            "--texts",
            help="New segments: a folder with source.txt and systems/.",
        ),
    ] = None,
    allow_empty: AllowEmpty = False,
    database: Database = None,
) -> None:
    """Add systems, which catch up by balanced drawing, or documents with their segments."""
    from pathlib import Path

    from adjudge.core.errors import AdjudgeError
    from adjudge.text.reading import read_column, read_pair

    if bool(system) == bool(segments):
        raise AdjudgeError("give --system files, or one folder of --texts")
    chosen = open_campaign(database, name)
    from adjudge.campaigns.setup import changes
    from adjudge.campaigns.store.audit import at_the_command_line

    who = at_the_command_line()
    if segments is not None:
        texts = read_pair(Path(segments), chosen.pair)
        changes.add_segments(chosen, who, texts, allow_empty)
        print(f"{len(texts.source):,} segments added to {name}.")
        return
    files = named_values(system, "--system", "NAME=FILE")
    systems = {key: read_column(file).texts for key, file in files.items()}
    changes.add_systems(chosen, who, systems, allow_empty)
    print(f"Added to {name}: {', '.join(files)}.")


def archive(
    name: Name,
    back: Annotated[bool, option("--back", help="Bring it back.")] = False,
    database: Database = None,
) -> None:
    """Close a campaign and take it out of the organisers' list; all of it is kept."""
    chosen = open_campaign(database, name)
    from adjudge.campaigns.setup import changes
    from adjudge.campaigns.store.audit import at_the_command_line

    (changes.bring_back if back else changes.archive)(chosen, at_the_command_line())
    print(f"Campaign {name} is {'back' if back else 'archived'}.")


def delete(
    name: Name,
    confirm: Annotated[
        str | None, option(metavar="NAME", help="The name again, instead of being asked.")
    ] = None,
    database: Database = None,
) -> None:
    """Delete a campaign with its judges and answers; only the log of it stays."""
    chosen = open_campaign(database, name)
    from adjudge.campaigns.setup import changes
    from adjudge.campaigns.store.audit import at_the_command_line
    from adjudge.core.errors import AdjudgeError

    goes = ", ".join(f"{number:,} {what}" for what, number in changes.what_goes(chosen).items())
    if confirm is None:
        try:
            confirm = input(f"{goes} will be gone. Write the campaign's name to confirm: ")
        except EOFError:
            raise AdjudgeError("nothing was deleted; confirm it, or give `confirm`") from None
    changes.delete(chosen, at_the_command_line(), confirm)
    print(f"Campaign {name} is deleted: {goes}.")
