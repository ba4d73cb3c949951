"""Labels that judges gave to items: the input of every coefficient of agreement.

Labels that judges gave to items: what every coefficient of agreement is computed from.

For rankings an item is a pair of outputs of one segment and the label says which was ranked
better (<, =, >), whatever order the two were shown in (Bojar 2011 §2.2). Which of the two is
named first is arbitrary, so by chance < and > are as likely: such labels have a `mirror`.

Everything is counted from two numbers per label: how many other labels it can be compared
with, and how many of those are equal. Sums of them over segments, judges, hours, … count
agreement there, and no pair of labels is ever looked at by itself.

Tables of numbers a label or a unit, with a column for each category; sparse if these are many.

A label is in one category. Where a hundred are told apart, a hundredth of such a table is in use.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import coo_array, csr_array

from adjudge.agreement.chance import Floats, Mirror, both_ways
from adjudge.core.codes import distinct
from adjudge.data.comparisons import MISSING, Comparisons

Ints = NDArray[np.int64]
Kind = Literal["inter", "intra"]
KINDS: tuple[Kind, ...] = ("inter", "intra")
PAIRWISE = ("<", "=", ">")
UNKNOWN = "(unknown)"  # the judge of comparisons that name none
TIE = 1  # the code of "=" in PAIRWISE


@dataclass(frozen=True, eq=False)
class Matches:
    """For every label: how many others it is comparable with, and agrees with."""

    agree: Ints
    comparable: Ints

    def __add__(self, other: "Matches") -> "Matches":
        return Matches(self.agree + other.agree, self.comparable + other.comparable)

    def __sub__(self, other: "Matches") -> "Matches":
        return Matches(self.agree - other.agree, self.comparable - other.comparable)


@dataclass(frozen=True, eq=False)
class Labels:
    """One entry per label given: on which item, by which judge; and where the item comes from."""

    item: Ints  # 0 … items−1
    judge: Ints  # index into `judges`
    label: Ints  # index into `categories`
    segment: Ints  # what a bootstrap over segments draws
    judges: tuple[str, ...]
    categories: tuple[str, ...]
    # For each category, what it becomes where the two outputs are named in reverse; None: labels
    # are not of two outputs, or it is known which of them comes first.
    mirror: Mirror | None = None
    document: Ints | None = None  # of each label, −1 where unknown

    def __len__(self) -> int:
        return len(self.item)

    def where(self, mask: NDArray[np.bool_] | Ints) -> "Labels":
        """The labels in `mask`, or at these places, with the same vocabularies."""
        return Labels(
            self.item[mask],
            self.judge[mask],
            self.label[mask],
            self.segment[mask],
            self.judges,
            self.categories,
            self.mirror,
            None if self.document is None else self.document[mask],
        )

    @cached_property
    def item_of_judge(self) -> Ints:
        """A code for each item as one judge saw it."""
        return dense(self.item * len(self.judges) + self.judge)

    @cached_property
    def _all(self) -> Matches:
        return self.matches(self.item)

    @cached_property
    def intra(self) -> Matches:
        """Matches with the same judge's other labels of the item."""
        return self.matches(self.item_of_judge)

    @cached_property
    def inter(self) -> Matches:
        """Matches with other judges' labels of the item."""
        return self._all - self.intra

    def matches(self, key: Ints) -> Matches:
        """Matches with the other labels of the same `key`."""
        comparable = np.bincount(key)[key] - 1
        agree = np.zeros_like(comparable)
        several = np.flatnonzero(comparable)
        cell = dense(key[several] * len(self.categories) + self.label[several])
        agree[several] = np.bincount(cell)[cell] - 1
        return Matches(agree, comparable)

    def inside(self, part: Ints, kind: Kind) -> Matches:
        """Matches of one kind with labels of the same `part` only."""
        parts = int(part.max(initial=0)) + 1
        item = dense(self.item * parts + part)
        narrowed = Labels(item, self.judge, self.label, self.segment, self.judges, self.categories)
        return narrowed.inter if kind == "inter" else narrowed.intra

    def of_kind(self, kind: Kind) -> Matches:
        """Matches between judges or within one."""
        return self.inter if kind == "inter" else self.intra

    @cached_property
    def judge_pairs(self) -> tuple[csr_array, csr_array]:
        """How many pairs of labels two judges agree on, and have in common (judges × judges)."""
        doubly = self.inter.comparable > 0
        item, judge, label = self.item[doubly], self.judge[doubly], self.label[doubly]
        ones = np.ones(len(item), np.int64)
        shape = (len(self.judges), int(item.max(initial=0)) + 1)
        seen = coo_array((ones, (judge, item)), shape=shape).tocsr()
        k = len(self.categories)
        said = coo_array((ones, (judge, item * k + label)), shape=(shape[0], shape[1] * k)).tocsr()
        return tuple(_without_diagonal(m @ m.T) for m in (said, seen))


def _without_diagonal(matrix: csr_array) -> csr_array:
    matrix = matrix.tocoo()
    row, column = matrix.coords
    off = row != column
    return coo_array((matrix.data[off], (row[off], column[off])), shape=matrix.shape).tocsr()


def dense(key: NDArray[np.int64]) -> Ints:
    """Keys as codes 0, 1, … in the order of the keys."""
    least = key.min(initial=0)
    return distinct(key - least, int(key.max(initial=0) - least) + 1)[1]


def pairwise_labels(comparisons: Comparisons, *, ordered: bool = False) -> Labels:
    """Comparisons as labels <, = and > of pairs of outputs of one segment.

    `ordered`: the same two outputs shown in the other order are another item. Where segment
    or judge is unknown, a comparison is an item of its own, comparable with nothing.
    """
    c = comparisons
    swapped = (c.left > c.right) if not ordered else np.zeros(len(c), bool)
    first = np.where(swapped, c.right, c.left).astype(np.int64)
    second = np.where(swapped, c.left, c.right)
    systems = len(c.systems)
    key = (c.segment.astype(np.int64) * systems + first) * systems + second
    unknown = (c.segment == MISSING) | (c.judge == MISSING)
    key[unknown] = -1 - np.arange(np.count_nonzero(unknown))
    return Labels(
        item=dense(key),
        judge=np.where(c.judge == MISSING, len(c.judges), c.judge).astype(np.int64),
        label=np.where(swapped, -c.outcome, c.outcome).astype(np.int64) + TIE,
        # A ranking of an unknown segment is drawn by itself.
        segment=np.where(c.segment == MISSING, len(c.segments) + c.ranking, c.segment).astype(
            np.int64
        ),
        judges=(*c.judges, UNKNOWN) if (c.judge == MISSING).any() else c.judges,
        categories=PAIRWISE,
        mirror=(2, 1, 0),
        document=c.document.astype(np.int64),
    )


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
