"""Which words of two parallel corpora meet: the parameters of alignment models.

Source words are taken one after the other. For each there is the list of its occurrences, and the
row of the target words it meets. A loop over the words of a sentence then needs no search: the row
is spread over an array as long as the target vocabulary, and every step is a plain look.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import BadParameter
from adjudge.text.resources.cooccurrence_kernels import list_occurrences, met_words
from adjudge.text.resources.corpus import Corpus


class Cooccurrence(NamedTuple):
    """Source words, their occurrences, and the target words they meet; compiled loops take it.

    The last row is of the empty word, which occurs once in every sentence; `null=False` leaves
    that row empty.
    """

    occurrence_start: NDArray[np.int64]  # one more than rows
    sentence: NDArray[np.int32]  # of every occurrence
    place: NDArray[np.int32]  # of every occurrence in its sentence; −1 for the empty word
    row_start: NDArray[np.int64]
    row_word: NDArray[np.int32]  # target words, a row a source word
    target: NDArray[np.int32]
    target_start: NDArray[np.int64]
    target_vocabulary: int


def cooccurrence(source: Corpus, target: Corpus, null: bool = True) -> Cooccurrence:
    """List what meets in the sentences of two corpora, sentence 3 beside sentence 3."""
    if source.sentences != target.sentences:
        raise BadParameter(
            f"`source` has {source.sentences:,} sentences, `target` has {target.sentences:,}; "
            "they must be parallel"
        )
    occurrence_start, sentence, place = list_occurrences(
        source.word, source.start, len(source.vocabulary), null
    )
    row_start, row_word = met_words(
        occurrence_start, sentence, target.word, target.start, len(target.vocabulary)
    )
    return Cooccurrence(
        occurrence_start,
        sentence,
        place,
        row_start,
        row_word,
        target.word,
        target.start,
        len(target.vocabulary),
    )
