"""How help pages look: commands and options in groups, whole sentences, no line too wide.

Typer writes the records; what it would cut, or write in the words of Python, is put in ours.
"""

import re
from enum import StrEnum
from typing import Any

import typer.core

WIDEST_CHOICE = 34  # characters; what is longer is listed in the sentence instead


class Panel(StrEnum):
    """The groups of commands, in the order of the help page."""

    collect = "Collect judgements"
    rank = "Rank systems"
    trust = "Know how far to trust it"
    texts = "Work with texts and metrics"
    share = "Show and keep results"


_TYPES = {
    **dict.fromkeys(("str", "list[str]"), "text"),
    **dict.fromkeys(("int", "int range", "float", "float range"), "number"),
    **dict.fromkeys(("list[int]", "list[float]"), "number"),
    "datetime": "time",
}


class Command(typer.core.TyperCommand):
    """A command whose help has its own options first, then those that several commands share."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments and options by their groups, in the order in which these first appear."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                usual = f"{parameter.param_type_name.capitalize()}s"
                panel = getattr(parameter, "rich_help_panel", None) or usual
                sections.setdefault(panel, []).append(_in_words(*record))
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


class Group(typer.core.TyperGroup):
    """Commands in groups, each with its whole first sentence."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands by their groups; what belongs to none comes last."""
        sections: dict[str, list[tuple[str, str]]] = {panel: [] for panel in Panel}
        for name, command in self.commands.items():
            if not command.hidden:
                panel = getattr(command, "rich_help_panel", None) or "Commands"
                sentence = command.get_short_help_str(1000)
                sections.setdefault(panel, []).append((name, sentence))
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(sorted(records))


def _in_words(option: str, sentence: str) -> tuple[str, str]:
    """A line of a help page without the names of Python's types, and never too wide."""
    sentence = re.sub(r"\bx>=(\S+)\]$", r"\1 or more]", sentence)
    sentence = re.sub(r"\b(\S+)<=x<=(\S+)\]$", r"\1 to \2]", sentence)
    option = re.sub(r"<([^<>]+)>", lambda found: f"<{_TYPES.get(found[1], found[1])}>", option)
    choices = re.search(r"<([^<>]*\|[^<>]*)>", option)
    if choices and len(option) > WIDEST_CHOICE:
        option = option.replace(choices[0], "<name>")
        told, bracket, default = sentence.partition("  [")
        sentence = f"{told} One of {choices[1].replace('|', ', ')}.{bracket}{default}"
    return option, sentence
