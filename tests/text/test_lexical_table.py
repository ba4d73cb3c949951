"""Lexical tables by IBM Model 1, beside a slow one that follows the formula word by word."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.errors import BadParameter, InputError
from adjudge.text.resources.corpus import encode
from adjudge.text.resources.lexical_table import LexicalTable, train

Sentences = list[list[str]]
SIDE = st.lists(st.sampled_from("abcd"), max_size=5)
PAIRS = st.lists(st.tuples(SIDE, SIDE), min_size=1, max_size=6)


def slow_model_1(
    source: Sentences, target: Sentences, iterations: int, null: bool
) -> dict[tuple[str | None, str], float]:
    """t(f | e) as Brown et al. 1993 write it; None is the empty word."""
    sides = [
        ([*left, None] if null else list[str | None](left), right)
        for left, right in zip(source, target, strict=True)
    ]
    t: dict[tuple[str | None, str], float] = {
        (e, f): 1.0 for left, right in sides for e in left for f in right
    }
    for _ in range(iterations):
        count: defaultdict[tuple[str | None, str], float] = defaultdict(float)
        total: defaultdict[str | None, float] = defaultdict(float)
        for left, right in sides:
            for f in right:
                norm = sum(t[e, f] for e in left)
                for e in left:
                    count[e, f] += t[e, f] / norm
                    total[e] += t[e, f] / norm
        t = {(e, f): number / total[e] for (e, f), number in count.items()}
    return t


@given(PAIRS, st.integers(1, 4), st.booleans())
def test_as_the_slow_one(pairs, iterations, null):
    source, target = [left for left, _ in pairs], [right for _, right in pairs]
    table = train(encode(source), encode(target), iterations, null, least=0)
    slow = slow_model_1(source, target, iterations, null)
    fast = {
        (word, translation): p
        for word in (*table.source, None)
        for translation, p in table.translations(word).items()
    }
    assert fast.keys() == slow.keys()
    for pair, value in slow.items():
        assert fast[pair] == pytest.approx(value)


@pytest.fixture(scope="module")
def houses() -> LexicalTable:
    source = ["the house", "the book", "a book"]
    target = ["das haus", "das buch", "ein buch"]
    return train(
        encode(line.split() for line in source), encode(line.split() for line in target), 20
    )


def test_words_that_share_no_sentence_are_told_apart(houses):
    for word, translation in [("the", "das"), ("house", "haus"), ("book", "buch"), ("a", "ein")]:
        best, p = next(iter(houses.translations(word).items()))
        assert best == translation
        assert p > 0.5
    assert houses.translations("garden") == {}


def test_probabilities_of_codes(houses):
    rows = houses.source_codes(["the", "house", "the", "garden", "a"])
    targets = houses.target_codes(["das", "haus", "ein", "haus", "garten"])
    values = houses.probabilities(rows, targets)
    assert values[0] == houses.translations("the")["das"]
    assert values[1] == houses.translations("house")["haus"]
    assert values[2:].tolist() == [0, 0, 0]


def test_how_many_are_above_a_threshold(houses):
    for threshold in (0.0, 0.01, 0.2):
        counted = houses.number_above(threshold)
        assert len(counted) == len(houses.source) + 1
        for word, number in zip((*houses.source, None), counted, strict=True):
            values = houses.translations(word).values()
            assert number == sum(value > threshold for value in values)


def test_small_probabilities_are_not_kept():
    source, target = encode([["a", "b"], ["a"]] * 3), encode([["x", "y"], ["x"]] * 3)
    assert train(source, target, 20, least=0).translations("a")["y"] < 0.1
    assert "y" not in train(source, target, 20, least=0.1).translations("a")


def test_saved_and_loaded(houses, tmp_path):
    path = str(tmp_path / "table.npz")
    houses.save(path)
    again = LexicalTable.load(path)
    assert (again.source, again.target) == (houses.source, houses.target)
    for name in ("start", "word", "probability"):
        np.testing.assert_array_equal(getattr(again, name), getattr(houses, name))


@pytest.mark.parametrize("content", [b"", b"words", b"PK\x03\x04 cut"])
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "table.npz"
    path.write_bytes(content)
    with pytest.raises(InputError, match="is not a lexical table"):
        LexicalTable.load(str(path))
    with pytest.raises(InputError, match="there is no such file"):
        LexicalTable.load(str(tmp_path / "absent.npz"))


def test_corpora_must_be_parallel():
    with pytest.raises(BadParameter, match="`source` has 1 sentences, `target` has 2"):
        train(encode([["a"]]), encode([["a"], ["b"]]))
