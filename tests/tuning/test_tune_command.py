"""`adjudge tune` and its Python door."""

import json
from pathlib import Path

import numpy as np
import pytest

import adjudge as door
from adjudge.core.errors import AdjudgeError
from adjudge.tuning import search

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
GIVEN = (EXAMPLES / "candidates.jsonl", "--reference", EXAMPLES / "reference.txt")
NBEST = """0 ||| a b c ||| d= 1 2 lm= -3 ||| 1
0 ||| a b ||| d= 2 2 lm= -1 ||| 1
1 ||| x y ||| d= 1 1 lm= -3 ||| 1
1 ||| x ||| d= 2 1 lm= -2 ||| 1
"""


@pytest.fixture
def nbest(tmp_path):
    (tmp_path / "list").write_text(NBEST)
    (tmp_path / "reference").write_text("a b c\nx y\n")
    return tmp_path


def rows_of(answer):
    assert answer.code == 0, answer.err
    rows = json.loads(answer.out)
    return [r for r in rows if r["kind"] == "score"], [r for r in rows if r["kind"] == "weight"]


def test_scores_and_weights(adjudge, tmp_path):
    saved = ("--save-weights", tmp_path / "weights", "--save-chosen", tmp_path / "chosen")
    scores, weights = rows_of(adjudge("tune", *GIVEN, "-f", "json", *saved))
    (score,) = scores
    assert score["score"] > score["before"] + 10
    assert score["low"] < score["score"] < score["high"]
    assert score["difference_low"] > 0
    assert [w["feature"] for w in weights][:2] == ["agreement", "length"]
    assert "--hold-out 0.5" in score["notes"]
    # The saved weights choose the saved texts, which have the score that was said.
    again, _ = rows_of(
        adjudge("tune", *GIVEN, "--weights", tmp_path / "weights", "-f", "json", "--restarts", 0)
    )
    assert again[0]["before"] == pytest.approx(score["score"])
    chosen = door.read_texts(
        {"tuned": str(tmp_path / "chosen")}, str(EXAMPLES / "reference.txt")
    ).metrics("bleu", replicates=10)
    assert chosen.scores[0] == pytest.approx(score["score"])


def test_tuners_compared_on_held_out_sentences(adjudge):
    scores, weights = rows_of(
        adjudge(
            *("tune", *GIVEN, "--tuner", "mert", "--tuner", "expected", "--hold-out", 0.5),
            *("-m", "ter", "-f", "json"),
        )
    )
    assert [(s["part"], s["tuner"], s["sentences"]) for s in scores] == [
        ("development", "mert", 30),
        ("development", "expected", 30),
        ("test", "mert", 30),
        ("test", "expected", 30),
    ]
    assert all(s["score"] < s["before"] for s in scores)  # TER falls
    assert {w["tuner"] for w in weights} == {"mert", "expected"}
    table = adjudge("tune", *GIVEN, "--hold-out", 0.5, "-m", "ter").out
    assert "(lower is better)" in table
    assert "no tuner saw" in table


def test_signs_frozen_weights_and_labels(adjudge, nbest):
    (nbest / "begin").write_text("d= 0.5 0.25\nlm= -1\n")
    given = (nbest / "list", "--reference", nbest / "reference", "--weights", nbest / "begin")
    _, weights = rows_of(
        adjudge("tune", *given, "-m", "wer", "--frozen", "d", "--negative", "lm_0", "-f", "json")
    )
    values = {w["feature"]: w["weight"] for w in weights}
    assert values["d_0"] == 0.5
    assert values["d_1"] == 0.25
    assert values["lm_0"] <= 0


def test_a_pool_as_moses_writes_it(adjudge, nbest):
    given = ("tune", nbest / "list", nbest / "list", "--reference", nbest / "reference")
    written = adjudge(*given, "--save-pool", nbest / "pool", "-m", "wer")
    assert written.code == 0, written.err
    features, statistics = ((nbest / "pool" / f"{n}.txt") for n in ("features", "statistics"))
    assert features.read_text().startswith("FEATURES_TXT_BEGIN_0 0 2 3 d_0 d_1 lm_0 \n1 2 -3 \n")
    scores, _ = rows_of(adjudge("tune", features, "--statistics", statistics, "-f", "json"))
    assert scores[0]["score"] == 0
    assert scores[0]["candidates"] == 4


