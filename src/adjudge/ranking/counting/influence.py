"""Influence of counted events on scores: the infinitesimal jackknife.

One more event of cell k (system i beat system j, say) moves the score of system a by about
influence[k, a]; summed over the events of a judge that is what the judge adds to the score
(`stats.crossed`). Of a share won_a / number_a it is (won − s_a) / (number_a − 1) for an event
that counts, with number − 1 in place of number: to first order the delete-one jackknife, which
loses nothing of the variance where numbers are small.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.votes.cells import BETTER, EQUAL, WORSE
from adjudge.data.win_counts import WinCounts
from adjudge.ranking.counting.cells import Tally
from adjudge.stats.resampling import Floats

EPSILON = 1e-3  # events added to find a slope
MOST_ENTRIES = 1 << 22  # numbers held at a time


@dataclass(frozen=True, eq=False)
class Influence:
    """Influence and weight of one event of every cell of a tally in every score."""

    influence: Floats  # (cells, systems)
    weight: Floats  # (cells, systems); over all events they add up to 1
    working: Floats  # (systems, systems): what likings of variance 1 do to the scores
    centre: Floats  # (systems,): shares smoothed so that they are never 0 or 1; else scores
    floor: Floats  # (systems,): the variance if all events were independent; never nothing


def smoothed_shares(wins: NDArray[np.integer]) -> Floats:
    """Smoothed shares p̃_ab = (W_ab + 1/2) / (W_ab + W_ba + 1); NaN for pairs that never met."""
    decided = wins + wins.T
    return np.where(decided > 0, (wins + 0.5) / (decided + 1), np.nan)


def working_of_shares(wins: NDArray[np.integer]) -> Floats:
    """Working covariance G Gᵀ with G = ∂ score / ∂ strength: g_ab = p̃_ab (1 − p̃_ab) over the
    opponents met.
    """
    share = smoothed_shares(wins)
    met = ~np.isnan(share)
    slope = np.where(met, share * (1 - share), 0) / np.maximum(met.sum(axis=1), 1)[:, None]
    slopes = np.diag(slope.sum(axis=1)) - slope
    return np.asarray(slopes @ slopes.T)


def working_of_strengths(systems: int) -> Floats:
    """Working covariance of centred strengths: I − 1/S."""
    return np.asarray(np.eye(systems) - 1 / systems)


def influence_of_expected_wins(tally: Tally[Any], counts: WinCounts) -> Influence:
    """Influence on a mean of shares over opponents: each opponent has weight 1/m_a, however often
    it was met.

    influence = (won − p_ab) / (m_a (N_ab − 1)),  weight = 1 / (m_a N_ab),  for decided comparisons
    """
    decided = counts.wins + counts.wins.T
    opponents = np.maximum((decided > 0).sum(axis=1), 1)[:, None]
    share = counts.wins / np.maximum(decided, 1)
    credit, counted = _sides(tally, tie=None)
    first, second, _ = tally.labels
    influence = np.zeros((len(first), len(share)))
    weight = np.zeros_like(influence)
    row = np.arange(len(first))
    for side, (a, b) in enumerate(((first, second), (second, first))):
        number = decided[a, b]
        met = counted[side] / opponents[a, 0]
        influence[row, a] = met * (credit[side] - share[a, b]) / np.maximum(number - 1, 1)
        weight[row, a] = met / np.maximum(number, 1)
    smoothed = smoothed_shares(counts.wins)
    known = ~np.isnan(smoothed)
    one_vote = np.where(known, smoothed * (1 - smoothed) / np.maximum(decided, 1), 0)
    seen = known.any(axis=1)
    centre = np.where(seen, np.nansum(smoothed, axis=1) / opponents[:, 0], 0.5)
    floor = np.where(seen, one_vote.sum(axis=1) / opponents[:, 0] ** 2, 0.25)
    return Influence(influence, weight, working_of_shares(counts.wins), centre, floor)


def influence_of_share(tie: float | None) -> Callable[[Tally[Any], WinCounts], Influence]:
    """Influence on the share of comparisons that a system wins; a tie counts `tie`, or is left out
    if None.

    influence = (won − s_a) / (number_a − 1),  weight = 1 / number_a
    """

    def influence(tally: Tally[Any], counts: WinCounts) -> Influence:
        credit, counted = _sides(tally, tie)
        first, second, _ = tally.labels
        shape = (len(first), len(counts.systems))
        won, number = np.zeros(shape), np.zeros(shape)
        for side, system in enumerate((first, second)):
            won[np.arange(len(system)), system] = credit[side] * counted[side]
            number[np.arange(len(system)), system] = counted[side]
        return _of_shares(tally, won, number, counts)

    return influence


def influence_of_blocks(won: int) -> Callable[[Tally[Any], WinCounts], Influence]:
    """Influence on the share of blocks with at least the outcome `won` (blocks.SHARED, SOLE)."""

    def influence(tally: Tally[Any], counts: WinCounts) -> Influence:
        system, result = tally.labels
        number = np.eye(len(counts.systems))[system]
        return _of_shares(tally, number * (result >= won)[:, None], number, counts)

    return influence


def numerical_influence(
    tally: Tally[Any],
    counts: WinCounts,
    score: Callable[[Any], Floats],
    share: bool,
) -> Influence:
    """Influence on any smooth score: numerical derivative per cell count."""
    exact: Any = tally.counts.astype(np.float64)  # counts with fractions of events
    now = score(tally.statistics(exact))
    cells, systems = len(tally.counts), len(now)
    slopes = np.empty((cells, systems))
    at_once = max(1, MOST_ENTRIES // tally.entries)
    for begin in range(0, cells, at_once):
        row = np.arange(begin, min(begin + at_once, cells))
        more: Any = np.tile(exact, (len(row), 1))
        more[np.arange(len(row)), row] += EPSILON
        slopes[row] = (score(tally.statistics(more)) - now) / EPSILON
    slopes -= tally.counts @ slopes / tally.counts.sum()  # one more campaign changes nothing
    independent = tally.counts @ slopes**2
    floor = np.maximum(independent, max(0.1 * float(independent.mean()), 1e-12))
    number = events_of_systems(tally, systems)
    weight = number / np.maximum(tally.counts @ number, 1)
    if not share:
        return Influence(slopes, weight, working_of_strengths(systems), now, floor)
    total = tally.counts @ number
    centre = (now * total + 0.5) / (total + 1)
    return Influence(slopes, weight, working_of_shares(counts.wins), centre, floor)


def events_of_systems(tally: Tally[Any], systems: int) -> Floats:
    """Matrix (cells, systems): 1 where the event belongs to the system."""
    *taking_part, _ = tally.labels
    number = np.zeros((len(tally.counts), systems))
    for system in taking_part:
        number[np.arange(len(system)), system] = 1
    return number


def _sides(tally: Tally[Any], tie: float | None) -> tuple[list[Floats], list[Floats]]:
    """Value of a comparison for its first and second system, and whether it counts."""
    outcome = tally.labels[2]
    tied = 0.0 if tie is None else tie
    credit = [
        np.where(outcome == EQUAL, tied, (outcome == won).astype(np.float64))
        for won in (BETTER, WORSE)
    ]
    counted = np.ones(len(outcome)) if tie is not None else (outcome != EQUAL).astype(np.float64)
    return credit, [counted, counted]


def _of_shares(tally: Tally[Any], won: Floats, number: Floats, counts: WinCounts) -> Influence:
    """Influence on shares won / number, given the contribution of one event of each cell to
    either.
    """
    total, wins = tally.counts @ number, tally.counts @ won
    share = np.divide(wins, total, out=np.full(len(total), 0.5), where=total > 0)
    centre = (wins + 0.5) / (total + 1)
    floor = np.where(total > 0, centre * (1 - centre) / np.maximum(total, 1), 0.25)
    return Influence(
        (won - share * number) / np.maximum(total - 1, 1),
        number / np.maximum(total, 1),
        working_of_shares(counts.wins),
        centre,
        floor,
    )
