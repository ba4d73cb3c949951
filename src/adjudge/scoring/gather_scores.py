"""Scores gathered while they stream by: coded, and put into parts by the hash of their segment.

A system's score is the mean over segments of the mean in a segment, so nothing can be added up
before all scores of a segment are together. So scores go to parts on the disk (`spill`), a segment
with all its scores into one part, and a part after the other is looked at (`pieces`). Names of
judges, documents, outputs and scales are coded as they come; segments and screens, of which there
may be as many as scores, are known by their hashes, and by name as long as they are few.
"""

from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.data.comparisons import Codes
from adjudge.data.outputs import join_lists
from adjudge.data.score_table import ENDS
from adjudge.data.votes.hashed_names import Distinct, Hashes, Lookup, mixed
from adjudge.scoring.disk_partitions import Spill
from adjudge.stats.resampling_weights import MOST_UNITS

PART = 1 << 19  # scores, about, that are looked at together
COLUMNS = (
    "pair",
    "scale",
    "judge",
    "document",
    "segment",
    "hit",
    "item",
    "systems",
    "score",
    "spans",
)
CODED = ("pair", "scale", "judge", "document", "output")
ROW = np.dtype(
    [
        ("segment", np.uint64),
        ("hit", np.uint64),
        ("item", np.int64),
        ("score", np.float64),
        ("judge", np.int32),
        ("document", np.int32),
        ("output", np.int32),
    ]
)
_ITEMS = 1 << 40  # of one file


class NotSound(Exception):
    """Scores that need a closer look."""


class Few:
    """Things known by their hashes, and by name as long as they are at most `MOST_UNITS`."""

    def __init__(self) -> None:
        self._lookup: Lookup | None = Lookup()
        self._hashes: Hashes = np.zeros(0, np.uint64)
        self._names: list[tuple[object, ...]] = []

    def add(self, hashes: Hashes, names: pl.DataFrame) -> None:
        """Meet these."""
        if self._lookup is None:
            return
        found = self._lookup.codes(hashes, MOST_UNITS)
        if found is None:
            self.forget()
            return
        self._hashes = np.append(self._hashes, hashes[found[1]])
        self._names += names[found[1]].rows()

    def forget(self) -> None:
        """Names: from now on all are in groups."""
        self._lookup, self._names = None, []

    def codes(self, hashes: Hashes) -> Codes:
        """The place of each in the order of names; its group by hash, where there are more."""
        if self._lookup is None:
            return (hashes % np.uint64(MOST_UNITS)).astype(np.int32)
        known, place = self._places
        return place[np.searchsorted(known, hashes)]

    @cached_property
    def _places(self) -> tuple[Hashes, Codes]:
        """The hashes in their order, and the place of the name of each; no name comes first."""
        ordered = [tuple((name is not None, name) for name in names) for names in self._names]
        place = np.empty(len(ordered), np.int32)
        place[sorted(range(len(ordered)), key=ordered.__getitem__)] = np.arange(len(ordered))
        by_hash = np.argsort(self._hashes)
        return self._hashes[by_hash], place[by_hash]


