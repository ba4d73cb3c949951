"""Metric-assisted ranking: right without trusting the metric, sharper where it is good."""

from pathlib import Path

import numpy as np
import pytest

import adjudge
import assisted_coverage
from adjudge.api.scores import Scores
from adjudge.core.errors import BadParameter, NotEnoughData

SYSTEMS = ("A", "B", "C", "D")
LINES = 120  # of the test set
JUDGED = 40  # of them, the first ones of a chance order
PER_DOCUMENT = 5


@pytest.fixture(scope="module")
def quality() -> np.ndarray:
    """Of every output (systems × lines)."""
    random = np.random.default_rng(7)
    own = random.normal(0, 1, (len(SYSTEMS), LINES))
    return np.asarray(np.linspace(0.6, 0, len(SYSTEMS))[:, None] + own)


@pytest.fixture(scope="module")
def scores(quality: np.ndarray) -> Scores:
    """People's scores of some segments, by four judges, in documents."""
    random = np.random.default_rng(8)
    line = np.sort(random.permutation(LINES)[:JUDGED])
    judge = random.integers(0, 4, JUDGED)
    rows = [(system, place) for system in range(len(SYSTEMS)) for place in range(JUDGED)]
    return adjudge.from_scores(
        [SYSTEMS[system] for system, _ in rows],
        [str(line[place] + 1) for _, place in rows],
        [quality[system, line[place]] + 0.2 * random.normal() for system, place in rows],
        judge=[f"judge {judge[place]}" for _, place in rows],
        document=[f"d{line[place] // PER_DOCUMENT}" for _, place in rows],
        pair="en-cs",
    )


def put(folder: Path, by_metric: np.ndarray, systems: tuple[str, ...] = SYSTEMS) -> str:
    """The metric's scores as a file of mt-metrics-eval, documents beside it."""
    place = folder / "metric-scores" / "en-cs" / "METRIC.seg.score"
    place.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        f"{name}\t{float(score)!r}"
        for name, row in zip(systems, by_metric, strict=True)
        for score in row
    ]
    place.write_text("\n".join(lines) + "\n")
    documents = folder / "documents" / "en-cs.docs"
    documents.parent.mkdir(exist_ok=True)
    documents.write_text("".join(f"news\td{i // PER_DOCUMENT}\n" for i in range(LINES)))
    return str(place)


def test_a_good_metric_makes_intervals_narrower_and_comes_nearer_to_all_segments(
    tmp_path: Path, scores: Scores, quality: np.ndarray
) -> None:
    together = scores.assisted(put(tmp_path, quality), normalise="raw")
    assert ((together.high - together.low) < 0.8 * (together.alone_high - together.alone_low)).all()
    whole = dict(zip(SYSTEMS, quality.mean(axis=1), strict=True))
    truth = np.array([whole[name] for name in together.systems])
    assert np.abs(together.scores - truth).mean() < 0.5 * np.abs(together.alone - truth).mean()
    assert together.power == pytest.approx(1, abs=0.15)
    # All segments judged would be as good as it gets: three times as many as there are.
    assert (together.saved > JUDGED).all()
    assert (together.saved <= 2 * JUDGED).all()


def test_a_metric_against_people_changes_nothing(
    tmp_path: Path, scores: Scores, quality: np.ndarray
) -> None:
    path = put(tmp_path, -quality)
    together = scores.assisted(path)
    assert together.power == 0
    for ours, alone in (
        (together.scores, together.alone),
        (together.low, together.alone_low),
        (together.high, together.alone_high),
    ):
        np.testing.assert_allclose(ours, alone, atol=1e-12)
    assert together.told_apart.sum() == together.alone_told_apart
    means = scores.rank(unit="none")
    assert together.systems == means.systems
    np.testing.assert_allclose(together.scores, means.scores)
    assert "Is its sign turned?" in " ".join(together.notes)
    # The same file, of a metric by which lower is better, is a good one.
    turned = scores.assisted(path, lower=True)
    assert turned.power > 0
    assert "its scores are turned" in " ".join(turned.notes)


def test_rankings_against_people_are_as_rank_has_them(
    tmp_path: Path, scores: Scores, quality: np.ndarray
) -> None:
    rankings = scores.as_judgements()
    together, alone = rankings.assisted(put(tmp_path, -quality)), rankings.rank()
    assert together.power == 0
    assert together.systems == alone.systems
    for name in ("scores", "low", "high", "rank_low", "rank_high"):
        np.testing.assert_allclose(getattr(together, name), getattr(alone, name), atol=1e-12)
    good = rankings.assisted(put(tmp_path, quality))
    assert ((good.high - good.low) < 0.95 * (good.alone_high - good.alone_low)).all()


