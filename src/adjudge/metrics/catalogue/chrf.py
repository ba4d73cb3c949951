"""chrF and chrF++ (Popović 2015, 2017), equal to sacrebleu.

    chrF = 100 · (1 + β²) P R / (β² P + R)

P and R are the means over n of the precision and the recall of character n-grams, n = 1 … 6,
blanks left out, and, in chrF++, of word n-grams, n = 1 and 2, for which a mark at the end of a
word (or else at its beginning) stands alone. Orders that the output or the reference is too short
for are left out of the means; `epsilon=yes` keeps them and averages the F of each order instead,
as chrF++.py does. 0 to 100. Of several references, each segment takes the one with the best F. An
empty output scores 0.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.metrics.edits import sacrebleu_signature
from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts
from adjudge.metrics.ngrams import matches, numbers_of
from adjudge.metrics.tokenizer import Tokens
from adjudge.metrics.words import Vocabulary, Words, characters

_MARKS = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_EPSILON = 1e-16


@dataclass(frozen=True)
class ChrF(Metric):
    """chrF with its parameters."""

    name: ClassVar[str] = "chrf"
    title: ClassVar[str] = "chrF"
    summary: ClassVar[str] = "F of character n-grams (and words), recall β times as important"
    paper: ClassVar[str] = "Popović 2015"
    scale: ClassVar[str] = "0 to 100"

    char_order: int = 6
    word_order: int = 0
    beta: int = 2
    lowercase: bool = False
    whitespace: bool = False
    epsilon: bool = False

    def statistics(self, references: References) -> Statistics:
        """Sufficient statistics: n-grams of the output, of the reference, and of both, for every
        order.
        """
        lines = [self._cased(texts) for texts in references]
        letters = [characters(texts, self.whitespace) for texts in lines]
        vocabulary = Vocabulary([_words(texts) for texts in lines] if self.word_order else [])

        def counted(texts: Texts) -> Floats:
            cased = self._cased(texts)
            own = characters(cased, self.whitespace)
            of_reference = [_counts(own, reference, self.char_order) for reference in letters]
            if self.word_order:
                words = vocabulary.system(_words(cased))
                of_reference = [
                    np.concatenate([counts, _counts(words, reference, self.word_order)], axis=1)
                    for counts, reference in zip(of_reference, vocabulary.references, strict=True)
                ]
            return self._best(np.stack([counts.reshape(len(texts), -1) for counts in of_reference]))

        return counted

    def _best(self, of_reference: Floats) -> Floats:
        """Select the reference with the best F from (references, segments, statistics)."""
        if len(of_reference) == 1:
            return np.asarray(of_reference[0])
        best = self.values(of_reference).argmax(axis=0)
        return np.asarray(np.take_along_axis(of_reference, best[None, :, None], axis=0)[0])

    def values(self, sums: Floats) -> Floats:
        """chrF of a corpus."""
        counts = sums.reshape(*sums.shape[:-1], -1, 3)
        output, reference, match = counts[..., 0], counts[..., 1], counts[..., 2]
        precision = np.divide(match, output, out=np.full_like(match, _EPSILON), where=output > 0)
        recall = np.divide(match, reference, out=np.full_like(match, _EPSILON), where=reference > 0)
        if self.epsilon:
            return np.asarray(100 * self._f(precision, recall, _EPSILON).mean(axis=-1))
        present = (output > 0) & (reference > 0)
        orders = np.maximum(present.sum(axis=-1), 1)
        mean_precision = np.where(present, precision, 0.0).sum(axis=-1) / orders
        mean_recall = np.where(present, recall, 0.0).sum(axis=-1) / orders
        return np.asarray(100 * self._f(mean_precision, mean_recall, 0.0))

    def _f(self, precision: Floats, recall: Floats, nothing: float) -> Floats:
        factor = self.beta**2
        below = factor * precision + recall
        above = (1 + factor) * precision * recall
        return np.asarray(
            np.divide(above, below, out=np.full_like(below, nothing), where=below > 0)
        )

    def _cased(self, texts: Texts) -> Texts:
        return tuple(text.lower() for text in texts) if self.lowercase else texts

    def peer_signature(self, references: int) -> str | None:
        """Signature of sacrebleu."""
        return sacrebleu_signature(
            references,
            case="lc" if self.lowercase else "mixed",
            eff="no" if self.epsilon else "yes",
            nc=str(self.char_order),
            nw=str(self.word_order),
            space="yes" if self.whitespace else "no",
        )


@dataclass(frozen=True)
class ChrFPlusPlus(ChrF):
    """chrF with word n-grams."""

    name: ClassVar[str] = "chrf++"
    title: ClassVar[str] = "chrF++"
    summary: ClassVar[str] = "chrF with word unigrams and bigrams"
    paper: ClassVar[str] = "Popović 2017"

    word_order: int = 2


def _words(texts: Texts) -> Tokens:
    return [[part for word in text.split() for part in _parted(word)] for text in texts]


def _parted(word: str) -> tuple[str, ...]:
    if len(word) > 1:
        if word[-1] in _MARKS:
            return word[:-1], word[-1]
        if word[0] in _MARKS:
            return word[0], word[1:]
    return (word,)


def _counts(own: Words, reference: Words, order: int) -> Floats:
    """Counts (segments, order, 3); n-grams of the output are ignored if the reference has none."""
    of_reference = numbers_of(reference.lengths, order)
    output = np.where(of_reference > 0, numbers_of(own.lengths, order), 0)
    match = matches(own, reference, 1, order)
    return np.stack([output, of_reference, match], axis=-1).astype(np.float64)


METRIC = (ChrF(), ChrFPlusPlus())
