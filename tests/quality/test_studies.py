"""What a model is worth on held-out data: by hand, and on made-up data with a known truth."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import adjudge
from adjudge.core.errors import BadParameter, NotEnoughData
from adjudge.quality.models.train import Trained, train
from adjudge.quality.reading import read_quality
from adjudge.quality.studies.errors import worst_numbers, worst_picks
from adjudge.quality.studies.held_out import HeldOut, held_out
from adjudge.quality.studies.importance import importances
from adjudge.quality.studies.intervals import coverage
from adjudge.quality.studies.learning_curve import learning_curve, power_law, single_models_off
from adjudge.quality.studies.selective_editing import SHARES, selective_editing
from adjudge.quality.studies.system_selection import picking
from adjudge.quality.studies.translators import by_translator
from adjudge.stats.resampling import Resampling

pytestmark = pytest.mark.slow

FEW = Resampling(replicates=200)


def test_a_power_law_is_found_again() -> None:
    sizes = np.array([50, 100, 200, 400, 800.0])
    laws = np.array([[10, 40, 0.5], [0.2, 3, 1.0], [5, 0, 0.125]])
    errors = np.stack([a + b * sizes**-c for a, b, c in laws])
    level, slope, exponent = power_law(sizes, errors)
    ahead = level + slope * 3200**-exponent
    assert ahead == pytest.approx([a + b * 3200**-c for a, b, c in laws], rel=1e-6)


def test_a_curve_that_rises_is_taken_for_flat() -> None:
    level, slope, _ = power_law(np.array([10, 20, 40.0]), np.array([[1.0, 2.0, 3.0]]))
    assert (level[0], slope[0]) == pytest.approx((2.0, 0.0))


def test_single_models_scatter_as_those_of_parts() -> None:
    """By hand: parts of 100, 200 and 400 of 800 with variances 8, 4 and 2 say 1 for the whole."""
    sizes, place = np.array([50, 100, 200, 400, 800]), np.array([0, 0, 1, 1, 2, 2, 3, 3, 4])
    half = np.sqrt(np.array([100.0, 8, 4, 2]) / 2)  # of the distance between two with that variance
    values = np.append(np.stack([3 - half, 3 + half], axis=1).ravel(), 9.0)
    off = single_models_off(values, sizes, place, (200_000, 14), np.random.default_rng(1))
    # Columns: five sizes, twice, four times; the same of gains. Quartiles of Student's with 3.
    quarter = np.quantile(off, 0.75, axis=0) / 0.7649
    expected = [0] * 5 + [1 / 2, 1 / 4] + [0] * 5 + [1 + 1 / 2, 1 + 1 / 4]
    assert quarter**2 == pytest.approx(expected, rel=0.03)


def write(path: Path, numbers: np.random.Generator, rows: int, noise: float) -> str:
    """Translations whose HTER is a tenth of the number of their words, and noise."""
    lines = ["source\ttarget\tfeature_1\tfeature_2\thter\tdocument"]
    for row in range(rows):
        useful, useless = numbers.random(2)
        hter = np.clip(useful + numbers.normal(0, noise), 0, 1)
        lines.append(f"a {row}\tb {row}\t{useful:.6f}\t{useless:.6f}\t{hter:.6f}\td{row // 5}")
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.fixture(scope="module")
def scored(tmp_path_factory) -> tuple[Trained, HeldOut, str]:
    folder = tmp_path_factory.mktemp("scored")
    random = np.random.default_rng(5)
    data = {
        part: write(folder / f"{part}.tsv", random, rows, 0.15)
        for part, rows in (("train", 400), ("test", 300))
    }
    trained = train(read_quality([data["train"]]), learner="elastic-net", features=("given",))
    return trained, held_out(trained, read_quality([data["test"]]), None, FEW), data["train"]


def test_the_useful_feature_is_told_from_the_useless_one(scored) -> None:
    _, held, _ = scored
    family, first, second = importances(held, seed=1)
    assert (family.name, family.features) == ("given", 2)
    assert (first.name, second.name) == ("feature_1", "feature_2")
    assert first.loss.low > 10  # points of HTER
    assert abs(second.loss.value) < 1


def test_many_features_are_shuffled_where_their_family_matters(tmp_path) -> None:
    random = np.random.default_rng(8)
    files = []
    for part in ("train", "test"):
        lines = ["source\ttarget\thter\t" + "\t".join(f"feature_{n}" for n in range(1, 31))]
        for row in range(90):
            numbers = random.random(30)
            text = "a " * int(random.integers(1, 9)) + str(row)
            cells = "\t".join(f"{each:.4f}" for each in numbers)
            lines.append(f"{text}\t{text}\t{numbers[3]:.4f}\t{cells}")
        files.append(tmp_path / f"{part}.tsv")
        files[-1].write_text("\n".join(lines) + "\n")
    read = read_quality([str(files[0])])
    trained = train(read, learner="elastic-net", features=("counts", "given"))
    held = held_out(trained, read_quality([str(files[1])]), None, FEW)
    assert len(importances(held, 1)) == 2 + len(held.features)
    object.__setattr__(held, "affordable", 90)  # one shuffle
    found = importances(held, 1)
    assert [each.name for each in found[:3]] == ["given", "counts", "feature_4"]
    assert len(found) == 2 + 20
    assert {each.family for each in found[2:]} == {"given"}


def test_importance_is_the_same_on_two_workers(scored) -> None:
    from adjudge.core.parallel import Engine

    _, held, _ = scored
    assert importances(held, 1) == importances(held, 1, Engine(2))


def test_intervals_hold_as_often_as_promised(scored) -> None:
    _, held, _ = scored
    whole, *thirds = coverage(held)
    assert whole.translations == 300
    assert 0.84 <= whole.held.value <= 0.96
    assert whole.held.low < whole.held.value < whole.held.high
    assert sum(third.translations for third in thirds) == 300


def test_the_learning_curve_falls_and_goes_on(scored) -> None:
    _, held, data = scored
    curve = learning_curve(held, held.training(read_quality([data]), None), seed=1)
    assert [point.translations for point in curve.measured] == [25, 50, 100, 200, 400]
    assert [point.parts for point in curve.measured] == [3, 3, 3, 2, 1]
    assert [point.translations for point in curve.expected] == [800, 1600]
    assert curve.whole.measure.value == pytest.approx(100 * _mae(held))
    for point in curve.expected:
        assert 0 <= point.gain.value < 1
        assert point.gain.low <= point.gain.value <= point.gain.high + 1e-9


def _mae(held: HeldOut) -> float:
    return float(np.abs(held.said.value - held.gold).mean())


def test_worst_errors_come_first(scored) -> None:
    _, held, _ = scored
    errors = [abs(each.true - each.predicted) for each in worst_numbers(held)]
    assert errors == sorted(errors, reverse=True)
    assert errors[0] == pytest.approx(100 * np.abs(held.said.value - held.gold).max())


def test_selective_editing_by_hand(scored) -> None:
    _, held, _ = scored
    result = selective_editing(held)
    order = np.argsort(-held.said.value, kind="stable")
    for share, saved in zip(SHARES, result.saved, strict=True):
        whole = round(share * len(order))
        if abs(share * len(order) - whole) < 1e-9:
            expected = held.gold[order[:whole]].sum() / held.gold.sum()
            assert saved.value == pytest.approx(expected)
    for saved, oracle, share in zip(result.saved, result.oracle, SHARES, strict=True):
        assert share - 1e-9 <= saved.value <= oracle.value + 1e-9
    assert 0.5 < result.gained.value < 1
    assert result.gained.low < result.gained.value < result.gained.high


def test_training_data_are_refused(scored) -> None:
    trained, _, data = scored
    with pytest.raises(BadParameter, match="was trained on these data"):
        held_out(trained, read_quality([data]))


def rankings(path: Path, random: np.random.Generator, number: int) -> str:
    """System good is best in nine of ten rankings; its texts are longer, as all good ones are."""
    rows = []
    for ranking in range(number):
        order = ["good", "fair", "poor"]
        if ranking % 10 == 0:
            order = ["fair", "good", "poor"]
        candidates = [
            {
                "system": name,
                "rank": place + 2,
                "text": "word " * (9 - 2 * place + int(random.integers(0, 2))),
            }
            for place, name in enumerate(order)
        ]
        # What people wrote is no system's, and nobody can pick it.
        candidates.append({"system": "_ref", "rank": 1, "text": "short"})
        rows.append({"segment": str(ranking), "source": f"s {ranking}", "candidates": candidates})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.fixture(scope="module")
def ranked(tmp_path_factory) -> tuple[str, str, str]:
    """A model of ranks, its training data, and other data."""
    folder = tmp_path_factory.mktemp("ranked")
    random = np.random.default_rng(2)
    data = [rankings(folder / f"{part}.jsonl", random, 60) for part in ("train", "test")]
    model = str(folder / "model.adjudge")
    adjudge.train_quality(data[0], feature="counts")[0].save(model)
    return model, *data


def test_a_perfect_model_picks_better_than_the_best_system(ranked) -> None:
    model, _, data = ranked
    result = adjudge.quality_gain(model, data)[0]
    by_name = {choice.name: choice for choice in result.choices}
    pick, good, random = (by_name[name] for name in ("the model's pick", "good", "one at random"))
    assert pick.wins.value == pytest.approx(1.0)  # length tells it all
    assert good.wins.value == pytest.approx(0.9 + 0.1 * 0.5)
    assert good.rank.value == pytest.approx(2.1)
    assert (random.wins.value, random.rank.value) == pytest.approx((0.5, 3.0))
    assert good.gain is not None
    assert good.gain.value == pytest.approx(0.05)
    assert good.gain.low >= 0
    assert [choice.role for choice in result.choices] == (
        ["model", "system", "system", "system", "random", "oracle"]
    )


def test_a_model_that_ties_all_gains_nothing(ranked) -> None:
    _, train_data, data = ranked
    trained = adjudge.train_quality(train_data, feature="counts")[0]
    held = held_out(trained, read_quality([data]), None, FEW)
    # The same score for all: those that are equal share the pick.
    tied = picking(replace(held, score=np.zeros(len(held.score))))
    assert tied.choices[0].wins.value == pytest.approx(0.5)
    wrong = worst_picks(replace(held, score=np.arange(len(held.score)) % 4.0))
    assert wrong
    assert all(each.picked_system != "_ref" != each.best_system for each in wrong)


def test_gain_and_its_signature_by_commands(ranked, adjudge, tmp_path) -> None:
    model, train_data, data = ranked
    figure = tmp_path / "picking.svg"
    answer = adjudge("quality", "gain", model, data, "-f", "json", "--figure", figure)
    assert answer.code == 0, answer.err
    rows = json.loads(answer.out)
    assert rows[0]["choice"] == "the model's pick"
    assert b"the model" in figure.read_bytes()
    again = adjudge("again", rows[0]["signature"], model, data, "-f", "json")
    assert json.loads(again.out) == rows
    refused = adjudge("again", rows[0]["signature"], model, train_data)
    assert refused.code == 2
    refused = adjudge("quality", "gain", model, train_data)
    assert refused.code == 2
    assert "was trained on these data" in refused.err


def test_times_by_translator(tmp_path) -> None:
    random = np.random.default_rng(4)
    files = []
    for part in ("train", "test"):
        lines = ["source\ttarget\tseconds\ttranslator\tdocument"]
        for row in range(200):
            length, slow = int(random.integers(1, 20)), row % 2
            seconds = (2 + length) * (1 + 2 * slow) * random.uniform(0.8, 1.2)
            text = "a " * length
            lines.append(f"{text}\t{text}\t{seconds:.2f}\t{'slow' if slow else 'fast'}\t{row // 8}")
        files.append(tmp_path / f"{part}.tsv")
        files[-1].write_text("\n".join(lines) + "\n")
    read = read_quality([str(files[0])])
    trained = train(read, learner="elastic-net", features=("counts", "editing"))
    held = held_out(trained, read_quality([str(files[1])]), None, FEW)
    fast, slow = by_translator(held)
    assert (fast.translator, slow.translator) == ("fast", "slow")
    assert fast.translations == slow.translations == 100
    assert slow.seconds > 2 * fast.seconds
    for each in (fast, slow):
        assert 0.85 < each.ratio.value < 1.15
        assert each.mae.value < 0.3 * each.seconds
    with pytest.raises(NotEnoughData, match="nothing can be saved"):
        selective_editing(held)
