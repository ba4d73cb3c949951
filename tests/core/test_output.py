"""Where output goes: files whole or not at all, pipes and devices as they are."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from adjudge.core.errors import AdjudgeError
from adjudge.core.files.output import open_output


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path) -> None:
    """As /dev/null must: root would else put a file in its place, and break the whole machine."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as other:
        read = other.submit(pipe.read_bytes)
        with open_output(str(pipe)) as stream:
            stream.write(b"through")
        assert read.result() == b"through"
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_full_device_is_one_sentence() -> None:
    with (
        pytest.raises(AdjudgeError, match="/dev/full: cannot be written"),
        open_output("/dev/full") as to,
    ):
        to.write(b"much")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_a_folder_is_no_file(tmp_path) -> None:
    with pytest.raises(AdjudgeError, match="cannot be written"), open_output(str(tmp_path)) as to:
        to.write(b"x")
