"""Completion of commands, options and their values in a shell, by argcomplete."""

import os
from argparse import ArgumentParser

import argcomplete
from argcomplete.shell_integration import shellcode

from adjudge.cli.commands import COMMANDS, load
from adjudge.cli.global_options import all_taken_by
from adjudge.cli.parser import fill
from adjudge.core.errors import one_of

SHELLS = ("bash", "zsh", "fish", "powershell")


def script(shell: str = "") -> str:
    """The script that makes a shell complete `adjudge`."""
    name = one_of(shell, SHELLS, "show_completion")
    return str(shellcode(["adjudge"], shell=name))


def complete() -> None:
    """Print what can follow the words of COMP_LINE, and exit."""
    words = os.environ["COMP_LINE"].split()[1:]
    parser = ArgumentParser("adjudge")
    parser.add_argument("--version", action="store_true")
    parser.add_argument("--show-completion", choices=SHELLS)
    commands = parser.add_subparsers()
    for name, entry in COMMANDS.items():
        own = commands.add_parser(name)
        if words[:1] != [name]:
            continue
        if entry.home:
            fill(own, all_taken_by(load(entry.home)))
        below = own.add_subparsers() if entry.below else None
        for under, home in entry.below.items():
            assert below is not None
            inner = below.add_parser(under)
            if words[1:2] == [under]:
                fill(inner, all_taken_by(load(home)))
    argcomplete.autocomplete(parser, always_complete_options=False)
