"""What intervals can hold for, at both levels: judgements, segments, judges, documents, systems."""

from collections.abc import Mapping

import numpy as np
import pytest

import adjudge as door
from adjudge.metaeval.human_scores import Ratings
from adjudge.metaeval.segment_statistics import drawn_values, segment_value
from adjudge.stats.resampling import Resampling, units_of

pytestmark = pytest.mark.slow

SYSTEMS, SEGMENTS, JUDGES = "ABCDE", 24, 12
REPLICATES = 100


@pytest.fixture(scope="module")
def scores() -> door.Scores:
    """Every output is scored by two of twelve judges; segments are in twelve documents."""
    random = np.random.default_rng(1)
    rows = [
        (system, segment, (2 * segment + which) % JUDGES, 50 - 8 * place + random.normal(0, 6))
        for place, system in enumerate(SYSTEMS)
        for segment in range(SEGMENTS)
        for which in range(2)
    ]
    return door.from_scores(
        [row[0] for row in rows],
        [f"{row[1] + 1}" for row in rows],
        [round(row[3]) for row in rows],
        judge=[f"judge-{row[2]}" for row in rows],
        document=[f"document-{row[1] // 2}" for row in rows],
    )


@pytest.fixture(scope="module")
def metrics(scores: door.Scores) -> door.MetricScoreFiles:
    random = np.random.default_rng(2)
    references = [" ".join(random.choice(list("abcdefgh"), 8)) for _ in range(SEGMENTS)]
    outputs = {
        system: [
            " ".join(w if random.random() > 0.1 + 0.1 * place else "x" for w in line.split())
            for line in references
        ]
        for place, system in enumerate(SYSTEMS)
    }
    return door.from_texts(outputs, [references]).metric_scores(["chrf", "wer"])


UNITS = ("judge", "item", "segment", "document", "system")


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    "asked",
    [
        {"level": "system"},
        {"level": "segment"},
        {"level": "segment", "statistic": "kendall", "undefined": "zero"},
        {"level": "segment", "statistic": "pearson"},
        {"level": "segment", "statistic": "pearson", "average_by": "none"},
    ],
    ids=lambda asked: " ".join(asked.values()),
)
def test_scores(scores, metrics, asked: Mapping[str, str], unit: str) -> None:
    """An interval around every value, named after what was drawn, the same from the same seed."""
    result, same = (
        scores.metaeval(metrics, unit=unit, replicates=REPLICATES, **asked) for _ in range(2)
    )
    assert np.array_equal(result.low, same.low)
    assert (result.low < result.high).all()
    assert (result.low < result.values[:, 0] + 0.1).all()
    assert (result.high > result.values[:, 0] - 0.1).all()
    assert f"replicates of {unit}s" in result.render("table")


@pytest.mark.parametrize("level", ["system", "segment"])
@pytest.mark.parametrize(
    "unit", ["comparison", "ranking", "judge", "segment", "document", "system"]
)
def test_rankings(metrics, level: str, unit: str) -> None:
    random = np.random.default_rng(3)
    number = 400
    left, right = (random.integers(0, len(SYSTEMS), number) for _ in range(2))
    right = np.where(left == right, (right + 1) % len(SYSTEMS), right)
    strength = (right - left) / 3 + random.normal(size=number)
    people = door.from_comparisons(
        [SYSTEMS[i] for i in left],
        [SYSTEMS[i] for i in right],
        np.sign(np.round(strength)).astype(int).tolist(),
        segment=[f"{i % SEGMENTS + 1}" for i in range(number)],
        judge=[f"judge-{i % JUDGES}" for i in range(number)],
        document=[f"document-{i % SEGMENTS // 2}" for i in range(number)],
    )
    result = people.metaeval(metrics, level=level, unit=unit, replicates=REPLICATES)
    assert (result.low < result.high).all()
    assert (result.low < result.values[:, 0] + 0.1).all()
    assert (result.high > result.values[:, 0] - 0.1).all()


def test_drawing_every_system_once_gives_the_value() -> None:
    """Weights of 1, and of 2 for one system: the same as its output standing there twice."""
    random = np.random.default_rng(4)
    human = random.integers(0, 4, (6, 30)).astype(float)
    metric = human + random.normal(0, 1, human.shape)
    human[:, 3] = np.nan  # nobody judged it
    once = np.ones((1, 6))
    for statistic in ("accuracy", "accuracy-calibrated", "kendall", "pearson"):
        for by in ("item", "none", "system"):
            value = segment_value(statistic, human, metric, by)
            epsilon = value.epsilon or 0.0
            drawn = drawn_values(statistic, by, "leave-out", human, metric, epsilon, once)
            if drawn is None:
                assert statistic != "pearson"
                assert by != "item"
                continue
            assert drawn[0] == pytest.approx(value.value, abs=1e-12)
    twice = np.array([[2.0, 1, 1, 1, 1, 0]])
    rows = [0, 0, 1, 2, 3, 4]
    drawn = drawn_values("pearson", "item", "leave-out", human, metric, 0.0, twice)
    assert drawn[0] == pytest.approx(
        segment_value("pearson", human[rows], metric[rows], "item").value
    )


def test_drawn_judges_count_as_often_as_they_are_drawn() -> None:
    ratings = Ratings(
        value=np.array([1.0, 5.0, 2.0]),
        system=np.array([0, 0, 1]),
        segment=np.array([0, 0, 0]),
        judge=np.array([0, 1, 1]),
        item=np.arange(3),
        systems=2,
        segments=1,
    )
    units = units_of(ratings.judge, "judge")
    draw = ratings.drawer(units, Resampling("judge").seed)
    seen = {tuple(np.nan_to_num(draw(number), nan=-1).ravel()) for number in range(50)}
    assert seen == {(1.0, -1.0), (5.0, 2.0), (3.0, 2.0)}  # one judge twice, the other, both
    assert ratings.among([1]).value.tolist() == [2.0]
