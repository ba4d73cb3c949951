"""Feedback arc set as an integer programme, for cycles among many systems.

For every edge e a variable y_e, 1 when the order contradicts it:

    minimise Σ_e w_e y_e   subject to   Σ_{e ∈ C} y_e ≥ 1 for every cycle C,   y_e ∈ {0, 1}

There are too many cycles to list, so only violated ones are added (Grötschel, Jünger and Reinelt
1984): given y, a shortest path back from the end of an edge to its start, with y as lengths, closes
the cycle that is violated most. First the linear relaxation is solved until it violates no cycle.
Its dual packs cycles into the weights of the edges and so bounds the cost of any order from below.
What remains open goes to the integer programme, which again gets the cycles that its solution
leaves until there are none.
"""

from dataclasses import dataclass
from itertools import chain
from time import monotonic

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse.csgraph import dijkstra

from adjudge.ranking.feedback_arc_set.kernels import Order, Weights, cost_of, search
from adjudge.ranking.tournament import first_order

# One judgement, in the integers that weights are given in. What is packed, and what chooses among
# orders that cost the same, are fractions of it; the latter sum to less than half of it for up to
# a thousand systems.
UNIT = 1 << 30
_TOLERANCE = 1e-6  # of HiGHS's feasibility and optimality


@dataclass(frozen=True, eq=False)
class Packing:
    """Packing of weighted cycles whose total on every edge is at most the weight of the edge.

    Every order contradicts an edge of every cycle, so their summed weight bounds its cost.
    """

    members: NDArray[np.bool_]  # (cycles, systems)
    weights: NDArray[np.int64]  # (cycles,)

    @property
    def bound(self) -> int:
        """Lower bound on the cost of any order."""
        return int(self.weights.sum())


class CycleProgramme:
    """Order and lower bound of one strongly connected group, improved until they meet."""

    def __init__(
        self, weights: Weights, order: Order, cost: int, packing: Packing, until: float
    ) -> None:
        self.weights = weights
        self.order = order
        self.cost = cost
        self.bound = packing.bound
        self.packing = packing
        self.until = until
        self.random = np.random.default_rng(0)
        self.better, self.worse = np.nonzero(weights)
        self.edge_weights = weights[self.better, self.worse]
        self.prices = self.edge_weights / UNIT  # numbers of a size that HiGHS likes
        self.step = UNIT if not (weights % UNIT).any() else 1  # costs are multiples of this
        self.number = np.zeros(weights.shape, np.int64)
        self.number[self.better, self.worse] = np.arange(len(self.better))
        self.cycles: dict[tuple[int, ...], None] = {}  # each as the sorted numbers of its edges
        self._add_cycles(np.zeros(len(self.better)))

    @property
    def seconds_left(self) -> float:
        """Time left until the limit."""
        return max(self.until - monotonic(), 0.0)

    @property
    def is_open(self) -> bool:
        """Test whether the bounds differ by at least one judgement and time is left."""
        return self.cost - self.bound >= UNIT // 2 and self.seconds_left > 0

    def relax(self) -> None:
        """Solve the linear relaxation, whose dual solution packs cycles, within the time limit."""
        while self.seconds_left > 0:
            rows = self._matrix()
            result = linprog(
                self.prices,
                -rows,
                -np.ones(rows.shape[0]),
                method="highs",
                options={"time_limit": self.seconds_left},
            )
            if not result.success:
                return
            self._round(result.x)
            if not self._add_cycles(result.x):
                self._pack(rows, -result.ineqlin.marginals)
                return

    def _pack(self, rows: sparse.csr_array, dual: NDArray[np.float64]) -> None:
        """Round the dual solution to integers, so that the proof is free of tolerances."""
        packed = np.floor(UNIT * np.maximum(dual, 0)).astype(np.int64)
        while (over := rows.T @ packed > self.edge_weights).any():  # by what HiGHS tolerates
            packed = np.maximum(packed - (rows @ over.astype(np.int64) > 0), 0)
        ends = sparse.csr_array(
            (np.ones(len(self.better), np.int64), (np.arange(len(self.better)), self.better)),
            shape=(len(self.better), len(self.weights)),
        )
        used = packed > 0
        dense = Packing((rows @ ends).toarray()[used] > 0, packed[used])
        if dense.bound > self.packing.bound:
            self.packing = dense
            self._raise_bound(dense.bound)

    def _raise_bound(self, bound: int) -> None:
        """Raise the lower bound to the next possible cost."""
        self.bound = max(self.bound, -(-bound // self.step) * self.step)

    def solve(self) -> None:
        """Solve the integer programme within the time limit."""
        while self.is_open:
            result = milp(
                self.prices,
                integrality=np.ones(len(self.better)),
                bounds=Bounds(0, 1),
                constraints=LinearConstraint(self._matrix(), 1, np.inf),
                options={"time_limit": self.seconds_left, "mip_rel_gap": 0.0},
            )
            if result.mip_dual_bound is not None:
                self._raise_bound(int(np.floor(UNIT * (result.mip_dual_bound - _TOLERANCE))))
            if result.x is None:
                return
            chosen = np.round(result.x)
            if not self._add_cycles(chosen):
                kept = np.zeros(self.weights.shape, bool)
                kept[self.better, self.worse] = chosen == 0
                self._take(first_order(kept))
                return
            self._round(result.x)

    def _matrix(self) -> sparse.csr_array:
        """Constraint matrix with one row per cycle and one column per edge."""
        row = np.repeat(np.arange(len(self.cycles)), [len(cycle) for cycle in self.cycles])
        column = np.fromiter(chain.from_iterable(self.cycles), np.int64, len(row))
        shape = (len(self.cycles), len(self.better))
        return sparse.csr_array((np.ones(len(row), np.int64), (row, column)), shape=shape)

    def _add_cycles(self, y: NDArray[np.float64]) -> bool:
        """Add the most violated cycle through every edge; return whether there was one."""
        n = len(self.weights)
        # An explicit zero would mean "no edge"; a length far below the tolerance does no harm.
        lengths = sparse.csr_array((y + 1e-9, (self.better, self.worse)), shape=(n, n))
        distance, before = dijkstra(lengths, return_predecessors=True)
        violated = y + distance[self.worse, self.better] < 1 - _TOLERANCE
        known = len(self.cycles)
        for edge in np.flatnonzero(violated):
            start, node = self.worse[edge], self.better[edge]
            cycle = [int(edge)]
            while node != start:
                cycle.append(int(self.number[before[start, node], node]))
                node = before[start, node]
            self.cycles[tuple(sorted(cycle))] = None
        return len(self.cycles) > known

    def _round(self, y: NDArray[np.float64]) -> None:
        """Search for a better order near a solution of the programme."""
        above = np.zeros(self.weights.shape)  # how much the solution wants a row above a column
        above[self.better, self.worse] = 1 - y
        above[self.worse, self.better] = y
        start = np.argsort(-above.sum(axis=1), kind="stable")
        self._take(search(self.weights, start, self.bound, 20, self.random)[0])

    def _take(self, order: Order) -> None:
        """Keep the order if it is the best so far."""
        cost = cost_of(self.weights, order)
        if cost < self.cost:
            self.order, self.cost = order, cost
