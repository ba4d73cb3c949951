"""Comparison of all methods on the same judgements: agreement and violated comparisons.

Violated comparisons are Lopez's count (2012 §5): over all pairs that an order puts A above B, how
many more comparisons say the opposite. Spearman's ρ and Kendall's τ (τ-b) compare the orders of
two methods. Systems in a cycle of majorities have no order that violates nothing.

The reference takes part in the methods that include it, but is not itself placed: the ranks of
all methods are of the same systems.
"""

from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.errors import AdjudgeError, NotEnoughData
from adjudge.core.parallel import Engine, progress
from adjudge.data.comparisons import Comparisons
from adjudge.data.judgement_table import is_reference
from adjudge.data.votes.cells import Judged
from adjudge.data.win_counts import count
from adjudge.ranking.estimation import estimate
from adjudge.ranking.feedback_arc_set.optimum import FeedbackArcSet, minimum_feedback_arc_set
from adjudge.ranking.method import METHODS, Method, RefitMethod, Scores
from adjudge.ranking.participants import listed, participants
from adjudge.ranking.tournament import Cycle, tournament
from adjudge.stats.ranks import DIGITS, Ranks, best_ranks, worst_ranks
from adjudge.stats.resampling import Resampling

Floats = NDArray[np.float64]

MOST_ENTRIES = 1 << 22  # numbers in the matrices of all judges of a sample


@dataclass(frozen=True, eq=False)
class MethodsCompared:
    """Ranks by every method that could be run, systems in order of mean rank."""

    pair: str
    systems: tuple[str, ...]
    methods: tuple[Method, ...]
    scores: Scores  # (methods, systems)
    ranks: Ranks  # (methods, systems)
    violated: NDArray[np.int64]  # (methods,)
    spearman: Floats  # (methods, methods)
    kendall: Floats
    cycles: tuple[Cycle, ...]
    least: FeedbackArcSet  # the order that violates the least, and how far that is proved
    notes: tuple[str, ...]

    def to_frame(self) -> pl.DataFrame:
        """Return one row for every method and system."""
        methods = [method.name for method in self.methods]
        return pl.DataFrame(
            {
                "pair": [self.pair] * self.ranks.size,
                "method": np.repeat(methods, len(self.systems)),
                "system": np.tile(self.systems, len(methods)),
                "rank": self.ranks.ravel(),
                "score": self.scores.ravel(),
                "violated": np.repeat(self.violated, len(self.systems)),
            }
        )


@dataclass(frozen=True, eq=False)
class Sample:
    """Sample of the judgements, for methods that process them one by one.

    `note` describes the sample; it is empty if all are used.
    """

    comparisons: Comparisons
    note: str

    def for_method(self, method: Method, systems: tuple[str, ...]) -> "Sample":
        """Restrict the sample to these systems, and to fewer judges if `method` needs a matrix per
        judge.

        Refused if the sample does not compare all of the systems.
        """
        some, note = self.comparisons, self.note
        entries = len(some.judges) * len(systems) ** 2 if "judge" in method.needs else 0
        step = -(-entries // MOST_ENTRIES)
        if step > 1:
            some = some.where(some.judge % step == 0)
            more = ", and of these by one judge" if note else "From the votes by one judge"
            note = f"{note.removesuffix('.')}{more} in {step}."
        missing = sorted(set(systems) - set(some.systems))
        if missing:
            raise NotEnoughData(
                f"{method.name}: not in the sample of votes that it is run on: {listed(missing)}; "
                "leave it out with `without_system`"
            )
        return Sample(participants(some, method.reference), note)


def compare_methods(
    comparisons: Judged,
    seed: int = 1,
    runs: int = 100,
    engine: Engine | None = None,
    sample: Sample | None = None,
) -> MethodsCompared:
    """Run every method once (a random one `runs` times on the same judgements).

    If `comparisons` are counts of very many votes, methods that process single judgements run on a
    `sample`.
    """
    # One object for all methods, so that shared results are computed once.
    among = cache(partial(participants, comparisons))
    proper = among(False)
    once = Resampling("none", runs, seed)
    methods, notes, rows = [], [], []
    for method in progress([(method.name, method) for method in METHODS.values()]):
        try:
            judged, some = among(method.reference), None
            if sample is not None and isinstance(method, RefitMethod):
                some = sample.for_method(method, judged.systems)
                judged = some.comparisons
            estimated = estimate(judged, method, once, engine or Engine())
        except AdjudgeError as error:
            notes.append(
                f"{method.name} is left out: {str(error).removeprefix(f'{method.name}: ')}"
            )
            continue
        if some is not None and some.note:
            notes.append(f"{method.name}: {some.note}")
        placed = [i for i, system in enumerate(estimated.systems) if not is_reference(system)]
        methods.append(method)
        rows.append(estimated.scores[placed])
    if not rows:
        raise NotEnoughData(f"{comparisons.pair}: no method can rank these judgements; {notes[0]}")
    scores = np.stack(rows)
    order = np.argsort(best_ranks(scores).mean(axis=0), kind="stable")
    counts = count(proper)
    majorities = tournament(counts)
    return MethodsCompared(
        pair=comparisons.pair,
        systems=tuple(proper.systems[i] for i in order),
        methods=tuple(methods),
        scores=scores[:, order],
        ranks=best_ranks(scores)[:, order],
        violated=np.array([majorities.violated(np.round(row, DIGITS)) for row in scores]),
        spearman=_spearman(scores),
        kendall=_kendall(scores),
        cycles=majorities.cycles(),
        least=minimum_feedback_arc_set(counts),
        notes=tuple(notes),
    )


def _spearman(scores: Scores) -> Floats:
    """Spearman's ρ between the orders of all pairs of methods; 0 if one of them ties all
    systems.
    """
    ranks = best_ranks(scores) + worst_ranks(scores)
    centred = ranks - ranks.mean(axis=-1, keepdims=True)
    products = centred @ centred.T
    norms = np.sqrt(np.outer(np.diag(products), np.diag(products)))
    return np.asarray(np.divide(products, norms, out=np.zeros_like(products), where=norms > 0))


def _kendall(scores: Scores) -> Floats:
    """Kendall's τ-b between the orders of all pairs of methods; 0 if one of them ties all
    systems.
    """
    rounded = np.round(scores, DIGITS)
    first, second = np.triu_indices(scores.shape[-1], 1)
    signs = np.sign(rounded[:, first] - rounded[:, second])
    agreeing = signs @ signs.T
    norms = np.sqrt(np.outer(np.diag(agreeing), np.diag(agreeing)))
    return np.asarray(np.divide(agreeing, norms, out=np.zeros_like(agreeing), where=norms > 0))
