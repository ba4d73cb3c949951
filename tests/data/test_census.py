"""What is in files of votes, from one pass, is what the votes read whole hold."""

from datetime import datetime
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from adjudge.core.errors import AdjudgeError
from adjudge.data.selection import Selection, select
from adjudge.data.summary import summarise_all
from adjudge.data.table_files import read
from adjudge.data.votes import census
from adjudge.data.votes.census import Census, census_of
from adjudge.data.votes.count_distinct import Thinned

EVERYTHING = Selection()


def votes(number: int, judges: int = 9, segments: int = 30) -> pl.DataFrame:
    random = np.random.default_rng(1)
    left = random.integers(0, 5, number)
    return pl.DataFrame(
        {
            "question_id": [f"q{i}" for i in random.integers(0, segments, number)],
            "model_a": [f"m{i}" for i in left],
            "model_b": [f"m{i}" for i in (left + random.integers(1, 5, number)) % 5],
            "winner": random.choice(["model_a", "model_b", "tie"], number),
            "judge": [f"j{i}" if i else None for i in random.integers(0, judges, number)],
        }
    )


def written(folder: Path, frame: pl.DataFrame, name: str = "votes.parquet") -> str:
    path = folder / name
    match path.suffix:
        case ".csv":
            frame.write_csv(path)
        case ".jsonl":
            frame.write_ndjson(path)
        case _:
            frame.write_parquet(path)
    return str(path)


def timed(number: int = 800) -> pl.DataFrame:
    """Votes of three language pairs with times, some of them twice, some both bad."""
    random = np.random.default_rng(3)
    frame = votes(number).with_columns(
        pl.Series("language", random.choice(["de", "fr", "cs"], number)),
        pl.Series("tstamp", random.choice([1.5e9, 1.6e9, 1.7e9], number)),
        pl.Series("winner", random.choice(["model_a", "tie", "tie (bothbad)", "both_bad"], number)),
    )
    return pl.concat([frame, frame[:40]])


def counted(path: str, selection: Selection = EVERYTHING) -> Census:
    found = census_of([path], selection)
    assert found is not None
    return found


@pytest.mark.parametrize("name", ["votes.csv", "votes.jsonl", "votes.parquet"])
@pytest.mark.parametrize(
    "selection",
    [
        EVERYTHING,
        Selection(pair="de"),
        Selection(without_system="m1"),
        Selection(judge=("j1", "j2"), reference="m0"),
        Selection(system=("m0", "m2"), without_judge="j3", pair="fr"),
    ],
)
def test_numbers_are_those_of_the_votes_read_whole(
    tmp_path: Path, name: str, selection: Selection
) -> None:
    path = written(tmp_path, timed(), name)
    whole = summarise_all(select(read(path), selection))
    assert counted(path, selection).summaries("expanded") == whole
    assert whole.pairs[0].first == datetime.fromisoformat("2017-07-14T02:40:00+00:00")


@pytest.mark.parametrize("left_out", ["judge", "question_id", "tstamp"])
def test_what_is_not_known(tmp_path: Path, left_out: str) -> None:
    path = written(tmp_path, timed().drop(left_out))
    assert counted(path).summaries("expanded") == summarise_all(read(path))


def test_numbers_beyond_the_limits_are_estimates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(census, "MOST_DISTINCT", 400)
    monkeypatch.setattr(census, "MOST_REPEATED", 1000)
    frame = votes(4000, judges=2000, segments=9)
    path = written(tmp_path, pl.concat([frame, frame]))
    (about,) = counted(path).summaries("expanded").pairs
    (exact,) = summarise_all(read(path)).pairs
    assert about.estimated == ("judges", "duplicates")
    assert about.segments == exact.segments
    assert about.judges == pytest.approx(exact.judges, rel=0.2)
    assert about.duplicates == pytest.approx(exact.duplicates, rel=0.2)


def test_no_estimate_is_larger_than_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(census, "MOST_DISTINCT", 100)
    each = pl.int_range(pl.len()).cast(pl.String)  # a judge and a question of its own
    for number in range(200, 1000, 50):
        frame = votes(number).with_columns(judge=each, question_id=each)
        (about,) = counted(written(tmp_path, frame)).summaries("expanded").pairs
        assert about.segments == pytest.approx(number, rel=0.3)
        assert max(about.segments, about.judges) <= about.rankings == number


def test_hashes_are_thinned_whatever_their_order() -> None:
    hashes = np.random.default_rng(1).integers(0, 2**64, 5000, np.uint64)
    forward, backward = Thinned(300), Thinned(300)
    forward.add(hashes)
    for part in np.split(hashes[::-1], 10):
        backward.add(part)
        backward.add(part[:50])
    assert forward.number == backward.number == pytest.approx(5000, rel=0.2)
    assert not forward.exact


def test_a_bad_time_is_left_to_careful_reading(tmp_path: Path) -> None:
    frame = timed().with_columns(tstamp=pl.lit("yesterday"))
    assert census_of([written(tmp_path, frame, "votes.csv")], EVERYTHING) is None


def test_a_system_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(AdjudgeError, match="no system 'm9'"):
        counted(written(tmp_path, votes(800)), Selection(system="m9"))
