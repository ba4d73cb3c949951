"""Votes counted in cells while they are read rank as the same votes read whole do."""

import pickle
from functools import reduce
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from adjudge.core.errors import AdjudgeError
from adjudge.data.comparisons import Comparisons, by_pair, compare
from adjudge.data.selection import Selection, select
from adjudge.data.table_files import read
from adjudge.data.votes import count_cells, tallies
from adjudge.data.votes.cells import Cells
from adjudge.data.votes.files import (
    Gathering,
    about_votes,
    can_stream,
    cells_from_files,
    gather,
    put_together,
)
from adjudge.ranking.head_to_head import head_to_head
from adjudge.ranking.ranking_result import Ranking, rank
from adjudge.stats.resampling import Resampling, Unit

EVERYTHING = Selection()
NUMBERS = ("scores", "low", "high", "rank_low", "rank_high", "cluster", "better", "comparisons")


def votes(number: int = 800, judges: int = 9, segments: int = 30, seed: int = 1) -> pl.DataFrame:
    random = np.random.default_rng(seed)
    left = random.integers(0, 5, number)
    right = (left + random.integers(1, 5, number)) % 5
    seen = 0.3 * (right - left) + random.standard_normal(number)
    winner = np.where(np.abs(seen) < 0.3, "tie", np.where(seen > 0, "model_a", "model_b"))
    judge = random.integers(0, judges, number)
    return pl.DataFrame(
        {
            "question_id": [f"q{i}" for i in random.integers(0, segments, number)],
            "model_a": [f"m{i}" for i in left],
            "model_b": [f"m{i}" for i in right],
            "winner": winner,
            "judge": [f"j{i}" if i else None for i in judge],  # one in nine is not known
        }
    )


def written(folder: Path, frame: pl.DataFrame, name: str = "votes.parquet") -> str:
    path = folder / name
    if name.endswith(".parquet"):
        frame.write_parquet(path)
    elif name.endswith(".jsonl"):
        frame.write_ndjson(path)
    else:
        frame.write_csv(path)
    return str(path)


def both(path: str, selection: Selection = EVERYTHING) -> tuple[Cells, Comparisons]:
    cells = cells_from_files([path], selection)
    assert cells is not None
    (pair,) = cells
    ((_, table),) = by_pair(select(read(path), selection))
    return cells[pair], compare(table)


def ask(judged: Cells | Comparisons, method: str, unit: Unit) -> Ranking | str:
    try:
        return rank(judged, method, Resampling(unit, 30))
    except AdjudgeError as error:
        return str(error)


def assert_same(streamed: Ranking | str, whole: Ranking | str) -> None:
    if isinstance(streamed, str) or isinstance(whole, str):
        assert streamed == whole
        return
    for name in NUMBERS:
        np.testing.assert_allclose(getattr(streamed, name), getattr(whole, name), 1e-9, 1e-12)
    assert streamed.systems == whole.systems
    assert streamed.holds_for == whole.holds_for
    assert streamed.notes == whole.notes
    assert list(streamed.design_effects) == list(whole.design_effects)
    # Combinations of units that lost all their votes with a system are still counted in memory.
    assert list(streamed.design_effects.values()) == pytest.approx(
        list(whole.design_effects.values()), rel=1e-3
    )


@pytest.mark.parametrize("left_out", [(), ("judge",), ("question_id",), ("judge", "question_id")])
@pytest.mark.parametrize("method", ["expected-wins", "davidson", "block-top", "mfas"])
def test_every_unit_gives_the_numbers_of_votes_read_whole(
    tmp_path: Path, left_out: tuple[str, ...], method: str
) -> None:
    streamed, whole = both(written(tmp_path, votes().drop(left_out)))
    units: list[Unit] = ["auto", "judge", "segment", "judge+segment", "ranking", "comparison"]
    for unit in units:
        assert_same(ask(streamed, method, unit), ask(whole, method, unit))


def test_trueskill_runs_on_counted_votes(tmp_path: Path) -> None:
    streamed, whole = both(written(tmp_path, votes(300)))
    assert_same(ask(streamed, "trueskill", "ranking"), ask(whole, "trueskill", "ranking"))
    assert "judge-aware: needs the votes themselves" in str(ask(streamed, "judge-aware", "judge"))


def test_heads_are_compared_the_same(tmp_path: Path) -> None:
    streamed, whole = (head_to_head(judged) for judged in both(written(tmp_path, votes())))
    np.testing.assert_allclose(streamed.p, whole.p, 1e-9)
    assert streamed.holds_for == whole.holds_for


