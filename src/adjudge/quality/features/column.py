"""Feature columns, and tables of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Column:
    """Feature of every row: numbers, or labels such as words."""

    name: str
    what: str  # one line for a reader
    values: pl.Series  # Float64, or String with nulls where there is nothing

    @property
    def is_label(self) -> bool:
        """Test whether the values are labels, not numbers."""
        return self.values.dtype == pl.String


def number(name: str, what: str, values: ArrayLike) -> Column:
    """Create a numeric column."""
    array = np.asarray(values, dtype=np.float64)
    assert np.isfinite(array).all(), f"{name} has values that are no numbers"
    return Column(name, what, pl.Series(name, array))


def label(name: str, what: str, values: Sequence[str | None] | pl.Series) -> Column:
    """Create a column of labels."""
    return Column(name, what, pl.Series(name, values, pl.String))


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """Named features, with one row per translation or per token of all translations.

    `start` gives the offsets of the tokens of every translation, and the end of the last; None if
    rows are translations.
    """

    columns: tuple[Column, ...]
    rows: int
    start: Numbers | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the numeric columns."""
        return tuple(column.name for column in self.columns if not column.is_label)

    @cached_property
    def numbers(self) -> Floats:
        """Matrix of numeric columns (rows × columns), in the order of `names`."""
        columns = [column.values.to_numpy() for column in self.columns if not column.is_label]
        return np.column_stack(columns) if columns else np.empty((self.rows, 0))

    @cached_property
    def labels(self) -> dict[str, pl.Series]:
        """Columns of labels by name."""
        return {column.name: column.values for column in self.columns if column.is_label}

    def to_frame(self) -> pl.DataFrame:
        """Return all columns; tokens are numbered, translations are in data order."""
        columns = [column.values for column in self.columns]
        if self.start is not None:
            lengths = np.diff(self.start)
            row = np.repeat(np.arange(1, len(lengths) + 1), lengths)
            token = np.arange(self.rows) - np.repeat(self.start[:-1], lengths) + 1
            columns = [pl.Series("row", row), pl.Series("token", token), *columns]
        return pl.DataFrame(columns)
