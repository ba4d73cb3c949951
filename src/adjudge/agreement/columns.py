"""Tables of numbers a label or a unit, with a column for each category; sparse if these are many.

A label is in one category. Where a hundred are told apart, a hundredth of such a table is in use.
"""

from typing import Any

import numpy as np
from scipy import sparse

from adjudge.agreement.chance import Floats, Mirror, both_ways
from adjudge.agreement.labels import Ints

MOST_DENSE = 16  # categories


def label_table(
    row: Ints,
    label: Ints,
    shape: tuple[int, int],
    weights: Floats | None = None,
    mirror: Mirror | None = None,
) -> Any:
    """How often, or with which weight, each row has each label (rows × categories).

    Labels with a `mirror` (`labels.Labels`) count half in either direction.
    """
    rows, k = shape
    if k <= MOST_DENSE or mirror is not None:
        counts = np.bincount(row * k + label, weights, rows * k).reshape(shape)
        return both_ways(counts.astype(float), mirror)
    given = np.ones(len(row)) if weights is None else weights
    if len(row) == rows and np.array_equal(row, np.arange(rows)):
        return sparse.csr_array((given, label, np.arange(rows + 1)), shape=shape)
    return sparse.csr_array((given, (row, label)), shape=shape)


def beside(*tables: Any) -> Any:
    """Tables of the same rows as one; sparse if one of them is."""
    if not any(sparse.issparse(table) for table in tables):
        return np.concatenate(tables, axis=1)
    if len(tables) == 2 and (np.diff(tables[1].indptr) == 1).all():
        return _with_label(*tables)
    return sparse.hstack(tables, format="csr")


def _with_label(numbers: Floats, labels: Any) -> Any:
    """Numbers, then one label, in every row: all rows are alike, which is fast."""
    rows, width = numbers.shape
    column = np.empty((rows, width + 1), np.int32)
    column[:, :width] = np.arange(width)
    column[:, width] = width + labels.indices
    entries = (np.column_stack([numbers, labels.data]).ravel(), column.ravel())
    starts = np.arange(rows + 1) * (width + 1)
    return sparse.csr_array((*entries, starts), shape=(rows, width + labels.shape[1]))
