"""Work that other processes do for tests; they find it in this module."""

import os
import signal
import time
from pathlib import Path


def hears_an_interrupt() -> bool:
    """Does Ctrl-C reach this process?"""
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
    except KeyboardInterrupt:
        return True
    return False


def quick_or_endless(number: int, folder: str) -> int:
    """Numbers 0 and 1 are done at once, others never; a file says who is at it."""
    (Path(folder) / str(os.getpid())).touch()
    while number > 1:
        time.sleep(0.01)
    return number


def after_others(number: int, folder: str) -> int:
    """Number 0 waits until two others are kept."""
    kept = Path(folder) / "work.checkpoint"
    end = time.monotonic() + 120  # for ever
    while number == 0 and kept.read_bytes().count(b'"key"') < 2:
        assert time.monotonic() < end
        time.sleep(0.01)
    return number
