"""A sample holds all votes on some segments or by some judges, in whatever order they come."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from adjudge.data.selection import Selection, select
from adjudge.data.table_files import read
from adjudge.data.votes import sample
from adjudge.data.votes.census import census_of
from adjudge.data.votes.sample import Share, VoteSample, shares

EVERYTHING = Selection()


def written(folder: Path, number: int, segments: int, name: str = "votes.parquet") -> str:
    """Votes of a large language pair and a small one; some of no segment."""
    random = np.random.default_rng(1)
    left = random.integers(0, 4, number)
    segment = random.integers(0, segments + 1, number)
    frame = pl.DataFrame(
        {
            "model_a": [f"m{i}" for i in left],
            "model_b": [f"m{i}" for i in (left + random.integers(1, 4, number)) % 4],
            "winner": random.choice(["model_a", "model_b", "tie (bothbad)"], number),
            "judge": [f"j{i}" for i in random.integers(0, 50, number)],
            "question_id": [f"q{i}" if i else None for i in segment],
            "language": np.where(random.random(number) < 0.05, "fr", "de"),
            "tstamp": random.integers(1_600_000_000, 1_700_000_000, number),
        }
    )
    frame.write_parquet(folder / name)
    return str(folder / name)


def sampled(
    paths: list[str], most: int, selection: Selection = EVERYTHING, of: str = "segment"
) -> tuple[dict[str, Share], dict[str, pl.DataFrame]]:
    census = census_of(paths, selection)
    assert census is not None
    with pytest.MonkeyPatch.context() as small:
        small.setattr(sample, "MOST_SAMPLED", most)
        kept = shares(census, of)
    return kept, VoteSample(paths, selection, kept).tables


@pytest.fixture
def many_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "FEW_SEGMENTS", 50)


def plain(table: pl.DataFrame) -> pl.DataFrame:
    text = table.with_columns(pl.col(pl.Categorical).cast(pl.String)).drop("ranking")
    return text.sort(pl.all(), nulls_last=True)


def test_all_votes_on_some_segments(tmp_path: Path, many_segments: None) -> None:
    path = written(tmp_path, 4000, 800)
    kept, tables = sampled([path], 700)
    assert kept["fr"] == Share("segment", 0, len(tables["fr"]) // 2, len(tables["fr"]) // 2)
    assert not kept["fr"].note
    assert kept["de"].level in (2, 3)
    assert kept["de"].votes == len(tables["de"]) // 2
    assert sum(share.votes for share in kept.values()) <= 700
    whole = read(path).filter(pl.col("pair") == "de")
    chosen = tables["de"]["segment"].unique().drop_nulls().cast(pl.String).to_list()
    on_them = whole.filter(pl.col("segment").cast(pl.String).is_in(chosen))
    assert plain(tables["de"].drop_nulls("segment")).equals(plain(on_them))
    said = f"one segment in {1 << kept['de'].level} ({kept['de'].votes} of {kept['de'].of:,} votes)"
    assert said in kept["de"].note


def test_all_votes_by_some_judges(
    tmp_path: Path, many_segments: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, 4000, 800)
    assert sampled([path], 700, of="judge")[0]["de"].unit == "segment"  # they are few
    monkeypatch.setattr(sample, "FEW_JUDGES", 50)
    kept, tables = sampled([path], 700, of="judge")
    assert 0 < kept["de"].votes == len(tables["de"]) // 2 <= 700
    chosen = tables["de"]["judge"].unique().cast(pl.String).to_list()
    assert len(chosen) < 50
    whole = read(path).filter(pl.col("pair") == "de")
    assert plain(tables["de"]).equals(
        plain(whole.filter(pl.col("judge").cast(pl.String).is_in(chosen)))
    )
    assert kept["de"].note.startswith(f"From the votes by one judge in {1 << kept['de'].level} (")


def test_a_smaller_sample_is_part_of_a_larger_one(tmp_path: Path, many_segments: None) -> None:
    path = written(tmp_path, 4000, 800)
    small, large = (sampled([path], most)[1]["de"]["segment"].unique() for most in (300, 1500))
    assert set(small.drop_nulls()) < set(large.drop_nulls())


def test_where_segments_are_few_single_votes_are_kept(tmp_path: Path) -> None:
    kept, tables = sampled([written(tmp_path, 4000, 20)], 500)
    assert kept["de"].unit == "vote"
    assert len(tables["de"]) == 2 * kept["de"].votes
    assert kept["de"].note.startswith("From one vote in ")


def test_everything_is_kept_where_it_is_little_enough(tmp_path: Path) -> None:
    path = written(tmp_path, 1000, 30)
    kept, tables = sampled([path], 1000, Selection(without_system="m1"))
    whole = select(read(path), Selection(without_system="m1"))
    assert {share.level for share in kept.values()} == {0}
    assert plain(pl.concat([tables["de"], tables["fr"]])).equals(plain(whole))
