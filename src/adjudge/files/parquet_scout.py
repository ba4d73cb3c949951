"""A process that reads Parquet before we do.

A wrong number in a damaged page makes Polars ask for more memory than there is, which ends the
process instead of raising an error. So a process of its own goes first. It is started when a
Parquet file is first read, decodes every value and keeps none, and says that it is still there.
Any lesser error is met again by the one who reads the file, who has words for it.
"""

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from threading import Lock

import polars as pl
from polars.exceptions import PanicException

_READY, _SURVIVED = "ready\n", "survived\n"


class Scout:
    """The other process, as seen from this one; a new one where it has died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._owner = 0
        self._lock = Lock()

    def survives(self, path: str, columns: Sequence[str]) -> bool:
        """Does it live after reading these columns? (Yes, where it cannot be started at all.)"""
        with self._lock:
            process = self._start()
            if process is None:
                return True
            answer = _ask(process, json.dumps([path, *columns]))
            if answer != _SURVIVED:
                self.end()
            return answer == _SURVIVED

    def _start(self) -> "subprocess.Popen[str] | None":
        if self._process is not None and self._owner == os.getpid():
            return self._process
        # -P: a module of the folder we happen to be in must not stand in for a package.
        command = [sys.executable, "-P", __file__]
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
            )
        except OSError:
            return None
        assert process.stdout is not None
        self._process, self._owner = process, os.getpid()
        if process.stdout.readline() != _READY:
            self.end()
            return None
        return process

    def end(self) -> None:
        """Let it go; it ends by itself when nobody can ask any more."""
        if self._process is not None and self._owner == os.getpid():
            with suppress(OSError):
                self._process.communicate()
        self._process = None


def _ask(process: "subprocess.Popen[str]", question: str) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(question + "\n")
        process.stdin.flush()
        return process.stdout.readline()
    except OSError:
        return ""


SCOUT = Scout()
atexit.register(SCOUT.end)


def _scout() -> None:
    """What the other process does."""
    sys.stdout.write(_READY)
    sys.stdout.flush()
    for question in sys.stdin:
        path, *columns = json.loads(question)
        with suppress(Exception, PanicException):
            query = pl.scan_parquet(path, glob=False, hive_partitioning=False).select(columns)
            for _ in query.collect_batches():
                pass
        sys.stdout.write(_SURVIVED)
        sys.stdout.flush()


if __name__ == "__main__":
    _scout()
