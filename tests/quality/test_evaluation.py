"""`adjudge quality evaluate`: tables, winners, the baseline, and what is said of bad input."""

import json

import numpy as np
import polars as pl
import pytest

import adjudge as door
from adjudge.core.errors import BadParameter, InputError
from adjudge.quality.evaluation.oracles import decide
from adjudge.quality.evaluation.selection import evaluate_selection
from adjudge.quality.evaluation.submissions import Submission, read_submission
from adjudge.quality.evaluation.system_ranking import told_apart
from adjudge.quality.tasks.selection import selection_task
from adjudge.quality.translations import translation_table
from adjudge.stats.resampling import Resampling

pytestmark = pytest.mark.slow


@pytest.fixture
def hter(tmp_path):
    """200 values of HTER, predicted well, less well and not at all; the last is the baseline."""
    random = np.random.default_rng(1)
    gold = random.random(200)
    for name, noise in (("test.hter", 0), ("good.txt", 0.1), ("fair.txt", 0.3), ("poor.txt", 3.0)):
        lines = np.clip(gold + noise * random.standard_normal(200), 0, 1)
        (tmp_path / name).write_text("".join(f"{value:.6f}\n" for value in lines))
    (tmp_path / "baseline.txt").write_text((tmp_path / "poor.txt").read_text())
    return tmp_path


def rows_of(answer):
    assert answer.code == 0, answer.err
    return json.loads(answer.out)


def evaluated(adjudge, folder, *arguments):
    return adjudge("quality", "evaluate", *arguments, "--replicates", 200, folder=folder)


def test_winners_and_the_baseline(adjudge, hter):
    names = ("test.hter", "poor.txt", "good.txt", "fair.txt", "baseline.txt")
    rows = rows_of(evaluated(adjudge, hter, *names, "-f", "json"))
    ranking = [row for row in rows if row["variant"] == "ranking"]
    assert [row["submission"] for row in ranking[:2]] == ["good", "fair"]
    assert [row["winner"] for row in ranking] == [True, False, False, False, False]
    beside = {row["submission"]: row["beside_baseline"] for row in ranking}
    assert beside == {
        "good": "better",
        "fair": "better",
        "poor": "not different",
        "baseline": None,
        "Oracle HTER": "better",
    }
    scoring = {row["submission"]: row for row in rows if row["variant"] == "scoring"}
    assert scoring["Oracle HTER"]["mae"] == 0
    assert 5 < scoring["good"]["mae"] < 10  # percentage points
    assert scoring["good"]["mae_low"] < scoring["good"]["mae"] < scoring["good"]["mae_high"]
    assert all(row["signature"] for row in rows)


def test_the_table_for_people(adjudge, hter):
    answer = evaluated(adjudge, hter, "test.hter", "good.txt", "fair.txt", "--baseline", "fair")
    assert "• wins: better by DeltaAvg" in answer.out
    assert "Task 1.1, scoring: HTER × 100 of 200 translations, 200 replicates" in answer.out
    assert "Oracle HTER" in answer.out


def test_two_that_predict_the_same_do_not_differ(adjudge, hter):
    rows = rows_of(evaluated(adjudge, hter, "test.hter", "poor.txt", "baseline.txt", "-f", "json"))
    assert not any(row["winner"] for row in rows)


def test_made_again_from_its_signature(adjudge, hter):
    paths = [str(hter / name) for name in ("test.hter", "good.txt", "fair.txt")]
    result = door.evaluate_quality(*paths, baseline="fair", replicates=50)
    same = door.again(str(result.signature), *paths)
    assert same.to_frame().equals(result.to_frame())
    with pytest.raises(BadParameter, match="not the input of this signature"):
        door.again(str(result.signature), paths[0], paths[2], paths[1])


def test_seeds_draw_differently(hter):
    paths = [str(hter / name) for name in ("test.hter", "good.txt")]
    low = [
        door.evaluate_quality(*paths, replicates=50, seed=seed)[0].low[0, 0] for seed in (1, 1, 2)
    ]
    assert low[0] == low[1] != low[2]


def test_ranks_alone_are_in_the_ranking_variant_only(adjudge, hter):
    order = np.argsort(np.argsort(np.loadtxt(hter / "test.hter")))
    lines = "".join(f"mine\t{i}\t\t{rank + 1}\n" for i, rank in enumerate(order, 1))
    (hter / "ranks.tsv").write_text(lines)
    rows = rows_of(evaluated(adjudge, hter, "test.hter", "ranks.tsv", "good.txt", "-f", "json"))
    ranking = {row["submission"]: row for row in rows if row["variant"] == "ranking"}
    assert ranking["mine"]["delta_avg"] == pytest.approx(ranking["Oracle HTER"]["delta_avg"])
    assert "mine" not in {row["submission"] for row in rows if row["variant"] == "scoring"}


