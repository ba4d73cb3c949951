"""Agreement from sums over parts of the votes is that of the votes read whole."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from adjudge.agreement import label_sums, vote_agreement
from adjudge.agreement.judges import JudgeAgreement, agreement_by_judge
from adjudge.agreement.pairwise import Agreement, agreement
from adjudge.agreement.parts import BY, PartAgreement, agreement_by
from adjudge.agreement.vote_agreement import agreement_of_votes, judges_of_votes, parts_of_votes
from adjudge.data.selection import Selection, select
from adjudge.data.table_files import read
from adjudge.data.votes import sample
from adjudge.data.votes.census import census_of
from adjudge.stats.resampling import Resampling, Unit

pytestmark = pytest.mark.slow

EVERYTHING = Selection()


def written(folder: Path, number: int, judges: int, segments: int) -> str:
    """Votes, some by nobody and on no segment, of two language pairs."""
    random = np.random.default_rng(number)
    left = random.integers(0, 4, number)
    judge, segment = (
        random.integers(0, judges + 1, number),
        random.integers(0, segments + 1, number),
    )
    frame = pl.DataFrame(
        {
            "model_a": [f"m{i}" for i in left],
            "model_b": [f"m{i}" for i in (left + random.integers(1, 4, number)) % 4],
            "winner": random.choice(["model_a", "model_a", "model_b", "tie"], number),
            "judge": [f"j{i}" if i else None for i in judge],
            "question_id": [f"q{i}" if i else None for i in segment],
            "language": random.choice(["de", "fr"], number),
            "tstamp": [None if i % 50 == 0 else 7000 * i for i in range(number)],
        }
    )
    frame.write_parquet(folder / "votes.parquet")
    return str(folder / "votes.parquet")


def both(
    path: str, selection: Selection = EVERYTHING, convention: str = "sound"
) -> tuple[list[Agreement], list[Agreement]]:
    census = census_of([path], selection)
    assert census is not None
    forms = ("collapsed", "expanded")
    summed = agreement_of_votes([path], selection, census, forms, convention)
    return list(summed), list(agreement(select(read(path), selection), forms, convention))


def assert_same(
    summed: Sequence[Agreement | PartAgreement | JudgeAgreement],
    whole: Sequence[Agreement | PartAgreement | JudgeAgreement],
) -> None:
    assert len(summed) == len(whole)
    for one, other in zip(summed, whole, strict=True):
        expected = {
            key: pytest.approx(value, rel=1e-7, abs=1e-9) if isinstance(value, float) else value
            for key, value in other.row().items()
        }
        assert one.row() == expected


@pytest.mark.parametrize("convention", ["sound", "wmt15"])
@pytest.mark.parametrize("judges", [1, 3, 30])
@pytest.mark.parametrize("segments", [1, 2, 25, 3000])
def test_numbers_are_those_of_the_votes_read_whole(
    tmp_path: Path, convention: str, judges: int, segments: int
) -> None:
    assert_same(*both(written(tmp_path, 900, judges, segments), convention=convention))


def both_by(
    path: str, by: str, unit: Unit = "auto", selection: Selection = EVERYTHING
) -> tuple[list[PartAgreement], list[PartAgreement]]:
    census = census_of([path], selection)
    assert census is not None
    resampling = Resampling(unit)
    summed = parts_of_votes([path], selection, census, by, "collapsed", resampling)
    whole = agreement_by(select(read(path), selection), by, "collapsed", resampling)
    return list(summed), list(whole)


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("segments", [1, 25, 3000])
def test_numbers_of_parts_are_those_of_the_votes_read_whole(
    tmp_path: Path, by: str, segments: int
) -> None:
    assert_same(*both_by(written(tmp_path, 900, 6, segments), by))


@pytest.mark.parametrize("selection", [EVERYTHING, Selection(judge="j1")])
@pytest.mark.parametrize("unit", ["judge", "segment"])
@pytest.mark.parametrize("by", ["order", "hour"])
def test_parts_hold_for_the_unit_that_was_asked_for(
    tmp_path: Path, by: str, unit: Unit, selection: Selection
) -> None:
    assert_same(*both_by(written(tmp_path, 900, 3, 25), by, unit, selection))


@pytest.mark.parametrize("by", ["order", "distance", "hour"])
def test_parts_of_votes_that_were_chosen(tmp_path: Path, by: str) -> None:
    path = written(tmp_path, 900, 6, 25)
    for selection in (Selection(reference="m0"), Selection(without_system="m1", pair="de")):
        assert_same(*both_by(path, by, selection=selection))


def both_by_judge(
    path: str, selection: Selection = EVERYTHING, unit: Unit = "auto"
) -> tuple[list[JudgeAgreement], list[JudgeAgreement]]:
    census = census_of([path], selection)
    assert census is not None
    judges = judges_of_votes([path], selection, census, Resampling(unit))
    assert judges is not None
    whole = agreement_by_judge(select(read(path), selection), "collapsed", Resampling(unit))
    return list(judges), list(whole)


@pytest.mark.parametrize("unit", ["auto", "judge", "segment"])
@pytest.mark.parametrize(("judges", "segments"), [(1, 2), (6, 25), (6, 3000), (40, 60)])
def test_numbers_of_judges_are_those_of_the_votes_read_whole(
    tmp_path: Path, unit: Unit, judges: int, segments: int
) -> None:
    assert_same(*both_by_judge(written(tmp_path, 900, judges, segments), unit=unit))


@pytest.mark.parametrize(
    "selection",
    [Selection(reference="m0"), Selection(without_system="m1", pair="de"), Selection(judge="j1")],
)
def test_judges_of_votes_that_were_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, selection: Selection
) -> None:
    monkeypatch.setattr(sample, "PART", 100)
    monkeypatch.setattr(vote_agreement, "AT_ONCE", 30)
    assert_same(*both_by_judge(written(tmp_path, 900, 8, 40), selection))


@pytest.mark.parametrize(("limit", "most"), [("MOST_JUDGES", 11), ("MOST_COMPARED", 500)])
def test_too_many_judges_or_votes_to_compare(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    path = written(tmp_path, 900, 12, 40)
    census = census_of([path], EVERYTHING)
    assert census is not None
    monkeypatch.setattr(vote_agreement, limit, most)
    assert judges_of_votes([path], EVERYTHING, census, Resampling("auto")) is None


@pytest.mark.parametrize(
    "selection",
    [Selection(reference="m0"), Selection(without_system="m1", pair="de"), Selection(judge="j1")],
)
def test_choices(tmp_path: Path, selection: Selection) -> None:
    assert_same(*both(written(tmp_path, 900, 8, 40), selection))


def test_parts_and_pieces_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "PART", 100)
    monkeypatch.setattr(sample, "IN_MEMORY", 4000)  # so that some wait in files
    monkeypatch.setattr(vote_agreement, "AT_ONCE", 30)
    monkeypatch.setattr(label_sums, "MOST_JUDGES", 1 << 6)
    monkeypatch.setattr(label_sums, "MOST_WAITING", 5)
    path = written(tmp_path, 900, 12, 40)
    assert_same(*both(path))
    assert_same(*both_by(path, "hour"))


def test_very_many_judges_are_in_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, 4000, 900, 60)
    _, whole = both(path)
    monkeypatch.setattr(label_sums, "MOST_JUDGES", 1 << 8)
    monkeypatch.setattr(vote_agreement, "AT_ONCE", 100)
    grouped, _ = both(path)
    for one, other in zip(grouped, whole, strict=True):
        assert one.tally == other.tally
        assert one.high is not None
        assert one.low is not None
        assert other.high is not None
        assert other.low is not None
        assert one.high - one.low == pytest.approx(other.high - other.low, rel=0.3)
