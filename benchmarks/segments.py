"""Segments on the data of Macháček 2014: extraction, and every system taken for unseen.

Needs the real data (docs/test-data.md). Times are of the clock, all cores, reading included.
"""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import adjudge
from benchmarks import _segments_extraction

SHARED = Path(__file__).parents[2] / "shared" / "data"


def main() -> None:
    """Print how long each takes."""
    data = Path(os.environ.get("ADJUDGE_SHARED_DATA", SHARED)) / "segranks"
    if not data.is_dir():
        print(f"no data at {data}; set ADJUDGE_SHARED_DATA to its folder")
        return
    _segments_extraction.main(data.parent)
    with TemporaryDirectory() as folder:
        for name, given in (("segments", "segments-remapped"), ("sentences", "sentences")):
            (Path(folder) / f"{name}.tsv.gz").symlink_to(data / f"{given}.tsv.gz")
        annotations = Path(folder) / "annotations.tsv.gz"
        annotations.symlink_to(data / "annotations.tsv.gz")
        began = perf_counter()
        database = adjudge.read(str(annotations)).segments()
        print(
            f"reading {database.info().annotations:,} annotations: {perf_counter() - began:.1f} s"
        )
        for matching in ("exact", "closest"):
            began = perf_counter()
            parts = database.leave_one_out(matching=matching)  # type: ignore[arg-type]
            errors = [abs(part.error) for part in parts]
            print(
                f"leave-one-out of {len(parts)} systems, {matching}, 1,000 replicates: "
                f"{perf_counter() - began:.1f} s, mean |error| {sum(errors) / len(errors):.3f}"
            )
