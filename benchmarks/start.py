"""How long commands take to start: `adjudge --help`; `adjudge rank` and `info` on a small file.

    python -m benchmarks start

Seconds are of the processor, the best of some runs; Python keeps what it compiled in the first.
Beside them stands what Python takes to import NumPy and Polars, and nothing else: the least that
any program takes that uses them.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks._measured import Taken, run

SMALL = Path(__file__).parents[1] / "docs" / "examples" / "judgements.xml.gz"
RUNS = 7


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as compiled:
        os.environ["PYTHONPYCACHEPREFIX"] = compiled
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        libraries = min(imports() for _ in range(RUNS))
        print(f"import numpy, polars      {libraries:6.2f} s CPU")
        for words in (("--help",), ("rank", str(SMALL)), ("info", str(SMALL))):
            best = min((run(*words) for _ in range(RUNS)), key=seconds)
            print(f"adjudge {words[0]:17} {best}  {best.seconds / libraries:4.1f}×")


def seconds(taken: Taken) -> float:
    """Of the processor."""
    return taken.seconds


def imports() -> float:
    """Seconds of a process that imports the libraries and ends."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "import numpy, polars"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


if __name__ == "__main__":
    main()
