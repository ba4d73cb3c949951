"""Language model probability of the word, and back-off around it (Raybaud et al. 2011).

`known_left` is the length of the longest n-gram that ends at the word and that the model knows, 0
for an unknown word; `known_right` that of the longest one that begins there.
"""

import numpy as np

from adjudge.quality.features.column import Column, Floats, label, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.inputs import Prepared


def _columns(prepared: Prepared) -> list[Column]:
    scores = prepared.target_scores
    ends = np.zeros(len(scores.matched), bool)
    ends[scores.start[1:] - 1] = True  # of sentences: tokens of the model, not of the text
    words = np.flatnonzero(~ends)

    def beside(values: Floats, by: int) -> Floats:
        """Value at this offset; the end of the sentence counts, values before its beginning are
        0.
        """
        place = words + by
        row = np.repeat(np.arange(len(scores.start) - 1), np.diff(scores.start))
        inside = (place >= 0) & (row[np.maximum(place, 0)] == row[words])
        return np.where(inside, values[np.maximum(place, 0)], 0.0)

    left, right = scores.matched.astype(np.float64), scores.begun.astype(np.float64)
    logs = scores.log_probability
    around = np.stack([beside(left, by).astype(np.int64) for by in (-1, 0, 1)])
    return [
        number(
            "log_probability",
            "log10 probability of the word by the language model",
            beside(logs, 0),
        ),
        number(
            "log_probability+1",
            "log10 probability of the next word, or of the end",
            beside(logs, 1),
        ),
        number(
            "log_probability-1",
            "log10 probability of the word before, 0 for the first",
            beside(logs, -1),
        ),
        number("known_left", "words in the longest known n-gram that ends here", beside(left, 0)),
        number(
            "known_right", "words in the longest known n-gram that begins here", beside(right, 0)
        ),
        number("known_left+1", "the same as known_left, of the next word", beside(left, 1)),
        number("known_left-1", "the same as known_left, of the word before", beside(left, -1)),
        label(
            "back_off",
            "known_left of the word before, of the word and of the next",
            ["-".join(map(str, three)) for three in around.T.tolist()],
        ),
    ]


FAMILY = Family(
    "language-model",
    "probabilities and back-off around the word",
    "Raybaud et al. 2011; WMT13 §6.7 (LORIA)",
    _columns,
    ("resources",),
)
