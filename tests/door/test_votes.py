"""Large files of votes: counted as they are read, and read whole only if need be."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import adjudge
from adjudge.door import votes as door
from adjudge.door.votes import Votes
from adjudge.errors import AdjudgeError, InputError, NotEnoughData
from adjudge.files import memory
from adjudge.files.apart import Ended

pytestmark = pytest.mark.slow


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file that is large enough to be streamed."""
    monkeypatch.setattr(door, "LEAST_STREAMED", 1)
    random = np.random.default_rng(2)
    left = random.integers(0, 4, 600)
    frame = pl.DataFrame(
        {
            "model_a": [f"m{i}" for i in left],
            "model_b": [f"m{i}" for i in (left + random.integers(1, 4, 600)) % 4],
            "winner": random.choice(["model_a", "model_b", "tie"], 600),
            "judge": [f"j{i}" for i in random.integers(0, 8, 600)],
        }
    )
    frame.write_parquet(tmp_path / "votes.parquet")
    return str(tmp_path / "votes.parquet")


@pytest.fixture
def whole(path: str, monkeypatch: pytest.MonkeyPatch) -> adjudge.Judgements:
    with monkeypatch.context() as small:
        small.setattr(door, "LEAST_STREAMED", 1 << 30)
        return adjudge.read(path)


def test_answers_are_those_of_the_votes_read_whole(
    path: str, whole: adjudge.Judgements, monkeypatch: pytest.MonkeyPatch
) -> None:
    streamed = adjudge.read(path)
    monkeypatch.setattr(Votes, "_read", lambda _: pytest.fail("the votes were read whole"))
    assert isinstance(streamed, Votes)
    assert not isinstance(whole, Votes)
    for ask in (
        lambda votes: votes.rank(),
        lambda votes: votes.rank("bradley-terry", unit="judge", replicates=50),
        lambda votes: votes.select(without_system="m1").compare(),
        lambda votes: votes.select(judge=["j1", "j2"]).rank(unit="ranking", replicates=50),
    ):
        assert ask(streamed).render() == ask(whole).render()
        assert str(ask(streamed).signature) == str(ask(whole).signature)
    assert len(streamed) == 1200


def test_other_questions_read_the_votes(path: str, whole: adjudge.Judgements) -> None:
    streamed = adjudge.read(path)
    assert streamed.systems == whole.systems
    assert streamed.info().render() == whole.info().render()
    assert streamed.rank().plot().name == "scores"
    assert streamed.methods(runs=2).render() == whole.methods(runs=2).render()
    assert streamed.select(judge="j1").select(without_system="m0").systems == ("m1", "m2", "m3")


def test_votes_that_memory_cannot_hold(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_memory", lambda: 100_000)
    streamed = adjudge.read(path)
    assert len(streamed.rank().systems) == 4
    with pytest.raises(
        AdjudgeError, match=r"600 votes at once need about 0\.0 GB of memory, and 0\.0 are free"
    ):
        streamed.agreement("judge")
    compared = streamed.methods(runs=2)
    assert any("judge-aware is left out: needs the votes" in note for note in compared.notes)


def test_a_bad_file_is_refused_with_its_line(path: str) -> None:
    frame = pl.read_parquet(path)
    pl.concat([frame, frame[:1].with_columns(winner=pl.lit("nobody"))]).write_parquet(path)
    with pytest.raises(InputError, match="601: winner 'nobody' is none of"):
        adjudge.read(path).rank()


def test_a_file_that_ends_who_reads_it_is_refused(path: str) -> None:
    """Its first page claims far more values than it holds: Polars 2.1 asks for them all."""
    frame = pl.read_parquet(path)[:4]
    frame.write_parquet(path, compression="uncompressed", statistics=False)
    content = Path(path).read_bytes()
    claim = content.index(b",\x15\x08") + 2
    Path(path).write_bytes(content[:claim] + b"\x7f" + content[claim + 1 :])
    votes = adjudge.read(path)
    with pytest.raises(InputError, match=r"votes\.parquet: is damaged or cut short"):
        votes.rank()


def test_who_counts_runs_out_of_memory(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(*_: object) -> None:
        raise Ended

    monkeypatch.setattr("adjudge.comparisons.vote_files.apart", ended)
    with pytest.raises(AdjudgeError, match="memory ran out while votes were counted; free some"):
        adjudge.read(path).rank()


def test_nothing_left(path: str) -> None:
    with pytest.raises(AdjudgeError, match="no judge 'j9'"):
        adjudge.read(path).select(judge="j9").rank()
    with pytest.raises(NotEnoughData, match="1 system besides"):
        adjudge.read(path).select(system="m1").rank()
