"""Modified Kneser–Ney smoothing, interpolated (Chen and Goodman 1998 §3; Heafield et al. 2013).

For an n-gram of a context h and a word w, of k words in all,

    p(w | h) = max(c(hw) − D_k(c(hw)), 0) / Σ c(hv)  +  γ(h) · p(w | h′),

with h′ = h without its first word. c is the count of the n-gram if k is the order of the model or
the n-gram begins a sentence, else the number of distinct words that precede it. D_k is one of three
discounts, for counts of one, two, and three or more:

    Y = t₁ / (t₁ + 2 t₂),   D(j) = j − (j + 1) · Y · t_{j+1} / t_j,

where t_j n-grams of k words have the count j. γ(h) is what the discounts have freed, so that
probabilities sum to one. Below single words lies the uniform distribution over the vocabulary and
`<unk>`. Nothing is pruned. KenLM's lmplz estimates the same model.
"""

import numpy as np

from adjudge.core.errors import NotEnoughData, within
from adjudge.text.resources.corpus import Corpus
from adjudge.text.resources.language_model.model import (
    BEGIN,
    MARKS,
    Floats,
    LanguageModel,
    between_marks,
)
from adjudge.text.resources.ngram_counts import NgramIndex, Numbers, count_ngrams

# Where a text is too small for a discount of its own, as lmplz --discount_fallback.
FALLBACK = (0.5, 1.0, 1.5)
HIGHEST_ORDER = 8
_BEGIN = MARKS.index(BEGIN)


def train(corpus: Corpus, order: int = 3) -> LanguageModel:
    """Train a model on a text."""
    within(order, "order", 1, HIGHEST_ORDER)
    if corpus.sentences == 0 or len(corpus.word) == 0:
        raise NotEnoughData("a language model needs text, and there is none; give more lines")
    vocabulary, text = _marked(corpus)
    counted = count_ngrams(text, order)
    index = counted.index
    adjusted = _adjusted(index, counted.count)
    probability = [_of_words(adjusted[0])]
    back_off: list[Floats] = []
    for length in range(2, order + 1):
        count = adjusted[length - 1]
        freed = discounts(count)[np.minimum(count, 3)]
        prefix = index.prefix(length)
        total = np.bincount(prefix, count, minlength=index.size(length - 1))
        left = np.bincount(prefix, freed, minlength=index.size(length - 1))
        gamma = np.divide(left, total, out=np.ones(len(left)), where=total > 0)
        below = probability[-1][index.suffixes(length)]
        probability.append((count - freed) / total[prefix] + gamma[prefix] * below)
        back_off.append(np.log10(gamma))
    probability[0][_BEGIN] = 1.0  # never asked for; lmplz writes the same
    return LanguageModel(vocabulary, index, tuple(map(np.log10, probability)), tuple(back_off))


def discounts(count: Numbers) -> Floats:
    """Discounts of counts 0, 1, 2, and 3 or more, for n-grams of one length."""
    t = np.bincount(np.minimum(count, 5), minlength=6).astype(np.float64)
    if (t[1:4] > 0).all():
        y = t[1] / (t[1] + 2 * t[2])
        j = np.arange(1, 4)
        amounts = j - (j + 1) * y * t[2:5] / t[1:4]
        if (amounts > 0).all() and (amounts <= j).all():
            return np.array([0.0, *amounts])
    return np.array([0.0, *FALLBACK])


def _marked(corpus: Corpus) -> tuple[tuple[str, ...], Corpus]:
    """Vocabulary with sentence marks, and the text coded by it, with marks around every
    sentence.
    """
    code = {word: number for number, word in enumerate(MARKS)}
    recoded = [code.setdefault(word, len(code)) for word in corpus.vocabulary]
    vocabulary = tuple(code)
    word = np.array(recoded, np.int32)[corpus.word]
    return vocabulary, between_marks(Corpus(vocabulary, word, corpus.start), len(vocabulary))


def _adjusted(index: NgramIndex, count: tuple[Numbers, ...]) -> list[Numbers]:
    """Distinct predecessors of each n-gram; raw counts for the highest order and after `<s>`."""
    adjusted = []
    begins = np.arange(index.words) == _BEGIN
    for length in range(1, index.order):
        if length > 1:
            begins = begins[index.prefix(length)]
        left = np.bincount(index.suffixes(length + 1), minlength=index.size(length))
        adjusted.append(np.where(begins, count[length - 1], left))
    adjusted.append(count[-1].copy())
    adjusted[0][_BEGIN] = 0
    return adjusted


def _of_words(count: Numbers) -> Floats:
    """Unigram probabilities."""
    freed = discounts(count)[np.minimum(count, 3)]
    total = count.sum()
    uniform = 1.0 / (len(count) - 1)  # `<unk>` has its share, `<s>` has none
    probability: Floats = (count - freed) / total + freed.sum() / total * uniform
    return probability
