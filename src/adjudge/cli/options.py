"""Options that several commands share, and how a result leaves."""

import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from enum import StrEnum
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    import polars as pl

    from adjudge.judgements.selection import Selection
    from adjudge.report.typesetting import Table

    Reader = Callable[..., pl.DataFrame]  # of paths
    Selector = Callable[[pl.DataFrame, Selection], pl.DataFrame]


class TableFormats(StrEnum):
    """How a result is printed."""

    table = "table"
    json = "json"
    csv = "csv"
    markdown = "markdown"
    latex = "latex"
    html = "html"


class OutputChoice(StrEnum):
    """How an output that several systems share counts."""

    expanded = "expanded"
    collapsed = "collapsed"


Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE…", help="Judgements in any format (docs/formats.md); - is stdin."),
]
Format = Annotated[TableFormats, typer.Option("--format", "-f", help="How to print the result.")]
Output = Annotated[str, typer.Option("--output", "-o", help="Where to print it; - is stdout.")]
Seed = Annotated[int, typer.Option(help="Makes a random result repeatable.")]
Shared = Annotated[
    OutputChoice,
    typer.Option("--outputs", help="An output of several systems: one candidate, or one each?"),
]
Pair = Annotated[list[str], typer.Option("--pair", help="Only this language pair (repeatable).")]
Protocol = Annotated[
    list[str],
    typer.Option("--protocol", help="Only judgements asked for in this way (repeatable)."),
]
Judge = Annotated[list[str], typer.Option("--judge", help="Only this judge (repeatable).")]
WithoutJudge = Annotated[list[str], typer.Option(help="Leave this judge out (repeatable).")]
Group = Annotated[list[str], typer.Option("--group", help="Only this group of judges.")]
System = Annotated[list[str], typer.Option("--system", help="Only this system (repeatable).")]
WithoutSystem = Annotated[list[str], typer.Option(help="Leave this system out (repeatable).")]
WithoutReference = Annotated[
    bool, typer.Option("--without-reference", help="Leave the human reference out.")
]
Shortest = Annotated[int | None, typer.Option(min=0, help="Shortest source segment, in words.")]
Longest = Annotated[int | None, typer.Option(min=0, help="Longest source segment, in words.")]
Source = Annotated[
    str | None, typer.Option(help="Source text, one line a segment, for its length in words.")
]
Since = Annotated[datetime | None, typer.Option(help="Judged at or after this time (UTC).")]
Until = Annotated[datetime | None, typer.Option(help="Judged before this time (UTC).")]


def emit(tables: "Sequence[Table]", to: TableFormats, output: str) -> None:
    """Print the tables, or write them to a file whole."""
    from adjudge.errors import as_options
    from adjudge.files.output import open_output
    from adjudge.report.typesetting import render

    width = None if output == "-" and sys.stdout.isatty() else 200
    text = render(tables, to.value, width, as_options)
    with open_output(output) as stream:
        stream.write(text.encode())


def on_judgements(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command its first argument, `table`: the chosen judgements of the files named.

    The command line of the wrapped command takes the files and every option of `Selection`
    besides the command's own options, so that all commands choose judgements alike. Several
    protocols are refused: one is to be chosen.
    """
    return _on_table(command, _judgements)


def on_any_judgements(command: Callable[..., None]) -> Callable[..., None]:
    """The same for commands that take several protocols at once."""
    return _on_table(command, _any_judgements)


def on_edits(command: Callable[..., None]) -> Callable[..., None]:
    """The same for tables of edits."""
    return _on_table(command, _edits)


def on_scores(command: Callable[..., None]) -> Callable[..., None]:
    """The same for tables of scores."""
    return _on_table(command, _scores)


def on_timed(command: Callable[..., None]) -> Callable[..., None]:
    """The same for tables of any kind, and for several kinds at once."""
    return _on_table(command, _timed)


def _judgements() -> "tuple[Reader, Selector]":
    from adjudge.judgements.selection import one_protocol

    read, select = _any_judgements()
    return read, lambda table, selection: one_protocol(select(table, selection))


def _any_judgements() -> "tuple[Reader, Selector]":
    from adjudge.judgements import read, select

    return read, select


def _timed() -> "tuple[Reader, Selector]":
    from adjudge.judgements import select
    from adjudge.judgements.timing import read_timed

    return read_timed, select


def _scores() -> "tuple[Reader, Selector]":
    from adjudge.judgements import read_scores, select

    return read_scores, select


def _edits() -> "tuple[Reader, Selector]":
    from adjudge.judgements import read_edits, select_edits
    from adjudge.understandability import mark_repeated

    return lambda *paths: mark_repeated(read_edits(*paths)), select_edits


def _on_table(
    command: Callable[..., None], kind: "Callable[[], tuple[Reader, Selector]]"
) -> Callable[..., None]:
    own = list(signature(command).parameters.values())[1:]
    chosen = list(signature(_chosen).parameters.values())[2:]

    @wraps(command)
    def wrapped(**options: Any) -> None:
        mine = {parameter.name: options.pop(parameter.name) for parameter in own}
        command(_chosen(*kind(), **options), **mine)

    # An argument of the command's own comes before the files, which are all that follows.
    before = [p for p in own if p.default is p.empty]
    after = [p for p in own if p.default is not p.empty]
    keyword = [p.replace(kind=p.KEYWORD_ONLY) for p in (*before, *chosen, *after)]
    wrapped.__signature__ = signature(command).replace(parameters=keyword)  # type: ignore[attr-defined]
    wrapped.__annotations__ = {p.name: p.annotation for p in keyword} | {"return": None}
    return wrapped


def _chosen(
    read: "Reader",
    select: "Selector",
    files: Files,
    pair: Pair = [],  # noqa: B006  (Typer reads the default, nothing changes it)
    protocol: Protocol = [],  # noqa: B006
    judge: Judge = [],  # noqa: B006
    without_judge: WithoutJudge = [],  # noqa: B006
    group: Group = [],  # noqa: B006
    system: System = [],  # noqa: B006
    without_system: WithoutSystem = [],  # noqa: B006
    without_reference: WithoutReference = False,
    shortest: Shortest = None,
    longest: Longest = None,
    source: Source = None,
    since: Since = None,
    until: Until = None,
) -> "pl.DataFrame":
    from adjudge.errors import NotEnoughData
    from adjudge.judgements import Selection, with_source

    table = read(*files)
    table = select(
        table if source is None else with_source(table, source),
        Selection(
            pair=pair,
            protocol=protocol,
            judge=judge,
            without_judge=without_judge,
            group=group,
            system=system,
            without_system=without_system,
            without_reference=without_reference,
            shortest=shortest,
            longest=longest,
            since=since,
            until=until,
        ),
    )
    if not len(table):
        raise NotEnoughData(f"{', '.join(files)}: no judgement is left; ask for less")
    return table