def test_numbered_lines_may_come_in_any_order(hter):
    values = np.loadtxt(hter / "good.txt")
    order = np.random.default_rng(3).permutation(200)
    lines = "".join(f"m\t{i + 1}\t{values[i]}\t\n" for i in order)
    (hter / "wmt.tsv").write_text(lines)
    paths = [str(hter / name) for name in ("test.hter", "good.txt", "wmt.tsv")]
    scoring = door.evaluate_quality(*paths, unit="none")[1]
    assert {*scoring.names} == {"good", "m", "Oracle HTER"}
    assert np.allclose(scoring.values[0], scoring.values[1])
    assert np.isnan(scoring.low).all()


BAD = {
    "other length": (b"0.1\n0.2\n", r"p\.txt: line 3: has 2 predictions, the data have 200"),
    "no number": (b"0.1\nmuch\n", r"p\.txt: line 2: prediction 'much' is not a finite number"),
    "percentages": (b"30\n" * 200, r"p\.txt: half of its predictions are above 1"),
    "no predictions": (b"hello world\n", r"p\.txt: line 1: holds no predictions"),
    "unknown segment": (
        b"m\tx\t0.5\t1\n" * 1 + b"".join(b"m\t%d\t0.5\t1\n" % i for i in range(2, 201)),
        r"p\.txt: line 1: segment x is not among the data",
    ),
    "segment twice": (
        b"".join(b"m\t%d\t0.5\t1\n" % max(i, 2) for i in range(1, 201)),
        r"p\.txt: line 2: predicts segment 2 twice",
    ),
}


@pytest.mark.parametrize("what", sorted(BAD))
def test_bad_predictions_are_refused(hter, what):
    content, said = BAD[what]
    (hter / "p.txt").write_bytes(content)
    with pytest.raises(InputError, match=said):
        door.evaluate_quality(str(hter / "test.hter"), str(hter / "p.txt"))


def test_bad_parameters_are_refused(adjudge, hter):
    answer = evaluated(adjudge, hter, "test.hter", "good.txt", "--baseline", "god")
    assert answer.code == 2
    assert "--baseline cannot be 'god'; did you mean 'good'?" in answer.err
    answer = evaluated(adjudge, hter, "test.hter", "good.txt", "--unit", "document")
    assert answer.code == 2
    assert "no document is known" in answer.err
    (hter / "copy").mkdir()
    (hter / "copy/good.txt").write_text((hter / "good.txt").read_text())
    answer = evaluated(adjudge, hter, "test.hter", "good.txt", "copy/good.txt")
    assert answer.code == 2
    assert "copy/good.txt: a second submission is called good; rename one" in answer.err


@pytest.fixture
def words(tmp_path):
    """Tags of twenty translations, and labels for them."""
    (tmp_path / "gold.tags").write_text("OK OK BAD\nBAD OK\n" * 10)
    (tmp_path / "ours.txt").write_text("OK OK BAD\nOK OK\n" * 10)
    return tmp_path


def test_labels_of_words(adjudge, words):
    rows = rows_of(evaluated(adjudge, words, "gold.tags", "ours.txt", "-f", "json"))
    ours, trivial = rows
    assert ours["submission"] == "ours"
    assert ours["precision_bad"] == 1
    assert ours["recall_bad"] == 0.5
    assert ours["accuracy"] == 0.8
    assert ours["beside_baseline"] == "better"
    assert trivial["submission"] == "Baseline (one class)"
    assert trivial["f1_bad"] == 0
    assert trivial["accuracy"] == 0.6


def test_labels_by_word_as_wmt_has_them(words):
    lines = []
    for segment in range(20):
        tags = (("OK", "OK", "BAD"), ("OK", "OK"))[segment % 2]
        lines += [f"m\t{segment}\t{i}\tw\t{tag}\n" for i, tag in enumerate(tags)]
    (words / "wmt.tsv").write_text("".join(lines))
    paths = [str(words / name) for name in ("gold.tags", "ours.txt", "wmt.tsv")]
    (table,) = door.evaluate_quality(*paths, unit="none")
    assert table.names == ("ours", "m", "Baseline (one class)")
    assert np.allclose(table.values[0], table.values[1])


def test_labels_that_do_not_fit_are_refused(words):
    for content, said in (
        ("OK OK BAD\nOK\n" * 10, r"line 2: has 1 labels for the 2 words"),
        ("OK OK BAD\nOK S\n" * 10, r"'S' is no label of a word"),
        ("0.5\n" * 20, r"line 1: predicts numbers, not labels of words"),
    ):
        (words / "bad.txt").write_text(content)
        with pytest.raises(InputError, match=said):
            door.evaluate_quality(str(words / "gold.tags"), str(words / "bad.txt"), task="words")


def rankings():
    """Forty rankings of three candidates with references; the last two are tied by people."""
    columns = {"segment": [], "source": [], "ranking": [], "rank": [], "target": [], "system": []}
    for number in range(40):
        for system, rank, text in (("A", 1, "a b c d"), ("B", 2, "a b x d"), ("C", 2, "x y z v")):
            for name, value in zip(
                columns, (str(number), f"s{number}", number, rank, text, system), strict=True
            ):
                columns[name].append(value)
    return translation_table(pl.DataFrame(columns | {"reference": ["a b c d"] * 120}))


