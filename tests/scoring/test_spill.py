"""Rows in parts on the disk."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.errors import AdjudgeError
from adjudge.scoring.gathered_scores import Spill

ROW = np.dtype([("number", np.int64), ("small", np.int32)])
BATCHES = st.lists(st.lists(st.integers(0, 300), min_size=1, max_size=20), max_size=6)


@settings(deadline=None)
@given(BATCHES)
def test_a_part_is_what_was_put_there_in_order(batches: list[list[int]]) -> None:
    spill = Spill(ROW, 100, "rows")
    put: dict[int, list[int]] = {}
    number = 0
    for parts in batches:
        rows = np.zeros(len(parts), ROW)
        rows["number"] = np.arange(number, number + len(parts))
        spill.add(rows, np.array(parts))
        for part in parts:
            put.setdefault(part, []).append(number)
            number += 1
    assert spill.parts() == sorted(put)
    assert {part: spill.read(part)["number"].tolist() for part in put} == put
    assert spill.size(301) == len(spill.read(301)) == 0


def test_more_than_the_disk_holds() -> None:
    with pytest.raises(AdjudgeError, match=r"rows need about 12,000,000,000\.0 GB of disk in "):
        Spill(ROW, 10**18, "rows")
