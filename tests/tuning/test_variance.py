"""The variance of tuning: what is drawn, where spread comes from, and how many restarts do."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import adjudge as door
from adjudge.core.errors import AdjudgeError
from adjudge.tuning.goals import read_goal
from adjudge.tuning.run_spread import RunScores, best_of

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
GIVEN = (EXAMPLES / "candidates.jsonl", "--reference", EXAMPLES / "reference.txt")
QUICK = {"sets": 6, "seeds": 2, "restarts": 6, "rounds": 0, "replicates": 100}


@pytest.fixture(scope="module")
def candidates():
    return door.read_candidates(str(GIVEN[0]), reference=str(GIVEN[2]))


@pytest.fixture(scope="module")
def varied(candidates):
    return candidates.tune_variance(["bleu", "0.3 ter + 0.7 chrf"], by="wer", **QUICK)


def test_scores_are_those_of_the_chosen_texts(candidates, varied):
    """Every score anew: by the weights' choice of texts among the test sentences."""
    runs = varied.runs
    pool = candidates.pool("bleu")
    reference = (EXAMPLES / "reference.txt").read_text().splitlines()
    metric = pool.objective.single
    for g, name in enumerate(("bleu", "0.3 ter + 0.7 chrf")):
        anew = []
        for weights in runs.weights[0, :, g]:
            chosen = pool.chosen(weights)
            texts = tuple(pool.texts[chosen[sentence]] for sentence in runs.test)
            counts = metric.statistics((tuple(reference[s] for s in runs.test),))(texts)
            anew.append(float(metric.values(counts.sum(axis=0))))
        (row,) = [s for s in varied.scores if (s.goal, s.measure) == (name, "bleu")]
        assert row.spread.value == pytest.approx(np.mean(anew))
        assert row.spread.by_seed >= 0
        assert row.spread.low <= row.spread.high
    assert {*runs.development} | {*runs.test} == set(range(60))
    assert not {*runs.development} & {*runs.test}


def test_every_goal_meets_the_same_conditions(candidates, varied):
    """One goal alone has the weights that it has beside others."""
    alone = candidates.tune_variance("0.3 ter + 0.7 chrf", **QUICK)
    assert np.array_equal(alone.runs.weights[:, :, 0], varied.runs.weights[:, :, 1])
    assert not alone.differences


def test_the_spread_falls_into_parts(varied):
    """By hand from all runs: seeds within development sets, and development sets."""
    goal = varied.runs.goals[0]
    own = varied.test_scores(goal)[..., 0]
    spread = varied.scores[0].spread
    within = np.mean([np.var(row, ddof=1) for row in own])
    assert spread.by_seed == pytest.approx(np.sqrt(within))
    between = np.var(own[1:].mean(axis=1), ddof=1) - within / 2
    assert spread.by_set == pytest.approx(np.sqrt(max(0, between)))
    # By the jackknife: a sentence of the test left out.
    runs = varied.runs
    jackknifed = []
    for weights in runs.weights[0, :, 0]:
        counts = runs.pool.statistics[runs.pool.chosen(weights)[runs.test]]
        left = goal.values(counts.sum(axis=0) - counts)
        jackknifed.append((len(left) - 1) ** 2 / len(left) * left.var(ddof=1))
    assert spread.by_test == pytest.approx(np.sqrt(np.mean(jackknifed)), rel=0.25)
    assert spread.low < spread.value < spread.high


def test_what_depends_on_run_and_sentence_counts_once():
    """Scores are means of noise, new in every run and sentence: there is nothing else to them."""
    random = np.random.default_rng(5)
    noise = random.normal(size=(80, 401, 1))  # sentences, sets + 1, seeds
    weights = random.multinomial(80, np.full(80, 1 / 80), size=1000) / 80
    scores = RunScores(noise.mean(axis=0), weights @ noise[:, 0], noise / 80)
    low, high = scores.interval(0.95, 400)
    assert (low + high) / 2 == pytest.approx(scores.value)
    assert (high - low) / 2 == pytest.approx(1.98 * 80**-0.5, rel=0.1)  # not √2 times as wide
    nothing = scores - scores
    assert nothing.interval(0.95, 400) == (0, 0)


def test_differences_are_of_the_same_runs(varied):
    by_bleu, by_other, by_wer = varied.differences
    assert [d.measure for d in varied.differences] == ["bleu", "0.3 ter + 0.7 chrf", "wer"]
    scores = {(s.goal, s.measure): s.spread.value for s in varied.scores}
    for each in (by_bleu, by_other, by_wer):
        gap = scores[each.first, each.measure] - scores[each.second, each.measure]
        assert each.spread.value == pytest.approx(gap)
        assert 0 <= each.better <= 1
        assert each.beyond_chance in ("no", "on average", "yes")


def test_a_goal_that_wants_the_opposite_differs_beyond_chance(tmp_path):
    """One feature is the score to be high by one goal, its opposite by the other."""
    random = np.random.default_rng(2)
    rows = []
    for segment in range(1, 41):
        for good in random.normal(size=5):
            features = {"good": good, "noise": random.normal()}
            scores = {"up": good, "down": -good}
            row = {"segment": segment, "text": "a", "features": features, "scores": scores}
            rows.append(json.dumps(row))
    (tmp_path / "list").write_text("\n".join(rows))
    told = door.read_candidates(str(tmp_path / "list")).tune_variance(
        ["scores:up", "scores:down"], **QUICK
    )
    up, down = told.differences
    assert (up.beyond_chance, down.beyond_chance) == ("yes", "yes")
    assert up.spread.low > 0 > down.spread.high
    assert (up.better, down.better) == (1, 0)
    weights = {(w.goal, w.feature): w for w in told[0].weights}
    assert weights["scores:up", "good"].spread.low > 0
    assert weights["scores:up", "good"].same_sign == 1


