"""What metrics of edits have in common: costs that add up, over the length of the reference."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts
from adjudge.metrics.words import Vocabulary, Words, split_references, split_texts


def rate(cost: Floats, length: Floats) -> Floats:
    """100 · cost / length; beside an empty reference 0 if there is no cost either, else 100."""
    share = np.divide(cost, length, out=np.array(np.minimum(cost, 1.0)), where=length > 0)
    return np.asarray(100 * share)


@dataclass(frozen=True)
class EditMetric(Metric):
    """A rate of edits. Of several references each segment takes the one with the lowest rate, the
    first of equals."""

    scale: ClassVar[str] = "0 to 100 and beyond"
    higher_is_better: ClassVar[bool] = False

    tokenize: str = "13a"
    lowercase: bool = False

    @abstractmethod
    def counts(self, words: Words, reference: Words) -> Floats:
        """The statistics of every segment beside one reference."""

    def statistics(self, references: References) -> Statistics:
        """Counts beside the nearest reference."""
        vocabulary = Vocabulary(split_references(references, self.tokenize, self.lowercase))

        def counted(texts: Texts) -> Floats:
            words = vocabulary.system(split_texts(texts, self.tokenize, self.lowercase))
            each = np.stack([self.counts(words, own) for own in vocabulary.references])
            nearest = self.values(each).argmin(axis=0)
            return np.asarray(np.take_along_axis(each, nearest[None, :, None], axis=0)[0])

        return counted
