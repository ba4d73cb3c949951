"""Child process that reads Parquet files first, as a safety check.

A wrong number in a damaged page makes Polars ask for more memory than there is, which ends the
process instead of raising an error. So a process of its own goes first. It is started when a
Parquet file is first read, decodes every value and keeps none, adds up how large they are, and
says that it is still there. It may have little more memory than the file may unpack to. Any lesser
error is met again by the one who reads the file, who has words for it.
"""

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from threading import Lock

import polars as pl
from polars.exceptions import PanicException

_READY = "ready\n"
SURVIVED, LARGER, DIED = "survived\n", "larger\n", ""
_FURTHER = 1 << 30  # bytes for threads and what they hold at once
_PER_PROCESSOR = 1 << 28


class Scout:
    """Parent's handle on the child process, which is restarted if it has died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._owner = 0
        self._lock = Lock()

    def ask(self, path: str, columns: Sequence[str], most: int) -> str:
        """Test whether the child survives reading these columns and whether they exceed `most`
        bytes.

        If no child can be started, the file is assumed to be safe.
        """
        with self._lock:
            process = self._start()
            if process is None:
                return SURVIVED
            answer = _ask(process, json.dumps([path, most, *columns]))
            if answer not in (SURVIVED, LARGER):
                self.end()
                return DIED
            return answer

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
        """End the child process by closing its input."""
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
    """Main loop of the child process."""
    sys.stdout.write(_READY)
    sys.stdout.flush()
    for question in sys.stdin:
        path, most, *columns = json.loads(question)
        _limit_memory(most + os.path.getsize(path))
        answer = SURVIVED
        with suppress(Exception, PanicException):
            query = pl.scan_parquet(path, glob=False, hive_partitioning=False).select(columns)
            size = 0
            for batch in query.collect_batches():
                size += int(batch.estimated_size())
                if size > most:
                    answer = LARGER
                    break
        sys.stdout.write(answer)
        sys.stdout.flush()


def _limit_memory(size: int) -> None:
    """Limit memory to this much more than now plus the needs of threads, within the inherited
    limit.
    """
    try:
        import resource

        allowed = _allowed()
        with open("/proc/self/statm", encoding="ascii") as stream:
            used = int(stream.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (ImportError, OSError):  # not on Linux
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = used + size + _FURTHER + _PER_PROCESSOR * (os.cpu_count() or 1)
    soft = wanted if allowed == resource.RLIM_INFINITY else min(wanted, allowed)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@cache
def _allowed() -> int:
    """Memory limit that this process was started with."""
    import resource

    return resource.getrlimit(resource.RLIMIT_AS)[0]


if __name__ == "__main__":
    _scout()
