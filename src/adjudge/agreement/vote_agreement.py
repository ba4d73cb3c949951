"""Agreement of votes in files of any size: the numbers of `pairwise.agreement`, in bounded memory.

All that is kept is what chunks of whole segments (`vote_chunks`) add up to (`label_sums`). Where a
table would put more than 20,000 cells into groups, here none are.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.agreement.conventions import convention_named
from adjudge.agreement.crossed_variance import kappa_ends
from adjudge.agreement.intervals import interval_ends
from adjudge.agreement.label_sums import COLUMNS, LabelSums
from adjudge.agreement.labels import KINDS, Kind
from adjudge.agreement.pairwise import OTHER, Agreement, Tally, kappas_of_sums, tally_of_sums
from adjudge.agreement.vote_chunks import Chunk, each_chunk, with_and_without_reference
from adjudge.core.results import Results
from adjudge.data.comparisons import Outputs
from adjudge.data.selection import Selection
from adjudge.data.table_files import Path
from adjudge.data.votes.census import Census
from adjudge.stats.intervals import Ends
from adjudge.stats.resampling import Unit


def agreement_of_votes(
    paths: Sequence[Path],
    selection: Selection,
    census: Census,
    outputs: Sequence[Outputs] = ("collapsed",),
    convention: str = "sound",
    level: float = 0.95,
) -> Results[Agreement]:
    """Agreement in every language pair, over other judges and segments as far as can be told."""
    counting = {
        pair: [_Counting(one, convention) for one in with_and_without_reference(census, pair)]
        for pair in sorted(census.pairs)
    }

    def add(pair: str, chunk: Chunk) -> None:
        for one in counting[pair]:
            one.add(chunk)

    each_chunk(paths, selection, census, add)
    return Results(
        result
        for pair, of_pair in counting.items()
        for form in outputs
        for one in of_pair
        for result in one.results(pair, form, level)
    )


class _Counting:
    """Both kinds of agreement under one convention, and the tally of the other one beside it."""

    def __init__(self, with_reference: bool, convention: str) -> None:
        self.with_reference = with_reference
        self.convention = convention
        self.sums: dict[Kind, LabelSums] = {}
        self.beside: dict[Kind, NDArray[np.int64]] = {}

    def add(self, chunk: Chunk) -> None:
        """Count some votes."""
        if not self.with_reference:
            chunk = chunk.without_reference()
        votes = chunk.comparisons
        # Alone on its segment, a label only counts for P(E), or it does not: each as the first.
        looked_at = votes.where(np.arange(len(votes)) < 1) if chunk.single else votes
        evidence = convention_named(self.convention).evidence(looked_at)
        other = convention_named(OTHER[self.convention]).evidence(looked_at)
        tied = votes.outcome == 0
        for kind in KINDS:
            sums = self.sums.setdefault(kind, LabelSums(evidence[kind].across))
            beside = self.beside.setdefault(kind, np.zeros(COLUMNS, np.int64))
            if not chunk.single:
                sums.add(evidence[kind], chunk.judges)
                beside += other[kind].columns.sum(axis=0)
                continue
            counted = bool(evidence[kind].counted.all())
            sums.add_single(tied, votes.judge.astype(np.int64), chunk.judges, counted)
            if other[kind].counted.all():
                beside += np.array([0, 0, np.count_nonzero(tied), len(tied)])

    def results(self, pair: str, outputs: Outputs, level: float) -> Iterator[Agreement]:
        """The agreement of one language pair."""
        for kind in KINDS:
            sums = self.sums[kind]
            tally, unit = tally_of_sums(sums.total), sums.unit
            low, high = kappa_interval_of_sums(sums, unit, tally, level)
            yield Agreement(
                pair=pair,
                kind=kind,
                outputs=outputs,
                with_reference=self.with_reference,
                convention=self.convention,
                tally=tally,
                low=low,
                high=high,
                unit=unit,
                holds_for=sums.holds_for(unit),
                other_convention=OTHER[self.convention],
                other=tally_of_sums(self.beside[kind]),
            )


def kappa_interval_of_sums(sums: LabelSums, unit: Unit, tally: Tally, level: float) -> Ends:
    """As `pairwise.kappa_interval`."""
    if tally.kappa is None or tally.p_e is None:
        return (None, None)
    spread = sums.spread(kappas_of_sums, unit)
    if spread is None:
        return (None, None)
    variance, degrees = (np.array([number]) for number in spread)
    values = np.array([tally.kappa]), np.array([tally.p_e])
    return interval_ends(*kappa_ends(*values, variance, degrees, tally.comparable, level))[0]
