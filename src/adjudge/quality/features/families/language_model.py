"""Language model scores for all n-gram lengths (WMT13 §6.7: CMU, LORIA).

Back-off is the length of the known n-grams: a model of order 3 that knows only the last two words
backs off to two, and so on down to an unknown word, 0.
"""

import numpy as np

from adjudge.metrics.tokenizer import Tokens
from adjudge.quality.features.column import Column, Floats, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.inputs import Prepared, per_row, share
from adjudge.text.resources.language_model.model import LanguageModel, TokenScores


def _columns(prepared: Prepared) -> list[Column]:
    resources = prepared.known
    source = _side("source", resources.source_model, prepared.source_words, prepared.source_scores)
    target = _side("target", resources.target_model, prepared.target_words, prepared.target_scores)
    per_token = [
        share(scores.sums(), np.diff(scores.start))
        for scores in (prepared.source_scores, prepared.target_scores)
    ]
    difference = number(
        "log_probability_per_token_difference",
        "log10 probability per token, translation less source",
        per_token[1] - per_token[0],
    )
    return [*source, *target, difference]


def _side(side: str, model: LanguageModel, words: Tokens, scores: TokenScores) -> list[Column]:
    """Columns of one side; the end of a sentence counts as a token."""
    lengths = np.diff(scores.start)
    columns = []
    for order in range(1, model.order + 1):
        by_order = scores if order == model.order else model.score(words, order)
        columns.append(
            number(
                f"{side}_log_probability_per_token_{order}",
                f"log10 probability per token by {_words(order)}, {side}",
                share(by_order.sums(), lengths),
            )
        )
    return [
        *columns,
        *(
            number(
                f"{side}_back_off_{length}",
                f"share of tokens of which the model knows {_known(length)}, {side}",
                share(per_row(scores.matched == length, scores.start), lengths),
            )
            for length in range(model.order + 1)
        ),
        number(
            f"{side}_least_log_probability",
            f"log10 probability of the least likely token, {side}",
            np.minimum.reduceat(scores.log_probability, scores.start[:-1]),
        ),
        number(
            f"{side}_log_probability_deviation",
            f"standard deviation of the tokens' log10 probabilities, {side}",
            _deviation(scores),
        ),
    ]


def _words(order: int) -> str:
    return "single words" if order == 1 else f"n-grams of up to {order} words"


def _known(length: int) -> str:
    if length < 2:
        return "the word alone" if length else "not even the word"
    return f"n-grams of {length} words, not more"


def _deviation(scores: TokenScores) -> Floats:
    lengths = np.diff(scores.start)
    off = scores.log_probability - np.repeat(share(scores.sums(), lengths), lengths)
    return np.sqrt(share(per_row(off**2, scores.start), lengths))


FAMILY = Family(
    "language-model",
    "log probabilities by n-grams of every length, and back-off",
    "WMT13 §6.7",
    _columns,
    ("resources",),
)
