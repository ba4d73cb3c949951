"""Expected wins and ties of a design in closed form.

Everything in the model (`design`) is normal given the difficulty c of the segment and the noise
σ and threshold τ of the judge, so the difference of two perceived qualities is too:

    Δ ~ N(c·(q_a − q_b), 2·(c²·(document² + segment²) + preference² + taste² + σ²))
    P(a beats b) = E[min(1, max(0, Δ)/τ)] = (E[Δ⁺] − E[(Δ − τ)⁺]) / τ
    E[(Δ − t)⁺] = s·(φ(z) + z·Φ(z)),  z = (E[Δ] − t)/s,  s² = Var[Δ]

The log-normal c, σ and τ are integrated out by Gauss-Hermite quadrature.
"""

from functools import lru_cache

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from numpy.typing import NDArray
from scipy.special import bdtr, ndtr

from adjudge.simulation.design import Design

Floats = NDArray[np.float64]

NODES = 9
SMALLEST = 1e-7  # threshold or deviation that can be divided by


@lru_cache(maxsize=64)
def expected_counts(design: Design, qualities: tuple[float, ...]) -> tuple[Floats, Floats]:
    """Compute expected wins and ties of all pairs of systems, for one ranking.

    A system that shares its output with its relative is judged by the output of the first of
    the two; a shared output counts for both and ties them.
    """
    win = _win_probability(design, np.array(qualities))
    tie = 1 - win - win.T
    own = np.arange(len(qualities))
    families = design.systems // 2 if design.identical else 0
    of_family = own < 2 * families
    first = np.where(of_family, own // 2 * 2, own)
    relatives = (first[:, None] == first) & (own[:, None] != own)
    concerned = of_family[:, None].astype(np.int64) + of_family  # families of i and j
    wins, ties = np.zeros_like(win), np.zeros_like(tie)
    sharing = ((own, 1 - of_family * design.identical), (first, of_family * design.identical))
    for i_shares, (i, i_chance) in enumerate(sharing):
        for j_shares, (j, j_chance) in enumerate(sharing):
            outputs = len(own) - i_shares - j_shares
            seen = [_seen_together(design, outputs, max(families - n, 0)) for n in range(3)]
            weight = np.outer(i_chance, j_chance) * np.array(seen)[concerned]
            wins += weight * win[i[:, None], j]
            ties += weight * tie[i[:, None], j]
    others = max(families - 1, 0)
    apart = (1 - design.identical) * _seen_together(design, len(own), others)
    shared = design.identical * _seen(design, len(own) - 1, others)
    wins = np.where(relatives, apart * win, wins)
    ties = np.where(relatives, apart * tie + shared, ties)
    for counts in (wins, ties):
        counts *= 1 - design.judges.skipped
        np.fill_diagonal(counts, 0)
        counts.setflags(write=False)  # the cache hands them out again
    return wins, ties


def _distinct(design: Design, outputs: int, families: int) -> tuple[NDArray[np.int64], Floats]:
    """Distribution of the number of distinct outputs of a segment.

    It is `outputs` less one for each of the `families` that shares its output.
    """
    shared = np.arange(families + 1)
    at_most = bdtr(shared, families, design.identical)
    return outputs - shared, np.diff(at_most, prepend=0.0)


def _seen(design: Design, outputs: int, families: int) -> float:
    """Probability that a given output is in a block and gets a rank."""
    distinct, probability = _distinct(design, outputs, families)
    block = np.minimum(design.tasks.block, distinct)
    return (1 - design.judges.missing) * float(probability @ (block / np.maximum(distinct, 1)))


def _seen_together(design: Design, outputs: int, families: int) -> float:
    """Probability that two given outputs are in one block and both get a rank."""
    distinct, probability = _distinct(design, outputs, families)
    block = np.minimum(design.tasks.block, distinct)
    both = block * (block - 1) / np.maximum(distinct * (distinct - 1), 1)
    return (1 - design.judges.missing) ** 2 * float(probability @ both)


def _win_probability(design: Design, qualities: Floats) -> Floats:
    """Probability that i beats j if their outputs differ."""
    judges = design.judges
    node, weight = hermegauss(NODES)
    weight = weight / weight.sum()
    noise, threshold = np.meshgrid(
        judges.noise * np.exp(judges.spread * node),
        np.maximum(judges.threshold * np.exp(judges.spread * node), SMALLEST),
    )
    tau = threshold.reshape(-1, 1, 1)
    of_judge = np.outer(weight, weight).ravel()
    judging = judges.preference**2 + judges.taste**2 + noise.reshape(-1, 1, 1) ** 2
    effects = design.document_effect**2 + design.segment_effect**2
    win = np.zeros((len(qualities), len(qualities)))
    # One difficulty at a time bounds the memory of many systems.
    for difficulty, share in zip(np.exp(design.difficulty_spread * node), weight, strict=True):
        mean = difficulty * (qualities[:, None] - qualities)
        deviation = np.maximum(np.sqrt(2 * (difficulty**2 * effects + judging)), SMALLEST)
        if judges.threshold:
            gain = _mean_excess(mean, deviation) - _mean_excess(mean - tau, deviation)
            beats = gain / tau
        else:
            beats = ndtr(mean / deviation)
        win += share * np.tensordot(of_judge, beats, axes=1)
    random = judges.number_careless / judges.count * judges.carelessness
    return np.asarray((1 - random) * win + random * (1 - 1 / design.tasks.block) / 2)


def _mean_excess(mean: Floats, deviation: Floats) -> Floats:
    """Mean E[max(0, X)] of a normal X."""
    z = mean / deviation
    return np.asarray(deviation * (np.exp(-z * z / 2) / np.sqrt(2 * np.pi) + z * ndtr(z)))
