"""How long the report on all of WMT15 takes: ten language pairs, 29,017 rankings.

    python -m benchmarks report

The whole command is timed, as a user runs it: 1,000 replicates, every method, every figure, on
two processes. There is no peer to compare with.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BESIDE = Path(__file__).parents[2] / "shared" / "data"
COMMAND = [sys.executable, "-c", "from adjudge.cli import main; main()"]
WORKERS = 2


def main() -> None:
    """Measure and print."""
    file = Path(os.environ.get("ADJUDGE_SHARED_DATA", BESIDE), "wmt15", "wmt15.xml.gz")
    if not file.exists():
        print(f"no {file}; set ADJUDGE_SHARED_DATA")
        return
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "report.html")
        began = time.perf_counter()
        options = ["--workers", str(WORKERS), "--output", str(page)]
        subprocess.run([*COMMAND, "report", str(file), *options], check=True)
        seconds = time.perf_counter() - began
        size = page.stat().st_size
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        f"{seconds:.0f} s on {WORKERS} processes, {memory:.0f} MB in the largest of them, "
        f"{size / 1e6:.1f} MB of HTML"
    )
