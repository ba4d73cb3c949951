"""The same numbers wherever the work runs."""

import os
import sys
from pathlib import Path
from threading import Barrier, Thread

import numpy as np
import polars as pl
import pytest
from odd_work import hears_an_interrupt, quick_or_endless
from polars.testing import assert_frame_equal

import adjudge
from adjudge.core import parallel
from adjudge.core.errors import AdjudgeError
from adjudge.core.parallel import Engine
from adjudge.data.comparisons import Comparisons
from adjudge.ranking.methods.trueskill import estimate
from adjudge.stats.resampling import Resampling

PIECES = [(number, 3) for number in range(40)]


@pytest.mark.parametrize("threads", [False, True])
def test_pieces_come_back_in_order_from_one_or_two_workers(threads: bool) -> None:
    expected = [number**3 for number, _ in PIECES]
    assert Engine().map(pow, PIECES, threads=threads) == expected
    assert Engine(workers=2).map(pow, iter(PIECES), threads=threads) == expected


def test_threads_work_at_the_same_time_and_in_this_process() -> None:
    both = Barrier(2, timeout=30)  # who comes first waits for the other
    found = Engine(workers=2).map(lambda: (both.wait(), os.getpid()), [(), ()], threads=True)
    assert sorted(found) == [(0, os.getpid()), (1, os.getpid())]


def test_an_error_in_a_thread_stops_further_pieces() -> None:
    """However slowly this thread notices: no more is submitted before it has looked."""
    begun: list[int] = []

    def fail(number: int) -> None:
        begun.append(number)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Engine(workers=2).map(fail, [(number,) for number in range(1000)], threads=True)
    assert len(begun) <= 2 * parallel._PIECES_PER_THREAD


@pytest.mark.slow
def test_processes_that_help_hear_no_interrupt() -> None:
    """From their very start, when a terminal's Ctrl-C would make each of them print a traceback."""
    assert Engine(workers=2).map(hears_an_interrupt, [()] * 4) == [False] * 4


def test_of_threads_only_the_stumbling_of_loky_is_not_told(monkeypatch) -> None:
    told: list[str] = []
    monkeypatch.setattr("threading.excepthook", lambda failed: told.append(failed.thread.name))
    with parallel._ending_quietly():
        for name, fails in (("ExecutorManagerThread", {}.popitem), ("ours", {}.popitem)):
            thread = Thread(target=fails, name=name)
            thread.start()
            thread.join()
        thread = Thread(target=int, args=("x",), name="ExecutorManagerThread")
        thread.start()
        thread.join()
    assert told == ["ours", "ExecutorManagerThread"]


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_results_that_nobody_waits_for_any_more_are_not_worked_at(tmp_path: Path) -> None:
    results = Engine(workers=2).each(quick_or_endless, [(n, str(tmp_path)) for n in range(9)])
    assert next(results) == 0
    results.close()
    for process in tmp_path.iterdir():
        with pytest.raises(ProcessLookupError):
            os.kill(int(process.name), 0)


@pytest.mark.slow
def test_trueskill_is_the_same_here_on_processes_and_on_a_cluster(cluster: str) -> None:
    comparisons = _comparisons()
    for unit in ("none", "ranking"):
        resampling = Resampling(unit, replicates=50, seed=7)
        here, there, elsewhere = (
            estimate(comparisons, resampling, engine).replicates
            for engine in (Engine(), Engine(workers=2), Engine(address=cluster))
        )
        assert np.array_equal(here, there)
        assert np.array_equal(here, elsewhere)
        assert len(np.unique(here[:, 0])) == 50


def write_parts(folder: Path, votes: int) -> Path:
    """Votes in 20 files, by judges and on segments that are too many to keep apart."""
    random = np.random.default_rng(4)
    number = votes // 20
    words = pl.Series(["model_a", "model_b", "tie"])
    for part in range(20):
        left = random.integers(0, 6, number)
        codes = {
            "model_a": left,
            "model_b": (left + random.integers(1, 6, number)) % 6,
            "judge": random.integers(0, 3000, number),
            "question_id": random.integers(0, 50_000, number),
        }
        frame = pl.DataFrame(codes).with_columns(pl.all().cast(pl.String))
        frame = frame.with_columns(winner=words.gather(random.integers(0, 3, number)))
        frame.write_parquet(folder / f"part-{part:02}.parquet")
    return folder


