"""BLEU (Papineni, Roukos, Ward and Zhu 2002), equal to sacrebleu and mteval-v13a.

    BLEU = 100 · BP · (p1 · p2 · p3 · p4)^(1/4),   BP = exp(min(0, 1 − r/c))

p_n is the share of the n-grams of the outputs that are in a reference, each counted at most as
often as in the reference that has it most often; c and r are the summed lengths of the outputs and
of the references closest in length (of two as close, the shorter). 0 to 100.

Where no n-gram of some order matches, p_n is smoothed (Chen and Cherry 2014 §3): `exp` 1/(2^k l_n)
at the k-th such order (mteval), `floor` `value`/l_n, `add-k` (m_n + `value`)/(l_n + `value`) for n
> 1, `none`. `value=0` means the usual one: 0.1 for floor, 1 for add-k. Where a text is too short
to have n-grams of an order at all, `effective=no` gives 0, `yes` leaves the order out of the mean,
`mteval` leaves it out of the product but keeps the exponent; `auto` is `yes` for single segments
and `no` for everything else, as sacrebleu recommends. Several references count together; an empty
output scores 0.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from adjudge.metrics.edits import sacrebleu_signature
from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts
from adjudge.metrics.ngrams import closest_length, matches, numbers_of
from adjudge.metrics.tokenizer import peer_name
from adjudge.metrics.words import (
    Numbers,
    Vocabulary,
    Words,
    interleaved,
    split_references,
    split_texts,
)

Smoothing = Literal["exp", "floor", "add-k", "none"]
_USUAL = {"floor": 0.1, "add-k": 1.0}


@dataclass(frozen=True)
class Bleu(Metric):
    """BLEU with its parameters."""

    name: ClassVar[str] = "bleu"
    title: ClassVar[str] = "BLEU"
    summary: ClassVar[str] = "geometric mean of n-gram precisions times a brevity penalty"
    paper: ClassVar[str] = "Papineni et al. 2002"
    scale: ClassVar[str] = "0 to 100"

    tokenize: str = "13a"
    smooth: Smoothing = "exp"
    value: float = 0.0  # 0: the usual one
    lowercase: bool = False
    order: int = 4
    effective: Literal["auto", "no", "yes", "mteval"] = "auto"

    def statistics(self, references: References) -> Statistics:
        """Sufficient statistics: matches and n-grams of every order, length, closest reference
        length.
        """
        vocabulary = Vocabulary(split_references(references, self.tokenize, self.lowercase))
        together = interleaved(vocabulary.references)

        def counted(texts: Texts) -> Floats:
            words = vocabulary.system(split_texts(texts, self.tokenize, self.lowercase))
            return np.column_stack(
                [
                    matches(words, together, len(references), self.order),
                    numbers_of(words.lengths, self.order),
                    words.lengths,
                    self._reference_length(words, vocabulary.references),
                ]
            ).astype(np.float64)

        return counted

    def _reference_length(self, words: Words, references: list[Words]) -> Numbers:
        """Reference length for the brevity penalty."""
        return closest_length(words, references)

    def values(self, sums: Floats) -> Floats:
        """BLEU of a corpus."""
        return self._score(sums, "no" if self.effective == "auto" else self.effective)

    def segment_values(self, statistics: Floats) -> Floats:
        """BLEU of single segments."""
        return self._score(statistics, "yes" if self.effective == "auto" else self.effective)

    def _score(self, sums: Floats, effective: str) -> Floats:
        match, number = sums[..., : self.order], sums[..., self.order : 2 * self.order]
        length, reference = sums[..., 2 * self.order], sums[..., 2 * self.order + 1]
        precision, present = self._precisions(match, number)
        logs = np.log(precision, out=np.full_like(precision, -np.inf), where=precision > 0)
        orders = present.sum(axis=-1)
        if effective != "no":
            logs = np.where(present, logs, 0.0)
        exponent = orders if effective == "yes" else np.full_like(orders, self.order)
        mean = logs.sum(axis=-1) / np.maximum(exponent, 1)
        score = 100 * brevity_penalty(length, reference) * np.exp(mean)
        if effective == "mteval":  # which smooths where nothing matches, too
            return np.asarray(score)
        return np.where(match.any(axis=-1), score, 0.0)

    def _precisions(self, match: Floats, number: Floats) -> tuple[Floats, Floats]:
        """Precisions p_n, and whether the text has n-grams of this and every lower order."""
        value = self.value or _USUAL.get(self.smooth, 0.0)
        if self.smooth == "add-k":
            more = np.where(np.arange(self.order) > 0, value, 0.0)
            match, number = match + more, number + more
        present = np.logical_and.accumulate(number > 0, axis=-1)
        if self.smooth == "exp":
            halvings = np.cumsum(present & (match == 0), axis=-1)
            match = np.where(match == 0, 0.5**halvings, match)
        elif self.smooth == "floor":
            match = np.where(match == 0, value, match)
        precision = np.divide(match, number, out=np.zeros_like(number), where=present)
        return precision, present

    def peer_signature(self, references: int) -> str | None:
        """Signature of sacrebleu, if it has the same options."""
        if self.effective == "mteval" or self.order != 4 or self.tokenize.startswith("mteval"):
            return None
        value = self.value or _USUAL.get(self.smooth)
        return sacrebleu_signature(
            references,
            case="lc" if self.lowercase else "mixed",
            eff="yes" if self.effective == "yes" else "no",
            tok=peer_name(self.tokenize),
            smooth=self.smooth if value is None else f"{self.smooth}[{value:.2f}]",
        )


def brevity_penalty(length: Floats, reference: Floats) -> Floats:
    """Brevity penalty exp(1 − r/c) for c < r; 0 for an empty output."""
    ratio = np.divide(reference, length, out=np.full_like(length, np.inf), where=length > 0)
    return np.asarray(np.exp(np.minimum(0.0, 1 - ratio)))


METRIC = Bleu()
