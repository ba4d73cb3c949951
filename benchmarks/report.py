"""How long whole reports take: all of WMT15, and one pair of 60 systems.

    python -m benchmarks report

WMT15 has ten language pairs and 29,017 rankings; the other has 60 systems, 100 judges, 100
documents and 10,000 rankings, simulated. The whole command is timed as a user runs it, start and
reading included: 1,000 replicates, every method, every figure. There is no peer to compare with;
`adjudge rank` on the same file, one table of the report, stands beside.
"""

import os
import tempfile
from pathlib import Path

import adjudge
from benchmarks._measured import run

BESIDE = Path(__file__).parents[2] / "shared" / "data"


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        simulated = Path(folder, "large.parquet")
        large = adjudge.simulate(systems=60, judges=100, documents=100, rankings=10_000)
        large.write(str(simulated))
        wmt15 = Path(os.environ.get("ADJUDGE_SHARED_DATA", BESIDE), "wmt15", "wmt15.xml.gz")
        page = Path(folder, "report.html")
        for name, file in (("60 systems", simulated), ("WMT15", wmt15)):
            if not file.exists():
                print(f"no {file}; set ADJUDGE_SHARED_DATA")
                continue
            run("report", str(file), "--workers", "1", "-o", str(page))  # compiles
            ours = run("report", str(file), "--workers", "1", "-o", str(page))
            table = run("rank", str(file))
            ratio = ours.seconds / table.seconds
            size = page.stat().st_size / 1e6
            print(f"{name:11} report {ours}, {size:.1f} MB of HTML; rank {table}, {ratio:.1f}×")


if __name__ == "__main__":
    main()
