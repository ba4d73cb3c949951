"""What a command takes as a user runs it, or a function here: processor seconds and memory."""

import json
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

# A process starts out with the memory of the one that starts it, so a small one stands between.
BETWEEN = """
import json, resource, subprocess, sys
code = "from adjudge.cli import main; main()"
ended = subprocess.run([sys.executable, "-c", code, *sys.argv[1:]], stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([ended.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
"""
ONE_CORE = {"OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1", "NUMBA_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Taken:
    """What one run took."""

    seconds: float  # of the processor, start included
    megabytes: float  # at the peak

    def __str__(self) -> str:
        return f"{self.seconds:6.2f} s CPU {self.megabytes:6.0f} MB"


def run(*words: str) -> Taken:
    """Run `adjudge` with these words, on one core; what it prints is thrown away."""
    told = subprocess.run(
        [sys.executable, "-c", BETWEEN, *words],
        stdout=subprocess.PIPE,
        env={**os.environ, **ONE_CORE},
        check=True,
    )
    code, seconds, megabytes = json.loads(told.stdout)
    if code:
        raise SystemExit(f"adjudge {' '.join(words)} ended with {code}")
    return Taken(seconds, megabytes)


def peak(work: Callable[[], Any]) -> float:
    """The most memory that a function holds beside what there was, in MB."""
    tracemalloc.start()
    work()
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return held / 1e6
