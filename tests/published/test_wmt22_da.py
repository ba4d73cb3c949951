"""WMT22's official analysis of direct assessment into English."""

import gzip
from pathlib import Path

import polars as pl
import pytest

from adjudge.scoring.method import SCORE_METHODS, OfficialRanking

# The published file of German-English lacks 73 of the scores that the published ranking counts.
COMPLETE = ("cs", "ru", "zh")


@pytest.fixture
def folder(shared_data: Path) -> Path:
    found = shared_data / "wmt17-26" / "wmt22-da"
    if not (found / "ad-csen-good-stnd-redup.csv.gz").exists():
        pytest.skip("no wmt17-26/wmt22-da among the real data")
    return found


def ranked(folder: Path, source: str) -> tuple[pl.DataFrame, OfficialRanking]:
    """The scores that count, and the official analysis of them."""
    with gzip.open(folder / f"ad-{source}en-good-stnd-redup.csv.gz", "rt") as file:
        header, *lines = file.read().splitlines()
    rows = [line.split("\t") for line in lines]
    table = pl.DataFrame(rows, schema=header.split(), orient="row")
    counted = table.filter(pl.col("type").is_in(["SYSTEM", "REPEAT"])).select(
        pl.col("score").cast(pl.Float64), system="sys_id", segment="sid"
    )
    return counted, SCORE_METHODS["wmt22-da"].rank(counted)


@pytest.mark.parametrize("source", COMPLETE)
def test_scores_and_counts(folder: Path, source: str) -> None:
    counted, found = ranked(folder, source)
    lines = (folder / f"ad-sys-scores-{source}-en.csv").read_text().splitlines()[1:]
    expected = {system: figures for *figures, system, _ in map(str.split, lines)}
    assert set(found.systems) == expected.keys()
    of_system = counted.partition_by("system", as_dict=True)
    for place, system in enumerate(found.systems):
        _, z, segments = expected[system]
        assert found.scores[place] == pytest.approx(float(z), rel=1e-9)
        assert of_system[(system,)]["segment"].n_unique() == int(segments)


@pytest.mark.parametrize("source", ["cs", "de", "ru", "zh"])
def test_stars_of_the_matrix_of_differences(folder: Path, source: str) -> None:
    _, found = ranked(folder, source)
    lines = (folder / f"ad-DA-diff-wilcoxon-rs-{source}en.csv").read_text().splitlines()
    header, *rows = [line.split() for line in lines]
    place = {system: number for number, system in enumerate(found.systems)}
    assert place.keys() == set(header)
    for system, *cells in rows:
        for other, cell in zip(header, cells, strict=True):
            if cell != "-":
                p = found.p[place[system], place[other]]
                assert cell.count("*") == sum(p < limit for limit in (0.05, 0.01, 0.001))
                if source in COMPLETE:
                    difference = found.scores[place[system]] - found.scores[place[other]]
                    assert float(cell.rstrip("*")) == pytest.approx(difference, abs=0.005001)
