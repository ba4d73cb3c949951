"""Finding a phrase in a sentence, whatever either was tokenised with.

Phrases that were projected through a word alignment (WMT07 §3, Macháček 2014 §2) come tokenised
and may leave words out; the sentence they stand in is as its system wrote it. So both are cut
into words and single punctuation marks, and the phrase is where its pieces follow one another
with the fewest others in between.
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
    """A phrase in a sentence: where each of its pieces stands, and how many it leaves out."""

    spans: tuple[Span, ...]
    skipped: int

    @property
    def closeness(self) -> tuple[int, int]:
        """Of several phrases found, the one that leaves out least is it, then the longest."""
        return -self.skipped, len(self.spans)


class Sentence:
    """A sentence in which phrases are looked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._spans: list[Span] = []
        self._places: dict[str, list[int]] = defaultdict(list)  # of each piece, ascending
        for place, piece in enumerate(_PIECE.finditer(text.translate(_PLAIN))):
            self._spans.append(piece.span())
            self._places[piece[0]].append(place)

    def find(self, phrase: str) -> FoundPhrase | None:
        """Where the phrase stands with the fewest other pieces in between; None: nowhere."""
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
        """The places of the pieces, each at its first chance after the one before."""
        places = [first]
        for piece in pieces[1:]:
            later = (place for place in self._places.get(piece, ()) if place > places[-1])
            nearest = next(later, None)
            if nearest is None:
                return None
            places.append(nearest)
        return places
