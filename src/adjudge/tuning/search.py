"""Minimum error rate training: Powell's search from many starting points (Och 2003).

From every start the search climbs: it searches along all axes, moves to the best point of the best
line, and repeats until no line gains. Starts are the given weights, `restarts` random ones, and, in
`rounds` rounds, as many near the best points so far, which usually finds better points than further
random starts. Every start has a random generator of its own, so results do not depend on how work
is spread: here over threads, for nearly all time is that of kernels which let go of Python's lock,
or over a cluster. A decoder's loop (`loop.py`) adds the weights of its earlier iterations.

Directions: `axes` only; `random`: as many random ones besides at every step (Moses' way);
`conjugate`: one line after the other, and after each turn the way gone in all replaces the line
that gained most (Powell 1964).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import one_of, within
from adjudge.core.parallel import Engine
from adjudge.stats.resampling import generator
from adjudge.tuning.candidates import Floats, Numbers
from adjudge.tuning.line_search import (
    Lines,
    Regularisation,
    axes,
    lines_along,
    search_lines,
)
from adjudge.tuning.pool import Pool
from adjudge.tuning.weights import Limits

Directions = Literal["axes", "random", "conjugate"]
Choice = Literal["best", "stable"]

LEAST_GAIN = 1e-7
MOST_STEPS = 200  # a regularised climb may go in circles
_TOGETHER = 5  # starts of one piece of work on a cluster, where each carries the pool
_NEAR = 5  # the best points, near which starts are drawn


@dataclass(frozen=True)
class Search:
    """Parameters of the search."""

    restarts: int = 20
    rounds: int = 3
    directions: Directions = "axes"
    random_directions: int = 20  # at every step, for `random`
    regularisation: Regularisation = field(default_factory=Regularisation)
    choice: Choice = "best"  # of the ends of all climbs
    seed: int = 1
    further: tuple[tuple[float, ...], ...] = ()  # weights to start from besides, of earlier lists

    def __post_init__(self) -> None:
        within(self.restarts, "restarts", 0)
        within(self.rounds, "rounds", 0)
        within(self.random_directions, "random_directions", 1)
        one_of(self.directions, get_args(Directions), "directions")
        one_of(self.choice, get_args(Choice), "choice")


@dataclass(frozen=True, eq=False)
class Point:
    """Final point of a climb."""

    score: float
    weights: Floats
    start: int  # its number: 0 is the given one


def search(
    pool: Pool, start: Floats, how: Search, limits: Limits, engine: Engine | None = None
) -> list[Point]:
    """Final points of all climbs, the best first, without duplicate choices of candidates."""
    return distinct(pool, climbs(pool, start, how, limits, engine))


def climbs(
    pool: Pool, start: Floats, how: Search, limits: Limits, engine: Engine | None = None
) -> list[Point]:
    """Final points of all climbs in the order of their starts: the given one, random ones, later
    rounds.
    """
    spread = spreads(pool)
    drawn = (
        _random_start(generator(how.seed, number), start, spread, limits, number)
        for number in range(1, how.restarts + 1)
    )
    begin = [start, *drawn, *(np.array(each) for each in how.further)]
    points = _climbed(pool, begin, 0, how, limits, engine)
    for _ in range(how.rounds):
        best = distinct(pool, points)[:_NEAR]
        first = len(begin)
        near = [
            _near(generator(how.seed, first + k), best, spread, limits, k)
            for k in range(how.restarts)
        ]
        begin += near
        points += _climbed(pool, near, first, how, limits, engine)
    return points


def distinct(pool: Pool, points: Sequence[Point]) -> list[Point]:
    """Sort points best first, and drop those that choose the same candidates as a better one."""
    seen: dict[bytes, Point] = {}
    for point in sorted(points, key=lambda point: (-point.score, point.start)):
        seen.setdefault(pool.chosen(point.weights).tobytes(), point)
    return list(seen.values())


def _climbed(
    pool: Pool,
    starts: Sequence[Floats],
    first: int,
    how: Search,
    limits: Limits,
    engine: Engine | None,
) -> list[Point]:
    where = engine or Engine()
    together = _TOGETHER
    if where.address is None:
        together = 1
        axes(pool, limits)  # sorted once, before threads ask for it
    pieces = [
        (pool, starts[k : k + together], first + k, how, limits)
        for k in range(0, len(starts), together)
    ]
    ends = where.map(_climb_all, pieces, "Searching", len(pieces), threads=True)
    return [point for piece in ends for point in piece]


def _climb_all(
    pool: Pool, starts: Sequence[Floats], first: int, how: Search, limits: Limits
) -> list[Point]:
    return [climb(pool, start, first + k, how, limits) for k, start in enumerate(starts)]


def climb(pool: Pool, start: Floats, number: int, how: Search, limits: Limits) -> Point:
    """Climb from one start until no line gains."""
    weights = scaled(start, limits)
    score = pool.score(weights)
    along = axes(pool, limits)
    random = generator(how.seed, 1 << 40 | number) if how.directions == "random" else None
    for _ in range(MOST_STEPS):
        if how.directions == "conjugate":
            moved, along = _turn(pool, weights, along, how, limits)
        else:
            lines = [along]
            if random is not None:
                lines.append(_random_lines(pool, random, how.random_directions, limits))
            moved = _best_move(pool, weights, lines, how, limits)
        if moved is None:
            break
        there = pool.score(moved)
        if how.regularisation.neighbours == "none" and there <= score:
            break  # rounding made a gain of nothing
        weights, score = moved, there
    return Point(score, weights, number)


def _best_move(
    pool: Pool, weights: Floats, lines: Sequence[Lines], how: Search, limits: Limits
) -> Floats | None:
    """Best point on the best line."""
    best, place = LEAST_GAIN, None
    for each in lines:
        gain, gamma = search_lines(pool, weights, each, limits, how.regularisation)
        k = int(gain.argmax())
        if gain[k] > best:
            best, place = gain[k], weights + gamma[k] * each.directions[k]
    return None if place is None else scaled(place, limits)


def _turn(
    pool: Pool, weights: Floats, lines: Lines, how: Search, limits: Limits
) -> tuple[Floats | None, Lines]:
    """Search along one line after the other, then along the total step; return the lines of the
    next turn.
    """
    at = weights
    gains = np.zeros(len(lines.directions))
    for k in range(len(gains)):
        only = Lines(
            lines.directions[k : k + 1], lines.slopes[k : k + 1], lines.orderings[k : k + 1]
        )
        gain, gamma = search_lines(pool, at, only, limits, how.regularisation)
        if gain[0] > LEAST_GAIN:
            gains[k] = gain[0]
            at = at + gamma[0] * lines.directions[k]
    if not gains.any():
        return None, lines
    way = lines_along(pool, (at - weights)[None])
    gain, gamma = search_lines(pool, at, way, limits, how.regularisation)
    if gain[0] > LEAST_GAIN:
        at = at + gamma[0] * way.directions[0]
    most = int(gains.argmax())
    following = Lines(
        _with_row(lines.directions, most, way.directions),
        _with_row(lines.slopes, most, way.slopes),
        _with_row(lines.orderings, most, way.orderings),
    )
    return scaled(at, limits), following


def _with_row(rows: NDArray[Any], which: int, row: NDArray[Any]) -> NDArray[Any]:
    """Copy with one row replaced."""
    changed = rows.copy()
    changed[which] = row[0]
    return changed


def spreads(pool: Pool) -> Floats:
    """Standard deviation of every feature within sentences, 1 for constant features."""
    sizes = np.diff(pool.starts)
    means = np.add.reduceat(pool.features, pool.starts[:-1]) / sizes[:, None]
    within_sentences = pool.features - np.repeat(means, sizes, axis=0)
    deviation = np.sqrt((within_sentences**2).mean(axis=0))
    return np.where(deviation > 1e-12, deviation, 1.0)


def scaled(weights: Floats, limits: Limits) -> Floats:
    """Scale weights to absolute sum 1; with frozen weights nothing is scaled."""
    size = np.abs(weights).sum()
    return weights if limits.frozen.any() or size == 0 else np.asarray(weights / size)


def allowed(weights: Floats, start: Floats, limits: Limits) -> Floats:
    """Project weights onto the limits: flip wrong signs, and reset frozen weights to the start."""
    turned = np.where((weights < limits.low) | (weights > limits.high), -weights, weights)
    return np.where(limits.frozen, start, turned)


def _random_start(
    random: np.random.Generator, start: Floats, spread: Floats, limits: Limits, number: int
) -> Floats:
    """Random start with about equal influence of features; every second one has random signs."""
    drawn = random.random(len(start))
    signed = drawn if number % 2 else 2 * drawn - 1
    return allowed(signed / spread, start, limits)


def _near(
    random: np.random.Generator,
    best: Sequence[Point],
    spread: Floats,
    limits: Limits,
    number: int,
) -> Floats:
    """Random point near one of the best, drawn with preference for better ones."""
    place = int(random.integers(len(best)) * random.random())
    weights = best[place].weights
    size = np.abs(weights * spread)
    step = random.normal(size=len(weights)) * np.maximum(size, size.mean()) / spread
    moved = weights + (0.5 if number % 2 else 1.0) * step
    if number % 3 == 0:  # only some weights
        moved = np.where(random.random(len(weights)) < 3 / len(weights), moved, weights)
    return allowed(moved, weights, limits)


def _random_lines(pool: Pool, random: np.random.Generator, number: int, limits: Limits) -> Lines:
    free: Numbers = limits.free
    directions = np.zeros((number, len(pool.names)))
    directions[:, free] = random.normal(size=(number, len(free))) / spreads(pool)[free]
    return lines_along(pool, directions)
