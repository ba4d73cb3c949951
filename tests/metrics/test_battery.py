"""What every metric must do, whatever it counts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.metrics.metric import METRICS

pytestmark = pytest.mark.slow

WORDS = ["the", "cat", "sat", "on", "a", "mat", ".", "0", "(x)", "dog's", "Žižka", "3,5"]
RELATIONS = ["root", "nsubj", "obj"]


def words(least, most):
    return st.lists(st.sampled_from(WORDS), min_size=least, max_size=most).map(" ".join)


def alignments(least, most):
    links = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda link: f"{link[0]}-{link[1]}")
    return st.lists(links, min_size=least, max_size=most).map(" ".join)


def parses(least, most):
    rows = st.tuples(st.sampled_from(WORDS), st.integers(0, most), st.sampled_from(RELATIONS))
    return st.lists(rows, min_size=least, max_size=most).map(
        lambda rows: " ".join(f"{word}|{head % (len(rows) + 1)}|{rel}" for word, head, rel in rows)
    )


def trees(least, most):
    leaf = st.sampled_from(["(N cat)", "(N dog)", "(V sat)", "(D the)"])
    tree = st.recursive(
        leaf,
        lambda below: st.lists(below, min_size=1, max_size=3).map(
            lambda parts: f"(S {' '.join(parts)})"
        ),
        max_leaves=most,
    )
    return tree if least else st.just("") | tree


def layers(least, most):
    parts = (words(least, most), alignments(least, most), parses(least, most))
    return st.tuples(*parts).map(" ||| ".join)


LINES = {
    "words": words,
    "alignments": alignments,
    "parses": parses,
    "trees": trees,
    "layers": layers,
}


def lines_of(name, least=1, most=12):
    """Lines such as the metric reads."""
    return LINES[METRICS[name].reads](least, most)


def pairs_of(name, least=1, most=12, size=6):
    """Some outputs and references."""
    line = lines_of(name, least, most)
    return st.lists(st.tuples(line, line), min_size=1, max_size=size)


every_metric = pytest.mark.parametrize("name", METRICS)
few = settings(max_examples=25)


def _loss(metric, scores):
    return -scores if metric.higher_is_better else scores


@every_metric
@few
@given(data=st.data())
def test_nothing_is_better_than_a_copy_of_the_reference(ready, name, data):
    metric = ready(name)
    pairs = data.draw(pairs_of(name, least=4))  # has 4-grams
    outputs, references = zip(*pairs, strict=True)
    counted = metric.statistics([references])
    other, copy = (metric.segment_values(counted(texts)) for texts in (outputs, references))
    assert (_loss(metric, copy) <= _loss(metric, other) + 1e-9).all()


@every_metric
@few
@given(data=st.data(), seed=st.integers(0, 1000))
def test_the_order_of_segments_does_not_matter(ready, name, data, seed):
    metric = ready(name)
    pairs = data.draw(pairs_of(name))
    order = np.random.default_rng(seed).permutation(len(pairs))
    outputs, references = zip(*pairs, strict=True)
    moved, moved_references = zip(*(pairs[i] for i in order), strict=True)
    counts = metric.statistics([references])(outputs)
    of_moved = metric.statistics([moved_references])(moved)
    assert np.allclose(counts[order], of_moved)
    assert np.allclose(metric.values(counts.sum(axis=0)), metric.values(of_moved.sum(axis=0)))


@every_metric
@few
@given(data=st.data())
def test_a_segment_is_a_corpus_of_one_and_replicates_are_one_call(ready, name, data):
    metric = ready(name)
    pairs = data.draw(pairs_of(name))
    outputs, references = zip(*pairs, strict=True)
    counts = metric.statistics([references])(outputs)
    assert counts.shape[0] == len(pairs)
    together = np.array([[metric.values(row)] for row in counts])
    assert np.allclose(metric.values(counts[:, None, :]), together)


@every_metric
@few
@given(data=st.data())
def test_a_reference_given_twice_never_harms(ready, name, data):
    metric = ready(name)
    pairs = data.draw(pairs_of(name))
    outputs, references = zip(*pairs, strict=True)
    once, twice = (
        metric.segment_values(metric.statistics([references] * number)(outputs))
        for number in (1, 2)
    )
    assert (_loss(metric, twice) <= _loss(metric, once) + 1e-9).all()


@every_metric
@few
@given(data=st.data())
def test_empty_lines_have_a_score(ready, name, data):
    metric = ready(name)
    pairs = data.draw(pairs_of(name, least=0, most=7))
    outputs, references = zip(*pairs, strict=True)
    counts = metric.statistics([references])(outputs)
    assert np.isfinite(metric.segment_values(counts)).all()
    assert np.isfinite(metric.values(counts.sum(axis=0)))


@pytest.mark.parametrize("name", ["bleu", "chrf", "chrf++", "ter", "wer", "cder", "per"])
@few
@given(triples=st.lists(st.tuples(*[words(1, 12)] * 3), min_size=1, max_size=5))
def test_one_more_reference_never_lowers_what_matches(ready, name, triples):
    metric = ready(name)
    outputs, first, second = zip(*triples, strict=True)
    one = metric.statistics([first])(outputs)
    two = metric.statistics([first, second])(outputs)
    if name == "bleu":
        assert (two[:, :4] >= one[:, :4]).all()
    elif name == "ter":
        assert (two[:, 0] <= one[:, 0]).all()
    else:
        better = _loss(metric, metric.segment_values(two))
        assert (better <= _loss(metric, metric.segment_values(one)) + 1e-9).all()
