"""Votes in memory as numbers of every kind, whoever cast them."""

import numpy as np

from adjudge.comparisons.cells import Cells, Crossing
from adjudge.comparisons.comparisons import Comparisons
from adjudge.comparisons.counts import count


def uncrossed(votes: Comparisons) -> Cells:
    """How many votes there are of every kind, in one cell."""
    counted = count(votes)
    i, j = np.triu_indices(len(votes.systems), 1)
    numbers = np.stack([counted.wins[j, i], counted.ties[i, j], counted.wins[i, j]], axis=-1)
    pair, ended = np.nonzero(numbers)
    cells = {"": Crossing(numbers[pair, ended][None], {})}
    first, second, outcome = (codes.astype(np.int32) for codes in (i[pair], j[pair], ended))
    return Cells(votes.pair, votes.systems, first, second, outcome, cells, {})
