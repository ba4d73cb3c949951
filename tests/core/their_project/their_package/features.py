"""Their features: the mean of the vectors of a translation's words, a column a dimension."""

import numpy as np

from adjudge.quality.features.column import number
from adjudge.quality.features.family import Family

DIMENSIONS = 4


def vectors(words):
    """A vector a word, as a network would give them: the same for the same letters."""
    letters = np.array([[ord(word[0]), ord(word[-1]), len(word), 1] for word in words], float)
    return np.sin(letters.reshape(-1, DIMENSIONS))


def columns(prepared):
    """One row a translation; nothing where there is no word."""
    means = [vectors(line).mean(axis=0) if line else [0] * 4 for line in prepared.target_words]
    return [
        number(f"their_vector_{at + 1}", f"dimension {at + 1} of their vectors", values)
        for at, values in enumerate(np.array(means).T)
    ]


def word_columns(prepared):
    """One row a word."""
    words = [word for line in prepared.target_words for word in line]
    return [
        number(f"their_vector_{at + 1}", f"dimension {at + 1} of their vectors", values)
        for at, values in enumerate(vectors(words).T)
    ]


FAMILY = Family("their-features", "vectors of a translation", "nobody", columns)
WORD_FAMILY = Family("their-word-features", "vectors of words", "nobody", word_columns)
