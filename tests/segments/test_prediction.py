"""Unseen systems predicted: nothing of the system leaks, and small cases by hand."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import adjudge as door
from adjudge.core.errors import NotEnoughData
from adjudge.segments.database import SegmentDatabase
from adjudge.segments.prediction.model import fit
from adjudge.segments.prediction.predicted_score import Spread, effect_of, estimate, learn
from adjudge.segments.prediction.questions import Questions, questions
from adjudge.segments.prediction.similarity import likeness
from adjudge.stats.resampling import Resampling

pytestmark = pytest.mark.slow
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "segments.jsonl"
FEW = Resampling("auto", 50, 1, 0.95)
HIDDEN = "small-nmt"


@pytest.fixture(scope="module")
def example() -> SegmentDatabase:
    return door.read(str(EXAMPLE)).segments().databases[0]


def changed(database: SegmentDatabase, **columns: pl.Expr) -> SegmentDatabase:
    """The candidates that only the hidden system made, changed."""
    only = pl.col("systems") == [HIDDEN]
    new = {name: pl.when(only).then(value).otherwise(name) for name, value in columns.items()}
    return replace(database, candidates=database.candidates.with_columns(**new))


def predicted(database: SegmentDatabase, text_of: SegmentDatabase | None = None):
    """What is learnt without the hidden system, and its score by that."""
    own = database.number_of(HIDDEN)
    others = [column for column in range(len(database.systems)) if column != own]
    alike = likeness(database)
    learnt = learn(alike, others, [own])
    return learnt, estimate(likeness(text_of or database), learnt, own, FEW)


def test_ranks_of_the_left_out_system_are_not_seen(example):
    """Whatever judges said of candidates that only it made, the prediction is the same."""
    spoilt = changed(example, rank=pl.lit(1.0))
    (_, one), (_, other) = predicted(example), predicted(spoilt)
    assert one.misses > 20
    assert one.score == pytest.approx(other.score, abs=1e-9)
    assert np.allclose(one.scored.replicates, other.scored.replicates)


def test_texts_of_the_left_out_system_are_not_learnt_from(example):
    spoilt = changed(example, text=pl.lit(0))
    for one, other in zip(
        *(
            (learnt.predictor.better.slopes, learnt.predictor.untied.slopes, learnt.spread.effects)
            for learnt, _ in (predicted(example), predicted(spoilt))
        ),
        strict=True,
    ):
        assert np.allclose(one, other)


def test_questions_of_a_small_annotation(database_of):
    rows = [(1, "A B", 1, "kočka spí"), (1, "C", 2, "kočka běží"), (1, "D", 3, "pes spí")]
    rows += [(2, "A B C D", 1, "x")]
    database = database_of(rows).databases[0]
    asked = questions(likeness(database), database.number_of("D"))
    assert asked.annotation.tolist() == [0, 0]  # the other annotation has a hit
    assert asked.makers.tolist() == [2, 1]
    assert asked.outcome.tolist() == [-1, -1]
    feature = dict(zip(asked.names, asked.features.T, strict=True))
    assert feature["its_quality"].tolist() == [0.75, 0.0]  # above one of two, a tie with the other
    assert feature["new_words"].tolist() == [0.5, 0.5]  # pes
    assert feature["quality_of_words"].tolist() == [0.75, 0.75]  # spí is in A's and B's
    assert feature["its_makers"].tolist() == [2 / 3, 1 / 3]
    assert feature["candidates"].tolist() == [2 / 3, 2 / 3]
    assert feature["words_in_reference"].tolist() == [0.5, 0.5]
    hidden = questions(likeness(database), database.number_of("D"), [database.number_of("C")])
    assert hidden.makers.tolist() == [2]


def test_hits_keep_their_ranks(database_of):
    """With a hit everywhere nothing is predicted: the score is that of the ranks."""
    rows = [(n, "A B", 1, f"a{n}") for n in range(1, 7)]
    rows += [(n, "C", 2 + n % 2, f"b{n}") for n in range(1, 7)]
    rows += [(n, "D", 3 - n % 2, f"c{n}") for n in range(1, 7)]
    database = database_of(rows).databases[0]
    parts = door_left_out(database, "A")
    assert parts.hits == 6
    assert parts.score == pytest.approx(1.0)
    assert parts.known == 1.0


def door_left_out(database: SegmentDatabase, system: str):
    from adjudge.segments.leave_one_out import leave_each_out

    return leave_each_out(database, "predicted", FEW, systems=[system])[0]


def answers(outcome: list[float]) -> Questions:
    number = len(outcome)
    return Questions((), np.zeros((number, 0)), np.arange(number), np.zeros(number, int),
                     np.ones(number), np.array(outcome))  # fmt: skip


def test_judges_narrow_the_effect():
    spread = Spread(effects=0.2, dispersion=2.0, systems=9)
    even = np.full(400, 0.5)
    nothing = effect_of(answers([np.nan] * 400), even, spread)
    assert nothing == pytest.approx((0.0, 0.04))
    effect, variance = effect_of(answers([1.0] * 300 + [-1.0] * 100), even, spread)
    # three of four won: log 3 by itself, drawn towards 0 by the other systems
    assert 0.5 < effect < np.log(3)
    assert variance < 0.02
    assert effect_of(answers([-1.0] * 300 + [1.0] * 100), even, spread)[0] == pytest.approx(-effect)


def test_a_learner_finds_what_tells_good_from_bad(example):
    """On the example, predictions of comparisons are better than chance by far."""
    parts = [door_left_out(example, name) for name in ("literal-rbmt", "large-nmt")]
    assert min(part.guessed for part in parts) > 0.6
    assert abs(parts[0].error) < abs(closest_error(example, "literal-rbmt"))


def closest_error(database: SegmentDatabase, system: str) -> float:
    from adjudge.segments.leave_one_out import leave_each_out

    return leave_each_out(database, "closest", FEW, systems=[system])[0].error


def test_judged_misses_count_as_they_are(example):
    """With all of its misses judged, the score is the one by its own ranks."""
    own = example.number_of(HIDDEN)
    others = [column for column in range(len(example.systems)) if column != own]
    alike = likeness(example)
    learnt = learn(alike, others, [own])
    unseen = estimate(alike, learnt, own, FEW, judged=alike.text[:, own] >= 0)
    known = door_left_out(example, HIDDEN).known
    assert unseen.score == pytest.approx(known)
    assert not len(unseen.doubt)
    before = estimate(alike, learnt, own, FEW)
    assert before.narrowing(float(before.doubt["doubt"].sum())) < 0.95


def test_refusals(database_of):
    rows = [(n, "A B C D", 1, "same") for n in range(1, 4)]
    with pytest.raises(NotEnoughData, match="nothing can be learnt for unseen ones"):
        fit([questions(likeness(database_of(rows).databases[0]), 0)])
    three = [(1, "A", 1, "a"), (1, "B", 2, "b"), (1, "C", 3, "c"), (2, "A", 1, "d")]
    with pytest.raises(NotEnoughData, match="names 3 systems, which is too few"):
        database_of(three).leave_one_out(matching="predicted")
    equal = [(n, s, 1, f"{s}{n}") for n in range(1, 4) for s in "ABCD"]
    with pytest.raises(NotEnoughData, match="nothing can be learnt for unseen ones"):
        database_of(equal).leave_one_out(matching="predicted")
