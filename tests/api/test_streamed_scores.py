"""Large files of scores: gone through piece by piece, and read whole only if need be."""

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import adjudge
from adjudge.api import streamed_scores as door
from adjudge.api.streamed_scores import StreamedScores
from adjudge.core.errors import AdjudgeError, InputError, NotEnoughData
from adjudge.core.files import memory
from adjudge.scoring import gathered_scores, streamed_sums
from adjudge.scoring.system_scores import SystemScores
from adjudge.stats.resampling import Unit

pytestmark = pytest.mark.slow


def frame(rows: int = 3000, seed: int = 3) -> pl.DataFrame:
    """Scores as our files store them: two scales, judges who differ, some labels unknown."""
    random = np.random.default_rng(seed)
    segment = random.integers(0, 60, rows)
    judge = random.integers(0, 9, rows)
    system = random.integers(0, 4, rows)
    score = 55 + 4 * system + 3 * judge + random.normal(0, 12, rows)
    together = np.arange(rows) % 97 == 0  # an output of two systems
    return pl.DataFrame(
        {
            "pair": ["en-cs"] * rows,
            "document": [f"d{n // 6}" for n in segment],
            "segment": [f"s{n}" for n in segment],
            "item": np.arange(1, rows + 1),
            "hit": [f"h{n}" for n in random.integers(0, 50, rows)],
            "judge": [f"j{n}" for n in judge],
            "systems": [
                [f"m{n}", "m9"] if both else [f"m{n}"]
                for n, both in zip(system, together, strict=True)
            ],
            "scale": [("direct-assessment", "comfort")[n % 5 == 0] for n in range(rows)],
            "score": np.clip(np.rint(score), 0, 100),
        }
    )


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are large enough to be streamed, and pieces small."""
    monkeypatch.setattr(door, "LEAST_STREAMED", 1)
    monkeypatch.setattr(gathered_scores, "PART", 256)


@pytest.fixture
def path(tmp_path: Path, pieces: None) -> str:
    frame().write_parquet(tmp_path / "scores.parquet")
    return str(tmp_path / "scores.parquet")


@pytest.fixture
def read_whole(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], adjudge.Scores]:
    def read(path: str) -> adjudge.Scores:
        with monkeypatch.context() as small:
            small.setattr(door, "LEAST_STREAMED", 1 << 60)
            scores = adjudge.read(path, kind="scores")
            assert not isinstance(scores, StreamedScores)
            return scores

    return read


def streamed(path: str, monkeypatch: pytest.MonkeyPatch) -> adjudge.Scores:
    scores = adjudge.read(path, kind="scores")
    assert isinstance(scores, StreamedScores)
    monkeypatch.setattr(StreamedScores, "_read", lambda _: pytest.fail("read whole"))
    return scores


def widths(result: SystemScores) -> np.ndarray:
    return result.high - result.low


@pytest.mark.parametrize("unit", ["auto", "none", "segment", "document", "judge", "hit", "item"])
@pytest.mark.parametrize("normalise", [None, "raw", "wmt07"])
def test_answers_are_those_of_the_scores_read_whole(
    unit: Unit,
    normalise: str | None,
    path: str,
    read_whole: Callable[[str], adjudge.Scores],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def ask(scores: adjudge.Scores) -> adjudge.Result[object]:
        return scores.rank(unit=unit, normalise=normalise, replicates=60)

    mine, whole = ask(streamed(path, monkeypatch)), ask(read_whole(path))
    assert mine.render() == whole.render()
    assert str(mine.signature) == str(whole.signature)
    for one, other in zip(mine, whole, strict=True):
        np.testing.assert_allclose(one.better, other.better, atol=1e-12)
        np.testing.assert_allclose(one.p, other.p, atol=1e-12)


@pytest.mark.parametrize(
    "chosen",
    [
        {"system": ["m0", "m1", "m2"]},
        {"without_judge": "j3"},
        {"reference": "m2", "without_reference": True},
    ],
)
def test_a_choice_and_agreement(
    chosen: dict[str, object],
    path: str,
    read_whole: Callable[[str], adjudge.Scores],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mine, whole = streamed(path, monkeypatch).select(**chosen), read_whole(path).select(**chosen)
    assert mine.rank(scale="comfort").render() == whole.rank(scale="comfort").render()
    assert mine.agreement().render() == whole.agreement().render()
    assert len(mine.span_agreement()) == len(whole.span_agreement()) == 0
    assert mine.scales == whole.scales


def test_unknown_judges_and_documents(
    tmp_path: Path,
    pieces: None,
    read_whole: Callable[[str], adjudge.Scores],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = str(tmp_path / "scores.parquet")
    some = pl.col("item") % 7 == 0
    lacking = frame().with_columns(
        pl.when(~some).then(pl.col(name)) for name in ("judge", "document", "hit")
    )
    lacking.write_parquet(path)
    mine, whole = streamed(path, monkeypatch), read_whole(path)
    normalised = (scores.rank(normalise="z").render() for scores in (mine, whole))
    assert len(set(normalised)) == 1  # they are left out of z-scores
    for unit in ("auto", "document", "judge", "hit"):  # in groups by hash: much the same
        one, other = (scores.rank(unit=unit, normalise="raw")[0] for scores in (mine, whole))
        assert one.systems == other.systems
        assert one.holds_for == other.holds_for
        apart = np.abs(one.scores - other.scores) / widths(other)
        assert apart.max() < (0.05 if unit == "auto" else 1e-9)
        np.testing.assert_allclose(widths(one), widths(other), rtol=0.35)
    lacking.drop("judge", "document").write_parquet(path)
    one, other = (scores.rank()[0] for scores in (adjudge.read(path), read_whole(path)))
    assert (one.normalisation, one.resampling.unit) == ("raw", "segment")
    np.testing.assert_allclose(widths(one), widths(other), rtol=0.2)
    with pytest.raises(NotEnoughData, match="no judge is known; choose another"):
        adjudge.read(path).rank(unit="judge")
    with pytest.raises(NotEnoughData, match="no judge is known to normalise by"):
        adjudge.read(path).rank(normalise="z")


def test_many_segments_and_means_are_put_together(
    path: str, read_whole: Callable[[str], adjudge.Scores], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name, value in (
        (gathered_scores, "MOST_UNITS", 30),
        (streamed_sums, "MOST_MEANS", 50),
        (streamed_sums, "MOST_VALUES", 50),
        (streamed_sums, "MOST_ENTRIES", 400),
    ):
        monkeypatch.setattr(module, name, value)
    mine, whole = streamed(path, monkeypatch), read_whole(path)
    for unit in ("auto", "segment", "hit", "item"):
        one, other = (scores.rank(unit=unit)[0] for scores in (mine, whole))
        np.testing.assert_allclose(one.scores, other.scores)
        many = other.number > 100
        np.testing.assert_allclose(widths(one)[many], widths(other)[many], rtol=0.5)
        np.testing.assert_allclose(one.p, other.p, atol=1e-3)


@pytest.mark.parametrize("name", ["scores.jsonl", "scores.jsonl.gz"])
def test_json_lines(
    name: str,
    tmp_path: Path,
    pieces: None,
    read_whole: Callable[[str], adjudge.Scores],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = frame(800).write_ndjson().encode()
    (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    path = str(tmp_path / name)
    assert streamed(path, monkeypatch).rank().render() == read_whole(path).rank().render()


def test_several_files_are_read_as_one(
    tmp_path: Path,
    pieces: None,
    read_whole: Callable[[str], adjudge.Scores],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for seed in (1, 2):  # both number their items from 1
        frame(700, seed).write_parquet(tmp_path / f"{seed}.parquet")
    folder = str(tmp_path)
    mine, whole = streamed(folder, monkeypatch), read_whole(folder)
    assert mine.rank(unit="item").render() == whole.rank(unit="item").render()
    assert mine.agreement().render() == whole.agreement().render()


def test_agreement_of_a_sample_says_so(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathered_scores, "SAMPLE", 600)
    monkeypatch.setattr(gathered_scores, "LEAST_SEGMENTS", 20)
    scores = streamed(path, monkeypatch)
    told = scores.agreement(scale="direct-assessment").render()
    assert "Agreement is that of a sample: " in told
    assert " of 60 segments by " in told


def test_a_bad_row_is_refused_with_its_line(path: str) -> None:
    good = pl.read_parquet(path)
    for column, value, reason in (
        ("score", 101.0, "3001: score 101 lies outside the scale direct-assessment"),
        ("score", np.nan, "3001: nan is no score"),
        ("pair", None, "3001: no language pair"),
        ("item", 3000, "3001: item 3000 has more than one"),
        ("scale", None, "3001: item 3001 does not say on which scale"),
        ("systems", None, "3001: item 3001 has a score for no system"),
        ("systems", [], "3001: an output of no system needs its text"),
        ("judge", "", "3001: empty judge"),
    ):
        row = {**good.row(-2, named=True), "item": 3001, column: value}
        pl.concat([good, pl.DataFrame([row], good.schema)]).write_parquet(path)
        with pytest.raises(InputError, match=reason):
            adjudge.read(path).rank()


def test_marked_errors_are_read_whole(tmp_path: Path, pieces: None) -> None:
    span = {"start": 0, "end": 1, "severity": "major", "category": None}
    marked = frame(400).with_columns(
        text=pl.lit("a text"), spans=pl.Series([[span] * (n % 2) for n in range(400)])
    )
    marked.write_ndjson(tmp_path / "scores.jsonl")
    scores = adjudge.read(str(tmp_path / "scores.jsonl"))
    assert {part.scale for part in scores.rank()} == {"comfort", "direct-assessment", "mqm"}
    assert scores.scales == ("comfort", "direct-assessment", "mqm")
    assert len(scores.span_agreement()) > 0


def test_what_memory_and_disk_cannot_hold(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_memory", lambda: 100_000)
    with pytest.raises(AdjudgeError, match=r"`unit=\"judge\"` needs about 0\.3 GB of memory"):
        adjudge.read(path).rank(unit="judge")
    with pytest.raises(AdjudgeError, match=r"3,000 scores at once need about 0\.0 GB of memory"):
        adjudge.read(path).as_judgements()
    monkeypatch.setattr(
        gathered_scores.shutil, "disk_usage", lambda _: type("Free", (), {"free": 10})
    )
    with pytest.raises(AdjudgeError, match=r"scores, put in order, need about 0\.0 GB of disk"):
        adjudge.read(path).rank()


def test_nothing_left(path: str) -> None:
    with pytest.raises(AdjudgeError, match="no judge 'j77'"):
        adjudge.read(path).select(judge="j77").rank()
    with pytest.raises(AdjudgeError, match="no system 'm77'"):
        adjudge.read(path).select(system="m77").rank()
    with pytest.raises(AdjudgeError, match="no scale 'beauty'"):
        adjudge.read(path).rank(scale="beauty")


def test_other_questions_read_the_scores(
    path: str, read_whole: Callable[[str], adjudge.Scores]
) -> None:
    mine, whole = adjudge.read(path), read_whole(path)
    assert len(mine) == len(whole) == 3000
    assert mine.systems == whole.systems
    assert mine.to_frame().equals(whole.to_frame())
    assert mine.select(judge="j1").select(system=["m1", "m2"]).systems == ("m1", "m2")
