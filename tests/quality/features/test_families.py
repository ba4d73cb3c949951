"""Common to all families of features, whatever the translations."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudge.core.errors import BadParameter, NotEnoughData
from adjudge.quality.features.extraction import fit, sentence_features, word_features
from adjudge.quality.features.family import FAMILIES, WORD_FAMILIES, LearnedFamily
from adjudge.quality.features.inputs import beside, prepare
from adjudge.quality.translations import document_groups

pytestmark = pytest.mark.slow

WORDS = st.sampled_from(["the", "The", "cat", "katze", "der", "12", ",", "¿", "x-1", "."])
SIDE = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)
ROWS = st.lists(st.tuples(SIDE, st.lists(WORDS, max_size=6).map(" ".join), SIDE), min_size=2)


def prepared_rows(table_of, resources, rows):
    """Everything that any family may need, of random texts."""
    source, target, other = (list(side) for side in zip(*rows, strict=True))
    table = table_of(
        source=source,
        target=target,
        ranking=[n // 2 for n in range(len(rows))],
        translator=["A" if n % 3 else "B" for n in range(len(rows))],
        document=["d"] * len(rows),
        position=list(range(1, len(rows) + 1)),
        feature_1=[float(n) for n in range(len(rows))],
    )
    tags = (
        [" ".join(mark for _ in line.split()) for line in side]
        for mark, side in (("X", source), ("Y", target))
    )
    table = beside(table, {"one": other, "two": source}, *tags)
    return prepare(table, resources, tokenize="none")


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS)
@pytest.mark.parametrize(
    "name", [n for n, f in FAMILIES.items() if not isinstance(f, LearnedFamily)]
)
def test_features_of_translations(table_of, resources, name, rows) -> None:
    prepared = prepared_rows(table_of, resources, rows)
    table = sentence_features(prepared, [name])
    assert table.numbers.shape == (len(rows), len(table.names))
    assert np.isfinite(table.numbers).all()
    assert all(column.what and column.name == column.values.name for column in table.columns)
    frame = table.to_frame()
    assert frame.columns == [column.name for column in table.columns]
    if name != "agreement":  # whose candidates belong together
        backwards = sentence_features(prepared_rows(table_of, resources, rows[::-1]), [name])
        for column in set(frame.columns) - {"position", "translator", "feature_1"}:
            mirrored = backwards.to_frame()[column].to_list()[::-1]
            assert mirrored == pytest.approx(frame[column].to_list()), column


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS)
@pytest.mark.parametrize("name", list(WORD_FAMILIES))
def test_features_of_words(table_of, resources, name, rows) -> None:
    prepared = prepared_rows(table_of, resources, rows)
    table = word_features(prepared, [name])
    tokens = [len(target.split()) for _, target, _ in rows]
    assert table.rows == sum(tokens)
    assert table.start is not None
    assert np.diff(table.start).tolist() == tokens
    assert np.isfinite(table.numbers).all()
    frame = table.to_frame()
    assert frame.columns[:2] == ["row", "token"]
    assert len(frame) == sum(tokens)
    assert all(frame[column].null_count() == 0 for column in frame.columns)
    assert all(column.what for column in table.columns)


def test_all_families_go_together(table_of, resources) -> None:
    rows = [("the cat", "die katze", "eine katze"), ("a dog", "", "ein hund")] * 3
    prepared = prepared_rows(table_of, resources, rows)
    by_default = [f for f in FAMILIES.values() if f.by_default and not isinstance(f, LearnedFamily)]
    together = sentence_features(prepared)
    assert len(together.columns) == sum(len(f.columns(prepared)) for f in by_default)
    assert len(word_features(prepared).columns) > 40


def test_learned_features_know_nothing_of_their_own_row(table_of) -> None:
    """Values that nothing explains: learned from itself a row knows its own, from others not."""
    random = np.random.default_rng(1)
    lines = [" ".join(random.choice(list("abcdefgh"), 6)) for _ in range(400)]
    table = table_of(source=lines, target=lines)
    prepared = prepare(table)
    gold = random.random(400)
    fitted, honest = fit(prepared, gold, document_groups(table), ["style"])
    own = fitted.features(prepared)
    assert own.names == honest.names
    column = own.names.index("style_target_characters_4_weight")
    assert np.corrcoef(own.numbers[:, column], gold)[0, 1] < -0.2
    assert abs(np.corrcoef(honest.numbers[:, column], gold)[0, 1]) < 0.15


def test_style_finds_patterns(table_of) -> None:
    lines = ["a b good c", "a b bad c"] * 60
    table = table_of(source=["x"] * 120, target=lines, document=[str(n % 10) for n in range(120)])
    gold = np.array([1.0, 0.0] * 60)
    fitted, training = fit(prepare(table), gold, document_groups(table), ["style"])
    column = training.names.index("style_target_words_1_weight")
    values = training.numbers[:, column]
    assert values[0] < 0 < values[1]
    assert fitted.features(prepare(table_of(source=["x"], target=["bad"]))).numbers[0, column] > 1
    share_of_low = training.names.index("style_target_words_1_low")
    assert training.numbers[:2, share_of_low].tolist() == [0.0, 0.25]


def test_changes_are_rates_that_back_off(table_of) -> None:
    """By hand: b was changed in one of two, after a always, after c never."""
    table = table_of(
        source=["x y", "z y"] * 2,
        target=["a b", "c b"] * 2,
        tags=[["OK", "BAD"], ["OK", "OK"]] * 2,
        alignment=["0-0 1-1", "0-0 1-1"] * 2,
        document=["1", "1", "2", "2"],
    )
    prepared = prepare(table)
    fitted, honest = fit(prepared, np.zeros(4), document_groups(table), ["changes"])
    values = dict(zip(honest.names, honest.numbers.T, strict=True))
    rate = 2 / 8
    # From the other document: a, c seen once and kept; b seen twice and changed once.
    a, b = (0 + 5 * rate) / 6, (1 + 5 * rate) / 7
    assert values["changed_before_1"] == pytest.approx([(a + b) / 2] * 4)
    after_a, after_c = (1 + 5 * b) / 6, (0 + 5 * b) / 6
    expected = [(a + after_a) / 2, (a + after_c) / 2] * 2
    assert values["changed_before_2"] == pytest.approx(expected)
    linked = [((0 + 5 * a) / 6 + (1 + 5 * b) / 7) / 2] * 4
    assert values["changed_linked_1"] == pytest.approx(linked)
    own = fitted.features(prepared)
    assert own.names == honest.names
    b = (2 + 5 * rate) / 9
    a = (0 + 5 * rate) / 7
    assert own.numbers[0, own.names.index("changed_before_1")] == pytest.approx((a + b) / 2)
    # b before the end: read from behind, it is followed by nothing.
    followed = (a + (0 + 5 * a) / 7 - a + b) / 2
    assert own.numbers[0, own.names.index("changed_after_2")] == pytest.approx(followed)


def test_changes_need_labels_to_learn_from_and_none_to_predict(table_of) -> None:
    table = table_of(
        source=list("xyxy"), target=["a b"] * 4, post_edit=["a c"] * 4, document=list("1122")
    )
    fitted, _ = fit(prepare(table), np.zeros(4), document_groups(table), ["changes"])
    others = fitted.features(prepare(table_of(source=["x"], target=["b"])))
    assert others.numbers[0, 0] == pytest.approx((4 + 5 * 0.5) / 9)
    unlabelled = prepare(table_of(source=["x", "y"], target=["a", "b"]))
    with pytest.raises(NotEnoughData, match="changes needs words that are known to be changed"):
        fit(unlabelled, np.zeros(2), np.arange(2), ["changes"])


def test_what_is_missing_is_said(table_of, resources) -> None:
    table = table_of(source=["a"], target=["b"])
    for name, says in (
        ("baseline", "baseline needs resources"),
        ("alignment", "alignment needs word alignment"),
        ("agreement", "agreement needs several translations of one source"),
        ("pseudo-references", "needs other systems' translations"),
        ("given", "needs features given with the data"),
        ("editing", "needs who edited"),
    ):
        with pytest.raises(NotEnoughData, match=says):
            sentence_features(prepare(table), [name])
    with pytest.raises(NotEnoughData, match="tags needs parts of speech"):
        word_features(prepare(table, tokenize="none"), ["tags"])
    with pytest.raises(BadParameter, match="did you mean 'baseline'"):
        sentence_features(prepare(table), ["baselin"])
    with pytest.raises(BadParameter, match="as a number; leave it out here"):
        sentence_features(prepare(table), ["style"])
    with pytest.raises(BadParameter, match="baseline and baseline-quest both have source_tokens"):
        sentence_features(prepare(table, resources), ["baseline", "baseline-quest"])
    with pytest.raises(BadParameter, match="tokens between blanks"):
        word_features(prepare(table, tokenize="13a"))
    with pytest.raises(NotEnoughData, match="several documents"):
        fit(prepare(table), np.zeros(1), np.zeros(1, np.int64), ["style"])


def test_what_does_not_fit_is_refused(table_of, resources) -> None:
    table = table_of(source=["a, b"], target=["b"])
    for lines, how, says in (
        ({"pseudo_references": {"other": []}}, {}, "other has 0 lines for 1 translations"),
        ({"source_tags": ["X"]}, {}, "line 1 has 1 parts of speech for 2 tokens"),
        ({"target_tags": []}, {}, "`target_tags` has 0 lines"),
        ({}, {"tokenize": "13b"}, "did you mean '13a'"),
        ({}, {"metric": ["blue"]}, "did you mean 'bleu'"),
    ):
        with pytest.raises(BadParameter, match=says):
            prepare(beside(table, **lines), resources, **how)
    aligned = table_of(source=["a, b"], target=["b"], alignment=["1-0"])
    assert prepare(aligned, resources).tokenize == "none"
    assert prepare(table).tokenize == "13a"
    assert prepare(table, resources).tokenize == "none"
    linked = table_of(source=["a"], target=["b b"], alignment=["0-1"])
    squeezed = prepare(linked.with_columns(target=pl.lit("b")), tokenize="13a")
    with pytest.raises(BadParameter, match="tokenised in another way"):
        sentence_features(squeezed, ["alignment"])
    holes = table_of(source=["a", "a"], target=["b", "b"], feature_1=[1.0, None])
    with pytest.raises(NotEnoughData, match="not every translation has a feature_1"):
        sentence_features(prepare(holes), ["given"])


def test_scores_of_no_text_are_zero(table_of, resources) -> None:
    prepared = prepare(table_of(source=["cat"], target=[""]), resources)
    values = dict(zip((t := sentence_features(prepared)).names, t.numbers[0], strict=True))
    assert values["target_tokens"] == values["target_tokens_per_type"] == 0
    assert math.isclose(values["target_unlinked"], 0)
