"""Work that is stopped and gone on with, in a process that is really killed."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from odd_work import after_others

from adjudge.core.errors import InputError
from adjudge.core.files import checkpoint
from adjudge.core.files.checkpoint import resumable
from adjudge.core.parallel import Engine
from adjudge.tuning.search import Point

CALLS: list[int] = []


def doubled(number: int, noise: np.ndarray) -> tuple[int, np.ndarray]:
    CALLS.append(number)
    if number == STOP_AT[0]:
        raise KeyboardInterrupt
    return number, noise * number


STOP_AT = [-1]
NOISE = np.random.default_rng(1).normal(size=3)
PIECES = [(number, NOISE) for number in range(6)]


def results() -> list[tuple[int, list[float]]]:
    CALLS.clear()
    return [(number, array.tolist()) for number, array in Engine().map(doubled, PIECES)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "work.checkpoint"


def stop(file: Path, at: int) -> None:
    STOP_AT[0] = at
    with pytest.raises(KeyboardInterrupt), resumable(str(file)):
        results()
    STOP_AT[0] = -1


def test_what_was_finished_is_not_done_again(file: Path) -> None:
    whole = results()
    stop(file, 3)
    stop(file, 4)
    assert CALLS == [3, 4]
    with resumable(str(file)):
        assert results() == whole
    assert CALLS == [4, 5]
    assert not file.exists()


def test_a_line_that_was_cut_short_counts_for_nothing(file: Path) -> None:
    stop(file, 3)
    file.write_bytes(file.read_bytes()[:-5])
    with resumable(str(file)):
        assert results() == [(number, (NOISE * number).tolist()) for number in range(6)]
    assert CALLS == [2, 3, 4, 5]


def test_other_work_finds_nothing_that_is_its_own(file: Path, monkeypatch) -> None:
    stop(file, 3)
    with resumable(str(file)):
        CALLS.clear()
        Engine().map(doubled, [(number, NOISE + 1) for number in range(3)])
    assert CALLS == [0, 1, 2]
    stop(file, 3)
    monkeypatch.setattr(checkpoint, "__version__", "another")
    with resumable(str(file)):
        results()
    assert list(range(6)) == CALLS


def test_another_file_is_refused_and_stays(file: Path) -> None:
    file.write_text("my thesis\n")
    with pytest.raises(InputError, match="is not a file of finished pieces"), resumable(str(file)):
        pass
    assert file.read_text() == "my thesis\n"


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    with (
        pytest.raises(Exception, match=r"cannot be written .*; choose another place"),
        resumable(str(tmp_path / "nowhere" / "file")),
    ):
        pass


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        0.1,
        "ä",
        [1, (2.5, "x")],
        {"a": [np.arange(3)]},
        np.float64(0.1),
        Point(0.5, np.float64(3), 1),
    ],
    ids=repr,
)
def test_results_come_back_as_they_were(value) -> None:
    back = checkpoint._decoded(json.loads(json.dumps(checkpoint._encoded(value))))
    assert type(back) is type(value)
    np.testing.assert_equal(*(getattr(each, "__dict__", each) for each in (back, value)))


def test_what_cannot_be_written_down_is_done_again(file: Path) -> None:
    @dataclass
    class Ours:
        number: int

    with pytest.raises(TypeError):
        checkpoint._encoded(Ours(1))


RECORDS = [
    ["os", "system", {"command": "true"}],
    ["subprocess", "Popen", {"args": "true"}],
    ["adjudge.web.wsgi", "application", {}],
    ["adjudge.cli.commands", "import_module", {"name": "antigravity"}],
    ["adjudge.tuning.search", "import_module", {"name": "antigravity"}],
    ["adjudge.stats.resampling", "Resampling", {}],
    ["adjudge.tuning.search", "Point", {"score": 1.0}],
    ["adjudge.tuning.search", "Point", []],
    [["os"], {}, 3],
    "os.system",
]


@pytest.mark.parametrize("record", RECORDS, ids=str)
def test_no_other_record_is_made(file: Path, record: object) -> None:
    """Nothing is imported or called but the two kinds of records that are kept."""
    heard: list[str] = []
    watching = [True]

    def hook(event: str, _: object) -> None:
        if watching and event in ("import", "exec", "os.system", "subprocess.Popen"):
            heard.append(event)

    STOP_AT[0] = 3
    with pytest.raises(KeyboardInterrupt), resumable(str(file)):
        Engine().map(doubled, PIECES)
    STOP_AT[0] = -1
    kept = [json.loads(line) for line in file.read_bytes().splitlines()]
    kept[1]["result"] = {"record": record}
    file.write_text("".join(f"{json.dumps(line)}\n" for line in kept))
    sys.addaudithook(hook)
    try:
        refused = pytest.raises(InputError, match="results that we never keep")
        with refused, resumable(str(file)):
            Engine().map(doubled, PIECES)
    finally:
        watching.clear()
    assert heard == []


def test_an_interrupt_of_long_work_says_what_would_have_kept_it(monkeypatch) -> None:
    with pytest.raises(KeyboardInterrupt) as short, resumable(None):
        raise KeyboardInterrupt
    assert str(short.value) == ""
    monkeypatch.setattr(checkpoint, "LONG", -1)
    with pytest.raises(KeyboardInterrupt, match="with `checkpoint` a file keeps"), resumable(None):
        raise KeyboardInterrupt


def nested(number: int) -> list[tuple[int, np.ndarray]]:
    return Engine().map(doubled, PIECES[:number])


def test_of_work_within_a_piece_nothing_is_kept_by_itself(file: Path) -> None:
    STOP_AT[0] = 3
    with pytest.raises(KeyboardInterrupt), resumable(str(file)):
        Engine().map(nested, [(2,), (4,)])
    STOP_AT[0] = -1
    assert file.read_bytes().count(b'"key"') == 1


@pytest.mark.slow
def test_pieces_are_kept_as_they_are_finished(file: Path) -> None:
    pieces = [(number, str(file.parent)) for number in range(6)]
    with resumable(str(file)):
        assert Engine(workers=2).map(after_others, pieces) == list(range(6))


@pytest.mark.slow
def test_a_ranking_goes_on_after_it_was_killed(tmp_path: Path, adjudge_command: list[str]) -> None:
    """TrueSkill on simulated judgements: killed half-way, then the same ranking to the digit."""
    judgements, file = tmp_path / "judgements.jsonl", tmp_path / "rank.checkpoint"
    made = ["simulate", "--rankings", "300", "-o", str(judgements)]
    subprocess.run([*adjudge_command, *made], check=True, capture_output=True)
    command = [*adjudge_command, "rank", str(judgements), "--method", "trueskill", "-f", "json"]
    command += ["--unit", "none", "--replicates"]
    whole = subprocess.run([*command, "600"], check=True, capture_output=True).stdout
    # Twenty thousand runs begin with the same six hundred, and do not end before they are stopped.
    process = subprocess.Popen([*command, "20000", "--checkpoint", str(file)])
    while process.poll() is None and (not file.exists() or file.read_bytes().count(b"\n") < 8):
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert file.read_bytes().count(b'"key"') > 5
    gone_on = subprocess.run([*command, "600", "--checkpoint", str(file)], capture_output=True)
    assert gone_on.stdout == whole
    assert not file.exists()
