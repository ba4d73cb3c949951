"""Compiled kernels of the exact feedback arc set solver.

Systems are numbered from 0; `weights[a, b]` is the weight of the edge from a (better) to b. The
cost of an order is the weight of the edges that lead upwards in it.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Weights = NDArray[np.int64]
Order = NDArray[np.int64]  # systems, best first

LARGEST = 62  # systems whose subsets fit the bits of an int64
_SPREAD = 0x1E3779B97F4A7C15  # odd, its bits well mixed: scatters neighbouring subsets


@njit(cache=True)
def cost_of(weights: Weights, order: Order) -> int:
    """Cost of an order: the weight of the edges that lead upwards in it."""
    cost = 0
    for i in range(len(order)):
        for j in range(i):
            cost += weights[order[i], order[j]]
    return cost


@njit(cache=True)
def descend(weights: Weights, order: Order) -> None:
    """Move single systems to their cheapest positions until no move helps, in place."""
    n = len(order)
    moved = True
    while moved:
        moved = False
        for system in range(n):
            place = 0
            while order[place] != system:
                place += 1
            best, best_place, change = 0, place, 0
            for to in range(place - 1, -1, -1):
                change += weights[order[to], system] - weights[system, order[to]]
                if change < best:
                    best, best_place = change, to
            change = 0
            for to in range(place + 1, n):
                change += weights[system, order[to]] - weights[order[to], system]
                if change < best:
                    best, best_place = change, to
            if best < 0:
                step = 1 if best_place > place else -1
                for i in range(place, best_place, step):
                    order[i] = order[i + step]
                order[best_place] = system
                moved = True


@njit(cache=True)
def search(
    weights: Weights, start: Order, bound: int, tries: int, rng: np.random.Generator
) -> tuple[Order, int]:
    """Iterated local search: descent from `start`, then from perturbed copies of the best order.

    Stops early when the cost reaches `bound`, which proves the order optimal.
    """
    n = len(start)
    best = start.copy()
    descend(weights, best)
    best_cost = cost_of(weights, best)
    for _ in range(tries):
        if best_cost <= bound:
            break
        order = best.copy()
        for _ in range(2 + n // 8):
            i = int(rng.random() * n)
            j = int(rng.random() * n)
            order[i], order[j] = order[j], order[i]
        descend(weights, order)
        cost = cost_of(weights, order)
        if cost < best_cost:
            best, best_cost = order, cost
    return best, best_cost


@njit(cache=True)
def _shortest_path(
    left: Weights, start: int, end: int, longest: int, before: NDArray[np.int64]
) -> bool:
    """Search for a path of at most `longest` edges with remaining weight; `before` receives it."""
    n = len(left)
    before[:] = -1
    before[start] = start
    queue = np.empty(n, np.int64)
    depth = np.zeros(n, np.int64)
    queue[0] = start
    head, tail = 0, 1
    while head < tail:
        here = queue[head]
        head += 1
        if depth[here] == longest:
            return False
        for there in range(n):
            if before[there] < 0 and left[here, there] > 0:
                before[there] = here
                if there == end:
                    return True
                depth[there] = depth[here] + 1
                queue[tail] = there
                tail += 1
    return False


@njit(cache=True)
def pack_cycles(weights: Weights, order: Order) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Pack cycles that share no weight; return their systems and weights.

    Every order must contradict an edge of every cycle, so the summed weight is a lower bound of
    the cost of any order. Every cycle has an edge that leads upwards in `order`; the cycles are
    found from those edges, triangles first.
    """
    n = len(weights)
    left = weights.copy()
    members = np.zeros((n * n, n), np.bool_)
    packed = np.zeros(n * n, np.int64)
    number = 0
    before = np.empty(n, np.int64)
    for longest in (2, n):
        for i in range(n):
            for j in range(i):
                low, high = order[i], order[j]
                while left[low, high] > 0 and _shortest_path(left, high, low, longest, before):
                    weight = left[low, high]
                    node = low
                    while node != high:
                        weight = min(weight, left[before[node], node])
                        node = before[node]
                    left[low, high] -= weight
                    members[number, high] = True
                    node = low
                    while node != high:
                        left[before[node], node] -= weight
                        members[number, node] = True
                        node = before[node]
                    packed[number] = weight
                    number += 1
    return members[:number], packed[:number]


