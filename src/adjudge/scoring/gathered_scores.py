"""Scores gathered while they are read, in parts that fit into memory.

Rows put into parts on the disk, where all of them would not fit into memory.

Parts are told apart by a number. Rows come in batches and are written to one temporary file in
the order of their parts, so that a part is a run of rows in every batch. The file has no name and
goes with the object, however the process ends.

Scores gathered while they stream by: coded, and put into parts by the hash of their segment.

A system's score is the mean over segments of the mean in a segment, so nothing can be added up
before all scores of a segment are together. So scores go to parts on the disk (`spill`), a segment
with all its scores into one part, and a part after the other is looked at (`pieces`). Names of
judges, documents, outputs and scales are coded as they come; segments and screens, of which there
may be as many as scores, are known by their hashes, and by name as long as they are few.

Scores that were gathered in parts, piece by piece: some segments with all their scores.

The codes of judges and documents are those of all pieces, in the order of their names; the codes of
segments are of one piece only.

A sample of very many scores, for questions that need every score by itself.

Segments are chosen by the hash of their names, with all their scores, so that judges who scored the
same output stay together. Where a few segments would be all, judges are chosen by hash as well.
"""

import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.errors import AdjudgeError
from adjudge.data.comparisons import Codes
from adjudge.data.outputs import join_lists, systems_among
from adjudge.data.score_table import ENDS, score_table
from adjudge.data.selection import Selection, kept_outputs, require_systems
from adjudge.data.validation import LONGEST_NAME, UNREADABLE
from adjudge.data.votes.hashed_names import Distinct, Hashes, Lookup, mixed
from adjudge.scoring.score_matrix import OutputSystems, Scored, Values, output_systems
from adjudge.stats.resampling import MOST_UNITS

_GB = 1e9


class Spill:
    """Rows of one type, in parts."""

    def __init__(self, dtype: np.dtype[np.void], rows: int, what: str) -> None:
        """`rows` is about how many there will be; refused where the disk has no room for them."""
        self.dtype = dtype
        folder = tempfile.gettempdir()
        needed, free = rows * dtype.itemsize, shutil.disk_usage(folder).free
        if needed > free:
            raise AdjudgeError(
                f"{what} need about {needed / _GB:,.1f} GB of disk in {folder}, and "
                f"{free / _GB:,.1f} are free; name a folder with more in TMPDIR"
            )
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  (open as long as it is)
        self._runs: dict[int, list[tuple[int, int]]] = defaultdict(list)  # row and number of rows
        self._rows = 0

    def add(self, rows: NDArray[np.void], part: NDArray[np.integer]) -> None:
        """Write rows to their parts."""
        numbers = np.bincount(part)
        order = np.argsort(part.astype(np.min_scalar_type(len(numbers))), kind="stable")
        memory = np.take(rows, order).view(np.uint8).data
        while len(memory):
            memory = memory[self._file.write(memory) :]
        for key in np.flatnonzero(numbers).tolist():
            self._runs[key].append((self._rows, int(numbers[key])))
            self._rows += int(numbers[key])

    def parts(self) -> list[int]:
        """The numbers of the parts that hold rows."""
        return sorted(self._runs)

    def size(self, part: int) -> int:
        """How many rows a part holds."""
        return sum(number for _, number in self._runs.get(part, ()))

    def read(self, part: int) -> NDArray[np.void]:
        """The rows of a part, in the order in which they came."""
        rows = np.empty(self.size(part), self.dtype)
        memory = rows.view(np.uint8).data
        place = 0
        for first, number in self._runs.get(part, ()):
            end = place + number * self.dtype.itemsize
            self._file.seek(first * self.dtype.itemsize)
            while place < end:
                place += self._file.readinto(memory[place:end])
        return rows


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


@dataclass(frozen=True, eq=False)
class Piece:
    """Some scores, one for every system that produced the output."""

    value: Values
    system: Codes
    judge: Codes
    document: Codes
    rows: NDArray[np.void]  # that the scores come from
    row: NDArray[np.integer]  # of every score

    def __len__(self) -> int:
        return len(self.value)

    def where(self, mask: NDArray[np.bool_], value: Values) -> "Piece":
        """The scores in `mask`, with these values."""
        names = ("system", "judge", "document", "row")
        return replace(self, value=value, **{name: getattr(self, name)[mask] for name in names})

    def hashes(self, unit: str) -> Hashes:
        """Of the segments, screens or items; of the rows themselves."""
        rows = self.rows
        match unit:
            case "item":
                hashes = item_hashes(rows)
            case "row":
                hashes = mixed(rows["segment"], item_hashes(rows), rows["output"].astype(np.uint64))
            case _:
                hashes = rows[unit]
        return np.asarray(hashes[self.row])

    def scored(self, systems: tuple[str, ...]) -> Scored:
        """The same, for what needs no more than systems, segments and judges."""
        unknown = np.full(len(self), -1, np.int32)
        segment = np.unique(self.hashes("segment"), return_inverse=True)[1]
        return Scored(
            pair="",
            scale="",
            value=self.value,
            system=self.system,
            segment=segment.astype(np.int32),
            document=self.document,
            hit=unknown,
            item=unknown,
            judge=self.judge,
            systems=systems,
            judges=(),
            unattributed=0,
        )


