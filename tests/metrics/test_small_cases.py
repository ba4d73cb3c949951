"""Worked examples: the papers', Moses' own tests, and other peers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from adjudge.metrics.metric import metric_named

WORDS = st.lists(st.sampled_from("abcdef"), max_size=12)
REFERENCES = (
    "israeli officials are responsible for airport security",
    "israel is in charge of the security at this airport",
    "the security work for this airport is the responsibility of the israel government",
    "israli side was in charge of the security of this airport",
)
OUTPUT = "israeli officials responsibility of airport safety"


def counted(signature, output, *references):
    return metric_named(signature).statistics([(text,) for text in references])((output,))[0]


@given(outputs=st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5))
def test_wer_is_levenshteins_distance(outputs):
    lines = [tuple(" ".join(words) for words in column) for column in zip(*outputs, strict=True)]
    counts = metric_named("wer(tokenize=none)").statistics([lines[1]])(lines[0])
    assert counts[:, 0].tolist() == [Levenshtein.distance(*pair) for pair in outputs]


def test_moses_clipped_counts():
    counts = counted("bleu(tokenize=none)", OUTPUT, *REFERENCES)
    assert counts[:8].tolist() == [5, 2, 0, 0, 6, 5, 4, 3]


def test_moses_bleu_from_statistics():
    counts = np.array([6, 4, 2, 1, 6, 5, 4, 3, 6, 7.0])
    assert metric_named("bleu").values(counts) == pytest.approx(51.15, abs=0.01)


@pytest.mark.parametrize(
    ("output", "cost"),
    [
        ("we met at the airport at seven o'clock", 3),
        ("have we met at seven o'clock at the airport yesterday", 6 - 2),
    ],
)
def test_two_swapped_halves_cost_long_jumps(output, cost):
    reference = {
        3: "at seven o'clock we met at the airport",
        4: "we met at the airport at seven o'clock",
    }[cost]
    assert counted("cder(tokenize=none)", output, reference)[0] == cost


@pytest.mark.parametrize(
    ("output", "reference", "edits"),
    [
        ("d e f a b c", "a b c d e f", 1),
        ("f e d c b a", "a b c d e f", 5),
        ("the cat sat on the mat", "on the mat sat the cat", 2),
        ("", "a b", 2),
        ("a b", "", 2),
        ("", "", 0),
    ],
)
def test_ter_counts_block_moves(output, reference, edits):
    assert counted("ter", output, reference)[0] == edits


def test_empty_references_and_outputs_have_a_rate():
    for signature in ("ter", "wer", "cder", "per"):
        metric = metric_named(signature)
        counts = metric.statistics([("", "", "a b")])(("", "x y", ""))
        assert metric.segment_values(counts).tolist() == [0, 100, 100]


def test_hter_of_a_segment_is_at_most_100():
    metric = metric_named("hter")
    counts = metric.statistics([("a",)])(("b c d",))
    assert metric.segment_values(counts).tolist() == [100]
    assert metric.values(counts.sum(axis=0)) == 300


def test_wmt07_weighted_gtm():
    counts = np.array([2.0, 4.0, 5.0])
    expected = 1 / (0.1 / (2 / 4) + 0.9 / (2 / 5))
    assert metric_named("gtm(alpha=0.1)").values(counts) == pytest.approx(expected)
