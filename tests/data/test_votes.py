"""Many votes in memory are counted in cells, and rank as they do one by one."""

from dataclasses import replace

import numpy as np
import pytest

from adjudge.data.comparisons import Comparisons
from adjudge.data.votes import votes as module
from adjudge.data.votes.cells import Cells
from adjudge.data.votes.votes import in_cells
from adjudge.data.win_counts import count
from adjudge.ranking.head_to_head import head_to_head
from adjudge.ranking.ranking_result import rank
from adjudge.stats.resampling import Resampling, Unit


def votes(number: int = 3000) -> Comparisons:
    random = np.random.default_rng(3)
    left = random.integers(0, 6, number, np.int32)
    return Comparisons(
        pair="x-y",
        left=left,
        right=(left + random.integers(1, 6, number, np.int32)) % np.int32(6),
        outcome=random.choice([-1, 0, 1], number, p=[0.3, 0.2, 0.5]).astype(np.int8),
        ranking=np.arange(number, dtype=np.int32),
        segment=np.full(number, -1, np.int32),
        document=random.integers(0, 20, number, np.int32),
        hit=np.full(number, -1, np.int32),
        judge=random.integers(0, 10, number, np.int32),
        systems=("A", "B", "C", "D", "E", "ref"),
        rankings=np.arange(number),
        segments=(),
        documents=tuple(f"d{i}" for i in range(20)),
        hits=(),
        judges=tuple(f"j{i}" for i in range(10)),
        groups=(None,) * 10,
    )


@pytest.mark.parametrize("unknown", [(), ("judge",), ("document",), ("judge", "document")])
@pytest.mark.parametrize("method", ["expected-wins", "others-strict", "block-top", "davidson"])
def test_numbers_are_the_same(
    monkeypatch: pytest.MonkeyPatch, method: str, unknown: tuple[str, ...]
) -> None:
    nobody = np.full(3000, -1, np.int32)
    judged = replace(votes(), **dict.fromkeys(unknown, nobody))
    units: tuple[Unit, ...] = ("auto", "judge", "judge+document", "ranking", "none")
    for unit in units[: 2 if unknown else 5]:
        if unit == "judge" and "judge" in unknown:
            continue
        monkeypatch.setattr(module, "WORTH_IT", 10**9)
        one_by_one = rank(judged, method, Resampling(unit, 40))
        monkeypatch.setattr(module, "WORTH_IT", 1)
        assert isinstance(in_cells(judged), Cells)
        counted = rank(judged, method, Resampling(unit, 40))
        for name in ("scores", "low", "high", "rank_low", "better", "told_apart", "comparisons"):
            np.testing.assert_allclose(
                getattr(counted, name), getattr(one_by_one, name), 1e-9, 1e-12
            )
        assert counted.holds_for == one_by_one.holds_for
        assert counted.notes == one_by_one.notes


def test_heads_too(monkeypatch: pytest.MonkeyPatch) -> None:
    one_by_one = head_to_head(votes())
    monkeypatch.setattr(module, "WORTH_IT", 1)
    np.testing.assert_allclose(head_to_head(votes()).p, one_by_one.p, 1e-9)


@pytest.mark.parametrize("alike", [255, 256, 300, 70_000])
def test_many_votes_of_a_kind_in_a_cell_are_all_counted(
    monkeypatch: pytest.MonkeyPatch, alike: int
) -> None:
    """More than the smallest number in which cells are counted can hold."""
    monkeypatch.setattr(module, "WORTH_IT", 1)
    few = votes(200)
    more = few.where(np.concatenate([np.arange(200), np.zeros(alike - 1, np.int64)]))
    more = replace(more, ranking=np.arange(len(more), dtype=np.int32))
    counted = in_cells(more)
    assert isinstance(counted, Cells)
    assert len(counted) == 199 + alike
    for name in ("wins", "ties"):
        assert np.array_equal(getattr(count(counted), name), getattr(count(more), name))
    judge = np.bincount(counted.crossing("judge").units["judge"], counted.crossing("judge").size)
    assert np.array_equal(judge, np.bincount(more.judge))


def test_what_is_known_besides_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WORTH_IT", 1)
    judged = votes()
    some = np.where(np.arange(3000) < 5, -1, judged.judge).astype(np.int32)
    for changed in (
        replace(judged, hit=judged.judge),
        replace(judged, segment=judged.judge),
        replace(judged, judge=some),
        replace(judged, ranking=judged.ranking // 2),
        replace(judged, judge=np.arange(3000, dtype=np.int32)),
    ):
        assert in_cells(changed) is changed
