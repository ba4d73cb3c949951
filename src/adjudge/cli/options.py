"""Options that several commands share, and how a result leaves."""

import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial, wraps
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any, Literal

from adjudge.cli.global_options import detail, manner, tell
from adjudge.cli.parser import argument, is_argument, option

if TYPE_CHECKING:
    from adjudge.api.result import Result
    from adjudge.api.table_data import Data
    from adjudge.api.texts import Texts
    from adjudge.core.tables.table import Table
    from adjudge.data.kinds import KindName
    from adjudge.data.source import Source as DataSource

    _Wanted = (
        KindName | Literal["as they are", "judgements or edits"] | None
    )  # None: whatever kinds, all together


TableFormats = Literal["table", "json", "csv", "markdown", "latex", "html"]


Files = Annotated[
    list[str],
    argument(metavar="FILE…", help="Judgements in any format (docs/formats.md); - is stdin."),
]
Format = Annotated[TableFormats, option("--format", "-f", help="How to print the result.")]
Output = Annotated[str, option("--output", "-o", help="Where to print it; - is stdout.")]
CheckpointFile = Annotated[
    str | None,
    option("--checkpoint", metavar="FILE", help="Keeps what is done; a later run goes on."),
]
_choosing = partial(option, group="Which judgements")

Pair = Annotated[list[str], _choosing("--pair", help="Only this language pair (repeatable).")]
Protocol = Annotated[
    list[str],
    _choosing("--protocol", help="Only judgements asked for in this way (repeatable)."),
]
Judge = Annotated[list[str], _choosing("--judge", help="Only this judge (repeatable).")]
WithoutJudge = Annotated[list[str], _choosing(help="Leave this judge out (repeatable).")]
Group = Annotated[list[str], _choosing("--group", help="Only this group of judges.")]
System = Annotated[list[str], _choosing("--system", help="Only this system (repeatable).")]
WithoutSystem = Annotated[list[str], _choosing(help="Leave this system out (repeatable).")]
Reference = Annotated[
    list[str],
    _choosing("--reference", help="This system is the human reference (repeatable)."),
]
WithoutReference = Annotated[
    bool, _choosing("--without-reference", help="Leave the human reference out.")
]
Shortest = Annotated[int | None, _choosing(min=0, help="Shortest source segment, in words.")]
Longest = Annotated[int | None, _choosing(min=0, help="Longest source segment, in words.")]
Source = Annotated[
    str | None, _choosing(help="Source text, one line a segment, for its length in words.")
]
JudgesFrom = Annotated[
    str | None,
    _choosing("--judges-from", metavar="FILE", help="Which accounts are one person (JSON, CSV)."),
]
Columns = Annotated[
    str | None,
    _choosing(metavar="ROLE=NAME,…", help="Which column holds what, in a table of your own."),
]
Since = Annotated[datetime | None, _choosing(help="Judged at or after this time (UTC).")]
Until = Annotated[datetime | None, _choosing(help="Judged before this time (UTC).")]


def show(results: "Sequence[Result[Any]]", to: TableFormats, output: str) -> None:
    """Print results, or write them to a file whole."""
    from adjudge.core.errors import as_options

    for reason in (reason for result in results for reason in result.unanswered):
        tell(as_options(reason))
    emit([table for result in results for table in result.tables], to, output)


def emit(tables: "Sequence[Table]", to: TableFormats, output: str) -> None:
    """Print the tables, or write them to a file whole."""
    from adjudge.core.errors import NotEnoughData, as_options
    from adjudge.core.files.output import open_output
    from adjudge.core.tables.render import render

    if not tables and to not in ("json", "csv"):
        raise NotEnoughData("nothing in these judgements can be compared, so there is no answer")
    # A file has no edge; on a terminal tables fit, unless they are asked for whole.
    width = None if output == "-" and sys.stdout.isatty() and not manner.wide else 200
    text = render(tables, to, width, as_options)
    with open_output(output) as stream:
        stream.write(text.encode())


def as_words(source: "DataSource") -> list[str]:
    """The files and what was chosen of them, as a command line names them."""
    words = [f"./{name}" if name.startswith("-") else name for name, _ in source.files]
    for name, chosen in source.selection.items():
        flag = "--" + name.replace("_", "-")
        values = chosen if isinstance(chosen, list) else [chosen]
        words += [flag] if chosen is True else [w for v in values for w in (flag, str(v))]
    return words


