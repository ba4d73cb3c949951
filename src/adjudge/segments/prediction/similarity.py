"""Similarity of the candidates of a segment to each other and to the reference.

Two candidates are compared by character edits (Levenshtein, 1 for equal texts) and by common
character trigrams (Dice). Each word, and each pair of adjacent words, is looked up in the
candidates of other systems and in the reference. Case is ignored, except for edits.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from adjudge.segments.database import SegmentDatabase
from adjudge.stats.resampling import Codes, Floats

Flags = NDArray[np.bool_]

BEGINNING = 4  # letters: words with the same beginning are mostly forms of one word
MOST = 16  # words of a candidate that are looked at


@dataclass(frozen=True, eq=False)
class Parts:
    """Words (or pairs of adjacent words) of every candidate, and the systems that share them."""

    there: Flags  # annotations × columns × places
    shared: Flags  # annotations × columns × places × columns
    in_reference: Flags  # annotations × columns × places
    begins_in_reference: Flags  # the same, by the first letters of a word


@dataclass(frozen=True, eq=False)
class Likeness:
    """Ranked candidates, one column per system; an unseen system may be the last column."""

    rank: Floats  # annotations × columns, NaN where there is none
    text: Codes  # annotations × columns, −1 where there is none
    edits: Floats  # annotations × columns × columns
    trigrams: Floats  # annotations × columns × columns
    reference: Floats  # annotations × columns: share of its 4-grams of characters that are there
    length: Floats  # annotations × columns: characters
    words: Parts
    neighbours: Parts
    segment: Codes
    sentence: Codes

    @property
    def same(self) -> Flags:
        """Mask of equal texts (annotations × columns × columns)."""
        same: Flags = self.text[:, :, None] == self.text[:, None, :]
        return same & (self.text >= 0)[:, :, None]


def likeness(
    database: SegmentDatabase,
    unseen: Sequence[str | None] | None = None,
    ranks: Floats | None = None,
) -> Likeness:
    """Compare all candidates.

    `unseen` adds one candidate for every annotation, or None; `ranks` are theirs, NaN if unknown.
    """
    rank, text, texts = database.rank, database.text, list(database.texts)
    if unseen is not None:
        code = {known: number for number, known in enumerate(texts)}
        own = [-1 if new is None else code.setdefault(new, len(code)) for new in unseen]
        texts = list(code)
        text = np.column_stack([text, np.array(own, np.int64)])
        rank = np.column_stack([rank, np.full(len(rank), np.nan) if ranks is None else ranks])
    edits, trigrams = _pairs(text, texts)
    references = [str(line or "").lower() for line in database.sentences["reference"]]
    words = [_words(line) for line in texts]
    lengths = np.array([len(line) for line in texts], np.float64)
    return Likeness(
        rank=rank,
        text=text,
        edits=edits,
        trigrams=trigrams,
        reference=_in_reference(text, texts, references, database.sentence),
        length=np.where(text >= 0, lengths[text], np.nan),
        words=_parts(text, words, [_words(line) for line in references], database.sentence),
        neighbours=_parts(
            text,
            [_neighbours(line) for line in words],
            [_neighbours(_words(line)) for line in references],
            database.sentence,
        ),
        segment=database.segment,
        sentence=database.sentence,
    )


def _words(line: str) -> list[str]:
    return line.lower().split()


def _neighbours(words: list[str]) -> list[str]:
    """Pairs of adjacent words, including the boundaries of the candidate."""
    return [f"{left} {right}" for left, right in zip(["", *words], [*words, ""], strict=True)]


def _pairs(text: Codes, texts: Sequence[str]) -> tuple[Floats, Floats]:
    first, second = text[:, :, None], text[:, None, :]
    both = (first >= 0) & (second >= 0)
    low, high = np.minimum(first, second)[both], np.maximum(first, second)[both]
    pairs, place = np.unique(low * np.int64(len(texts)) + high, return_inverse=True)
    lows, highs = np.divmod(pairs, len(texts))
    lines = np.array([*texts, None], dtype=object)[:-1]
    edits = cpdist(lines[lows], lines[highs], scorer=Levenshtein.normalized_similarity, workers=-1)
    grams = [Counter(f" {line.lower()} "[i : i + 3] for i in range(len(line))) for line in texts]
    shared = np.array(
        [_dice(grams[one], grams[other]) for one, other in zip(lows, highs, strict=True)]
    )
    return _spread(both, edits[place]), _spread(both, shared[place])


def _spread(where: Flags, values: Floats) -> Floats:
    whole = np.full(where.shape, np.nan)
    whole[where] = values
    return whole


def _dice(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    return 2 * sum((one & other).values()) / total if total else 0.0


def _in_reference(
    text: Codes, texts: Sequence[str], references: Sequence[str], sentence: Codes
) -> Floats:
    known = [{line[i : i + 4] for i in range(len(line) - 3)} for line in references]
    shares = np.full(text.shape, np.nan)
    for row, column in np.argwhere(text >= 0):
        line, grams = texts[text[row, column]].lower(), known[sentence[row]]
        parts = [line[i : i + 4] for i in range(len(line) - 3)]
        found = sum(part in grams for part in parts)
        shares[row, column] = found / len(parts) if parts else 0.0
    return shares


def _parts(
    text: Codes,
    parts: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    sentence: Codes,
) -> Parts:
    annotations, columns = text.shape
    longest = min(MOST, max((len(part) for part in parts), default=1) or 1)
    there = np.zeros((annotations, columns, longest), bool)
    shared = np.zeros((annotations, columns, longest, columns), bool)
    exact, beginning = np.zeros_like(there), np.zeros_like(there)
    whole = [set(line) for line in references]
    begins = [{part[:BEGINNING] for part in line} for line in references]
    sets = [set(part) for part in parts]
    for row, codes in enumerate(text.tolist()):
        first: dict[int, int] = {}
        for column, code in enumerate(codes):
            if code < 0:
                continue
            if code in first:
                for array in (there, shared, exact, beginning):
                    array[row, column] = array[row, first[code]]
                continue
            first[code] = column
            for place, part in enumerate(parts[code][:longest]):
                there[row, column, place] = True
                shared[row, column, place] = [other >= 0 and part in sets[other] for other in codes]
                exact[row, column, place] = part in whole[sentence[row]]
                beginning[row, column, place] = part[:BEGINNING] in begins[sentence[row]]
    return Parts(there, shared, exact, beginning)
