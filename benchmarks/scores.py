"""`adjudge scores` on a million direct assessments by every unit, beside pandas.

    python -m benchmarks scores

20 systems, 2,500 segments in 250 documents, 200 judges, values from 0 to 100. Ours is the whole
command, start and reading included: z-scores, means, intervals, clusters, tests of every two
systems, and agreement on values and ranks with intervals. The plain version is timed from the table
in memory and does a small part of that: z within judges, means, and α of the values. (The
krippendorff package needs 12 GB and 18 s for that α, because it makes a table of judges by items.)
"""

import tempfile
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd

import adjudge
from benchmarks._measured import peak, run

ROWS, SYSTEMS, SEGMENTS, JUDGES = 1_000_000, 20, 2_500, 200
UNITS = ("auto", "none", "item", "hit", "segment", "document", "judge")


def assessments() -> pd.DataFrame:
    """Systems that differ, judges who are strict or lenient, segments that are hard or easy."""
    random = np.random.default_rng(1)
    rows = pd.DataFrame(
        {
            "system": random.integers(0, SYSTEMS, ROWS),
            "segment": random.integers(0, SEGMENTS, ROWS),
            "judge": random.integers(0, JUDGES, ROWS),
            "screen": random.integers(0, 1 + ROWS // (50 * JUDGES), ROWS),
        }
    )
    effects = (
        np.linspace(10, -10, SYSTEMS)[rows.system]
        + random.normal(0, 8, JUDGES)[rows.judge]
        + random.normal(0, 10, SEGMENTS)[rows.segment]
        + random.normal(0, 20, ROWS)
    )
    return rows.assign(score=np.abs(np.clip(np.rint(60 + effects), 0, 100)))


def plain(rows: pd.DataFrame) -> tuple[pd.Series, float]:
    """Means of systems, and α of the values."""
    judged = rows.groupby("judge").score
    z = (rows.score - judged.transform("mean")) / judged.transform("std")
    cells = z.groupby([rows.system, rows.segment]).mean()
    once = rows.drop_duplicates(["system", "segment", "judge"])
    item = once.assign(squared=once.score**2).groupby(["system", "segment"])
    sums = item.agg(n=("score", "size"), v=("score", "sum"), vv=("squared", "sum"))
    sums = sums[sums.n > 1]
    total = sums.sum()
    observed = (2 * (sums.n * sums.vv - sums.v**2) / (sums.n - 1)).sum()
    expected = 2 * (total.n * total.vv - total.v**2) / (total.n - 1)
    return cells.groupby("system").mean(), float(1 - observed / expected)


def main() -> None:
    """Time both."""
    rows = assessments()
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder, "scores.parquet"))
        adjudge.from_scores(
            [f"system{n:02}" for n in rows.system],
            [f"s{n}" for n in rows.segment],
            rows.score,
            scale="direct-assessment",
            judge=[f"judge{n}" for n in rows.judge],
            hit=[
                f"{judge}-{screen}" for judge, screen in zip(rows.judge, rows.screen, strict=True)
            ],
            document=[f"d{n // 10}" for n in rows.segment],
            pair="en-de",
        ).write(file)
        begin = process_time()
        plain(rows)
        theirs = process_time() - begin
        memory = peak(lambda: plain(rows))
        print(f"{ROWS:,} scores; pandas, no intervals: {theirs:6.2f} s CPU {memory:6.0f} MB more")
        run("scores", file, "--unit", "judge", "--replicates", "10")  # compiles
        for unit in UNITS:
            ours = run("scores", file, "--unit", unit)
            print(f"  adjudge scores --unit {unit:9} {ours}  {theirs / ours.seconds:4.1f}×")


if __name__ == "__main__":
    main()