@pytest.mark.parametrize("kind", ["scores", "rankings"])
def test_neither_the_scale_of_a_metric_nor_its_liking_of_systems_matters(
    tmp_path: Path, scores: Scores, quality: np.ndarray, kind: str
) -> None:
    """A metric that adds points to some systems everywhere misleads nobody who counts by scores."""
    noisy = quality + np.random.default_rng(9).normal(0, 1, quality.shape)
    liking = np.array([[0.0], [5.0], [-3.0], [40.0]]) if kind == "scores" else 7.0
    people = scores if kind == "scores" else scores.as_judgements()
    plain = people.assisted(put(tmp_path, noisy)).to_frame()
    other = people.assisted(put(tmp_path, 100 * (noisy + liking))).to_frame()
    numbers = ["score", "low", "high", "saved"]
    np.testing.assert_allclose(plain.select(numbers), other.select(numbers), rtol=1e-7)


def test_a_system_without_metric_scores_is_judged_by_people_alone(
    tmp_path: Path, scores: Scores, quality: np.ndarray
) -> None:
    path = put(tmp_path, quality[:3], SYSTEMS[:3])
    together = scores.assisted(path)
    place = together.systems.index("D")
    assert together.scores[place] == pytest.approx(together.alone[place])
    assert "has no scores of D" in " ".join(together.notes)


def test_segments_numbered_in_their_documents(
    tmp_path: Path, scores: Scores, quality: np.ndarray
) -> None:
    path = put(tmp_path, quality)
    line = scores.table["segment"].cast(str).cast(int) - 1
    renumbered = adjudge.from_scores(
        scores.table["output"].cast(str).to_list(),
        [str(number % PER_DOCUMENT + 1) for number in line],
        scores.table["score"],
        judge=scores.table["judge"].cast(str).to_list(),
        document=[f"d{number // PER_DOCUMENT}" for number in line],
        pair="en-cs",
    )
    expected, given = scores.assisted(path), renumbered.assisted(path)
    np.testing.assert_allclose(given.scores, expected.scores)
    (tmp_path / "documents" / "en-cs.docs").unlink()
    with pytest.raises(NotEnoughData, match="not a line number; name the document"):
        renumbered.assisted(path)


def test_bad_input_is_said_in_a_line(tmp_path: Path, scores: Scores, quality: np.ndarray) -> None:
    short = put(tmp_path, quality[:, :30])
    (tmp_path / "documents" / "en-cs.docs").unlink()
    with pytest.raises(NotEnoughData, match=r"scored 30 segments and none is it"):
        scores.assisted(short)
    with pytest.raises(NotEnoughData, match="call systems the same in both"):
        scores.assisted(put(tmp_path, quality, ("a", "b", "c", "d")))
    with pytest.raises(BadParameter, match="`metric_scores`"):
        scores.assisted([])
    path = put(tmp_path, quality)
    with pytest.raises(BadParameter, match="`metric` cannot be 'METRICS'; did you mean 'METRIC'"):
        scores.assisted(path, metric="METRICS")
    systems = Path(path).with_name("METRIC.sys.score")
    systems.write_text("A\t1\nB\t2\n")
    with pytest.raises(NotEnoughData, match="scores of whole systems only"):
        scores.assisted(str(systems))


def test_it_is_made_again_from_its_signature(
    tmp_path: Path, scores: Scores, quality: np.ndarray
) -> None:
    metric, people = put(tmp_path, quality), str(tmp_path / "people.jsonl")
    scores.write(people)
    together = adjudge.read(people).assisted(metric, level=0.9)
    line = str(together.signature)
    same = adjudge.again(line, people, metric_scores=metric)
    assert same.to_frame().equals(together.to_frame())
    with pytest.raises(BadParameter, match="`metric_scores`"):
        adjudge.again(line, people)
    put(tmp_path, quality + 1)
    with pytest.raises(BadParameter, match="not the files of this signature"):
        adjudge.again(line, people, metric_scores=metric)


@pytest.mark.slow
@pytest.mark.parametrize("metric", assisted_coverage.METRICS)
@pytest.mark.parametrize("name", assisted_coverage.DESIGNS)
def test_intervals_hold_whatever_the_metric(name: str, metric: str) -> None:
    """Few campaigns, so that it takes seconds; docs/assisted-ranking.md has two thousand."""
    row = assisted_coverage.covered(assisted_coverage.DESIGNS[name], metric, campaigns=30, seed=3)
    assert row["together"] > 0.88
    assert row["ranges"] > 0.88
    if metric == "good":
        assert row["width"] < 0.95 * row["alone_width"]
    else:
        assert row["width"] == pytest.approx(row["alone_width"], rel=0.05)


@pytest.mark.parametrize(
    ("metric", "narrower"), [("XCOMET-Ensemble-refA", True), ("Random-sysname-src", False)]
)
def test_most_of_wmt23_hidden(shared_data: Path, metric: str, narrower: bool) -> None:
    """Intervals from 40 documents hold the means of all; a good metric saves judgements."""
    row = assisted_coverage.hidden(str(shared_data / "wmt23"), metric, kept=40, draws=8)
    assert row["together"] > 0.93
    assert (row["width"] < 0.9 * row["alone_width"]) == narrower
    assert (row["saved"] > 0.4) == narrower
    assert (row["apart"] > 1.5 * row["alone_apart"]) == narrower
