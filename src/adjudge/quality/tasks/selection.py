"""Task 1.2: rank alternative translations of one source, or select the best.

The data are rankings by people: a few candidates of one source, each with a rank, 1 being best.
Ties are allowed, and a candidate may have no rank. The evaluation uses pairs of candidates of one
ranking with different human ranks (WMT13 §6.6).
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from adjudge.core.errors import NotEnoughData
from adjudge.data.judgement_table import is_reference
from adjudge.quality.translations import Codes, codes_of, document_groups
from adjudge.stats.resampling import Floats


@dataclass(frozen=True, eq=False)
class SelectionTask:
    """Candidates, one per row, those of one ranking next to each other."""

    table: pl.DataFrame  # of translations
    ranking: Codes  # of each candidate, from 0
    gold: Floats  # the rank, 1 being best; NaN where none was given

    def __len__(self) -> int:
        return int(self.ranking[-1]) + 1 if len(self.ranking) else 0

    @property
    def start(self) -> Codes:
        """First row of every ranking, and the total number of rows."""
        return np.searchsorted(self.ranking, np.arange(len(self) + 1))

    @property
    def groups(self) -> Codes:
        """Group of every ranking for cross-validation: documents or equal sources."""
        return document_groups(self.table)[self.start[:-1]]

    @property
    def untied(self) -> tuple[Codes, Codes]:
        """Pairs with different human ranks: the row of the better, and of the worse."""
        first, second = pairs_within(self.ranking)
        difference = self.gold[first] - self.gold[second]
        first, second = first[difference != 0], second[difference != 0]
        known = np.isfinite(self.gold[first] - self.gold[second])
        first, second = first[known], second[known]
        better = self.gold[first] < self.gold[second]
        return np.where(better, first, second), np.where(better, second, first)

    def take(self, rankings: Codes) -> "SelectionTask":
        """Restrict to these rankings, in this order."""
        start = self.start
        rows = np.concatenate([np.arange(start[each], start[each + 1]) for each in rankings])
        sizes = start[rankings + 1] - start[rankings]
        code = np.repeat(np.arange(len(rankings)), sizes)
        return SelectionTask(self.table[rows], code, self.gold[rows])


def selection_task(table: pl.DataFrame) -> SelectionTask:
    """Candidates of all rankings."""
    if not table.drop_nulls("ranking")["rank"].count():
        raise NotEnoughData("there are no rankings of candidates; give data with ranks")
    ranked, code = candidates_in_order(table)
    return SelectionTask(ranked, code, ranked["rank"].cast(pl.Float64).fill_null(np.nan).to_numpy())


def without_references(table: pl.DataFrame) -> pl.DataFrame:
    """Remove human translations that were ranked among those of systems.

    They are ranked first although no system agrees with them: a model would learn that agreement is
    bad, and no system to be ranked is like them.
    """
    human = [name is not None and is_reference(name) for name in table["system"].to_list()]
    return table.filter(~pl.Series(human, dtype=pl.Boolean))


def candidates_in_order(table: pl.DataFrame) -> tuple[pl.DataFrame, Codes]:
    """Candidates sorted by ranking, and the ranking of each."""
    ranked = table.drop_nulls("ranking")
    if not len(ranked):
        raise NotEnoughData(
            "there are no candidates of one source; number their rankings (column ranking)"
        )
    code, _ = codes_of(ranked["ranking"])
    order = np.argsort(code, kind="stable")
    return ranked[order], code[order]


def pairs_within(code: Codes) -> tuple[Codes, Codes]:
    """Pairs of rows with the same code; rows of one code are contiguous."""
    end = np.searchsorted(code, code, side="right")
    partners = end - np.arange(len(code)) - 1
    first = np.repeat(np.arange(len(code)), partners)
    before = np.repeat(np.cumsum(partners) - partners, partners)
    return first, first + 1 + np.arange(len(first)) - before
