"""Agreement in parts of a campaign: by sentence, pair of systems, time and other criteria.

A pair of judgements counts in the part of either of them, once where both are in the same. P(E) is
from the ties of the part's own comparisons. Intervals are computed as for the whole campaign
(`crossed_variance`), without resampling.

| by             | parts                                                                        |
|----------------|------------------------------------------------------------------------------|
| length         | words of the source, n and n+1 together at n (Bojar 2011 Figure 2)           |
| segment-length | words of the source's segment that was judged (Macháček 2014)                |
| document       | the document                                                                 |
| block-size     | how many outputs the block ranked                                            |
| distance       | how far apart the two systems' Expected Wins are, in tenths                  |
| order          | did both judgements show the two outputs in the same order, or the opposite? |
| hour           | the hour of the day of the judgement (UTC)                                   |
| group          | within one group of judges, and between two (WMT13 Tables 3 and 4)           |
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.agreement.conventions import CONVENTIONS, Evidence
from adjudge.agreement.crossed_variance import population, resolved
from adjudge.agreement.interpretation import krippendorff, landis_koch
from adjudge.agreement.intervals import agreement_resampling
from adjudge.agreement.labels import KINDS, Ints, Kind, Matches
from adjudge.agreement.pairwise import Tally, kappa_interval, tally_of, variants
from adjudge.core.errors import one_of
from adjudge.core.results import Results
from adjudge.data.comparisons import MISSING, Comparisons, Outputs, by_pair, compare
from adjudge.data.outputs import systems_of
from adjudge.data.segranks import indices
from adjudge.data.selection import source_lengths
from adjudge.data.win_counts import WinCounts, count
from adjudge.ranking.methods.expected_wins import scores as expected_wins
from adjudge.stats.resampling import Resampling, Unit


@dataclass(frozen=True)
class PartAgreement:
    """One kind of agreement in one part; part None: the criterion is unknown."""

    pair: str
    by: str
    part: str | None
    kind: Kind
    outputs: Outputs
    with_reference: bool
    tally: Tally
    low: float | None
    high: float | None
    unit: Unit  # that was taken
    holds_for: str  # whom the interval holds for

    def row(self) -> dict[str, Any]:
        """Return the result as flat keys."""
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
            "unit": self.unit,
            "holds_for": self.holds_for,
            "landis_koch": landis_koch(self.tally.kappa),
            "krippendorff": krippendorff(self.tally.kappa),
        }


@dataclass(frozen=True, eq=False)
class Partition:
    """Part of each comparison (−1: unknown), and the names of the parts."""

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


def _segment_length(comparisons: Comparisons, table: pl.DataFrame) -> Partition:
    words = indices().str.count_matches(",", literal=True) + 1
    lengths = table.select("ranking", words.alias("length")).drop_nulls()
    length = _per_comparison(comparisons, lengths, "length")
    present, part = np.unique(length[length != MISSING], return_inverse=True)
    code = np.full(len(length), MISSING, np.int64)
    code[length != MISSING] = part
    return Partition(code, tuple(str(n) for n in present))


def _document(comparisons: Comparisons, table: pl.DataFrame) -> Partition:
    return Partition(comparisons.document.astype(np.int64), comparisons.documents)


def _block_size(comparisons: Comparisons, table: pl.DataFrame) -> Partition:
    pairs = np.bincount(comparisons.ranking)[comparisons.ranking]
    size = ((1 + np.sqrt(1 + 8 * pairs)) / 2).round().astype(np.int64)
    present, part = np.unique(size, return_inverse=True)
    return Partition(part.astype(np.int64), tuple(str(n) for n in present))


def _distance(comparisons: Comparisons, table: pl.DataFrame) -> Partition:
    return by_distance(comparisons, count(compare(table, "expanded")))


def by_distance(comparisons: Comparisons, counts: WinCounts) -> Partition:
    """Partition by difference in Expected Wins, in tenths."""
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
    return by_hour(_per_comparison(comparisons, hours, "hour"))


def by_hour(hour: Ints) -> Partition:
    """Partition by hour of the day, given for every comparison."""
    return Partition(hour, tuple(f"{n:02d}:00" for n in range(24)))


def _per_comparison(comparisons: Comparisons, by_ranking: pl.DataFrame, column: str) -> Ints:
    """Column of the judgement table for every comparison, looked up by ranking number."""
    wanted = pl.DataFrame({"ranking": comparisons.rankings})
    joined = wanted.join(
        by_ranking.unique("ranking"), on="ranking", how="left", maintain_order="left"
    )
    per_ranking = joined[column].cast(pl.Int64).fill_null(MISSING).to_numpy()
    return per_ranking[comparisons.ranking]


PARTITIONS: Mapping[str, Callable[[Comparisons, pl.DataFrame], Partition]] = {
    "length": _length,
    "segment-length": _segment_length,
    "document": _document,
    "block-size": _block_size,
    "distance": _distance,
    "hour": _hour,
}
BY = (*PARTITIONS, "order", "group")

UNKNOWN = {
    "length": "no source text in the file",
    "segment-length": "these are no judgements of short segments",
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
    """Compute agreement in every part of every language pair, under the sound convention."""
    one_of(by, BY, "by")
    resampling = agreement_resampling(resampling)
    results = []
    for pair, judged in by_pair(table):
        for with_reference, comparisons in variants(compare(judged, outputs)):
            evidence = CONVENTIONS["sound"].evidence(comparisons)
            if by == "order":
                recorded = judged["position"].null_count() < len(judged)
                parts = by_order(comparisons, evidence, recorded)
            elif by == "group":
                parts = _by_group(comparisons)
            else:
                parts = by_partition(PARTITIONS[by](comparisons, judged), evidence)
            for name, kind, part in parts:
                unit = resolved(resampling, part).unit
                results.append(
                    PartAgreement(
                        pair,
                        by,
                        name,
                        kind,
                        outputs,
                        with_reference,
                        tally_of(part),
                        *kappa_interval(part, resampling),
                        unit,
                        population(part, unit),
                    )
                )
    return Results(results)


Parts = Iterator[tuple[str | None, Kind, Evidence]]


def by_partition(partition: Partition, evidence: Mapping[Kind, Evidence]) -> Parts:
    """Split evidence into every part that occurs."""
    shown = partition.windows or tuple((n,) for n in range(len(partition.names)))
    for name, window in zip((*partition.names, None), (*shown, (MISSING,)), strict=True):
        inside = np.isin(partition.part, window)
        if inside.any():
            for kind in KINDS:
                yield name, kind, _inside(evidence[kind], kind, inside)


def _inside(evidence: Evidence, kind: Kind, inside: NDArray[np.bool_]) -> Evidence:
    """Select pairs of labels with at least one `inside`, counted from both ends."""
    labels = evidence.labels
    touched = np.zeros(int(labels.item.max(initial=-1)) + 1, bool)
    touched[labels.item[inside]] = True
    kept = touched[labels.item]
    among, own = labels.where(kept), inside[kept]
    every = evidence.matches
    matches = Matches(every.agree[kept], every.comparable[kept])
    if not own.all():
        # Labels outside count where they meet one inside.
        others = among.inside(own.astype(np.int64), kind)
        matches = Matches(
            np.where(own, matches.agree, matches.agree - others.agree),
            np.where(own, matches.comparable, matches.comparable - others.comparable),
        )
    return replace(evidence, labels=among, counted=own, only=matches)


def by_order(
    comparisons: Comparisons, evidence: Mapping[Kind, Evidence], recorded: bool = True
) -> Parts:
    """Split pairs of labels by display order: same and opposite."""
    labels = evidence["inter"].labels
    swapped = (comparisons.left > comparisons.right).astype(np.int64)
    for kind in KINDS:
        if not recorded:
            yield None, kind, evidence[kind]
            continue
        same = labels.inside(swapped, kind)
        yield "same", kind, replace(evidence[kind], only=same)
        yield "opposite", kind, replace(evidence[kind], only=labels.of_kind(kind) - same)


def _by_group(comparisons: Comparisons) -> Parts:
    names = sorted({group for group in comparisons.groups if group is not None})
    codes = {name: i for i, name in enumerate(names)}
    group_of = np.array([codes.get(g, MISSING) if g else MISSING for g in comparisons.groups])
    group = np.append(group_of, MISSING)[comparisons.judge]
    for name, code in (*codes.items(), (None, MISSING)):
        inside = comparisons.where(group == code)
        if len(inside):
            evidence = CONVENTIONS["sound"].evidence(inside)
            for kind in KINDS:
                yield name, kind, evidence[kind]
    for (name, a), (other, b) in combinations(codes.items(), 2):
        both = np.isin(group, (a, b))
        inter = CONVENTIONS["sound"].evidence(comparisons.where(both))["inter"]
        within = inter.labels.inside(group[both].astype(np.int64), "inter")
        yield f"{name} × {other}", "inter", replace(inter, only=inter.matches - within)
