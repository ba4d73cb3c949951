"""Tournament of systems: majorities, their weights, and cycles among them.

An edge leads from A to B when more comparisons prefer A to B than B to A; its weight is the
difference, count(A > B) − count(B > A) (Lopez 2012 §4 and §5). Pairs that were never compared,
or that come out even, have no edge. Where edges form a cycle no order can agree with all
majorities: an order *contradicts* the edges that lead from a worse to a better system in it, and
their summed weight is what Lopez calls its violated comparisons.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse.csgraph import breadth_first_order, connected_components

from adjudge.data.win_counts import WinCounts

Weights = NDArray[np.int64]  # (…, systems, systems): the weight of the edge, 0 where there is none


@dataclass(frozen=True)
class Majority:
    """Majority of comparisons that prefer `better` to `worse`; `weight` is its margin."""

    better: str
    worse: str
    weight: int


@dataclass(frozen=True)
class Cycle:
    """Systems that cannot be ordered without contradicting a majority.

    Any two of `systems` lie on a common cycle; `example` is one of the shortest cycles among
    them: each system in it beats the next, and the last beats the first.
    """

    systems: tuple[str, ...]
    example: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Tournament:
    """Majorities among systems."""

    systems: tuple[str, ...]
    weights: Weights

    def to_frame(self) -> pl.DataFrame:
        """Return one row per majority, the heaviest first."""
        better, worse = np.nonzero(self.weights)
        return pl.DataFrame(
            {
                "better": self._names(better),
                "worse": self._names(worse),
                "weight": self.weights[better, worse],
            },
            schema={"better": pl.String, "worse": pl.String, "weight": pl.Int64},
        ).sort("weight", "better", "worse", descending=[True, False, False])

    def cycles(self) -> tuple[Cycle, ...]:
        """Groups of systems in cycles, in topological order."""
        return tuple(
            Cycle(self._names(group), self._names(_shortest_cycle(self.weights, group)))
            for group in strong_components(self.weights)
            if len(group) > 1
        )

    def contradicted(self, scores: NDArray[np.float64]) -> tuple[Majority, ...]:
        """Majorities against the order of `scores`, the heaviest first; equal scores contradict
        nothing.

        Equal scores contradict nothing.
        """
        better, worse = np.nonzero(self.weights * _upset(scores))
        majorities = [
            Majority(self.systems[a], self.systems[b], int(self.weights[a, b]))
            for a, b in zip(better, worse, strict=True)
        ]
        return tuple(sorted(majorities, key=lambda m: (-m.weight, m.better, m.worse)))

    def violated(self, scores: NDArray[np.float64]) -> int:
        """Violated comparisons: the total weight of the contradicted majorities."""
        return int((self.weights * _upset(scores)).sum())

    def _names(self, indices: NDArray[np.int64]) -> tuple[str, ...]:
        return tuple(self.systems[i] for i in indices)


def majority_weights(counts: WinCounts) -> Weights:
    """Weight of every edge, with the replicate axis of the counts, if any."""
    weights: Weights = np.maximum(counts.wins - np.swapaxes(counts.wins, -1, -2), 0)
    return weights


def tournament(counts: WinCounts) -> Tournament:
    """Build the tournament of the majorities in the counts."""
    return Tournament(counts.systems, majority_weights(counts))


def strong_components(edges: NDArray[np.generic]) -> list[NDArray[np.int64]]:
    """Strongly connected components in topological order."""
    _, label = connected_components(edges != 0, directed=True, connection="strong")
    _, first, label = np.unique(label, return_index=True, return_inverse=True)
    label = np.argsort(np.argsort(first))[label]  # components numbered by their first system
    before = np.zeros((len(first), len(first)), bool)
    better, worse = np.nonzero(edges)
    before[label[better], label[worse]] = True
    np.fill_diagonal(before, False)
    return [np.flatnonzero(label == number) for number in first_order(before)]


def first_order(before: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Lexicographically first topological order of the acyclic relation `before`."""
    above = before.sum(axis=0)
    order = np.empty(len(before), np.int64)
    for place in range(len(before)):
        chosen = np.argmin(above)
        order[place] = chosen
        above -= before[chosen]
        above[chosen] = len(before)
    return order


def _shortest_cycle(weights: Weights, group: NDArray[np.int64]) -> NDArray[np.int64]:
    """Shortest cycle through systems of one strongly connected group."""
    within = weights[np.ix_(group, group)] > 0
    best: list[int] = []
    for start in range(len(group)):
        order, before = breadth_first_order(within, start)
        # The first system reached that beats the start closes the shortest cycle through it.
        path = [int(order[within[order, start]][0])]
        while path[-1] != start:
            path.append(int(before[path[-1]]))
        if not best or len(path) < len(best):
            best = path[::-1]
    return group[best]


def _upset(scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Matrix of pairs in which the row's system scores below the column's."""
    return scores[:, None] < scores[None, :]
