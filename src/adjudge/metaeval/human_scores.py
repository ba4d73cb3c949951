"""The human side: what people say of systems and of segments of one language pair.

Scores of systems come from any ranking method, from means of scores, or from a file; scores of
segments from direct assessment or marked errors; preferences from rankings. Higher is better, as
everywhere in this program. What nobody scored is NaN.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from adjudge.data.comparisons import Comparisons
from adjudge.metaeval.ratings import Ratings
from adjudge.stats.units import Codes, Floats


@dataclass(frozen=True, eq=False)
class HumanScores:
    """What people say of the systems of one language pair."""

    pair: str
    name: str  # of the scale or the ranking method: mqm, expected-wins
    systems: tuple[str, ...]
    system_scores: Floats  # (systems,)
    segments: tuple[str, ...] = ()
    segment_scores: Floats | None = None  # (systems × segments)
    document: Codes | None = None  # of each segment, −1: unknown
    preferences: Comparisons | None = None  # of two outputs of a segment
    replicates: Floats | None = None  # (replicates × systems): system scores from other judges
    drawn_number: float = np.inf  # of units that were drawn for them; many: their spread is true
    ratings: Ratings | None = None  # the single scores behind those of segments

    def among(self, systems: Sequence[str]) -> "HumanScores":
        """Of these systems only, in this order; preferences between two of them."""
        place = {name: i for i, name in enumerate(self.systems)}
        kept = np.array([place[name] for name in systems], np.int64)
        return replace(
            self,
            systems=tuple(systems),
            system_scores=self.system_scores[kept],
            segment_scores=None if self.segment_scores is None else self.segment_scores[kept],
            preferences=_between(self.preferences, systems),
            replicates=None if self.replicates is None else self.replicates[:, kept],
            ratings=None if self.ratings is None else self.ratings.among(kept.tolist()),
        )


def _between(preferences: Comparisons | None, systems: Sequence[str]) -> Comparisons | None:
    """Comparisons of two of these systems, with these as their vocabulary."""
    if preferences is None:
        return None
    code = {name: i for i, name in enumerate(systems)}
    place = np.array([code.get(name, -1) for name in preferences.systems], np.int32)
    left, right = place[preferences.left], place[preferences.right]
    renamed = replace(preferences, left=left, right=right, systems=tuple(systems))
    return renamed.where((left >= 0) & (right >= 0))