def test_made_again_from_its_signature(nbest):
    paths = (str(nbest / "list"), str(nbest / "reference"))
    tuned = door.read_candidates(paths[0], reference=paths[1]).tune(
        ["wer", "bleu"], share=[1, 3], restarts=2, seed=4, weights={"d_0": 1, "d_1": 0, "lm_0": 2}
    )
    same = door.again(str(tuned.signature), *paths)
    assert same.render("json") == tuned.render("json")
    assert np.array_equal(same.weights, tuned.weights)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--tuner", "mart"), "did you mean 'mert'"),
        (("--positive", "lmm"), "--positive cannot be 'lmm'; did you mean 'lm'"),
        (("--positive", "d", "--negative", "d_0"), "d_0 cannot be both --positive and --negative"),
        (("--frozen", "d"), "give --weights to begin with"),
        (("--hold-out", "0.1"), "--hold-out of 0.1 leaves 2 of 2 sentences"),
        (("--hold-out", "2"), "--hold-out is between 0 and 1, not 2"),
        (("--share", "1"), ""),
        (("--share", "1", "--share", "2"), "--share has 2 numbers for 1 metrics"),
        (("-m", "bleu", "-m", "wer", "--share", "1", "--share", "0"), "--share is above 0"),
        (("-m", "hamming"), "reads alignments; candidates are words"),
        (("-m", "scores:qe"), "no scores called 'qe'"),
        (("--confidence", "1"), "--confidence is between 0 and 1"),
        (("--engine", "tcp://x"), "is not an address of a Dask scheduler"),
        (("--weights", "short"), "short: line 1: has 2 weights for 3 features"),
        (("--weights", "other"), "other: has none for feature d_1"),
        (("--weights", "zero"), "all weights are 0"),
        (("--weights", "minus", "--positive", "lm"), "that of lm_0 is -1, but it shall be"),
    ],
)
def test_bad_parameters_are_one_clear_line(adjudge, nbest, options, said):
    for name, text in (
        ("short", "1 2\n"),
        ("other", "d= 1\nlm= 2\n"),
        ("zero", "0 0 0\n"),
        ("minus", "d= 1 1\nlm= -1\n"),
    ):
        (nbest / name).write_text(text)
    answer = adjudge("tune", "list", "--reference", "reference", *options, folder=nbest)
    if not said:
        assert answer.code == 0, answer.err
        return
    assert answer.code == 2
    assert said in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"list": NBEST.replace("d= 2 1 lm= -2", "d= 2 1")}, "list: line 4: lacks feature lm_0"),
        ({"second": NBEST.replace("lm=", "ilm=")}, "second: lacks feature lm_0, unlike"),
        ({"second": NBEST.replace("d= 1 2", "d= 1 2 3")}, "second: line 2: lacks feature d_2"),
        ({"list": NBEST.replace("1 |||", "2 |||")}, "list: sentence 1 has no candidates"),
        ({"reference": "a b c\n"}, "candidates of 2 sentences, the reference has 1 lines"),
        (
            {"list": NBEST.replace("lm= -1", "lm= nan")},
            "list: line 2: feature lm_0 is not a finite",
        ),
        (
            {"list": "".join(f"{n} ||| a ||| lm= {k}\n" for n in (0, 1) for k in (1, 2))},
            "equally good by bleu; there is nothing to tune towards",
        ),
        (
            {"list": "".join(f"{n} ||| {t} ||| lm= 1\n" for n in (0, 1) for t in ("a", "a b"))},
            "equal features; no weights can choose",
        ),
        (
            {"list": "0 ||| a ||| lm= 1\n1 ||| x ||| lm= 1\n" * 2},
            "one candidate only, equal ones being one",
        ),
    ],
)
def test_bad_lists_are_one_clear_line(adjudge, nbest, changed, said):
    for name, text in changed.items():
        (nbest / name).write_text(text)
    lists = ["list", *(name for name in changed if name == "second")]
    saved = ("--save-weights", "weights", "--report", "page.html")
    answer = adjudge("tune", *lists, "--reference", "reference", *saved, folder=nbest)
    assert answer.code == 2
    assert said in answer.err
    assert answer.err.count("\n") == 1
    assert not {path.name for path in nbest.iterdir()} & {"weights", "page.html"}


def test_features_alone_need_statistics(nbest):
    (nbest / "f").write_text("FEATURES_TXT_BEGIN_0 0 2 1 f \n1 \n2 \nFEATURES_TXT_END_0\n")
    with pytest.raises(AdjudgeError, match="has features only; give the `statistics`"):
        door.read_candidates(str(nbest / "f"))
    with pytest.raises(AdjudgeError, match="leave `reference` out"):
        door.read_candidates(str(nbest / "f"), reference="r", statistics="s")
    with pytest.raises(AdjudgeError, match="give a `reference`"):
        door.read_candidates(str(nbest / "list")).tune()


def test_a_search_that_was_stopped_goes_on(adjudge, tmp_path, monkeypatch):
    file = tmp_path / "tune.checkpoint"
    asked = ("tune", *GIVEN, "--restarts", 12, "--rounds", 2, "-f", "json")
    climb, starts = search.climb, []

    def climb_until(stop):
        def climbed(pool, start, number, *how):
            starts.append(number)
            if len(starts) == stop:
                raise KeyboardInterrupt
            return climb(pool, start, number, *how)

        starts.clear()
        monkeypatch.setattr(search, "climb", climbed)

    climb_until(0)
    whole, every = adjudge(*asked).out, len(starts)
    climb_until(every - 1)
    adjudge(*asked, "--checkpoint", file)
    assert file.exists()
    climb_until(0)
    assert adjudge(*asked, "--checkpoint", file).out == whole
    assert 0 < len(starts) <= 5  # the last starts, which are kept five at a time
    assert not file.exists()
