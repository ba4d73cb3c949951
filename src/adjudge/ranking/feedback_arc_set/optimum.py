"""Minimum feedback arc set of a tournament, solved exactly.

Reversing edges so that no cycle is left, at the least weight, gives the order that contradicts
just those edges (Lopez 2012 §4). That is NP-hard in general and easy on most campaigns:

1. An edge between strongly connected components is never reversed, so every component is solved
   for itself.
2. Cycles that share no edge weight bound the cost of a component from below, and local search
   finds an order. With both, a dynamic programme over subsets of systems drops almost all of them
   (`feedback_arc_set_kernels`); it decides any component of up to twenty systems.
3. Where larger ones resist, a linear programme packs cycles as densely as can be
   (`feedback_arc_set_program`), and the dynamic programme tries again with that bound.
4. What is still open goes to an integer programme with lazily added cycles.

Every cost comes with a proved lower bound; `optimal` says that they are the same number.

Where several orders are optimal, the one is taken that agrees best with the win ratios: an edge
from A to B weighs (ρ(A) − ρ(B)) / UNIT more, ρ being the systems' ranks by win ratio and the whole
too little to outweigh a single comparison. Of systems that no edges order, those with the higher
win ratio go first.
"""

from dataclasses import dataclass
from math import prod
from time import monotonic

import numpy as np

from adjudge.data.win_counts import WinCounts
from adjudge.ranking.counting.cells import win_ratio
from adjudge.ranking.feedback_arc_set.integer_program import UNIT, CycleProgramme, Packing
from adjudge.ranking.feedback_arc_set.kernels import (
    LARGEST,
    Order,
    Weights,
    cost_of,
    pack_cycles,
    search,
    subset_programme,
)
from adjudge.ranking.tournament import (
    Majority,
    first_order,
    strong_components,
    tournament,
)
from adjudge.stats.ranks import best_ranks, worst_ranks

SECONDS = 60.0

_MOST_SETS = 1 << 20  # all subsets of twenty systems
_FEW_SETS = 1 << 13  # tried before a linear programme is worth its time
_COUNTED_SETS = 1 << 16  # to count the optimal orders of more than twenty systems
_SETS_A_SECOND = 20_000  # what sixty systems manage
_MOST_ORDERS = 2.0**53  # counted exactly up to here


@dataclass(frozen=True)
class FeedbackArcSet:
    """Order with the fewest violated comparisons, best system first, and the proof status."""

    order: tuple[str, ...]
    cost: int  # violated comparisons: summed weight of the reversed majorities
    bound: int  # no order costs less
    orders: int | None  # how many orders have this cost; None: too many to count, or not proved
    reversed: tuple[Majority, ...]
    components: tuple[tuple[str, ...], ...]  # strongly connected, of two systems or more
    seconds: float  # the limit that was set

    @property
    def optimal(self) -> bool:
        """Test whether the order is proved optimal."""
        return self.cost == self.bound


@dataclass(frozen=True, eq=False)
class Solution:
    """Order of numbered systems, its cost and lower bound, and the cycles that prove the bound.

    Costs and weights are in multiples of 1 / UNIT.
    """

    order: Order
    cost: int
    bound: int
    packing: Packing


