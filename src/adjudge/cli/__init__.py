"""The command line: one module a command group; each parses, calls, prints.

Nothing heavy is imported before a command runs, so that `adjudge --help` answers at once.
"""

import errno
import os
import re
import sys
from typing import Any

import typer

from adjudge.cli.global_options import with_manner
from adjudge.cli.help_pages import Command, Group
from adjudge.core.errors import AdjudgeError, as_options, instead_of
from adjudge.core.version import __version__


class _Commands(Group):
    """The commands, whose options are refused in words of ours; an interrupt is one sentence."""

    def invoke(self, ctx: Any) -> Any:  # Typer keeps the type of a context to itself
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = _in_our_words(error.message)
            raise
        except KeyboardInterrupt as interrupt:
            if said := as_options(str(interrupt)):
                print(f"adjudge: interrupted; {said}", file=sys.stderr)
            raise typer.Exit(130) from None


_WORDS = (
    (r"Input should be a valid integer.*", "give a whole number"),
    (r"Input should be a valid number.*", "give a number"),
    (r"Input should be a finite number.*", "give a finite number"),
    (r"Input should be a valid datetime.*", "give a time like 2026-01-31 or 2026-01-31T12:00"),
    (r"Input should be greater than or equal to (\S+)", r"give \1 or more"),
    (r"Input should be less than or equal to (\S+)", r"give \1 or less"),
    (r"Value error, ", ""),
)
_CHOICE = re.compile(r"'(.*)' is not one of ((?:'[^']*'(?:, )?)+)\.?")


def _in_our_words(message: str) -> str:
    """A refusal without the wording of the library that checks options."""
    for theirs, ours in _WORDS:
        message = re.sub(theirs, ours, message)
    if choice := _CHOICE.fullmatch(message):
        known = re.findall(r"'([^']*)'", choice[2])
        return f"cannot be {choice[1]!r}; {instead_of(choice[1], known)}"
    return message


app = typer.Typer(
    cls=_Commands,
    help="Human evaluation of machine translation: from judgements to rankings with uncertainty.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _common(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    pass


def _dress(commands: typer.Typer) -> None:
    """Give every command the options and the help page that all commands have."""
    for command in commands.registered_commands:
        if command.cls is not Command and command.callback is not None:
            command.cls = Command
            command.callback = with_manner(command.callback)
    for group in commands.registered_groups:
        if group.typer_instance is not None:
            _dress(group.typer_instance)


def main() -> None:
    """Run a command; what the user can mend is one line on stderr and exit code 2."""
    from adjudge.cli.commands import register

    register(*sys.argv[1:2])
    _dress(app)
    try:
        try:
            app(prog_name="adjudge")
        finally:
            sys.stdout.flush()
    except AdjudgeError as error:
        message = " ".join(as_options(str(error)).split())
        print(f"adjudge: {message}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of a pipe left (`adjudge … | head`): nothing to say, nobody to say it to.
        sys.stderr.close()
        sys.exit(141)
    except MemoryError:
        print(
            "adjudge: not enough memory; choose fewer judgements, or read them from Parquet",
            file=sys.stderr,
        )
        sys.exit(2)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise
        place = error.filename or "standard output"
        print(f"adjudge: {place}: cannot be written ({error.strerror}); make room", file=sys.stderr)
        # What is still waiting to be written would fail once more at the very end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(2)
