"""Work done in a process of its own: its results and errors come back, its end is not ours."""

import os
import subprocess
from typing import Any

import pytest

from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.subprocess_call import Ended, apart


def test_results_come_back_from_another_process() -> None:
    assert apart({}, os.getpid) != os.getpid()
    assert apart({}, divmod, 7, 2) == (3, 1)
    assert apart({}, sorted, "cab", reverse=True) == ["c", "b", "a"]


def test_errors_come_back_whole() -> None:
    with pytest.raises(InputError, match="no such file") as caught:
        apart({}, getattr, InputFile("nowhere.parquet"), "head")
    assert caught.value.file == "nowhere.parquet"


def test_its_end_is_not_ours() -> None:
    with pytest.raises(Ended):
        apart({}, os.abort)


def test_what_is_printed_there_does_not_garble_the_result() -> None:
    assert apart({}, print, "noise") is None
    assert apart({}, subprocess.call, ["echo", "noise"]) == 0


def test_what_is_set_already_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SET_HERE", "ours")
    there = {"SET_HERE": "theirs", "SET_THERE": "theirs"}
    assert [apart(there, os.getenv, name) for name in there] == ["ours", "theirs"]


def test_without_another_process_the_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert apart({}, os.getpid) == os.getpid()