@njit(cache=True)
def _slot(table: NDArray[np.int32], sets: NDArray[np.int64], key: int) -> int:
    """Hash table slot that holds the set, or would hold it."""
    last = len(table) - 1
    slot = ((key * _SPREAD) >> 24) & last
    while table[slot] >= 0 and sets[table[slot]] != key:
        slot = (slot + 1) & last
    return slot


@njit(cache=True)
def _grown(
    sets: NDArray[np.int64], costs: NDArray[np.int64], orders: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.int32]]:
    """Double the room for sets and rebuild the hash table."""
    size = len(sets)
    more_sets = np.zeros(2 * size, np.int64)
    more_costs = np.zeros(2 * size, np.int64)
    more_orders = np.ones(2 * size, np.float64)
    more_sets[:size], more_costs[:size], more_orders[:size] = sets, costs, orders
    table = np.full(8 * size, -1, np.int32)
    for i in range(size):
        table[_slot(table, more_sets, sets[i])] = i
    return more_sets, more_costs, more_orders, table


@njit(cache=True)
def _bits(members: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Encode every row as the bits of an integer."""
    bits = np.zeros(len(members), np.int64)
    for row in range(len(members)):
        for i in range(members.shape[1]):
            if members[row, i]:
                bits[row] |= 1 << i
    return bits


@njit(cache=True)
def _bound(
    placed: int,
    cycles: NDArray[np.int64],
    packed: NDArray[np.int64],
    through: NDArray[np.int64],
) -> int:
    """Weight of the packed cycles among systems still to be placed; `through` receives that of each
    system.
    """
    bound = 0
    through[:] = 0
    for c in range(len(cycles)):
        if cycles[c] & placed == 0:
            bound += packed[c]
            rest, i = cycles[c], 0
            while rest:
                if rest & 1:
                    through[i] += packed[c]
                rest >>= 1
                i += 1
    return bound


@njit(cache=True)
def subset_programme(
    weights: Weights,
    members: NDArray[np.bool_],
    packed: NDArray[np.int64],
    ceiling: int,
    most_sets: int,
) -> tuple[Order, float]:
    """Find an optimal order, and the number of optimal orders, by dynamic programming over subsets.

    The least cost of having a set of systems in the last places depends on the set alone; it
    grows by one system at a time, from the last place up (Lopez 2012, Algorithm 1, the other way
    round). A set is dropped when its cost and the packed cycles among the systems still to be
    placed exceed `ceiling`, the cost of a known order: no optimal order goes through it. Among
    several optimal orders the one that is lexicographically first is returned. An empty order
    means that more than `most_sets` sets were needed.
    """
    n = len(weights)
    cycles = _bits(members)
    through = np.empty(n, np.int64)
    sets = np.zeros(256, np.int64)
    costs = np.zeros(256, np.int64)
    orders = np.ones(256, np.float64)
    table = np.full(1024, -1, np.int32)
    table[_slot(table, sets, 0)] = 0
    current, known = 0, 1
    while current < known:  # sets come in order of size, the whole last
        placed = sets[current]
        bound = _bound(placed, cycles, packed, through)
        for system in range(n):
            key = placed | (1 << system)
            cost = costs[current]
            for above in range(n):
                if not key >> above & 1:
                    cost += weights[system, above]
            if key == placed or cost + bound - through[system] > ceiling:
                continue
            if known == len(sets):
                sets, costs, orders, table = _grown(sets, costs, orders)
            slot = _slot(table, sets, key)
            index = table[slot]
            if index < 0 and known >= most_sets:
                return np.empty(0, np.int64), 0.0
            if index < 0:
                table[slot] = known
                sets[known], costs[known], orders[known] = key, cost, orders[current]
                known += 1
            elif cost < costs[index]:
                costs[index], orders[index] = cost, orders[current]
            elif cost == costs[index]:
                orders[index] += orders[current]
        current += 1
    return _first_order(weights, table, sets, costs, known - 1), orders[known - 1]


@njit(cache=True)
def _first_order(
    weights: Weights,
    table: NDArray[np.int32],
    sets: NDArray[np.int64],
    costs: NDArray[np.int64],
    whole: int,
) -> Order:
    """Lexicographically first optimal order, read off from the top."""
    n = len(weights)
    order = np.empty(n, np.int64)
    current = whole
    for place in range(n):
        for system in range(n):
            if not sets[current] >> system & 1:
                continue
            below = table[_slot(table, sets, sets[current] & ~(1 << system))]
            if below < 0:
                continue
            cost = costs[below]
            for i in range(place):
                cost += weights[system, order[i]]
            if cost == costs[current]:
                order[place] = system
                current = below
                break
    return order
