"""Commands that may have only so much memory (`ulimit -v`).

Where it runs out, libraries below us do not raise an error: they end the process with a backtrace,
or ask for more without end. So the command runs in a child, and a child that ended in such a way
is one sentence.
"""

import os
import signal
import sys
import warnings
from typing import BinaryIO

from adjudge.core.files.memory import limited_memory, may_have

STARTING = 1_000_000_000  # bytes, of which most are reserved and never used
PLENTY = 4_000_000_000  # with fewer, libraries fail in so many ways that any traceback is for that
_CRIES = (b"<jemalloc>", b"memory allocation of ", b"OpenBLAS", b"thread '", b"fatal runtime error")
_TRACEBACKS = (b"Traceback", b"Exception in thread")
_OF_MEMORY = (
    b"failed to map segment",  # while a library is loaded
    b"Could not find/load shared object",
    b"can't start new thread",
    b"Cannot allocate memory",
    b"MemoryError",
)


def in_a_child() -> None:
    """Go on in a child, if memory is limited; the parent waits for it and ends as it did."""
    if not limited_memory():
        return
    left = may_have()
    if left < STARTING:
        _end(f"{STARTING / 1e9:.0f} GB is needed to start, and this process may have less")
    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if not child:
        os.close(reader)
        os.dup2(writer, sys.stderr.fileno())
        os.close(writer)
        # matplotlib does without what it cannot load, and warns; figures here do not need it.
        warnings.filterwarnings("ignore", "Unable to import Axes3D", UserWarning)
        return
    os.close(writer)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the child has it, too, and ends in its way
    with os.fdopen(reader, "rb") as said:
        cried = _passed_on(said, tight=left < PLENTY)
        if cried:
            os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if cried or code in (-signal.SIGABRT, -signal.SIGSEGV):
        _end("choose fewer judgements, or allow more")
    sys.exit(code if code >= 0 else 128 - code)


def _passed_on(said: BinaryIO, tight: bool) -> bool:
    """Pass on what the child says, until it cries for memory, if it does.

    A traceback is held back, as it may be such a cry.
    """
    held: list[bytes] = []
    for line in said:
        if line.startswith(_CRIES) or (held and any(word in line for word in _OF_MEMORY)):
            return True
        if held or line.startswith(_TRACEBACKS):
            if tight:
                return True
            held.append(line)
            continue
        sys.stderr.buffer.write(line)
        sys.stderr.buffer.flush()
    sys.stderr.buffer.write(b"".join(held))
    sys.stderr.buffer.flush()
    return False


def _end(remedy: str) -> None:
    print(f"adjudge: not enough memory (`ulimit -v`); {remedy}", file=sys.stderr)
    sys.exit(2)
