"""The ranked candidates nearest to one that nobody ranked, by edits of characters.

Levenshtein's distance over code points (Macháček 2014 §3.2.2). Distances are worked out once for
every two texts that meet in an annotation, by RapidFuzz on all processors.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from adjudge.segments.database import SegmentDatabase
from adjudge.stats.units import Floats

Averaged = Literal["systems", "segments"]
AVERAGED: tuple[Averaged, ...] = ("systems", "segments")

Distances = NDArray[np.int32]
FAR = np.iinfo(np.int32).max  # where a system has no candidate


def distances(database: SegmentDatabase) -> Distances:
    """annotations × systems × systems: how far the candidates are apart; `FAR` where one lacks."""
    first, second = database.text[:, :, None], database.text[:, None, :]
    both = (first >= 0) & (second >= 0)
    low, high = np.minimum(first, second)[both], np.maximum(first, second)[both]
    pairs, place = np.unique(low * np.int64(len(database.texts)) + high, return_inverse=True)
    texts = np.array(database.texts, dtype=object)
    lows, highs = np.divmod(pairs, len(database.texts))
    edits = cpdist(
        texts[lows], texts[highs], scorer=Levenshtein.distance, dtype=np.int32, workers=-1
    )
    apart = np.full(both.shape, FAR, np.int32)
    apart[both] = edits[place]
    return apart


def nearest(
    database: SegmentDatabase, apart: Distances, system: str, averaged: Averaged = "systems"
) -> tuple[NDArray[np.int64], Floats]:
    """Of every annotation: how far the nearest candidate of another system is, and its rank.

    Where several are as near, the mean of their ranks: over the *systems* that made them, as
    published (a candidate of three systems counts three times), or over different segments. The
    distance is −1 and the rank NaN where the system itself, or every other, has no candidate.
    """
    own = database.number_of(system)
    others = np.delete(np.arange(len(database.systems)), own)
    to_others = apart[:, own, others].astype(np.int64)
    least = to_others.min(axis=1)
    near = (to_others == least[:, None]) & (to_others < FAR)
    if averaged == "segments":
        near &= _first_of_each(database.text[:, others])
    number = near.sum(axis=1)
    total = np.where(near, database.rank[:, others], 0.0).sum(axis=1)
    mean = np.divide(total, number, out=np.full(len(total), np.nan), where=number > 0)
    return np.where(number > 0, least, -1), mean


def _first_of_each(text: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Is the text of this column in no column before it?"""
    first = np.ones(text.shape, bool)
    for column in range(1, text.shape[1]):
        first[:, column] = (text[:, :column] != text[:, column, None]).all(axis=1)
    return first
