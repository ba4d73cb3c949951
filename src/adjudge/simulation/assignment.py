"""Assignment of outputs and segments to simulated judges.

A HIT is a run of consecutive segments of one document with a block of outputs for each, all
different texts (identical outputs are shown once, as in WMT15). A sitting is one
judge doing one HIT: most HITs have one, pooled ones several by different judges, repeated
ones a second by the same judge later.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.simulation.design import Tasks, require
from adjudge.simulation.outputs import Material

Integers = NDArray[np.int64]
NOBODY = -1  # in a block with fewer different outputs than places


@dataclass(frozen=True, eq=False)
class Assignment:
    """One entry per ranking; the rankings of a judge are in working order."""

    hit: Integers
    place: Integers  # of the ranking in its HIT
    segment: Integers
    judge: Integers
    shown: Integers  # (rankings, block): systems by position, NOBODY where there is none
    hits: int


def assign(
    tasks: Tasks, material: Material, workload: NDArray[np.float64], rng: np.random.Generator
) -> Assignment:
    """Draw HITs, assign them to judges in proportion to their workload, and shuffle the display
    order.
    """
    hit, judge = _sittings(tasks, workload, rng)
    hits = int(hit.max()) + 1
    segment = _starts(tasks, material, hits, rng)[:, None] + np.arange(tasks.hit_length)
    blocks = draw_blocks(material.same_as[segment.ravel()], tasks.block, rng)
    order = np.argsort(judge, kind="stable")
    hit = np.repeat(hit[order], tasks.hit_length)
    place = np.tile(np.arange(tasks.hit_length), len(order))
    shown = blocks[hit * tasks.hit_length + place]
    return Assignment(
        hit=hit,
        place=place,
        segment=segment[hit, place],
        judge=np.repeat(judge[order], tasks.hit_length),
        shown=rng.permuted(shown, axis=1),
        hits=hits,
    )


def _starts(tasks: Tasks, material: Material, hits: int, rng: np.random.Generator) -> Integers:
    """First segments of runs that stay within one document."""
    reach = tasks.hit_length - 1
    document = material.document
    starts = np.flatnonzero(document[: len(document) - reach] == document[reach:])
    require(len(starts) > 0, f"no document has {tasks.hit_length} segments; shorten the HITs")
    return rng.choice(starts, hits)


def draw_blocks(same_as: Integers, block: int, rng: np.random.Generator) -> Integers:
    """Draw `block` systems with distinct outputs for each row, in any order."""
    rows, systems = same_as.shape
    keys = rng.random((rows, systems))
    keys[same_as != np.arange(systems)] = np.inf
    drawn = (
        np.argpartition(keys, block - 1, axis=1)[:, :block]
        if block < systems
        else np.tile(np.arange(systems), (rows, 1))
    )
    return np.where(np.isinf(np.take_along_axis(keys, drawn, axis=1)), NOBODY, drawn)


def _sittings(
    tasks: Tasks, workload: NDArray[np.float64], rng: np.random.Generator
) -> tuple[Integers, Integers]:
    """HIT and judge of every sitting, ordered so that a repeat follows its original."""
    repeated = min(round(tasks.repeats * tasks.hits), tasks.hits // 2)
    pooled = min(round(tasks.pool * tasks.hits), tasks.hits - repeated)
    single = tasks.hits - repeated - pooled
    copies = min(tasks.pool_judges, len(workload))
    pool = -(-pooled // copies)
    # The first of a Poisson race: judges in proportion to workload, none twice for a HIT.
    race = rng.exponential(size=(pool, len(workload))) / workload
    together = np.argsort(race, axis=1)[:, :copies].ravel()[:pooled]
    hit = np.concatenate([np.arange(single), single + np.arange(pooled) // copies])
    judge = np.concatenate(
        [rng.choice(len(workload), single, p=workload / workload.sum()), together]
    )
    when = rng.random(len(hit))
    again = rng.choice(len(hit), repeated, replace=False)
    later = when[again] + (1 - when[again]) * rng.random(repeated)
    order = np.argsort(np.concatenate([when, later]), kind="stable")
    return np.concatenate([hit, hit[again]])[order], np.concatenate([judge, judge[again]])[order]