@pytest.mark.slow
def test_votes_in_files_are_counted_on_a_cluster(cluster: str, tmp_path: Path) -> None:
    votes = adjudge.read(str(write_parts(tmp_path, 10_000_000)))
    assert len(votes.source.files) == 20
    assert len(adjudge.read(str(tmp_path / "part-0*.parquet")).source.files) == 10
    here = votes.rank().to_frame()
    for where in ({"workers": 2}, {"engine": cluster}):
        assert_frame_equal(votes.rank(**where).to_frame(), here)
    assert here["comparisons"].sum() == 2 * 10_000_000


@pytest.mark.slow
def test_a_bad_part_is_named(cluster: str, tmp_path: Path) -> None:
    part = sorted(write_parts(tmp_path, 200_000).iterdir())[0]
    wrong = pl.read_parquet(part).with_columns(winner=pl.lit("nobody"))
    wrong.write_parquet(tmp_path / "wrong.parquet")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("adjudge.api.votes.LEAST_STREAMED", 1)
        with pytest.raises(AdjudgeError, match=r"wrong\.parquet: line 1: unknown winner 'nobody'"):
            adjudge.read(str(tmp_path)).rank(engine=cluster)


def test_the_client_is_closed(cluster: str) -> None:
    from distributed import Client

    Engine(address=cluster).map(pow, PIECES)
    with Client(cluster.replace("dask://", "tcp://")) as client:
        known = client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.clients))
        ours = [name for name in known if not name.startswith(("Client-worker", "fire-and-forget"))]
        assert ours == [client.id]


def test_an_error_in_a_piece_reaches_the_caller(cluster: str) -> None:
    for engine in (Engine(), Engine(workers=2), Engine(address=cluster)):
        for threads in (False, True):
            with pytest.raises(ZeroDivisionError):
                engine.map(divmod, [(1, 0)], threads=threads)


@pytest.mark.parametrize("address", ["127.0.0.1:8786", "dask://host", "tcp://h:1", "dask://h:x"])
def test_malformed_address(address: str) -> None:
    with pytest.raises(AdjudgeError, match="dask://HOST:PORT"):
        Engine(address=address)


def test_no_workers_at_all() -> None:
    with pytest.raises(AdjudgeError, match="1 or more"):
        Engine(workers=0)


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("adjudge.core.parallel._SECONDS_TO_CONNECT", 1)
    with pytest.raises(AdjudgeError, match=r"no Dask scheduler answers at dask://127\.0\.0\.1:9"):
        Engine(address="dask://127.0.0.1:9").map(pow, PIECES)


def test_a_cluster_without_workers() -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0") as empty:
        address = empty.scheduler_address.replace("tcp://", "dask://")
        with pytest.raises(AdjudgeError, match="has no workers"):
            Engine(address=address).map(pow, PIECES)


def test_distributed_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(AdjudgeError, match=r"pip install 'adjudge\[dask\]'"):
        Engine(address="dask://127.0.0.1:8786").map(pow, PIECES)


def test_progress_bar_only_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Engine().map(pow, PIECES, "Counting", len(PIECES))
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert Engine().map(pow, PIECES, "Counting", len(PIECES)) == [n**3 for n, _ in PIECES]
    printed = capsys.readouterr()
    assert "Counting" in printed.err
    assert not printed.out


def _comparisons() -> Comparisons:
    random = np.random.default_rng(3)
    rankings, systems = 60, 5
    left, right = (np.tile(side, rankings) for side in np.triu_indices(systems, 1))
    ranking = np.repeat(np.arange(rankings, dtype=np.int32), 10)
    nothing = np.full(len(left), -1, np.int32)
    return Comparisons(
        pair="xx-yy",
        left=left.astype(np.int32),
        right=right.astype(np.int32),
        outcome=random.choice([-1, 0, 1], len(left), p=[0.2, 0.3, 0.5]).astype(np.int8),
        ranking=ranking,
        segment=nothing,
        document=nothing,
        hit=nothing,
        judge=nothing,
        systems=tuple("ABCDE"),
        rankings=np.arange(rankings),
        segments=(),
        documents=(),
        hits=(),
        judges=(),
        groups=(),
    )


@pytest.mark.slow
def test_a_model_of_quality_is_the_same_on_a_cluster(cluster: str, tmp_path: Path) -> None:
    rows = [f"{'a ' * (n % 9 + 1)}\t{'b ' * (n % 7 + 1)}\t{n % 9 / 9}" for n in range(60)]
    data = tmp_path / "data.tsv"
    data.write_text("\n".join(["source\ttarget\thter", *rows, ""]))
    here, there = (
        adjudge.train_quality(str(data), learner="pls", feature="counts", engine=engine)[0].card
        for engine in (None, cluster)
    )
    assert here == there
