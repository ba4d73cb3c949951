"""How often 95 % intervals hold the truth, by what is in the data and what the bootstrap draws.

`python -m benchmarks.coverage CAMPAIGNS WORKERS` makes the table of docs/methods.md.
"""

import sys

from adjudge.parallel import Engine
from adjudge.simulation.coverage import SITUATIONS, UNITS, coverage


def main(campaigns: int = 20, workers: int = 1) -> None:
    """Print the table in Markdown; the number in parentheses is the mean width."""
    print(f"{campaigns} campaigns a row")
    print("| in the data | " + " | ".join(UNITS) + " |")
    print("|:---|" + "---:|" * len(UNITS))
    error = 0.0
    for name, design in SITUATIONS.items():
        row = coverage(design, campaigns=campaigns, engine=Engine(workers))
        error = max(error, *(one.error for one in row))
        cells = (f"{100 * one.covered:.1f} % ({one.width:.3f})" for one in row)
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    print(f"largest standard error: {100 * error:.1f} %")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
