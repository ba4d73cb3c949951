"""A metric's signature can be typed back in; what cannot be is refused in one sentence."""

import pytest

from adjudge.core.errors import BadParameter
from adjudge.metrics.metric import METRICS, metric_named


@pytest.mark.parametrize("name", METRICS)
def test_every_signature_reads_back(name):
    usual = METRICS[name]
    assert metric_named(str(usual)) == usual
    assert metric_named(usual.short) == usual
    assert usual.short == name


def test_parameters_are_typed():
    metric = metric_named("bleu( tokenize=intl , lowercase=yes, order=3, value=0.5 )")
    assert (metric.tokenize, metric.lowercase, metric.order, metric.value) == ("intl", True, 3, 0.5)
    assert metric.short == "bleu(tokenize=intl,value=0.5,lowercase=yes,order=3)"
    assert metric_named(metric.short) == metric_named(str(metric)) == metric


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("bluh", "did you mean 'bleu'"),
        ("bleu(", "write it like bleu or bleu(tokenize=intl)"),
        ("bleu(13a)", "'13a' is not a parameter"),
        ("bleu(order=2,order=3)", "write each once"),
        (
            "bleu(tokenizer=13a)",
            "bleu has no parameter 'tokenizer'; did you mean 'tokenize'? "
            "There are: tokenize, smooth",
        ),
        ("bleu(tokenize=14a)", "did you mean '13a'"),
        ("bleu(smooth=plus)", "bleu: smooth cannot be 'plus'"),
        ("bleu(order=four)", "order is a whole number, not 'four'"),
        ("bleu(value=-1)", "value is 0 or more"),
        ("bleu(lowercase=maybe)", "lowercase cannot be 'maybe'"),
        ("gtm(alpha=2)", "alpha is between 0 and 1"),
        ("gtm(exponent=nan)", "exponent is 0 or more"),
        ("gtm(exponent=0)", "exponent is 0.1 or more"),
        (7, "`metric` cannot be 7"),
    ],
)
def test_what_is_no_metric_is_refused(given, said):
    with pytest.raises(BadParameter) as refused:
        metric_named(given)
    assert said in str(refused.value)