def test_rankings_of_candidates():
    task = selection_task(rankings())
    good = Submission("good", "f", rank=np.tile([1.0, 2, 2], 40))
    lazy = Submission("lazy", "f", rank=np.tile([1.0, 1, 2], 40))
    penalised, ignored = evaluate_selection(task, [lazy, good], Resampling(replicates=100))
    by_name = dict(zip(penalised.names, penalised.values[:, 0], strict=True))
    assert by_name["good"] == by_name["Oracle Human"] == 1
    assert by_name["lazy"] == 0  # half of the pairs are tied
    assert by_name["Oracle METEOR-ex (margin 0.02)"] == 1
    rows = {row["submission"]: row for row in ignored.to_frame().to_dicts()}
    assert rows["lazy"]["tau_ignored"] == 1
    assert (rows["lazy"]["non_ties"], rows["lazy"]["decisions"]) == (40, 80)
    assert {*penalised.names[1:3]} == {"lazy", "Baseline random ranks with ties"}


def test_plain_numbers_of_candidates_are_ranks_and_scores_are_not(tmp_path):
    (tmp_path / "plain.txt").write_text("1\n2\n2\n" * 40)
    (tmp_path / "scored.tsv").write_text("segment\tscore\n" + "1\t9\n1\t5\n1\t5\n" * 40)
    both = [read_submission(str(tmp_path / name)) for name in ("plain.txt", "scored.tsv")]
    penalised, _ = evaluate_selection(selection_task(rankings()), both, Resampling("none"))
    values = dict(zip(penalised.names, penalised.values[:, 0], strict=True))
    assert (values["plain"], values["scored"]) == (1, 1)


def test_predictions_come_from_standard_input(adjudge, hter):
    told = ("quality", "evaluate", "test.hter", "-", "--unit", "none", "-f", "json")
    answer = adjudge(*told, stdin=(hter / "good.txt").read_bytes(), folder=hter)
    assert rows_of(answer)[0]["submission"] == "standard input"


def test_a_margin_ties_scores_that_are_nearer():
    """WMT13 §6.8: with margin 0.01, 0.172 and 0.164 are tied, 0.158 is below the first."""
    scores = np.array([0.172, 0.164, 0.158])
    first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    assert decide(scores, first, second, 0.01).tolist() == [0, 1, 0]
    assert decide(scores, first, second, 0.0).tolist() == [1, 1, 1]


def test_candidates_in_another_order_are_refused(tmp_path):
    line = (
        '{"ranking": 1, "source": "s", "candidates": [{"system": "%s", "rank": 1, "text": "a"}, '
        '{"system": "%s", "rank": 2, "text": "b"}]}\n'
    )
    (tmp_path / "gold.jsonl").write_text(line % ("A", "B"))
    (tmp_path / "mine.jsonl").write_text(line % ("B", "A"))
    with pytest.raises(InputError, match="candidate 1 is of B, in the data of A"):
        door.evaluate_quality(str(tmp_path / "gold.jsonl"), str(tmp_path / "mine.jsonl"))


def test_seconds_are_drawn_by_document(tmp_path):
    random = np.random.default_rng(1)
    rows = ["document\teditor\tseconds\tsource\tmt\n"]
    seconds = random.gamma(2, 20, 120)
    rows += [f"d{i // 10}\tE{i % 3}\t{seconds[i]:.3f}\ts {i}\tt\n" for i in range(120)]
    (tmp_path / "gold.tsv").write_text("".join(rows))
    (tmp_path / "m.txt").write_text("".join(f"{value + 5:.3f}\n" for value in seconds))
    (table,) = door.evaluate_quality(
        str(tmp_path / "gold.tsv"), str(tmp_path / "m.txt"), replicates=100
    )
    assert table.about == "seconds to post-edit 120 translations by 3 translators"
    assert table.resampling.unit == "document"
    assert table.values[0].tolist() == pytest.approx([5, 5, 1, 1])


def test_intervals_tell_apart_what_differs_by_chance_as_often_as_they_say():
    """Of pairs of equal submissions, 5 % are told apart, give or take what chance allows."""
    random = np.random.default_rng(1)
    told = 0
    for _ in range(400):
        errors = random.exponential(size=(2, 100))
        weights = random.multinomial(100, np.full(100, 0.01), size=200) / 100
        told += told_apart(-errors.mean(axis=1), -(weights @ errors.T), 100, 0.95).any()
    assert 8 <= told <= 40


def test_a_submission_is_called_like_its_file(tmp_path):
    (tmp_path / "bb17.predictions.txt").write_text("1\n")
    assert read_submission(str(tmp_path / "bb17.predictions.txt")).name == "bb17.predictions"
