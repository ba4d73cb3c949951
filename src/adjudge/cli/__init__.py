"""The command line: one module a command group; each parses, calls, prints.

Nothing heavy is imported before a command runs, so that `adjudge --help` answers at once.
"""

import errno
import os
import sys
from collections.abc import Sequence

from adjudge.cli.commands import COMMANDS, load, named
from adjudge.core.errors import AdjudgeError, BadParameter, as_options
from adjudge.core.version import __version__

HELP = ("-h", "--help")


def main() -> None:
    """Run a command; what the user can mend is one line on stderr and exit code 2."""
    if "_ARGCOMPLETE" in os.environ:
        from adjudge.cli.completion import complete

        complete()
    try:
        try:
            _run(sys.argv[1:])
        finally:
            sys.stdout.flush()
    except AdjudgeError as error:
        message = " ".join(as_options(str(error)).split())
        print(f"adjudge: {message}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt as interrupt:
        if said := as_options(str(interrupt)):
            print(f"adjudge: interrupted; {said}", file=sys.stderr)
        sys.exit(130)
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
    sys.exit(0)


def _run(words: Sequence[str]) -> None:
    if not words or words[0] in HELP:
        from adjudge.cli.help_pages import program_page

        print(program_page(), file=sys.stdout if words else sys.stderr)
        if not words:
            sys.exit(2)
    elif words[0] == "--version":
        print(__version__)
    elif words[0] == "--show-completion":
        from adjudge.cli.completion import script

        print(script(*words[1:2]))
    elif words[0].startswith("-"):
        raise BadParameter(f"there is no option {words[0]}; see adjudge --help")
    else:
        _run_command(words)


def _run_command(words: Sequence[str]) -> None:
    name, *rest = words
    entry = COMMANDS[named(name, COMMANDS, "command")]
    called, home = f"adjudge {name}", entry.home
    if entry.below:
        if not rest or rest[0] in HELP:
            from adjudge.cli.help_pages import group_page

            print(group_page(name), file=sys.stdout if rest else sys.stderr)
            sys.exit(0 if rest else 2)
        if rest[0] not in entry.below and entry.usual:
            rest = [entry.usual, *rest]
        below = named(rest.pop(0), entry.below, f"command of {name}")
        called, home = f"{called} {below}", entry.below[below]
    from adjudge.cli.global_options import all_taken_by, run

    command = load(home)
    before = rest[: rest.index("--")] if "--" in rest else rest
    if any(word in HELP for word in before):
        from adjudge.cli.help_pages import command_page

        print(command_page(command, all_taken_by(command), called))
    else:
        run(command, rest, called)
