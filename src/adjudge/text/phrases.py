"""Location of a phrase in a sentence, independent of tokenisation.

Phrases that were projected through a word alignment (WMT07 §3, Macháček 2014 §2) are tokenised and
may skip words; the sentence is as its system wrote it. Both are therefore split into words and
single punctuation marks, and the phrase is the subsequence of its pieces with the fewest others in
between.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

_PIECE = re.compile(r"\w+|[^\w\s]")
# What tokenisers write instead of typographic punctuation.
_PLAIN = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "‘": "'", "`": "'", "´": "'"}
    | {"–": "-", "—": "-"}
)

Span = tuple[int, int]  # of characters: first, and the one after the last


@dataclass(frozen=True)
class FoundPhrase:
    """Phrase in a sentence: the position of each piece, and the number of pieces left out."""

    spans: tuple[Span, ...]
    skipped: int

    @property
    def closeness(self) -> tuple[int, int]:
        """Sort key of alternatives: fewest pieces left out, then longest."""
        return -self.skipped, len(self.spans)


class Sentence:
    """Sentence prepared for phrase search."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._spans: list[Span] = []
        self._places: dict[str, list[int]] = defaultdict(list)  # of each piece, ascending
        for place, piece in enumerate(_PIECE.finditer(text.translate(_PLAIN))):
            self._spans.append(piece.span())
            self._places[piece[0]].append(place)

    def find(self, phrase: str) -> FoundPhrase | None:
        """Find the phrase with the fewest other pieces in between; None if absent."""
        pieces = _PIECE.findall(phrase.translate(_PLAIN))
        best: list[int] = []
        for first in self._places.get(pieces[0], ()) if pieces else ():
            places = self._follow(pieces, first)
            if places is None:
                break  # nor can a later beginning
            if not best or places[-1] - places[0] < best[-1] - best[0]:
                best = places
        if not best:
            return None
        return FoundPhrase(
            tuple(self._spans[place] for place in best), best[-1] - best[0] + 1 - len(best)
        )

    def _follow(self, pieces: Sequence[str], first: int) -> list[int] | None:
        """Match the pieces greedily, each at the first position after its predecessor."""
        places = [first]
        for piece in pieces[1:]:
            later = (place for place in self._places.get(piece, ()) if place > places[-1])
            nearest = next(later, None)
            if nearest is None:
                return None
            places.append(nearest)
        return places
