"""Sampling of blocks: outputs of a segment that are shown together.

Either uniformly, as in WMT (Bojar 2011 §2), with weights; or greedily, balancing earlier blocks:
first the output whose systems were shown least, then, one by one, the output that was seen least
beside those already drawn. With weights w_a and w_b, a pair's share is proportional to w_a w_b and
to how much the pair is needed.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from random import Random

Pair = tuple[int, int]


@dataclass(frozen=True)
class Candidate:
    """Distinct output, by its key, and the systems that produced it."""

    output: int
    systems: tuple[int, ...]  # of a part's, perhaps none known


@dataclass(frozen=True)
class Exposure:
    """Actual and target frequencies of systems and pairs of systems."""

    shown: Counter[Pair] = field(default_factory=Counter)  # (a, a) is system a itself
    weights: Mapping[int, float] = field(default_factory=dict)  # of a system; 1 unless given
    needs: Mapping[Pair, float] = field(default_factory=dict)  # of a pair; 1 unless given

    def add(self, block: Sequence[Candidate], times: int = 1) -> None:
        """Count a block as shown."""
        for pair in pairs_shown(block):
            self.shown[pair] += times

    def weight(self, candidate: Candidate) -> float:
        """Weight of an output; one shared by a system and the reference counts as the system's."""
        return max((self.weights.get(system, 1.0) for system in candidate.systems), default=1.0)

    def of_one(self, candidate: Candidate) -> float:
        """Exposure of this output's systems, relative to their share."""
        seen = [(self.shown[s, s] + 1) / self._need_of(s) for s in candidate.systems]
        return sum(seen) / max(len(seen), 1) / self.weight(candidate)

    def _need_of(self, system: int) -> float:
        """Mean need of a system's pairs."""
        needs = self._needs_by_system.get(system)
        return sum(needs) / len(needs) if needs else 1.0

    @cached_property
    def _needs_by_system(self) -> dict[int, list[float]]:
        by_system: dict[int, list[float]] = defaultdict(list)
        for pair, need in self.needs.items():
            for system in pair:
                by_system[system].append(need)
        return by_system

    def of_pair(self, candidate: Candidate, other: Candidate) -> float:
        """Joint exposure of these two outputs' systems, relative to their share."""
        pairs = [ordered(a, b) for a in candidate.systems for b in other.systems]
        met = sum((self.shown[pair] + 1) / self.needs.get(pair, 1.0) for pair in pairs)
        met /= max(len(pairs), 1)
        return met / self.weight(candidate) / self.weight(other)


def ordered(a: int, b: int) -> Pair:
    """Unordered pair of systems in canonical order."""
    return (a, b) if a <= b else (b, a)


def pairs_shown(block: Sequence[Candidate]) -> Counter[Pair]:
    """Systems (as pairs with themselves) and pairs of systems that a block shows."""
    shown: Counter[Pair] = Counter((s, s) for candidate in block for s in candidate.systems)
    for candidate, other in combinations(block, 2):
        shown.update(ordered(a, b) for a in candidate.systems for b in other.systems)
    return shown


def draw_uniformly(
    candidates: Sequence[Candidate], size: int, exposure: Exposure, rng: Random
) -> list[Candidate]:
    """Draw without replacement by weight (Efraimidis and Spirakis 2006)."""
    keyed = [
        (rng.random() ** (1 / exposure.weight(candidate)), candidate.output, candidate)
        for candidate in candidates
    ]
    return [candidate for *_, candidate in sorted(keyed, reverse=True)[:size]]


def draw_balanced(
    candidates: Sequence[Candidate], size: int, exposure: Exposure, rng: Random
) -> list[Candidate]:
    """Draw greedily, preferring the least shown."""
    left = list(candidates)
    rng.shuffle(left)  # ties go to chance
    block: list[Candidate] = []
    while left and len(block) < size:

        def seen(candidate: Candidate) -> tuple[float, float]:
            together = sum(exposure.of_pair(candidate, other) for other in block)
            return together, exposure.of_one(candidate)

        least = min(left, key=seen)
        left.remove(least)
        block.append(least)
    return block


def draw_block(
    candidates: Sequence[Candidate], size: int, balance: str, exposure: Exposure, rng: Random
) -> list[Candidate]:
    """Draw a block according to the design's `balance`."""
    drawn = draw_uniformly if balance == "uniform" else draw_balanced
    return drawn(candidates, size, exposure, rng)
