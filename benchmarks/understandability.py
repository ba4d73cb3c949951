"""`adjudge understandability` on 100,000 blind edits by every unit, beside pandas.

    python -m benchmarks understandability

20 systems, 5,000 segments in 500 documents, 200 editors and 100 reviewers; every edit is reviewed
once, a tenth of them twice. Ours is the whole command, start and reading included. The plain one
is timed from joined rows in memory and draws 1,000 samples of rows in pandas' way, with shares of
systems and nothing else.
"""

import tempfile
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
import polars as pl

from adjudge.data.edit_table import edit_table
from adjudge.data.table_files import write
from benchmarks._measured import peak, run

EDITS, SYSTEMS, SEGMENTS, EDITORS, REVIEWERS = 100_000, 20, 5_000, 200, 100
UNITS = ("auto", "row", "segment", "document", "editor", "reviewer")
PLAIN_SAMPLES = 20  # of the thousand; the time is scaled


def edits() -> pl.DataFrame:
    """Edits, then their reviews."""
    random = np.random.default_rng(1)
    system = random.integers(0, SYSTEMS, EDITS)
    segment = random.integers(0, SEGMENTS, EDITS)
    unclear = random.random(EDITS) < 0.1
    edited = pl.DataFrame(
        {
            "protocol": ["blind-edit"] * EDITS,
            "item": np.arange(1, EDITS + 1),
            "segment": [f"s{n}" for n in segment],
            "document": [f"d{n // 10}" for n in segment],
            "output": [f"system{n:02}" for n in system],
            "judge": [f"editor{n}" for n in random.integers(0, EDITORS, EDITS)],
            "edit": [None if bad else f"edit {n % 7}" for n, bad in enumerate(unclear)],
            "incomprehensible": unclear,
        }
    )
    clear = np.flatnonzero(~unclear)
    of = np.concatenate([clear, clear[::10]])
    fine = random.random(len(of)) < (0.8 - 0.02 * system[of])
    changed = fine & (random.random(len(of)) < 0.4)
    reviews = edited[of].with_columns(
        pl.lit("review").alias("protocol"),
        pl.Series("item", np.arange(EDITS + 1, EDITS + 1 + len(of))),
        pl.Series("reviewed", of + 1),
        pl.Series("judge", [f"reviewer{n}" for n in random.integers(0, REVIEWERS, len(of))]),
        pl.Series("verdict", np.where(fine, "yes", "no")),
        pl.Series("edit", [f"better {n}" if new else None for n, new in enumerate(changed)]),
        pl.lit(None, pl.Boolean).alias("incomprehensible"),
    )
    rows = pl.concat([edited, reviews], how="diagonal").with_columns(pl.lit("en-cs").alias("pair"))
    return edit_table(rows)


def plain(table: pl.DataFrame) -> float:
    """Seconds that 1,000 samples of rows take."""
    reviews = table.filter(pl.col("reviewed").is_not_null())
    rows = pd.DataFrame(
        {
            "system": reviews["output"].cast(pl.String).to_numpy(),
            "accepted": (reviews["verdict"].cast(pl.String) == "yes").to_numpy(),
        }
    )
    begin = process_time()
    for seed in range(PLAIN_SAMPLES):
        rows.sample(frac=1, replace=True, random_state=seed).groupby("system").accepted.mean()
    return (process_time() - begin) * 1000 / PLAIN_SAMPLES


def main() -> None:
    """Time both."""
    table = edits()
    theirs, memory = plain(table), peak(lambda: plain(table))
    print(f"{EDITS:,} edits; pandas, 1,000 samples of rows: {theirs:6.2f} s CPU {memory:6.0f} MB")
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder, "edits.parquet"))
        write(table, file)
        for unit in UNITS:
            ours = run("understandability", file, "--unit", unit)
            ratio = f"{theirs / ours.seconds:4.1f}×"
            print(f"  adjudge understandability --unit {unit:9} {ours}  {ratio}")


if __name__ == "__main__":
    main()
