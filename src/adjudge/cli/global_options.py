"""How every command speaks: quietly, with details, and as wide as it takes.

The options are those of every command, so they are added here and by no command itself.
"""

import logging
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from time import perf_counter

from adjudge.cli.memory_guard import in_a_child
from adjudge.cli.parser import Taken, call, option, parse, taken_by
from adjudge.core import parallel

EVERYWHERE = "Options of every command"
_LARGE = ("adjudge.cli.metaeval", "adjudge.cli.quality")  # commands that multiply large matrices


@dataclass
class Manner:
    """Global options of the running command."""

    quiet: bool = False
    verbose: bool = False
    wide: bool = False


manner = Manner()

_QUIET = option("--quiet", "-q", group=EVERYWHERE, help="Say nothing but results and errors.")
_VERBOSE = option(
    "--verbose", "-v", group=EVERYWHERE, help="Say what is read, and how long it took."
)
_WIDE = option(
    "--wide", group=EVERYWHERE, help="Let tables be wider than the terminal; shorten no name."
)


def all_taken_by(command: Callable[..., None]) -> list[Taken]:
    """The options and arguments of a command, those of every command last."""
    taken = taken_by(command)
    further = {"quiet": _QUIET, "verbose": _VERBOSE}
    if any(each.name == "to" for each in taken):  # it prints tables
        further["wide"] = _WIDE
    return taken + [Taken(name, bool, word, default=False) for name, word in further.items()]


def run(command: Callable[..., None], words: Sequence[str], called: str) -> None:
    """Run a command in the manner that its words ask for."""
    given = parse(all_taken_by(command), words, called)
    for name in ("quiet", "verbose", "wide"):
        setattr(manner, name, given.pop(name, False))
    parallel.show_progress(not manner.quiet)
    if not command.__module__.startswith(_LARGE):
        parallel.products_on_one_thread()  # before NumPy is imported
    in_a_child()
    begin = perf_counter()
    with _files_named() if manner.verbose else nullcontext():
        call(command, given)
    detail(f"done in {perf_counter() - begin:.1f} s")


class _Details(logging.Handler):
    """Print log records as details, each once, as several parts may read the same file."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        sentence = record.getMessage()
        if sentence not in self._said:
            detail(sentence)
        self._said.add(sentence)


@contextmanager
def _files_named() -> Iterator[None]:
    """Meanwhile files are named as they are opened."""
    log, handler = logging.getLogger("adjudge"), _Details()
    before = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(before)


def detail(sentence: str) -> None:
    """Print a detail if `--verbose` was given."""
    if manner.verbose:
        print(f"adjudge: {sentence}", file=sys.stderr)


def tell(sentence: str) -> None:
    """Print a notice that is not part of the result, unless `--quiet` was given."""
    if not manner.quiet:
        print(sentence, file=sys.stderr)


def suggest(*words: str) -> None:
    """The next useful command, for a person at a terminal."""
    if not manner.quiet and sys.stdout.isatty():
        print(f"Next: {shlex.join(('adjudge', *words))}")
