"""Task 1.1: predict a number for every translation, or rank translations by it.

WMT13 §6.1 predicts HTER, WMT12 an effort from 1 to 5; any number will do. Missing HTER is computed
from post-edits (`metrics/catalogue/ter.py`): tokenised as tercom does, case ignored, at most 1
(§6.3).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from adjudge.core.errors import BadParameter, NotEnoughData, one_of
from adjudge.metrics.catalogue.ter import Hter
from adjudge.quality.quantities import QUANTITIES, Quantity, quantity_named, refuse_outside
from adjudge.quality.translations import FEATURE, Codes, document_groups, number_columns
from adjudge.stats.resampling import Floats


@dataclass(frozen=True, eq=False)
class ScoringTask:
    """Translations with a number for each."""

    table: pl.DataFrame  # of translations; every row has its number
    quantity: Quantity
    gold: Floats

    def __len__(self) -> int:
        return len(self.gold)

    @property
    def groups(self) -> Codes:
        """Groups for cross-validation: documents."""
        return document_groups(self.table)

    def take(self, rows: Codes) -> "ScoringTask":
        """Restrict to these rows."""
        return ScoringTask(self.table[rows], self.quantity, self.gold[rows])


def scoring_task(
    table: pl.DataFrame, predict: str | None = None, higher_is_better: bool | None = None
) -> ScoringTask:
    """Select the translations with known numbers in the column `predict`.

    By default, the only known quantity, or else the only number in the data.
    """
    name = chosen_number(table, predict)
    quantity = quantity_named(name, higher_is_better)
    if name not in number_columns(table):
        table = table.with_columns(derived_hter(table).alias("hter"))
    known = table.filter(pl.col(name).is_not_null())
    refuse_outside(known, quantity)
    return ScoringTask(known, quantity, known[name].to_numpy().astype(np.float64))


def chosen_number(table: pl.DataFrame, predict: str | None) -> str:
    """Column to be predicted; otherwise raise an error that lists the candidates."""
    there = predictable(table)
    if predict is not None:
        return one_of(predict, there, "predict")
    if not there:
        raise NotEnoughData("there is no number to predict; give data with hter, effort, …")
    known = [name for name in there if name in QUANTITIES] or there
    if len(known) > 1:
        raise BadParameter(f"`predict` says what is predicted; there are: {', '.join(there)}")
    return known[0]


def predictable(table: pl.DataFrame) -> list[str]:
    """Numbers in the data, except features, or computable from them."""
    there = [name for name in number_columns(table) if not name.startswith(FEATURE)]
    edited = table["post_edit"].is_not_null() & table["target"].is_not_null()
    if "hter" not in there and edited.any():
        there.append("hter")
    return there


def derived_hter(table: pl.DataFrame) -> pl.Series:
    """HTER of every translation with a post-edit, from 0 to 1; null for the others."""
    edited = table.with_row_index("row").drop_nulls(["target", "post_edit"])
    scores = np.full(len(table), np.nan)
    scores[edited["row"].to_numpy()] = hter(
        edited["target"].to_list(), edited["post_edit"].to_list()
    )
    return pl.Series("hter", scores).fill_nan(None)


def hter(targets: Sequence[str], post_edits: Sequence[str], *, tokenised: bool = False) -> Floats:
    """HTER from 0 to 1; `tokenised` texts are split at spaces only."""
    metric = Hter(normalize=not tokenised)
    return metric.segment_values(metric.statistics([tuple(post_edits)])(tuple(targets))) / 100
