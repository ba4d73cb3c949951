"""Word-order features from permutation trees (Zhang and Gildea 2007), compiled.

A permutation tree splits a permutation into parts whose values are contiguous, as far down as that
goes. A node of two parts is monotone or inverted; other nodes have four parts or more, which
cannot be split otherwise. Several trees fit where parts follow each other in one direction: k of
them can be joined in Catalan(k − 1) ways. A tree is found by reading the permutation from left to
right and joining, after each number, the fewest last parts that are contiguous.
"""

from math import lgamma

import numpy as np
from numba import njit
from numpy.typing import NDArray

ORDER = ("kendall", "monotone", "inverted", "four", "larger", "trees")
_MONOTONE, _INVERTED = 1, 2


@njit(cache=True, nogil=True)
def order_features(places: NDArray[np.int64]) -> NDArray[np.float64]:
    """Six features of `ORDER` of a permutation of distinct numbers, each from 0 to 1.

    The share of pairs in order; the shares of monotone, inverted, four-branching and larger nodes;
    the number of trees relative to that of the identity. An empty permutation has value 0 in all, a
    single number is in order.
    """
    number = len(places)
    features = np.zeros(6)
    if number < 2:
        features[0] = features[1] = features[5] = number
        return features
    permutation = np.argsort(np.argsort(places))
    right = 0
    for i in range(number):
        for j in range(i + 1, number):
            right += permutation[i] < permutation[j]
    nodes, trees = _tree(permutation)
    features[0] = right / (number * (number - 1) / 2)
    features[1:5] = nodes / nodes.sum()
    features[5] = np.exp(trees - _catalan(number - 1))
    return features


@njit(cache=True)
def _tree(permutation: NDArray[np.int64]) -> tuple[NDArray[np.float64], float]:
    """Count the nodes of each kind, and compute the logarithm of the number of trees."""
    nodes, trees = np.zeros(4), 0.0
    # Of every part: its lowest and highest number, its kind, and how many parts it joins.
    parts = np.zeros((len(permutation), 4), np.int64)
    top = 0
    for number in permutation:
        parts[top] = number, number, 0, 1
        top += 1
        joined = True
        while joined:
            joined = False
            low, high, size = parts[top - 1, 0], parts[top - 1, 1], 0
            for below in range(top - 1, -1, -1):
                low, high = min(low, parts[below, 0]), max(high, parts[below, 1])
                size += parts[below, 1] - parts[below, 0] + 1
                if below < top - 1 and high - low + 1 == size:
                    trees += _join(parts, below, top, nodes)
                    top, joined = below + 1, True
                    break
    return nodes, trees


@njit(cache=True)
def _join(parts: NDArray[np.int64], first: int, end: int, nodes: NDArray[np.float64]) -> float:
    """Join the parts from `first` on; return the increase in the logarithm of the number of
    trees.
    """
    many = end - first
    low, high = parts[first:end, 0].min(), parts[first:end, 1].max()
    grown = 0.0
    if many == 2:
        kind = _MONOTONE if parts[first, 0] < parts[first + 1, 0] else _INVERTED
        # A part that goes on in the direction of its left neighbour is one more of the same run.
        run = parts[first, 3] + 1 if parts[first, 2] == kind else 2
        grown = _catalan(run - 1) - _catalan(run - 2)
        nodes[kind - 1] += 1
    else:
        kind, run = 0, 1
        nodes[2 if many == 4 else 3] += 1
    parts[first] = low, high, kind, run
    return grown


@njit(cache=True)
def _catalan(n: int) -> float:
    """Logarithm of the n-th Catalan number."""
    return lgamma(2 * n + 1) - lgamma(n + 1) - lgamma(n + 2)
