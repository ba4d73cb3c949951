"""The scores of one language pair on one scale, coded as integers, one row a system.

An output that several systems produced is scored once for each of them. A segment is told apart
by its document as well; a score of an unknown segment (judge, …) is a segment of its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.codes import distinct
from adjudge.comparisons.comparisons import Codes, encode
from adjudge.judgements.outputs import attributed, list_systems

Values = NDArray[np.float64]

CONTEXT = ("segment", "document", "hit", "item", "judge")


@dataclass(frozen=True, eq=False)
class Scored:
    """Scores as arrays; codes of the context are −1 where it is unknown."""

    pair: str
    scale: str
    value: Values
    system: Codes
    segment: Codes  # never unknown
    document: Codes
    hit: Codes
    item: Codes  # never unknown
    judge: Codes
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    unattributed: int  # scores left out because nobody knows whose output it was

    def __len__(self) -> int:
        return len(self.value)

    def where(self, mask: NDArray[np.bool_]) -> "Scored":
        """The scores in `mask`, with the same vocabularies."""
        return replace(
            self, **{name: getattr(self, name)[mask] for name in ("value", "system", *CONTEXT)}
        )

    def among(self, present: NDArray[np.integer]) -> "Scored":
        """The scores of these systems only, and these alone in the vocabulary."""
        code = np.full(len(self.systems), -1, np.int32)
        code[present] = np.arange(len(present), dtype=np.int32)
        kept = self.where(code[self.system] >= 0)
        names = tuple(self.systems[i] for i in present)
        return replace(kept, system=code[kept.system], systems=names)


def by_scale(table: pl.DataFrame) -> Iterator[tuple[str, str, pl.DataFrame]]:
    """Pair, scale and scores of each scale of each language pair, in the order of their names."""
    given = table.drop_nulls(["output", "score"])
    for (pair, scale), part in sorted(given.partition_by("pair", "scale", as_dict=True).items()):
        yield str(pair), str(scale), part


def code(pair: str, scale: str, part: pl.DataFrame) -> Scored:
    """The scores of one scale of one language pair (`by_scale`) as arrays."""
    known = part.filter(attributed())
    rows = known.with_columns(list_systems().alias("output")).explode("output")
    system, systems = encode(rows["output"].cast(pl.Categorical))
    judge, judges = encode(rows["judge"])
    document, _ = encode(rows["document"])
    segment, segments = encode(rows["segment"])
    both = (document.astype(np.int64) + 1) * (len(segments) + 1) + segment
    unknown = segment < 0
    both[unknown] = -1 - np.arange(np.count_nonzero(unknown))
    return Scored(
        pair=pair,
        scale=scale,
        value=rows["score"].to_numpy(),
        system=system,
        segment=_dense(both),
        document=document,
        hit=encode(rows["hit"])[0],
        item=_dense(rows["item"].to_numpy()),
        judge=judge,
        systems=systems,
        judges=judges,
        unattributed=len(part) - len(known),
    )


def _dense(keys: NDArray[np.int64]) -> Codes:
    least = keys.min(initial=0)
    return distinct(keys - least, int(keys.max(initial=0) - least) + 1)[1].astype(np.int32)
