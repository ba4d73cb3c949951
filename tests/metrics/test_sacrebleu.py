"""BLEU, chrF and TER beside sacrebleu: every option, on lines that hypothesis makes up."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF, TER

from adjudge.metrics.metric import metric_named

pytestmark = pytest.mark.slow

PIECES = [
    "a",
    "b.",
    "cat",
    "3,5",
    "1999.",
    "&amp;",
    "(x)",
    "–",
    "“q”",
    "$5",
    "Ž",
    "中文",
    "。",
    "-7-",
    "'s",
]
LINE = st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join)
MADE_UP = st.lists(st.tuples(LINE, LINE, LINE), min_size=1, max_size=4)
ANY_TEXT = st.text(
    st.characters(exclude_categories=["Cs", "Cn"], max_codepoint=0x3100), max_size=25
)
SIGNATURES = [
    *[("bleu", BLEU, {"tokenize": name}) for name in ("13a", "intl", "char", "zh", "none")],
    ("bleu", BLEU, {"smooth": "floor"}),
    ("bleu", BLEU, {"smooth": "floor", "value": 0.01}),
    ("bleu", BLEU, {"smooth": "add-k"}),
    ("bleu", BLEU, {"smooth": "none", "lowercase": True}),
    ("chrf", CHRF, {}),
    ("chrf", CHRF, {"whitespace": True, "lowercase": True}),
    ("chrf", CHRF, {"epsilon": True, "beta": 3}),
    ("chrf++", CHRF, {"word_order": 2}),
    ("ter", TER, {}),
    ("ter", TER, {"normalize": True}),
    ("ter", TER, {"normalize": True, "asian": True, "case": True}),
    ("ter", TER, {"punctuation": False, "asian": True}),
]
THEIRS = {
    "smooth": "smooth_method",
    "value": "smooth_value",
    "epsilon": "eps_smoothing",
    "normalize": "normalized",
    "punctuation": "no_punct",
    "asian": "asian_support",
    "case": "case_sensitive",
}


def _both(name, peer, options):
    spelled = {True: "yes", False: "no"}
    inside = ",".join(f"{key}={spelled.get(value, value)}" for key, value in options.items())
    told = {THEIRS.get(key, key): value for key, value in options.items()}
    if "no_punct" in told:
        told["no_punct"] = not told["no_punct"]
    return metric_named(f"{name}({inside})"), peer(**told)


@pytest.mark.parametrize(("name", "peer", "options"), SIGNATURES)
@settings(max_examples=40)
@given(lines=MADE_UP)
def test_scores_and_signatures_are_the_same(name, peer, options, lines):
    ours, theirs = _both(name, peer, options)
    outputs, *references = (tuple(column) for column in zip(*lines, strict=True))
    counts = ours.statistics(references)(outputs)
    expected = theirs.corpus_score(list(outputs), [list(texts) for texts in references])
    assert ours.values(counts.sum(axis=0)) == pytest.approx(expected.score, abs=1e-9)
    assert ours.peer_signature(2).rpartition("|version:")[0] in str(theirs.get_signature())


@pytest.mark.parametrize(("name", "peer", "options"), SIGNATURES)
@settings(max_examples=30)
@given(output=ANY_TEXT, reference=ANY_TEXT)
def test_a_single_segment_of_any_characters(name, peer, options, output, reference):
    if name == "bleu":
        options = {**options, "effective": "yes"}
    spelled = {key: value for key, value in options.items() if key != "effective"}
    ours, theirs = _both(name, peer, spelled)
    if name == "bleu":
        theirs.effective_order = True
    # One line is one segment: what breaks lines in Python breaks none here.
    output, reference = (" ".join(text.splitlines()) for text in (output, reference))
    score = ours.segment_values(ours.statistics([(reference,)])((output,)))[0]
    assert score == pytest.approx(theirs.sentence_score(output, [reference]).score, abs=1e-9)


def test_block_moves_of_longer_lines():
    random = np.random.default_rng(5)
    outputs, references = [], []
    for _ in range(60):
        words = random.integers(0, 12, random.integers(1, 30)).astype(str)
        cut = random.integers(0, len(words))
        moved = np.concatenate([words[cut:], words[:cut]])
        moved[random.random(len(moved)) < 0.2] = "x"
        outputs.append(" ".join(words))
        references.append(" ".join(moved))
    ours, theirs = metric_named("ter"), TER()
    scores = ours.segment_values(ours.statistics([tuple(references)])(tuple(outputs)))
    expected = [
        theirs.sentence_score(*pair).score
        for pair in zip(outputs, [[r] for r in references], strict=True)
    ]
    assert scores == pytest.approx(expected, abs=1e-9)
