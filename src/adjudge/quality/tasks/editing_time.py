"""Task 1.3: predict the seconds that a translator needs to post-edit a translation.

Translators differ, and so do documents: both are known, and so is the position of the segment in
its document (WMT13 §6.3). One segment may have been edited by several translators, a row each.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from adjudge.core.errors import NotEnoughData
from adjudge.quality.quantities import QUANTITIES, Quantity, refuse_outside
from adjudge.quality.translations import Codes, codes_of, document_groups, number_columns
from adjudge.stats.resampling import Floats

SECONDS = QUANTITIES["seconds"]


@dataclass(frozen=True, eq=False)
class EditingTimeTask:
    """Translations, their editors, and the times."""

    table: pl.DataFrame  # of translations; every row has its seconds
    gold: Floats
    translator: Codes  # of each row, −1 where unknown
    translators: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.gold)

    @property
    def quantity(self) -> Quantity:
        """Quantity: seconds."""
        return SECONDS

    @property
    def groups(self) -> Codes:
        """Groups for cross-validation: documents."""
        return document_groups(self.table)

    def take(self, rows: Codes) -> "EditingTimeTask":
        """Restrict to these rows; all translators keep their codes."""
        return EditingTimeTask(
            self.table[rows], self.gold[rows], self.translator[rows], self.translators
        )


def editing_time_task(table: pl.DataFrame) -> EditingTimeTask:
    """Select the translations with known times."""
    if "seconds" not in number_columns(table):
        raise NotEnoughData("nobody measured time; give data with the column seconds")
    known = table.filter(pl.col("seconds").is_not_null())
    refuse_outside(known, SECONDS)
    code, names = codes_of(known["translator"])
    return EditingTimeTask(known, known["seconds"].to_numpy().astype(np.float64), code, names)
