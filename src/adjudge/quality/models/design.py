"""Design matrix of estimators: numbers, and one-hot encoded labels."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from scipy import sparse

from adjudge.core.errors import BadParameter, instead_of
from adjudge.quality.features.column import FeatureTable
from adjudge.stats.resampling import Floats


@dataclass(frozen=True)
class Design:
    """Columns of the training data: numbers, and the labels seen.

    `closed` labels name people: an unseen one is refused, since nothing is known about it. An
    unseen value of other labels, such as words, is encoded as zeros.
    """

    numbers: tuple[str, ...]
    labels: Mapping[str, tuple[str, ...]]  # by column
    closed: bool

    def matrix(self, features: FeatureTable) -> Floats:
        """Dense matrix (rows × columns)."""
        return np.column_stack([self._numbers(features), self._ones(features).toarray()])

    def sparse_matrix(self, features: FeatureTable, scale: tuple[Floats, Floats]) -> Any:
        """Sparse matrix for many labels, with standardised numbers."""
        mean, deviation = scale
        numbers = (self._numbers(features) - mean) / deviation
        return sparse.hstack([sparse.csr_array(numbers), self._ones(features)]).tocsr()

    def _numbers(self, features: FeatureTable) -> Floats:
        if features.names == self.numbers:
            return features.numbers
        other = sorted({*features.names} ^ {*self.numbers})
        if other:
            what = f"{other[0]} is {'missing' if other[0] in self.numbers else 'new'}"
            raise BadParameter(
                f"the features are not those that the model was trained with: {what}; give the "
                "same resources and the same kind of data"
            )
        place = {name: at for at, name in enumerate(features.names)}
        return features.numbers[:, [place[name] for name in self.numbers]]

    def _ones(self, features: FeatureTable) -> sparse.csr_array:
        blocks = [
            _indicators(features.labels[name], name, known, self.closed)
            for name, known in self.labels.items()
        ]
        return sparse.hstack(blocks).tocsr() if blocks else sparse.csr_array((features.rows, 0))


def design_of(features: FeatureTable, leave_out: tuple[str, ...] = (), least: int = 1) -> Design:
    """Derive the design from features; labels with fewer than `least` occurrences get no column."""
    labels = {}
    for name, column in features.labels.items():
        if name not in leave_out:
            counted = column.drop_nulls().value_counts()
            seen = counted.filter(pl.col("count") >= least)[column.name]
            labels[name] = tuple(sorted(seen.to_list()))
    return Design(features.names, labels, closed=least == 1)


def _indicators(
    column: pl.Series, name: str, known: tuple[str, ...], closed: bool
) -> sparse.csr_array:
    place = {label: i for i, label in enumerate(known)}
    code = np.array([place.get(label, -1) for label in column.to_list()], np.int64)
    if closed and (code < 0).any():
        first = int(np.argmax(code < 0))
        raise BadParameter(
            f"row {first + 1}: the model knows no {name} {column[first]!r}; "
            f"{instead_of(column[first], known, 12)}"
        )
    row = np.flatnonzero(code >= 0)
    ones = (np.ones(len(row)), (row, code[row]))
    return sparse.csr_array(ones, shape=(len(code), len(known)))
