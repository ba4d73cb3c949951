"""Generators of simulated comparisons, from a design or from a real campaign with other answers.

Both yield comparisons directly, without a judgement table, which would take most of the time of a
simulation.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from adjudge.data.comparisons import Comparisons
from adjudge.data.win_counts import WinCounts, count
from adjudge.simulation.assignment import NOBODY, Assignment, assign
from adjudge.simulation.campaign import MANY
from adjudge.simulation.design import Design
from adjudge.simulation.expectation import expected_counts
from adjudge.simulation.outputs import Material, draw_material
from adjudge.simulation.simulated_judges import Ranks, draw_judges, ranks_given

Floats = NDArray[np.float64]


class Generator(Protocol):
    """Protocol of generators that draw campaigns of one kind."""

    @property
    def qualities(self) -> Floats:
        """True qualities of the systems, in the order of `Comparisons.systems`."""

    def draw(self, rng: np.random.Generator) -> Comparisons:
        """Draw the comparisons of one campaign."""

    def counts(self) -> WinCounts:
        """Counts of an infinite campaign."""


@dataclass(frozen=True)
class Designed:
    """Generator of campaigns of a design; no output is shared, skipped or left without a rank."""

    design: Design

    @cached_property
    def qualities(self) -> Floats:
        """Qualities given by the design."""
        return np.array(self.design.qualities)

    def draw(self, rng: np.random.Generator) -> Comparisons:
        """Draw new documents, judges and answers."""
        material = draw_material(self.design, self.qualities, rng)
        drawn = draw_judges(self.design.judges, len(self.qualities), rng)
        assignment = assign(self.design.tasks, material, drawn.workload, rng)
        ranks = ranks_given(assignment, material, self.design.judges, drawn, rng)
        return _compared(material, assignment, ranks, drawn.names)

    def counts(self) -> WinCounts:
        """Expected counts of the design."""
        wins, ties = expected_counts(self.design, tuple(self.qualities.tolist()))
        names = tuple(f"{i:03}" for i in range(len(wins)))
        return WinCounts(names, *(np.rint(MANY * n).astype(np.int64) for n in (wins, ties)))


def _compared(
    material: Material, assignment: Assignment, ranks: Ranks, judges: tuple[str, ...]
) -> Comparisons:
    """All pairs of outputs of every ranking."""
    rankings, block = ranks.shape
    first, second = np.triu_indices(block, 1)
    ranking = np.repeat(np.arange(rankings, dtype=np.int32), len(first))
    segment = assignment.segment[ranking].astype(np.int32)
    compared = Comparisons(
        pair=material.pair,
        left=assignment.shown[:, first].ravel().astype(np.int32),
        right=assignment.shown[:, second].ravel().astype(np.int32),
        outcome=np.sign(ranks[:, second] - ranks[:, first]).ravel().astype(np.int8),
        ranking=ranking,
        segment=segment,
        document=material.document[segment].astype(np.int32),
        hit=assignment.hit[ranking].astype(np.int32),
        judge=assignment.judge[ranking].astype(np.int32),
        systems=material.systems,
        rankings=np.arange(rankings),
        segments=material.segments,
        documents=material.documents,
        hits=tuple(map(str, range(assignment.hits))),
        judges=judges,
        groups=(None,) * len(judges),
    )
    both = (compared.left != NOBODY) & (compared.right != NOBODY)
    return compared if both.all() else compared.where(both)


@dataclass(frozen=True, eq=False)
class Answered:
    """Generator that answers a real campaign anew, keeping judges, systems and texts of every
    comparison.

    The design has the qualities and effects (`fit_campaign` estimates them); the effects of judges,
    documents and segments are drawn anew from the model of `design`.
    """

    real: Comparisons
    design: Design

    @cached_property
    def qualities(self) -> Floats:
        """Qualities given by the design."""
        return np.array(self.design.qualities)

    def with_truth(self, truth: str) -> "Answered":
        """Copy with these qualities ("distinct"), equal in pairs, or all equal."""
        quality = self.qualities.copy()
        if truth == "equal":
            quality[:] = quality.mean()
        elif truth == "pairs":
            order = np.argsort(-quality, kind="stable")
            for begin in range(0, len(order), 2):
                two = order[begin : begin + 2]
                quality[two] = quality[two].mean()
        return Answered(self.real, replace(self.design, qualities=tuple(quality.tolist())))

    def draw(self, rng: np.random.Generator) -> Comparisons:
        """Draw new outcomes of the same comparisons."""
        real, design, judges = self.real, self.design, self.design.judges
        systems = len(real.systems)
        entry, left, right = self._entries
        ranking, system = np.divmod(entry, systems)
        judge, segment, document = (codes[ranking] for codes in self._units)
        drawn = draw_judges(replace(judges, count=int(judge.max()) + 1), systems, rng)
        suits = rng.normal(0, design.document_effect, (int(document.max()) + 1, systems))
        happens = rng.normal(0, design.segment_effect, (int(segment.max()) + 1, systems))
        difficulty = rng.lognormal(0, design.difficulty_spread, len(happens))
        _, look = np.unique(judge.astype(np.int64) * len(happens) + segment, return_inverse=True)
        taste = rng.normal(0, judges.taste, (int(look.max()) + 1, systems))
        quality = self.qualities[system] + suits[document, system] + happens[segment, system]
        perceived = difficulty[segment] * quality + drawn.preference[judge, system]
        perceived += taste[look, system] + drawn.noise[judge] * rng.standard_normal(len(judge))
        shift = rng.random(len(real.rankings))[ranking]
        grade = np.floor(perceived / drawn.threshold[judge] + shift)
        return replace(real, outcome=np.sign(grade[left] - grade[right]).astype(np.int8))

    def counts(self) -> WinCounts:
        """Expected counts of every pair of systems, as often as they met."""
        wins, ties = expected_counts(self.design, tuple(self.qualities.tolist()))
        both = np.maximum(wins + wins.T + ties, 1e-12)
        often = MANY * count(self.real).comparisons / max(len(self.real), 1)
        shares = (np.rint(often * n / both).astype(np.int64) for n in (wins, ties))
        return WinCounts(self.real.systems, *shares)

    @cached_property
    def _entries(self) -> tuple[NDArray[np.int64], ...]:
        """System codes of all rankings, and the entries of each comparison."""
        base = self.real.ranking.astype(np.int64) * len(self.real.systems)
        codes = np.concatenate([base + self.real.left, base + self.real.right])
        entry, of_code = np.unique(codes, return_inverse=True)
        return entry, of_code[: len(base)], of_code[len(base) :]

    @cached_property
    def _units(self) -> tuple[NDArray[np.int64], ...]:
        """Judge, segment and document of every ranking; an unknown unit is unique to its
        ranking.
        """
        first = np.zeros(len(self.real.rankings), np.int64)
        first[self.real.ranking] = np.arange(len(self.real))
        known = (getattr(self.real, name)[first] for name in ("judge", "segment", "document"))
        own = np.arange(len(first))
        return tuple(np.where(code < 0, int(code.max()) + 1 + own, code) for code in known)
