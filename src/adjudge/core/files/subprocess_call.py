"""Function calls in a subprocess, whose crash does not end this process.

A damaged Parquet file, or too little memory, makes Polars end the process instead of raising an
error. Work that reads much and returns little therefore runs in a subprocess. No separate trial
read of the file is then needed (`parquet_scout`).
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
    """Subprocess ended before it returned a result."""


def apart(
    environment: Mapping[str, str], function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
) -> R:
    """Call a function in a subprocess and return or raise its outcome; without subprocesses, call
    it here.

    `environment` adds variables that are not set in this process.
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
    """Main function of the subprocess."""
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
