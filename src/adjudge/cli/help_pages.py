"""Help pages: options in groups, whole sentences, no line wider than the terminal."""

from collections.abc import Callable, Iterable, Sequence
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING

from adjudge.cli.commands import COMMANDS, PANELS, Entry, load

if TYPE_CHECKING:
    from adjudge.cli.parser import Taken

WIDEST_CHOICE = 34  # characters; longer lists of choices go into the sentence
_WIDEST_TERM = 30
_HELP = ("-h, --help", "Show this message and exit.")
_ABOUT = "Human evaluation of machine translation: from judgements to rankings with uncertainty."
_TYPES = {"int": "number", "float": "number", "datetime": "time"}
Rows = Sequence[tuple[str, str]]


def program_page() -> str:
    """All commands of the first level, by their groups."""
    options = [
        ("--version", "Print the version."),
        ("--show-completion <shell>", "Print a script for bash, zsh, fish or powershell."),
        _HELP,
    ]
    sections: list[tuple[str, Rows]] = [("Options", options)]
    for panel, entries in PANELS.items():
        sections.append((panel, [(name, entry.sentence) for name, entry in entries.items()]))
    return _page("adjudge [OPTIONS] COMMAND [ARGS]...", _ABOUT, sections)


def group_page(name: str) -> str:
    """The commands of a group."""
    entry: Entry = COMMANDS[name]
    rows = [(below, first_paragraph(load(home))) for below, home in entry.below.items()]
    sections = [("Options", [_HELP]), ("Commands", rows)]
    return _page(f"adjudge {name} [OPTIONS] COMMAND [ARGS]...", entry.sentence, sections)


def command_page(command: Callable[..., None], taken: "Sequence[Taken]", called: str) -> str:
    """The arguments and options of a command."""
    sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
    for each in taken:
        usual = "Arguments" if each.word.positional else "Options"
        sections.setdefault(each.word.group or usual, []).append((_term(each), _sentence(each)))
    sections["Options"].append(_HELP)
    words = [
        each.shown if each.required else f"[{each.shown}]" for each in taken if each.word.positional
    ]
    usage = " ".join((called, "[OPTIONS]", *words))
    return _page(usage, "\n\n".join(_paragraphs(command)), sections.items())


def first_paragraph(command: Callable[..., None]) -> str:
    """The sentence by which a command is listed."""
    return _paragraphs(command)[0]


def _paragraphs(command: Callable[..., None]) -> list[str]:
    return [" ".join(part.split()) for part in (command.__doc__ or "").split("\n\n")]


def _term(taken: "Taken") -> str:
    """An option as it is typed."""
    if taken.word.positional:
        return taken.shown
    names = ", ".join(taken.flags) + "".join(f" / {off}" for off in taken.off)
    if taken.kind is bool:
        return names
    return f"{names} {taken.word.metavar or _kind(taken)}"


def _kind(taken: "Taken") -> str:
    choices = f"<{'|'.join(taken.choices)}>"
    if taken.choices:
        return "<name>" if _long(taken) else choices
    return f"<{_TYPES.get(taken.kind.__name__, 'text')}>"


def _long(taken: "Taken") -> bool:
    return len(f"{taken.shown} <{'|'.join(taken.choices)}>") > WIDEST_CHOICE


def _sentence(taken: "Taken") -> str:
    """Describe an option: its purpose, its default and bounds, and its choices if many."""
    word, default = taken.word, taken.default
    told = [word.help]
    if taken.choices and _long(taken):
        told.append(f"One of {', '.join(taken.choices)}.")
    limits = []
    if taken.required:
        limits.append("required")
    if default not in (None, False, "", (), []):
        values = default if isinstance(default, list | tuple) else [default]
        limits.append(f"default: {', '.join(map(str, values))}")
    if word.low is not None:
        high = word.high
        limits.append(f"{word.low:g} or more" if high is None else f"{word.low:g} to {high:g}")
    return " ".join([*told, f"[{'; '.join(limits)}]"] if limits else told)


def _page(usage: str, about: str, sections: Iterable[tuple[str, Rows]]) -> str:
    width = min(get_terminal_size().columns, 80)
    lines = wrap(f"Usage: {usage}", width, subsequent_indent="  ")
    for paragraph in about.split("\n\n"):
        lines += ["", *wrap(paragraph, width, initial_indent="  ", subsequent_indent="  ")]
    for title, rows in sections:
        if rows:
            lines += ["", f"{title}:", *_definitions(rows, width)]
    return "\n".join(lines)


def _definitions(rows: Rows, width: int) -> Iterable[str]:
    """Two columns; a term that is too long has a line of its own."""
    column = max((len(term) for term, _ in rows if len(term) <= _WIDEST_TERM), default=0) + 4
    for term, sentence in rows:
        told = wrap(sentence, width - column, break_on_hyphens=False) or [""]
        if len(term) + 4 > column:
            yield f"  {term}"
        else:
            yield f"  {term}".ljust(column) + told.pop(0)
        yield from (" " * column + line for line in told)
