"""Work done in a process of its own: what ends that process does not end ours.

A damaged Parquet, or too little memory, makes Polars end the process that reads instead of raising
an error. Work that reads much and gives back little is done apart. Then nobody has to read the
same file before to see whether one survives it (`parquet_scout`).
"""

import gc
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

is_expendable = False  # is this such a process?


class Ended(Exception):
    """The process came to its end before its work did."""


def apart(
    environment: Mapping[str, str], function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
) -> R:
    """What the function gives, or raises, in a process of its own; here, if none can be started.

    In the `environment` of that process is, besides ours, what is not set in ours.
    """
    # -P: a module of the folder we happen to be in must not stand in for a package.
    command = [sys.executable, "-P", __file__]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**environment, **os.environ},
        )
    except OSError:
        return function(*args, **kwargs)
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            with suppress(BrokenPipeError):
                pickle.dump(sys.path, process.stdin)
                pickle.dump((function, args, kwargs), process.stdin)
                process.stdin.close()
            result, error = pickle.load(process.stdout)
        except (EOFError, pickle.UnpicklingError):
            raise Ended from None
        finally:
            process.kill()
    if error is not None:
        raise error
    done: R = result
    return done


def _work() -> None:
    """What the other process does."""
    sys.path[:] = pickle.load(sys.stdin.buffer)
    from adjudge.core.files import subprocess_call as known

    known.is_expendable = True
    gc.disable()  # what is worked on are arrays, and the process ends soon
    answer = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing else may be said there
    outcome: tuple[Any, Exception | None]
    try:
        function, args, kwargs = pickle.load(sys.stdin.buffer)
        outcome = function(*args, **kwargs), None
    except Exception as error:
        outcome = None, error
    with open(answer, "wb") as stream:
        pickle.dump(outcome, stream, pickle.HIGHEST_PROTOCOL)


if __name__ == "__main__":
    _work()
