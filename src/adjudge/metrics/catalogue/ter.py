"""TER (Snover, Dorr, Schwartz, Micciulla and Makhoul 2006), equal to sacrebleu; and HTER.

    TER = 100 · (insertions + deletions + substitutions + block moves) / words of the reference

Lower is better; 0 to 100 and beyond. The number of edits is what a greedy search finds
(`ter_search`). sacrebleu follows tercom 0.8 but for its beam and a few ties; in newstest texts the
two differ in at most a few segments of a hundred and in the corpus after the third digit
(docs/metrics.md). Parameters are tercom's: `normalize` (-N) splits marks off, `punctuation=no` (-P)
removes them, `asian` (-A) splits Chinese and Japanese characters where either is asked for, `case`
(-s) keeps capitals.

Of several references, the fewest edits count, over the mean length. An empty reference costs the
whole output (its rate alone is 100); an empty output costs the whole reference.

HTER is TER whose reference is the output as a person corrected it. In quality estimation no
segment has more than 100 (`cap`), which holds for single segments only.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.metrics import ter_search
from adjudge.metrics.edits import rate, sacrebleu_signature
from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts
from adjudge.metrics.ter_search import all_edits
from adjudge.metrics.tokenizer import Tokens
from adjudge.metrics.words import Numbers, Vocabulary, Words


@dataclass(frozen=True)
class Ter(Metric):
    """TER with its parameters."""

    name: ClassVar[str] = "ter"
    title: ClassVar[str] = "TER"
    summary: ClassVar[str] = "edits and block moves per word of the reference"
    paper: ClassVar[str] = "Snover et al. 2006"
    scale: ClassVar[str] = "0 to 100 and beyond"
    higher_is_better: ClassVar[bool] = False

    normalize: bool = False
    punctuation: bool = True
    asian: bool = False
    case: bool = False

    def statistics(self, references: References) -> Statistics:
        """Sufficient statistics: edits and the mean reference length."""
        vocabulary = Vocabulary([self._split(texts) for texts in references])
        length = np.mean([words.lengths for words in vocabulary.references], axis=0)

        def counted(texts: Texts) -> Floats:
            words = vocabulary.system(self._split(texts))
            edits = np.min([self.edits(words, own) for own in vocabulary.references], axis=0)
            return np.column_stack([edits, length]).astype(np.float64)

        return counted

    def edits(self, words: Words, reference: Words) -> Numbers:
        """Edits of every segment against one reference."""
        return all_edits(words.numbers, words.starts, reference.numbers, reference.starts)[:, 0]

    def values(self, sums: Floats) -> Floats:
        """TER of a corpus."""
        return rate(sums[..., 0], sums[..., 1])

    def _split(self, texts: Texts) -> Tokens:
        return ter_search.split(texts, self.normalize, self.punctuation, self.asian, self.case)

    def peer_signature(self, references: int) -> str | None:
        """Signature of sacrebleu."""
        yes_no = {True: "yes", False: "no"}
        return sacrebleu_signature(
            references,
            case="mixed" if self.case else "lc",
            tok="tercom",
            norm=yes_no[self.normalize],
            punct=yes_no[self.punctuation],
            asian=yes_no[self.asian],
        )


@dataclass(frozen=True)
class Hter(Ter):
    """TER against the corrected output."""

    name: ClassVar[str] = "hter"
    title: ClassVar[str] = "HTER"
    summary: ClassVar[str] = "TER against the output as a person corrected it"

    cap: bool = True

    def segment_values(self, statistics: Floats) -> Floats:
        """HTER of single segments, at most 100 if `cap`."""
        score = self.values(statistics)
        return np.minimum(score, 100.0) if self.cap else score


METRIC = (Ter(), Hter())
