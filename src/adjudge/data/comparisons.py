"""Rankings expanded to pairwise comparisons, coded as integers.

A block of k ranked outputs gives k(k−1)/2 comparisons (five give ten; WMT13 §3.1); an output
without a rank gives none. An output that several systems produced either stays one candidate
(`collapsed`) or becomes one candidate per system (`expanded`), in which case systems that
share it also tie with each other: that is how WMT15 counted.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.errors import AdjudgeError, InputError, one_of
from adjudge.core.options import Outputs as Outputs
from adjudge.core.options import choices
from adjudge.data.outputs import systems_of

Codes = NDArray[np.int32]

MISSING = -1  # the code of what is unknown: a judge, a document


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Pairwise comparisons of one language pair.

    `left` was shown before `right`; `outcome` is +1 where left is better, −1 where right is,
    0 for a tie. The other arrays say where each comparison comes from, as indices into the
    vocabularies (−1: unknown).
    """

    pair: str
    left: Codes
    right: Codes
    outcome: NDArray[np.int8]
    ranking: Codes
    segment: Codes
    document: Codes
    hit: Codes
    judge: Codes
    systems: tuple[str, ...]
    rankings: NDArray[np.int64]  # their numbers in the judgement table
    segments: tuple[str, ...]
    documents: tuple[str, ...]
    hits: tuple[str, ...]
    judges: tuple[str, ...]
    groups: tuple[str | None, ...]  # the group of each judge

    def __len__(self) -> int:
        return len(self.left)

    @cached_property
    def are_votes(self) -> bool:
        """Is every ranking a single comparison?"""
        return bool((self.ranking[1:] != self.ranking[:-1]).all())

    def where(self, mask: NDArray[np.bool_]) -> "Comparisons":
        """The comparisons in `mask`, with the same vocabularies."""
        return replace(self, **{name: getattr(self, name)[mask] for name in _ARRAYS})


_CONTEXT = ("segment", "document", "hit", "judge")
_ARRAYS = ("left", "right", "outcome", "ranking", *_CONTEXT)


def encode(column: pl.Series) -> tuple[Codes, tuple[str, ...]]:
    """A categorical column as codes into its sorted distinct values; null is −1."""
    values = column.unique().drop_nulls()
    names = values.cast(pl.String)
    order = names.arg_sort().to_numpy()
    physical = column.to_physical()
    highest = cast(int, physical.max() or 0)
    lookup = np.full(highest + 2, MISSING, np.int32)
    lookup[values.to_physical().to_numpy()[order]] = np.arange(len(order), dtype=np.int32)
    codes = lookup[physical.fill_null(len(lookup) - 1).to_numpy()]
    return codes, tuple(names.gather(order).to_list())


def by_pair(table: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """The judgements of each language pair, in the order of their names."""
    if table["pair"].n_unique() == 1:
        yield str(table["pair"][0]), table
        return
    for (pair,), part in sorted(table.partition_by("pair", as_dict=True).items()):
        yield str(pair), part


def compare(table: pl.DataFrame, outputs: Outputs = "expanded") -> Comparisons:
    """All comparisons that the rankings of one language pair imply.

    Parameters
    ----------
    table
        Judgements of one language pair.
    outputs
        Whether systems that share an output are compared one by one (`expanded`) or stay one
        candidate (`collapsed`).

    Raises
    ------
    AdjudgeError
        The judgements are of several language pairs, or a ranking shows a system twice.
    """
    one_of(outputs, choices(Outputs), "outputs")
    pairs = table["pair"].unique().to_list()
    if len(pairs) != 1:
        raise AdjudgeError(
            f"comparisons are of one language pair, not {len(pairs)}; choose one with `pair`"
        )
    coded = {name: encode(table[name]) for name in ("output", *_CONTEXT)}
    rows = pl.DataFrame(
        {
            "ranking": table["ranking"],
            "rank": table["rank"],
            "position": table["position"],
            **{name: codes for name, (codes, _) in coded.items()},
        }
    ).filter(pl.col("rank").is_not_null() & (pl.col("output") != MISSING))
    rows = rows.sort("ranking", "position", maintain_order=True)
    if outputs == "expanded":
        rows, systems = _expand(rows, coded["output"][1])
    else:
        systems = coded["output"][1]

    numbers = rows["ranking"].to_numpy()
    starts = np.flatnonzero(np.diff(numbers, prepend=numbers[:1] - 1))
    left, right, block = _pairs(starts, np.diff(starts, append=len(numbers)))
    system = rows["output"].to_numpy()
    rank = rows["rank"].to_numpy()
    first = starts[block]
    _refuse_self(system[left], system[right], systems, numbers[left])
    return Comparisons(
        pair=str(pairs[0]),
        left=system[left],
        right=system[right],
        outcome=np.sign(rank[right] - rank[left]).astype(np.int8),
        ranking=block,
        **{name: rows[name].to_numpy()[first] for name in _CONTEXT},
        systems=systems,
        rankings=numbers[starts],
        segments=coded["segment"][1],
        documents=coded["document"][1],
        hits=coded["hit"][1],
        judges=coded["judge"][1],
        groups=_groups(table, coded["judge"][1]),
    )


def _expand(rows: pl.DataFrame, outputs: tuple[str, ...]) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """One row per system instead of one per output."""
    members = [systems_of(output) for output in outputs]
    systems = tuple(sorted({system for group in members for system in group}))
    code = {system: i for i, system in enumerate(systems)}
    flat = np.array([code[system] for group in members for system in group], np.int32)
    size = np.array([len(group) for group in members], np.int64)
    output = rows["output"].to_numpy()
    copies = size[output]
    row = np.repeat(np.arange(len(output)), copies)
    within = np.arange(len(row)) - np.repeat(np.cumsum(copies) - copies, copies)
    first_member = np.cumsum(size) - size
    system = flat[first_member[output[row]] + within]
    return rows[row].with_columns(pl.Series("output", system)), systems


def _pairs(
    starts: NDArray[np.int64], sizes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], Codes]:
    """Row numbers of both members of every pair in every block, and the block's number."""
    per_block = sizes * (sizes - 1) // 2
    offsets = np.cumsum(per_block) - per_block
    left = np.empty(per_block.sum(), np.int64)
    right = np.empty_like(left)
    for size in np.unique(sizes[sizes > 1]):
        blocks = np.flatnonzero(sizes == size)
        i, j = np.triu_indices(size, 1)
        places = offsets[blocks, None] + np.arange(len(i))
        left[places] = starts[blocks, None] + i
        right[places] = starts[blocks, None] + j
    return left, right, np.repeat(np.arange(len(sizes), dtype=np.int32), per_block)


def _refuse_self(
    left: Codes, right: Codes, systems: tuple[str, ...], numbers: NDArray[np.int64]
) -> None:
    itself = np.flatnonzero(left == right)
    if len(itself):
        first = itself[0]
        raise InputError(
            f"ranking {numbers[first]} compares {systems[left[first]]} with itself: two of its "
            "outputs name that system; give each system one output a ranking"
        )


def _groups(table: pl.DataFrame, judges: tuple[str, ...]) -> tuple[str | None, ...]:
    if table["group"].null_count() == len(table):
        return (None,) * len(judges)
    known = table.select("judge", "group").unique(maintain_order=True).drop_nulls()
    group = dict(reversed(known.rows()))
    return tuple(group.get(judge) for judge in judges)
