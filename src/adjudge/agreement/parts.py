"""Agreement in parts of a campaign: which sentences, pairs and moments do judges agree on?

A pair of judgements counts in the part of either of them, once where both are in the same.
P(E) is from the ties of the part's own comparisons.

| by         | parts                                                                        |
|------------|------------------------------------------------------------------------------|
| length     | words of the source, n and n+1 together at n (Bojar 2011 Figure 2)           |
| document   | the document                                                                 |
| block-size | how many outputs the block ranked                                            |
| distance   | how far apart the two systems' Expected Wins are, in tenths                  |
| order      | did both judgements show the two outputs in the same order, or the opposite? |
| hour       | the hour of the day of the judgement (UTC)                                   |
| group      | within one group of judges, and between two (WMT13 Tables 3 and 4)           |
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from scipy.sparse import coo_array

from adjudge.agreement.chance import Floats
from adjudge.agreement.conventions import CONVENTIONS, Evidence
from adjudge.agreement.interpretation import krippendorff, landis_koch
from adjudge.agreement.intervals import interval_ends, segment_resampling, sum_intervals
from adjudge.agreement.labels import KINDS, TIE, Ints, Kind, Labels, Matches
from adjudge.agreement.pairwise import Tally, kappas, variants
from adjudge.comparisons.comparisons import MISSING, Comparisons, Outputs, by_pair, compare
from adjudge.comparisons.counts import count
from adjudge.errors import one_of
from adjudge.judgements.outputs import systems_of
from adjudge.judgements.selection import source_lengths
from adjudge.ranking.methods.expected_wins import scores as expected_wins
from adjudge.results import Results
from adjudge.statistics.resampling import Resampling


@dataclass(frozen=True)
class PartAgreement:
    """One kind of agreement in one part; part None: what it depends on is unknown."""

    pair: str
    by: str
    part: str | None
    kind: Kind
    outputs: Outputs
    with_reference: bool
    tally: Tally
    low: float | None
    high: float | None

    def row(self) -> dict[str, Any]:
        """The result as flat keys."""
        return {
            "pair": self.pair,
            "by": self.by,
            "part": self.part,
            "kind": self.kind,
            "outputs": self.outputs,
            "with_reference": self.with_reference,
            "convention": "sound",
            **self.tally.row(),
            "kappa_low": self.low,
            "kappa_high": self.high,
            "landis_koch": landis_koch(self.tally.kappa),
            "krippendorff": krippendorff(self.tally.kappa),
        }


@dataclass(frozen=True, eq=False)
class Partition:
    """Which part each comparison is in (−1: unknown), and what the parts are called."""

    part: Ints
    names: tuple[str, ...]
    windows: tuple[tuple[int, ...], ...] | None = None  # parts added up for each one shown


def _length(comparisons: Comparisons, table: pl.DataFrame) -> Partition:
    lengths = table.select("ranking", source_lengths(table)).drop_nulls()
    length = _per_comparison(comparisons, lengths, "length")
    longest = int(length.max(initial=0))
    present = np.unique(length[length != MISSING])
    return Partition(
        length,
        tuple(str(n) for n in present),
        tuple((int(n), int(n) + 1) if n < longest else (int(n),) for n in present),
    )


def _document(comparisons: Comparisons, table: pl.DataFrame) -> Partition:
    return Partition(comparisons.document.astype(np.int64), comparisons.documents)


def _block_size(comparisons: Comparisons, table: pl.DataFrame) -> Partition:
    pairs = np.bincount(comparisons.ranking)[comparisons.ranking]
    size = ((1 + np.sqrt(1 + 8 * pairs)) / 2).round().astype(np.int64)
    present, part = np.unique(size, return_inverse=True)
    return Partition(part.astype(np.int64), tuple(str(n) for n in present))


def _distance(comparisons: Comparisons, table: pl.DataFrame) -> Partition:
    counts = count(compare(table, "expanded"))
    score = dict(zip(counts.systems, expected_wins(counts).tolist(), strict=True))
    # An output of several systems lies where they do on average; one of no known system nowhere.
    of_output = np.array(
        [np.mean([score[s] for s in systems_of(name)] or [np.nan]) for name in comparisons.systems]
    )
    distance = np.abs(of_output[comparisons.left] - of_output[comparisons.right])
    unknown = np.isnan(distance)
    tenth = np.where(unknown, MISSING, np.nan_to_num(distance) * 10).astype(np.int64)
    return Partition(tenth, tuple(f"{n / 10:.1f}–{(n + 1) / 10:.1f}" for n in range(11)))


def _hour(comparisons: Comparisons, table: pl.DataFrame) -> Partition:
    hours = table.select("ranking", pl.col("time").dt.hour().alias("hour")).drop_nulls()
    return Partition(
        _per_comparison(comparisons, hours, "hour"), tuple(f"{n:02d}:00" for n in range(24))
    )


def _per_comparison(comparisons: Comparisons, by_ranking: pl.DataFrame, column: str) -> Ints:
    """A column of the judgement table, by ranking number, for every comparison."""
    wanted = pl.DataFrame({"ranking": comparisons.rankings})
    joined = wanted.join(
        by_ranking.unique("ranking"), on="ranking", how="left", maintain_order="left"
    )
    per_ranking = joined[column].cast(pl.Int64).fill_null(MISSING).to_numpy()
    return per_ranking[comparisons.ranking]


PARTITIONS: Mapping[str, Callable[[Comparisons, pl.DataFrame], Partition]] = {
    "length": _length,
    "document": _document,
    "block-size": _block_size,
    "distance": _distance,
    "hour": _hour,
}
BY = (*PARTITIONS, "order", "group")

UNKNOWN = {
    "length": "no source text in the file",
    "document": "no document named",
    "distance": "nobody knows whose outputs they are, or they were never compared with a winner",
    "hour": "no time recorded",
    "group": "judges of no group",
    "order": "the order of appearance is not recorded",
}


def agreement_by(
    table: pl.DataFrame,
    by: str,
    outputs: Outputs = "collapsed",
    resampling: Resampling | None = None,
) -> Results[PartAgreement]:
    """Agreement in every part of every language pair, counted the sound way.

    Intervals are over segments only.
    """
    one_of(by, BY, "by")
    resampling = segment_resampling(resampling)
    results = []
    for pair, judged in by_pair(table):
        for with_reference, comparisons in variants(compare(judged, outputs)):
            evidence = CONVENTIONS["sound"].evidence(comparisons)
            if by == "order":
                parts = _by_order(comparisons, evidence, judged, resampling)
            elif by == "group":
                parts = _by_group(comparisons, resampling)
            else:
                parts = _by_partition(PARTITIONS[by](comparisons, judged), evidence, resampling)
            results += [
                PartAgreement(pair, by, name, kind, outputs, with_reference, *counted)
                for name, kind, counted in parts
            ]
    return Results(results)


Counted = tuple[Tally, float | None, float | None]
Parts = Iterator[tuple[str | None, Kind, Counted]]


def _by_partition(
    partition: Partition, evidence: Mapping[Kind, Evidence], resampling: Resampling
) -> Parts:
    shown = partition.windows or tuple((n,) for n in range(len(partition.names)))
    top = max((max(window) for window in shown), default=-1) + 1
    part = np.where(partition.part == MISSING, top, partition.part)
    windows = (*shown, (top,))
    names = (*partition.names, None)
    tallies = {
        kind: part_tallies(evidence[kind], kind, part, windows, resampling) for kind in KINDS
    }
    for i, name in enumerate(names):
        for kind in KINDS:
            if tallies[kind][i][0].total:
                yield name, kind, tallies[kind][i]


def part_tallies(
    evidence: Evidence,
    kind: Kind,
    part: Ints,
    windows: tuple[tuple[int, ...], ...],
    resampling: Resampling,
) -> list[Counted]:
    """Agreement in each window of parts, with its interval over segments."""
    labels = evidence.labels
    matches, inside = evidence.matches, labels.inside(part, kind)
    # From both ends, a pair inside a part is met twice there.
    agree = matches.agree - inside.agree / 2
    comparable = matches.comparable - inside.comparable / 2
    columns = (agree, comparable, (labels.label == TIE).astype(float), np.ones(len(labels)))
    segments, unit = np.unique(labels.segment, return_inverse=True)
    adds = np.zeros((max(map(max, windows)) + 1, len(windows)))
    for w, window in enumerate(windows):
        adds[list(window), w] = 1
    by_window = [
        coo_array((column, (unit, part)), shape=(len(segments), len(adds))).tocsr() @ adds
        for column in columns
    ]
    return _counted(by_window, resampling)


def _counted(by_window: list[Floats], resampling: Resampling) -> list[Counted]:
    """From agree, comparable, ties and total (segments × windows): tallies and intervals."""
    totals = np.stack([column.sum(axis=0) for column in by_window], axis=1)
    tallies = [Tally(*map(int, total)) for total in totals]

    def kappa(sums: Floats) -> Floats:
        return kappas(*np.split(sums, 4, axis=-1))

    segments = np.arange(len(by_window[0]))
    columns = np.concatenate(by_window, axis=1)
    intervals = interval_ends(*sum_intervals(columns, segments, by_window[1], resampling, kappa))
    return [(tally, *both) for tally, both in zip(tallies, intervals, strict=True)]


def _by_order(
    comparisons: Comparisons,
    evidence: Mapping[Kind, Evidence],
    table: pl.DataFrame,
    resampling: Resampling,
) -> Parts:
    labels = evidence["inter"].labels
    recorded = table["position"].null_count() < len(table)
    swapped = (comparisons.left > comparisons.right).astype(np.int64)
    for kind in KINDS:
        everything = labels.of_kind(kind)
        if not recorded:
            yield None, kind, _whole(labels, everything, resampling)
            continue
        same = labels.inside(swapped, kind)
        yield "same", kind, _whole(labels, same, resampling)
        yield "opposite", kind, _whole(labels, everything - same, resampling)


def _by_group(comparisons: Comparisons, resampling: Resampling) -> Parts:
    names = sorted({group for group in comparisons.groups if group is not None})
    codes = {name: i for i, name in enumerate(names)}
    group_of = np.array([codes.get(g, MISSING) if g else MISSING for g in comparisons.groups])
    group = np.append(group_of, MISSING)[comparisons.judge]
    for name, code in (*codes.items(), (None, MISSING)):
        inside = comparisons.where(group == code)
        evidence = CONVENTIONS["sound"].evidence(inside)
        if len(inside):
            for kind in KINDS:
                labels = evidence[kind].labels
                yield name, kind, _whole(labels, labels.of_kind(kind), resampling)
    for (name, a), (other, b) in combinations(codes.items(), 2):
        both = np.isin(group, (a, b))
        labels = CONVENTIONS["sound"].evidence(comparisons.where(both))["inter"].labels
        across = labels.inter - labels.inside(group[both].astype(np.int64), "inter")
        yield f"{name} × {other}", "inter", _whole(labels, across, resampling)


def _whole(labels: Labels, matches: Matches, resampling: Resampling) -> Counted:
    """All labels as one part, counting only `matches`."""
    unit = np.unique(labels.segment, return_inverse=True)[1]
    columns = (matches.agree / 2, matches.comparable / 2, labels.label == TIE, np.ones(len(labels)))
    by_segment = [np.bincount(unit, column)[:, None].astype(float) for column in columns]
    return _counted(by_segment, resampling)[0]