@dataclass(frozen=True, eq=False)
class Stratum:
    """The scores of one scale of one language pair."""

    pair: str
    scale: str
    gathered: "Gathered"
    parts: list[int]

    @property
    def about(self) -> str:
        """What messages call it."""
        return f"{self.pair}, {self.scale}"

    @property
    def largest(self) -> int:
        """How many scores the largest piece has."""
        return max(map(self.gathered.gathering.spill.size, self.parts))

    def pieces(self) -> Iterator[Piece]:
        """All scores."""
        rank = self.gathered.rank
        for part in self.parts:
            rows = self.gathered.gathering.spill.read(part)
            row, system = self.gathered.of_outputs.expanded(rows["output"])
            yield Piece(
                value=rows["score"][row],
                system=system,
                judge=rank["judge"][rows["judge"][row]],
                document=rank["document"][rows["document"][row]],
                rows=rows,
                row=row,
            )


class Gathered:
    """What was gathered, with names in order, and the systems that were chosen."""

    def __init__(self, gathering: Gathering, selection: Selection) -> None:
        self.gathering = gathering
        met = {name: gathering.names[name].to_series() for name in CODED}
        if not all(map(_sound, met.values())):
            raise NotSound
        order = {name: names.arg_sort().to_numpy() for name, names in met.items()}
        self.names = {name: names.gather(order[name]) for name, names in met.items()}
        self.rank = {name: _inverse(places) for name, places in order.items()}
        outputs = met["output"].to_list()
        require_systems(selection, systems_among(outputs))
        self._kept = kept_outputs(outputs, selection)

    @cached_property
    def of_outputs(self) -> OutputSystems:
        """The systems of every output, those that were chosen."""
        return output_systems(self._kept.values())

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order of their names."""
        return self.of_outputs.systems

    def named(self, column: str, codes: Codes) -> pl.Series:
        """The names of these codes, as they were gathered; outputs as far as they were chosen."""
        known = self.gathering.names[column].to_series()
        if column == "output":
            known = pl.Series(list(self._kept.values()), dtype=pl.String)
        return known.gather(pl.Series(codes).replace(-1, None))

    def strata(self) -> list[Stratum]:
        """Every scale of every language pair, in the order of their names."""
        pairs, scales = (self.gathering.names[name].to_series() for name in ("pair", "scale"))
        strata = [
            Stratum(pairs[pair], scales[scale], self, self.gathering.parts(number))
            for (pair, scale), number in self.gathering.strata.items()
        ]
        held = [stratum for stratum in strata if stratum.parts]
        return sorted(held, key=lambda stratum: (stratum.pair, stratum.scale))


def _sound(names: pl.Series) -> bool:
    """Can something be called so?"""
    return not (
        (names == "").any()
        or (names.str.len_bytes() > LONGEST_NAME).any()
        or names.str.contains(UNREADABLE).any()
    )


def _inverse(order: NDArray[np.integer]) -> Codes:
    """The place of every code; −1 for −1."""
    place = np.full(len(order) + 1, -1, np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return place


SAMPLE = 400_000  # scores
LEAST_SEGMENTS = 1_000
_ALL = 2.0**64


@dataclass(frozen=True, eq=False)
class Sample:
    """Some scores of a stratum as a table, and what to say of it where they are not all."""

    table: pl.DataFrame
    note: str


def sampled(stratum: Stratum) -> Sample:
    """The scores of some segments; all, if they are few enough."""
    spill = stratum.gathered.gathering.spill
    number = sum(map(spill.size, stratum.parts))
    segments = stratum.gathered.gathering.different_segments.number
    of_segments = min(1.0, max(SAMPLE / number, LEAST_SEGMENTS / segments))
    of_judges = min(1.0, SAMPLE / (number * of_segments))
    table = _table(stratum, of_segments, of_judges)
    if of_segments == of_judges == 1:
        return Sample(table, "")
    of = f"{table['segment'].n_unique():,} of {segments:,} segments"
    by = "" if of_judges == 1 else f" by {table['judge'].n_unique():,} judges"
    note = f"Agreement is that of a sample: {len(table):,} scores of {of}{by}, chosen by hash."
    return Sample(table, note)


def _table(stratum: Stratum, of_segments: float, of_judges: float) -> pl.DataFrame:
    """The scores of these shares of segments and of judges as a score table."""
    gathered = stratum.gathered
    chosen = []
    for part in stratum.parts:  # in the order of hashes
        rows = gathered.gathering.spill.read(part)
        taken = _below(rows["segment"], of_segments)
        taken &= _below(mixed(gathered.rank["judge"][rows["judge"]].astype(np.uint64)), of_judges)
        if not taken.any() and of_judges == 1:
            break
        chosen.append(rows[taken])
    rows = np.concatenate(chosen)
    frame = pl.DataFrame(
        {
            "pair": pl.repeat(stratum.pair, len(rows), eager=True),
            "scale": pl.repeat(stratum.scale, len(rows), eager=True),
            "segment": pl.Series(rows["segment"]).cast(pl.String),
            "item": rows["item"],
            "score": rows["score"],
            **{name: gathered.named(name, rows[name]) for name in ("document", "judge", "output")},
        }
    )
    return score_table(frame.drop_nulls("output").sort("item", maintain_order=True))


def _below(hashes: Hashes, share: float) -> NDArray[np.bool_]:
    """Is a hash among this share of all?"""
    if share == 1:
        return np.ones(len(hashes), bool)
    return np.asarray(hashes < np.uint64(share * _ALL))