class Gathering:
    """Scores of files, coded and in parts."""

    def __init__(self, rows: int, what: str) -> None:
        """`rows` is about how many there are, `what` what messages call them."""
        self.names = {name: pl.Categories.random(name) for name in CODED}
        # Polars forgets names, and gives their codes anew, once no column has them.
        self._held = [pl.Series(dtype=pl.Categorical(names)) for names in self.names.values()]
        self.segments, self.hits, self.items = Few(), Few(), Few()
        self.different_segments = Distinct()
        self.knows_hits = False
        self._rows = 0
        self.strata: dict[tuple[int, int], int] = {}  # by the codes of pair and scale
        self.bits = max(rows // PART, 1).bit_length() - 1
        self.spill = Spill(ROW, rows, what)

    def parts(self, stratum: int) -> list[int]:
        """The parts of one scale of one language pair, in the order of hashes."""
        return [part for part in self.spill.parts() if part >> self.bits == stratum]

    def add(self, batch: pl.DataFrame, file: int) -> None:
        """The scores of a batch of the `file`-th file."""
        if batch["spans"].null_count() < len(batch):
            raise NotSound  # marked errors make a scale of their own
        batch = batch.with_columns(_outputs(batch["systems"]).alias("output"))
        codes = {name: self._coded(batch[name], name) for name in CODED}
        rows = np.empty(len(batch), ROW)
        rows["item"] = batch["item"].fill_null(-1).to_numpy()
        rows["score"] = batch["score"].fill_null(np.nan).to_numpy()
        for name in ("judge", "document", "output"):
            rows[name] = codes[name]
        for name in ("segment", "hit"):
            rows[name] = _hashes(batch[name])
        given = batch["score"].is_not_null().to_numpy()
        self._check(rows, codes["pair"], codes["scale"], given)
        row = mixed(np.arange(self._rows, self._rows + len(batch), dtype=np.uint64))
        for name in ("segment", "hit"):  # an unknown one is one of its own
            unknown = batch[name].is_null().to_numpy()
            rows[name][unknown] = row[unknown]
        rows["segment"] = mixed(_hashes(batch["document"]), rows["segment"])
        rows["item"] += file * _ITEMS
        part = (rows["segment"] >> np.uint64(63 - self.bits) >> np.uint64(1)).astype(np.int64)
        part += self._stratum(codes["pair"], codes["scale"]) << self.bits
        if not given.all():
            batch, rows, part = batch.filter(given), rows[given], part[given]
        self._meet(batch, rows)
        self.spill.add(rows, part)
        self._rows += len(rows)

    def _meet(self, batch: pl.DataFrame, rows: NDArray[np.void]) -> None:
        self.different_segments.add(rows["segment"])
        self.segments.add(rows["segment"], batch.select("document", "segment"))
        self.items.add(item_hashes(rows), pl.DataFrame({"item": rows["item"]}))
        if not self.knows_hits and batch["hit"].null_count() < len(batch):
            self.knows_hits = True
            if self._rows:  # of which none is known by name
                self.hits.forget()
        if self.knows_hits:
            self.hits.add(rows["hit"], batch.select("hit"))

    def _coded(self, values: pl.Series, name: str) -> Codes:
        """Codes of names, −1 where there is none."""
        alike = len(values) > 0 and values.eq_missing(values[0]).all()
        some = values[:1] if alike else values  # one language pair, one scale
        coded = some.cast(pl.Categorical(self.names[name])).to_physical()
        codes = coded.cast(pl.Int32).fill_null(-1).to_numpy()
        return np.full(len(values), codes[0]) if alike else codes

    def _stratum(self, pair: Codes, scale: Codes) -> NDArray[np.int64]:
        """The number of pair and scale of every row."""
        both = (pair.astype(np.int64) << 32) + scale
        different, place = np.unique(both, return_inverse=True)
        numbers = [
            self.strata.setdefault((key >> 32, key & 0xFFFFFFFF), len(self.strata))
            for key in different.tolist()
        ]
        return np.array(numbers, np.int64)[place]

    def _check(
        self, rows: NDArray[np.void], pair: Codes, scale: Codes, given: NDArray[np.bool_]
    ) -> None:
        """Refuse what no score table may hold, as far as one row, and the one before it, tell."""
        score, item, output = rows["score"], rows["item"], rows["output"]
        bad = (pair < 0) | (item < 0) | (item >= _ITEMS) | ((output < 0) & given)
        bad |= (output >= 0) & (scale < 0)
        names = self.names["scale"].to_series().to_list()
        ends = [ENDS.get(name, (-np.inf, np.inf)) for name in names]
        low, high = np.array([*ends, (-np.inf, np.inf)]).T  # the last where no scale is named
        bad |= given & ~(np.isfinite(score) & (score >= low[scale]) & (score <= high[scale]))
        again = item[1:] == item[:-1]
        same = (output[1:] == output[:-1]) & (scale[1:] == scale[:-1])
        for values in (pair, *(rows[name] for name in ("judge", "document", "segment", "hit"))):
            same |= values[1:] != values[:-1]
        if bad.any() or (again & same).any():
            raise NotSound


def item_hashes(rows: NDArray[np.void]) -> Hashes:
    """Of the numbers of items."""
    return mixed(rows["item"].astype(np.uint64))


def _outputs(systems: pl.Series) -> pl.Series:
    """The names of systems as outputs; those of no known system have to be looked at."""
    number = systems.list.len()
    if (number == 0).any():
        raise NotSound
    return join_lists(systems) if (number > 1).any() else systems.list.first()


def _hashes(names: pl.Series) -> Hashes:
    """Of names; 0 where there is none."""
    unknown = names.null_count()
    if unknown == len(names):
        return np.zeros(len(names), np.uint64)
    hashes = names.hash().to_numpy()
    return np.where(names.is_null().to_numpy(), np.uint64(0), hashes) if unknown else hashes
