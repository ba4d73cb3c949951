"""How many of WMT15's official cluster boundaries survive when the judgements are resampled.

A boundary survives when every system above it is placed, throughout its rank range, above every
rank of every system below it. The official ranges came from TrueSkill runs on the same comparisons
(`none`) and so hold no sampling error. Beside it: comparisons drawn before each run (as WMT16 did),
rankings drawn, and judges drawn; and what `adjudge rank` does by default: expected wins, rank
ranges of all systems at once that hold for other judges and segments.

    python -m benchmarks wmt15_boundaries

prints the table for the data in $ADJUDGE_SHARED_DATA (or ../shared/data): `wmt15/wmt15.xml.gz`
and `wmt15/official-ranking/`. $RUNS sets the number of runs (1,000).
"""

import os
from pathlib import Path

from adjudge.core.tables.render import render
from adjudge.core.tables.table import Column, Table
from adjudge.data.comparisons import by_pair, compare
from adjudge.data.table_files import read
from adjudge.ranking.method import METHODS
from adjudge.ranking.ranking_result import Ranking, rank
from adjudge.stats.resampling import Resampling, Unit

UNITS: tuple[Unit, ...] = ("none", "comparison", "ranking", "judge")


def official_boundaries(file: Path) -> list[frozenset[str]]:
    """The systems above each boundary."""
    above: list[str] = []
    boundaries = []
    for line in file.read_text().splitlines():
        if line.startswith("+"):
            boundaries.append(frozenset(above))
        elif line:
            above.append(line.split()[0])
    return boundaries


def survives(boundary: frozenset[str], ranking: Ranking) -> bool:
    """Do the rank ranges keep the systems above the boundary apart from those below?"""
    rows = list(zip(ranking.systems, ranking.rank_low, ranking.rank_high, strict=True))
    worst = max(high for system, _, high in rows if system in boundary)
    return all(low > worst for system, low, _ in rows if system not in boundary)


def main() -> None:
    """Print one row a language pair, and the sum."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("ADJUDGE_SHARED_DATA", beside)) / "wmt15"
    if not folder.exists():
        print(f"no {folder}: set ADJUDGE_SHARED_DATA to the folder of shared data")
        return
    runs = int(os.environ.get("RUNS", "1000"))
    rows: list[dict[str, str | int]] = []
    for pair, part in by_pair(read(str(folder / "wmt15.xml.gz"))):
        comparisons = compare(part)
        boundaries = official_boundaries(folder / "official-ranking" / f"{pair}.txt")
        row: dict[str, str | int] = {
            "pair": pair,
            "systems": len(comparisons.systems),
            "judges": len(comparisons.judges),
            "official": len(boundaries),
        }
        for unit in UNITS:
            ranking = rank(comparisons, METHODS["trueskill"], Resampling(unit, runs, 1))
            row[unit] = sum(survives(boundary, ranking) for boundary in boundaries)
        row["default"] = sum(survives(boundary, rank(comparisons)) for boundary in boundaries)
        rows.append(row)
    keys = ("systems", "official", *UNITS, "default")
    rows.append({"pair": "all"} | {key: sum(int(row[key]) for row in rows) for key in keys})
    columns = [
        Column("pair", "pair"),
        Column("systems", "systems"),
        Column("judges", "judges"),
        Column("official", "official boundaries"),
        *(Column(unit, f"survive: {unit}") for unit in UNITS),
        Column("default", "survive: the default"),
    ]
    print(render([Table(rows, columns, f"WMT15, TrueSkill, {runs:,} runs")], "markdown"))


if __name__ == "__main__":
    main()