def minimum_feedback_arc_set(counts: WinCounts, seconds: float = SECONDS) -> FeedbackArcSet:
    """Solve exactly, or as far as `seconds` allow."""
    until = monotonic() + seconds
    graph = tournament(counts)
    exact = solve(UNIT * graph.weights, until)
    orders = _count_orders(graph.weights, exact)
    order = best_order(counts, until) if orders != 1 else exact.order
    if UNIT * cost_of(graph.weights, order) > exact.cost:
        order = exact.order  # time ran out before a choice among the optimal orders was made
    return FeedbackArcSet(
        order=tuple(counts.systems[i] for i in order),
        cost=cost_of(graph.weights, order),
        bound=-(-exact.bound // UNIT),
        orders=orders,
        reversed=graph.contradicted(-np.argsort(order).astype(np.float64)),
        components=tuple(cycle.systems for cycle in graph.cycles()),
        seconds=seconds,
    )


def best_order(counts: WinCounts, until: float) -> Order:
    """Find the optimal order; among several, the one that agrees best with the win ratios.

    Systems are numbered by ratio, wins and name before they are solved, so that names matter only
    as the last criterion.
    """
    ratio = win_ratio(counts)
    wins = counts.wins.sum(axis=-1)
    names = np.argsort(np.argsort(np.array(counts.systems)))
    numbered = np.lexsort((names, -wins, -ratio))
    rank = best_ranks(-ratio[numbered]) + worst_ranks(-ratio[numbered])
    net = (counts.wins - counts.wins.T)[np.ix_(numbered, numbered)]
    weights = np.where(net > 0, UNIT * net + rank[:, None] - rank, 0)
    return numbered[solve(weights, until).order]


def solve(weights: Weights, until: float) -> Solution:
    """Find the optimal order; systems without any edge are ordered by number."""
    n = len(weights)
    label = np.empty(n, np.int64)
    place = np.zeros(n, np.int64)  # within the component
    cost = bound = 0
    members, packed = [np.zeros((0, n), bool)], [np.zeros(0, np.int64)]
    for number, group in enumerate(strong_components(weights)):
        label[group] = number
        if len(group) > 1:
            part = _solve_component(weights[np.ix_(group, group)], until)
            place[group[part.order]] = np.arange(len(group))
            cost += part.cost
            bound += part.bound
            members.append(np.zeros((len(part.packing.weights), n), bool))
            members[-1][:, group] = part.packing.members
            packed.append(part.packing.weights)
    together = label[:, None] == label
    before = np.where(together, place[:, None] < place, weights > 0)
    packing = Packing(np.concatenate(members), np.concatenate(packed))
    return Solution(first_order(before), cost, bound, packing)


def _solve_component(weights: Weights, until: float) -> Solution:
    random = np.random.default_rng(0)
    order, _ = search(weights, np.arange(len(weights)), 0, 5, random)
    packing = Packing(*pack_cycles(weights, order))
    order, cost = search(weights, order, packing.bound, 10 * len(weights), random)
    sets = _MOST_SETS if len(weights) <= 20 else _FEW_SETS
    first, _ = _subsets(weights, packing, cost, sets)
    if len(first):
        return _proved(weights, first, packing)
    programme = CycleProgramme(weights, order, cost, packing, until)
    programme.relax()
    sets = int(_SETS_A_SECOND * programme.seconds_left)
    first, _ = _subsets(weights, programme.packing, programme.cost, sets)
    if len(first):
        return _proved(weights, first, programme.packing)
    programme.solve()
    return Solution(programme.order, programme.cost, programme.bound, programme.packing)


def _proved(weights: Weights, order: Order, packing: Packing) -> Solution:
    cost = cost_of(weights, order)
    return Solution(order, cost, cost, packing)


def _subsets(
    weights: Weights, packing: Packing, ceiling: int, most_sets: int
) -> tuple[Order, float]:
    """Run the dynamic programme below a known cost; an empty order if it gave up."""
    if len(weights) > LARGEST:
        return np.empty(0, np.int64), 0.0
    solution: tuple[Order, float] = subset_programme(
        weights, packing.members, packing.weights, ceiling, min(most_sets, _MOST_SETS)
    )
    return solution


def _count_orders(weights: Weights, exact: Solution) -> int | None:
    """Count the optimal orders.

    Systems without an edge between them may change places, so counting uses groups between which
    all pairs have an edge: strong components when a missing edge counts as leading both ways.
    """
    if exact.cost != exact.bound:
        return None
    numbers = []
    for group in strong_components((weights.T == 0) & ~np.eye(len(weights), dtype=bool)):
        within = UNIT * weights[np.ix_(group, group)]
        inside = exact.packing.members[:, group].any(axis=1)
        packing = Packing(
            exact.packing.members[np.ix_(inside, group)], exact.packing.weights[inside]
        )
        cost = cost_of(within, np.searchsorted(group, exact.order[np.isin(exact.order, group)]))
        sets = _MOST_SETS if len(group) <= 20 else _COUNTED_SETS
        numbers.append(_subsets(within, packing, cost, sets)[1])
    total = prod(numbers)
    return int(total) if 0 < total <= _MOST_ORDERS else None