def on_judgements(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command its first argument: the chosen judgements of the files named.

    The command line of the wrapped command takes the files and every option of `select`
    besides the command's own options, so that all commands choose judgements alike.
    """
    return _on_data(command, "judgements")


def on_edits(command: Callable[..., None]) -> Callable[..., None]:
    """The same for edits."""
    return _on_data(command, "edits")


def on_scores(command: Callable[..., None]) -> Callable[..., None]:
    """The same for scores."""
    return _on_data(command, "scores")


def on_judgements_or_scores(command: Callable[..., None]) -> Callable[..., None]:
    """The same for judgements or scores, as the files hold them."""
    return _on_data(command, "as they are")


def on_judgements_or_edits(command: Callable[..., None]) -> Callable[..., None]:
    """The same for judgements, those that scores imply among them, or edits."""
    return _on_data(command, "judgements or edits")


def on_any(command: Callable[..., None]) -> Callable[..., None]:
    """The same for data of any kind, and for several kinds at once."""
    return _on_data(command, None)


def _on_data(command: Callable[..., None], kind: "_Wanted") -> Callable[..., None]:
    parameters = dict(signature(command).parameters)
    takes_texts = parameters.pop("texts", None) is not None
    own = list(parameters.values())[1:]
    choosing = list(signature(_chosen).parameters.values())[1:]

    @wraps(command)
    def wrapped(**options: Any) -> None:
        mine = {parameter.name: options.pop(parameter.name) for parameter in own}
        if takes_texts:
            mine["texts"] = _texts(options, mine)
        command(_chosen(kind, **options), **mine)

    # An argument of the command's own comes before the files, which are all that follows.
    before = [p for p in own if is_argument(p)]
    after = [p for p in own if not is_argument(p)]
    keyword = [p.replace(kind=p.KEYWORD_ONLY) for p in (*before, *choosing, *after)]
    wrapped.__signature__ = signature(command).replace(parameters=keyword)  # type: ignore[attr-defined]
    wrapped.__annotations__ = {p.name: p.annotation for p in keyword} | {"return": None}
    return wrapped


def _texts(options: dict[str, Any], own: dict[str, Any]) -> "Texts | None":
    """The texts that options name, which are taken away from those that choose judgements.

    `--system NAME=FILE` is an output, `--system NAME` chooses. Where outputs are given, the
    `--reference` is the file of theirs.
    """
    from adjudge.cli.metrics import texts_from
    from adjudge.core.errors import AdjudgeError

    outputs = [given for given in options["system"] if "=" in given]
    if not outputs and own["testset"] is None:
        if own["documents"] is not None:
            raise AdjudgeError("--documents are those of texts; give --system NAME=FILE, too")
        return None
    references: list[str] = []
    if outputs:
        options["system"] = [given for given in options["system"] if "=" not in given]
        references, options["reference"] = options["reference"], []
    pair = options["pair"][0] if len(options["pair"]) == 1 else ""
    return texts_from(outputs, references, own["testset"], own["documents"], pair)


def _chosen(
    kind: "_Wanted",
    files: Files,
    pair: Pair = [],  # noqa: B006  (it is only read)
    protocol: Protocol = [],  # noqa: B006
    judge: Judge = [],  # noqa: B006
    without_judge: WithoutJudge = [],  # noqa: B006
    group: Group = [],  # noqa: B006
    system: System = [],  # noqa: B006
    without_system: WithoutSystem = [],  # noqa: B006
    reference: Reference = [],  # noqa: B006
    without_reference: WithoutReference = False,
    shortest: Shortest = None,
    longest: Longest = None,
    source: Source = None,
    judges_from: JudgesFrom = None,
    columns: Columns = None,
    since: Since = None,
    until: Until = None,
) -> "Data":
    from adjudge.api.edits import Edits
    from adjudge.api.reading import read_as, read_mixed
    from adjudge.api.scores import Scores

    data: Data
    told: Any = {"source": source, "judges_from": judges_from}
    if kind is None and columns is None:
        data = read_mixed(*files, **told)
    elif kind is None or kind == "as they are":
        data = read_as(None, *files, **told, columns=columns)
        if isinstance(data, Edits):
            data = read_as("judgements", *files, **told)  # says what takes edits
    elif kind == "judgements or edits":
        data = read_as(None, *files, **told, columns=columns)
        if isinstance(data, Scores):
            data = data.as_judgements()
    else:
        data = read_as(kind, *files, **told, columns=columns)
    for note in data.source.notes:
        tell(note)
    if manner.verbose:
        detail(f"read {', '.join(files)}: {len(data):,} rows")
    return data.select(
        pair=pair,
        protocol=protocol,
        judge=judge,
        without_judge=without_judge,
        group=group,
        system=system,
        without_system=without_system,
        reference=reference,
        without_reference=without_reference,
        shortest=shortest,
        longest=longest,
        since=since,
        until=until,
    )