def test_the_best_of_some_is_as_counted_by_hand():
    values = np.array([1.0, 2.0, 2.0, 5.0, 7.0])
    for drawn in range(1, 6):
        all_draws = [max(draw) for draw in combinations(values, drawn)]
        assert best_of(5, drawn) @ values == pytest.approx(np.mean(all_draws))


def test_more_restarts_are_never_worse(varied):
    curve = [row.expected for row in varied.restarts if row.goal == "bleu"]
    assert len(curve) == 3  # 1, 2, 5 of 12
    assert curve == sorted(curve)
    ends = varied.runs.ends[:, 0].reshape(-1)
    assert curve[0] == pytest.approx(ends.mean())


def test_the_same_on_any_number_of_workers_and_again(candidates, varied):
    together = candidates.tune_variance(
        ["bleu", "0.3 ter + 0.7 chrf"], by="wer", **QUICK, workers=2
    )
    assert together.render("json") == varied.render("json")
    again = door.again(str(varied.signature), str(GIVEN[0]), str(GIVEN[2]))
    assert again.render("json") == varied.render("json")


def test_the_command(adjudge):
    options = ("--sets", 4, "--seeds", 2, "--restarts", 4, "--rounds", 0, "--replicates", 50)
    answer = adjudge("tune-variance", *GIVEN, *options, "-m", "bleu", "-m", "wer + ter")
    assert answer.code == 0, answer.err
    for said in ("4 development sets drawn from 30 sentences × 2 seeds", "wer + ter", "best of"):
        assert said in answer.out
    rows = json.loads(adjudge("tune-variance", *GIVEN, *options, "-f", "json").out)
    assert {row["kind"] for row in rows} == {"score", "weight", "restarts"}


@pytest.mark.parametrize("tuner", ["pro", "mira"])
def test_other_tuners_have_no_restarts(candidates, tuner):
    told = candidates.tune_variance(tuner=tuner, **QUICK)
    assert told.scores[0].spread.value > told.scores[0].before
    assert not told.restarts


def test_a_drawn_set_with_nothing_to_learn_from_leaves_the_weights(tmp_path):
    """Two sentences to tune on, of which one has candidates that differ: many draws lack it."""
    rows = [
        {"segment": segment, "text": text, "features": {"good": good, "long": good - segment}}
        for segment in range(1, 5)
        for good, text in enumerate(("a b x d", "a b c d") if segment != 2 else ("y", "y z"))
    ]
    (tmp_path / "list").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "reference").write_text("a b c d\nv w\na b c d\na b c d\n")
    given = door.read_candidates(str(tmp_path / "list"), reference=str(tmp_path / "reference"))
    start = {"good": -2.0, "long": -2.0}
    for seed in range(1, 20):
        told = given.tune_variance("per", tuner="pro", weights=start, **QUICK | {"seed": seed})
        if told.runs.stayed:
            break
    assert f"In {told.runs.stayed} of 12 runs on drawn development sets pro had nothing" in repr(
        told
    )
    kept = (told.runs.weights[1:, :, 0] == [-0.5, -0.5]).all(axis=-1)
    assert kept.sum() == told.runs.stayed
    assert (told.runs.weights[0] != -0.5).all()


@pytest.mark.parametrize(
    ("text", "metrics", "shares"),
    [
        ("bleu", ["bleu"], None),
        ("exact-match+ bleu(tokenize=none,smooth=none)", ["exact-match", None], None),
        ("0.7 bleu + .3 ter", ["bleu", "ter"], [0.7, 0.3]),
    ],
)
def test_goals_as_they_are_written(text, metrics, shares):
    found, given = read_goal(text)
    expected = [metric or "bleu(tokenize=none,smooth=none)" for metric in metrics]
    assert (found, given) == (expected, shares)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-m", "bleu + "), "lacks a name beside a +"),
        (("-m", "0.7 bleu + ter"), "has shares of some metrics only"),
        (("-m", "bleu", "-m", "1 bleu"), "name each --metric once"),
        (("--hold-out", 0), "--hold-out is above 0"),
        (("--replicates", 1), "--replicates"),
        (("--frozen", "length"), "give --weights to begin with"),
        (("--tuner", "mart"), "did you mean 'mert'"),
    ],
)
def test_bad_parameters_are_one_clear_line(adjudge, options, said):
    answer = adjudge("tune-variance", *GIVEN, *options)
    assert answer.code == 2
    assert said in answer.err
    assert answer.err.count("\n") == 1


def test_statistics_are_of_one_goal(tmp_path):
    (tmp_path / "f").write_text("FEATURES_TXT_BEGIN_0 0 2 1 f \n1 \n2 \nFEATURES_TXT_END_0\n")
    (tmp_path / "s").write_text("SCORES_TXT_BEGIN_0 0 2 2 WER\n1 2 \n0 2 \nSCORES_TXT_END_0\n")
    given = door.read_candidates(str(tmp_path / "f"), statistics=str(tmp_path / "s"))
    with pytest.raises(AdjudgeError, match="say which metric is meant"):
        given.tune_variance(["wer", "bleu"])
