"""WMT24's official analysis of error span annotation, wave 2: score, rank range and cluster."""

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from adjudge.scoring.method import SCORE_METHODS

NAMES = (
    "user", "system", "segment", "type", "source", "target", "score", "document", "is_document",
    "spans", "start", "end",
)  # fmt: skip
TARGETS = {"en-cs": "ces", "en-ja": "jpn", "en-hi": "hin", "en-zh": "zho"}


@pytest.fixture
def folder(shared_data: Path) -> Path:
    found = shared_data / "wmt17-26" / "wmt24-esa"
    if not (found / "wave2.csv.gz").exists():
        pytest.skip("no wmt17-26/wmt24-esa among the real data")
    return found


def that_count(folder: Path, pair: str) -> pl.DataFrame:
    """The scores that the organisers count, with the domain of each document."""
    with gzip.open(folder / "wave2.csv.gz", "rt") as file:
        table = pl.DataFrame(list(csv.reader(file)), schema=NAMES, orient="row")
    lines = (folder / f"{pair}.docs").read_text().splitlines()
    domain = {document: name for name, document in (line.split("\t") for line in lines)}
    counted = table.filter(
        pl.col("type") == "TGT",
        pl.col("target") == TARGETS[pair],
        ~pl.col("system").str.contains("tutorial"),
        ~pl.col("document").str.contains("#incomplete|#dup|canary"),
    ).sort(pl.col("end").cast(pl.Float64))
    latest = counted.unique(["user", "system", "document", "segment"], keep="last")
    return latest.with_columns(
        pl.col("score").cast(pl.Float64), domain=pl.col("document").replace_strict(domain)
    )


def official(folder: Path, pair: str) -> Iterator[dict[str, str]]:
    with (folder / "expected-wave2.tsv").open() as file:
        yield from (row for row in csv.DictReader(file, delimiter="\t") if row["pair"] == pair)


@pytest.mark.parametrize("pair", TARGETS)
def test_scores_ranges_and_clusters(folder: Path, pair: str) -> None:
    found = SCORE_METHODS["wmt24-esa"].rank(that_count(folder, pair))
    expected = list(official(folder, pair))
    assert list(found.systems) == [row["system"] for row in expected]
    assert [f"{score:.4f}" for score in found.scores] == [row["score"] for row in expected]
    ours = zip(found.rank_low, found.rank_high, found.cluster, strict=True)
    theirs = [(int(row["best"]), int(row["worst"]), int(row["cluster"])) for row in expected]
    assert list(ours) == theirs