@pytest.mark.parametrize("name", ["votes.csv", "votes.jsonl", "votes.parquet"])
def test_formats_and_choices(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, votes(), name)
    assert can_stream(path, EVERYTHING)
    assert about_votes(path) == pytest.approx(800, rel=0.05)
    for selection in (
        Selection(without_system="m1"),
        Selection(judge=("j1", "j2", "j3")),
        Selection(reference="m0"),
        Selection(without_judge="j3", system=("m0", "m2", "m3")),
    ):
        streamed, whole = both(path, selection)
        assert_same(ask(streamed, "expected-wins", "auto"), ask(whole, "expected-wins", "auto"))
    with pytest.raises(AdjudgeError, match="no system 'm9'"):
        cells_from_files([path], Selection(system="m9"))


def test_language_pairs_are_counted_apart(tmp_path: Path) -> None:
    frame = votes(1000).with_columns(
        pl.Series("language", ["de", "fr", None, "de"] * 250), judge=pl.col("judge").fill_null("x")
    )
    path = written(tmp_path, frame)
    cells = cells_from_files([path], EVERYTHING)
    assert cells is not None
    assert list(cells) == ["arena", "de", "fr"]
    for pair, table in by_pair(read(path)):
        assert_same(
            ask(cells[pair], "expected-wins", "auto"), ask(compare(table), "expected-wins", "auto")
        )


@pytest.mark.parametrize(
    "wrong",
    [
        {"winner": "nobody"},
        {"model_a": "x", "model_b": "x"},
        {"model_a": None},
        {"model_a": "a\x07b"},
    ],
)
def test_what_is_not_sound_is_left_to_careful_reading(
    tmp_path: Path, wrong: dict[str, str | None]
) -> None:
    frame = votes(50)
    bad = frame[:1].with_columns(pl.lit(value, pl.String).alias(n) for n, value in wrong.items())
    assert cells_from_files([written(tmp_path, pl.concat([frame, bad]))], EVERYTHING) is None


def many(number: int = 6000) -> pl.DataFrame:
    """So many judges and segments that not every cell is kept apart."""
    return votes(number, judges=700, segments=5000)


def test_too_many_cells_are_grouped_and_say_about_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, many())
    streamed, whole = both(path)
    monkeypatch.setattr(count_cells, "MOST_CELLS", 3000)
    monkeypatch.setattr(count_cells, "MOST_GROUPED", 1 << 10)
    cells = cells_from_files([path], EVERYTHING)
    assert cells is not None
    grouped = cells["arena"]
    crossing = grouped.widest
    assert len(crossing.size) <= 1 << 10
    assert {len(np.unique(codes)) for codes in crossing.units.values()} == {32}
    assert not streamed.numbers
    for unit, number in grouped.numbers.items():
        assert number == len(np.unique(streamed.widest.units[unit])) - (unit == "judge")
    assert crossing.size.sum() == 6000
    few, all_of_them = (ask(judged, "expected-wins", "auto") for judged in (grouped, whole))
    assert isinstance(few, Ranking)
    assert isinstance(all_of_them, Ranking)
    np.testing.assert_allclose(few.scores, all_of_them.scores)
    width = (few.high - few.low) / (all_of_them.high - all_of_them.low)
    assert width.mean() == pytest.approx(1, abs=0.15)


def finished(gathered: Gathering | None) -> dict[str, Cells] | None:
    assert gathered is not None
    return gathered.finished(EVERYTHING)


@pytest.mark.parametrize("small", [tallies.SMALL, 0], ids=["in a table", "without a table"])
@pytest.mark.parametrize("most", [20_000, 3000, 500])
def test_files_put_together_are_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, small: int
) -> None:
    monkeypatch.setattr(tallies, "SMALL", small)
    monkeypatch.setattr(count_cells, "MOST_CELLS", most)
    monkeypatch.setattr(count_cells, "MOST_GROUPED", min(most, 1 << 8))
    monkeypatch.setattr(tallies, "MOST_LISTED", 1000)
    frame = many().with_columns(pl.col("judge").fill_null("x"))
    whole = cells_from_files([written(tmp_path, frame)], EVERYTHING)
    sizes = [0, 100, 2500, 2600, 6000]
    parts = [
        written(tmp_path, frame[first:last], f"part-{first}.parquet")
        for first, last in pairwise(sizes)
    ]
    assert whole is not None
    gathered = [gather(path, 0, EVERYTHING, "auto") for path in parts]
    for together in (
        cells_from_files(parts, EVERYTHING),
        finished(reduce(put_together, gathered)),
        finished(reduce(put_together, pickle.loads(pickle.dumps(gathered[::-1])))),
    ):
        assert together is not None
        assert_same(
            ask(together["arena"], "expected-wins", "auto"),
            ask(whole["arena"], "expected-wins", "auto"),
        )
        assert together["arena"].numbers == whole["arena"].numbers
