"""Trace of a line search for figures (Macháček 2014, Figure 3.4).

Along the weight of one feature, the model score of every candidate is a straight line; those of a
sentence that are on top, the upper envelope, are chosen, and the objective changes where any
envelope has a corner. The trace shows the vicinity of the weights: the feature and the sentence
whose envelope has most corners there, and of several such features the one with the largest effect.
"""

from dataclasses import dataclass

import numpy as np

from adjudge.core.errors import NotEnoughData
from adjudge.tuning import kernels
from adjudge.tuning.candidates import Floats, Numbers
from adjudge.tuning.line_search import scores_along
from adjudge.tuning.pool import Pool

NEAR = 20  # corners on either side of the weights


@dataclass(frozen=True, eq=False)
class TracedLine:
    """Objective and envelope between two changes γ of a weight, the first and the last edge."""

    feature: str
    edges: Floats  # of the intervals between corners of any envelope
    scores: Floats  # the objective in each
    sentence: int  # from 1
    intercepts: Floats  # of its candidates' model scores, less that of the one that is chosen
    slopes: Floats
    corners: Floats  # of its envelope

    @property
    def low(self) -> float:
        """Lower end of the line."""
        return float(self.edges[0])

    @property
    def high(self) -> float:
        """Upper end of the line."""
        return float(self.edges[-1])

    @property
    def envelope(self) -> Floats:
        """Points of the upper envelope, (γ, model score), from low to high."""
        points = np.array([self.low, *self.corners, self.high])
        heights = (self.intercepts + points[:, None] * self.slopes).max(axis=1)
        return np.column_stack([points, heights])


def trace(pool: Pool, weights: Floats) -> TracedLine:
    """Trace the line whose envelope has most corners near the weights."""
    lines = [_along(pool, weights, feature) for feature in range(len(weights))]
    best = max(lines, key=lambda line: (len(line.corners), np.ptp(line.scores)))
    if len(best.scores) < 2:
        raise NotEnoughData("no change of a single weight leads to another choice of candidates")
    return best


def _along(pool: Pool, weights: Floats, feature: int) -> TracedLine:
    edges, scores = _near(*scores_along(pool, weights, np.eye(len(weights))[feature]))
    intercept, slope = pool.features @ weights, pool.columns[feature]
    places, sentences = _corners(pool, intercept, slope, pool.orderings[feature])
    inside = (places > edges[0]) & (places < edges[-1])
    sentence = int(np.bincount(sentences[inside], minlength=pool.sentences).argmax())
    own = slice(*pool.starts[sentence : sentence + 2])
    chosen = pool.starts[sentence] + int(intercept[own].argmax())
    return TracedLine(
        pool.names[feature],
        edges,
        pool.objective.shown(scores),
        sentence + 1,
        intercept[own] - intercept[chosen],
        slope[own] - slope[chosen],
        np.sort(places[inside & (sentences == sentence)]),
    )


def _near(edges: Floats, scores: Floats) -> tuple[Floats, Floats]:
    """Select the intervals near the weights, with finite ends."""
    corners = edges[1:-1]
    if not len(corners):
        return np.array([-1.0, 1.0]), scores
    after = int(np.searchsorted(corners, 0.0))
    first, last = max(0, after - NEAR), min(len(corners), after + NEAR)
    room = 0.05 * max(corners[last - 1] - corners[first], 1e-3)
    low = corners[first - 1] if first > 0 else min(corners[0] - room, -room)
    high = corners[last] if last < len(corners) else max(corners[-1] + room, room)
    return np.concatenate([[low], corners[first:last], [high]]), scores[first : last + 1]


def _corners(
    pool: Pool, intercept: Floats, slope: Floats, ordering: Numbers
) -> tuple[Floats, Numbers]:
    """Corners of all envelopes, and the sentence of each."""
    size = len(pool)
    place, begins = np.empty(size), np.empty(size)
    before, after, stack = (np.empty(size, np.int64) for _ in range(3))
    first = np.empty(pool.sentences, np.int64)
    number = kernels.envelopes(
        slope, intercept, ordering, pool.starts, place, before, after, first, stack, begins
    )
    sentences = np.searchsorted(pool.starts, before[:number], side="right") - 1
    return place[:number], sentences
