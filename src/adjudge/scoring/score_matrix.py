"""The scores of one language pair on one scale, coded as integers, one row a system.

An output that several systems produced is scored once for each of them. A segment is told apart
by its document as well; a score of an unknown segment (judge, …) is a segment of its own.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.codes import distinct
from adjudge.data.comparisons import Codes, encode
from adjudge.data.outputs import systems_of

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


@dataclass(frozen=True, eq=False)
class OutputSystems:
    """The systems that produced each of some outputs, by the codes of both."""

    systems: tuple[str, ...]  # in the order of their names
    first: NDArray[np.int64]  # of each output: where its systems begin among `codes`
    number: NDArray[np.int64]  # and how many they are
    codes: Codes

    def expanded(self, output: Codes) -> tuple[NDArray[np.integer], Codes]:
        """A score for every system: the row of each, and the system."""
        row, place = np.arange(len(output), dtype=np.int32), self.first[output]
        if (self.number != 1).any():
            times = self.number[output]
            row = np.repeat(row, times)
            place = (place - np.cumsum(times) + times)[row] + np.arange(len(row))
        return row, self.codes[place]


def output_systems(outputs: Iterable[str | None]) -> OutputSystems:
    """The systems of outputs; none of one that is not wanted (None), or of no known system."""
    of = [() if output is None else systems_of(output) for output in outputs]
    systems = tuple(sorted({name for names in of for name in names}))
    code = {name: place for place, name in enumerate(systems)}
    number = np.array([len(names) for names in of], np.int64)
    codes = np.array([code[name] for names in of for name in names], np.int32)
    return OutputSystems(systems, np.cumsum(number) - number, number, codes)


def code(pair: str, scale: str, part: pl.DataFrame) -> Scored:
    """The scores of one scale of one language pair (`by_scale`) as arrays."""
    output, outputs = encode(part["output"])
    known = output_systems(outputs)
    row, system = known.expanded(output)
    judge, judges = encode(part["judge"])
    document, _ = encode(part["document"])
    segment, segments = encode(part["segment"])
    both = ((document.astype(np.int64) + 1) * (len(segments) + 1) + segment)[row]
    unknown = segment[row] < 0
    both[unknown] = -1 - np.arange(np.count_nonzero(unknown))
    return Scored(
        pair=pair,
        scale=scale,
        value=part["score"].to_numpy()[row],
        system=system,
        segment=_dense(both),
        document=document[row],
        hit=encode(part["hit"])[0][row],
        item=_dense(part["item"].to_numpy()[row]),
        judge=judge[row],
        systems=known.systems,
        judges=judges,
        unattributed=int(np.count_nonzero(known.number[output] == 0)),
    )


def _dense(keys: NDArray[np.int64]) -> Codes:
    least = keys.min(initial=0)
    return distinct(keys - least, int(keys.max(initial=0) - least) + 1)[1].astype(np.int32)
