"""Evidence for findings: cached views of the judgements of one language pair.

The verdict of all other judges is the yardstick for a single judge.

For a comparison of outputs A and B by judge j, the others' verdict is the sign of (A preferred −
B preferred) over the comparisons of the same two on the same segment by other judges; where
nobody else made one, or they come out even, over the comparisons of A and B on all segments by
other judges. `credit` is outcome · verdict: +1 where the judge sides with the others, −1 against.

The judgements of one language pair as the findings look at them, each view made once.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.errors import AdjudgeError, NotEnoughData
from adjudge.core.short_names import short_names
from adjudge.data.comparisons import MISSING, Codes, Comparisons, encode
from adjudge.data.judgement_table import is_reference
from adjudge.data.outputs import systems_of
from adjudge.data.win_counts import WinCounts, count
from adjudge.diagnosis.order_change import Change, Numbers, change
from adjudge.ranking.counting.blocks import block_results
from adjudge.ranking.method import CountMethod
from adjudge.ranking.population import auto_unit
from adjudge.ranking.ranking_result import Ranking, rank
from adjudge.stats.resampling import Resampling, Unit
from adjudge.stats.standings import Ranges

Signs = NDArray[np.int8]


def others_verdict(data: Comparisons) -> Signs:
    """Verdict of the other judges: +1 if they prefer the left output, −1 the right one, 0
    neither.
    """
    size = len(data.systems)
    low, high = np.minimum(data.left, data.right), np.maximum(data.left, data.right)
    signed = np.where(data.left < data.right, data.outcome, -data.outcome).astype(np.int64)
    pair = low.astype(np.int64) * size + high
    verdict = _others_net(signed, pair, data.judge)
    on_segment = _others_net(signed, (data.segment + 1) * (size * size) + pair, data.judge)
    verdict = np.where((data.segment != MISSING) & (on_segment != 0), on_segment, verdict)
    return np.where(data.left < data.right, verdict, -verdict).astype(np.int8)


def credit(data: Comparisons) -> Signs:
    """Credit of each comparison: +1 if it sides with the other judges, −1 against them, 0
    neither.
    """
    return (data.outcome * others_verdict(data)).astype(np.int8)


def _others_net(
    signed: NDArray[np.int64], key: NDArray[np.int64], judge: NDArray[np.int32]
) -> NDArray[np.int64]:
    """Sign of the sum of `signed` over equal keys, excluding the judge's own."""
    keys, place = np.unique(key, return_inverse=True)
    total = np.bincount(place, signed, minlength=len(keys))
    judges = int(judge.max(initial=0)) + 2
    own_keys, own = np.unique(place * judges + judge + 1, return_inverse=True)
    mine = np.bincount(own, signed, minlength=len(own_keys))
    mine = np.where(judge == MISSING, 0, mine[own])
    return np.asarray(np.sign(total[place] - mine), np.int64)


# What a finding may need of the judgements, and what is said where they lack it.
NEEDS = {
    "judge": "the judgements do not say who judged",
    "group": "the judgements do not say to which group judges belong",
    "segment": "the judgements do not say which segment was judged",
    "document": "the judgements do not say which document they come from",
    "position": "the judgements do not say in which order outputs were shown",
    "seconds": "the judgements carry no times",
    "time": "the judgements do not say when they were made",
    "text": "the judgements carry no texts",
    "reference": "the reference was not among the ranked outputs",
}


@dataclass(frozen=True, eq=False)
class Blocks:
    """Ranked outputs by block in display order (an output shared by systems is one)."""

    block: NDArray[np.int64]  # of every row
    rank: NDArray[np.int64]
    position: NDArray[np.int64]  # 0 where unknown
    starts: NDArray[np.int64]  # first row of every block
    sizes: NDArray[np.int64]
    judge: Codes  # of every block


@dataclass(frozen=True, eq=False)
class Evidence:
    """Judgements, their comparisons, the accompanying ranking, the trusted group."""

    table: pl.DataFrame
    comparisons: Comparisons
    method: CountMethod  # that orders the systems
    trusted: str | None = None
    resampling: Resampling = field(default_factory=Resampling)  # what the ranking holds for
    ranges: Ranges = "auto"

    def ranked(self, comparisons: Comparisons) -> Ranking:
        """Rank these comparisons with the method, unit and range rule of the ranking."""
        return rank(comparisons, self.method, self.resampling, ranges=self.ranges)

    def holds_for_others(self, unit: Unit) -> bool:
        """Test whether the ranking generalises over this unit (judges, documents)."""
        asked = self.resampling.unit
        taken = auto_unit(self.comparisons) if asked == "auto" else asked
        return unit in taken.split("+")

    @cached_property
    def counts(self) -> WinCounts:
        """Win counts of all systems, including the reference."""
        return count(self.comparisons)

    @cached_property
    def proper(self) -> NDArray[np.bool_]:
        """Mask of the systems other than the reference."""
        return np.array([not is_reference(name) for name in self.comparisons.systems], bool)

    @cached_property
    def among_systems(self) -> WinCounts:
        """Win counts of the systems proper."""
        return self.counts.without_reference()

    @cached_property
    def short(self) -> tuple[str, ...]:
        """Short names of the systems proper, for sentences."""
        return short_names(self.among_systems.systems)

    @cached_property
    def scores(self) -> Numbers:
        """Scores of the systems proper by the method."""
        return self.scores_of(self.counts)

    def scores_of(self, counts: WinCounts) -> Numbers:
        """Scores of the systems proper from other counts of all systems (any leading axes)."""
        if self.method.reference:
            return self.method.scores(counts)[..., self.proper]
        return self.method.scores(counts.without_reference())

    def change(self, before: Numbers, after: Numbers) -> Change:
        """Compare two sets of scores of the systems proper."""
        return change(self.among_systems.systems, before, after, self.told_apart)

    @cached_property
    def told_apart(self) -> NDArray[np.bool_]:
        """Matrix `[i, j]` of systems proper: i is better than j by the rank ranges of the ranking.

        All false if the judgements cannot rank the systems.
        """
        names = self.among_systems.systems
        settled = np.zeros((len(names), len(names)), bool)
        try:
            ranking = self.ranked(self.comparisons)
        except AdjudgeError:
            return settled
        place = {name: i for i, name in enumerate(ranking.systems)}
        known = [i for i, name in enumerate(names) if name in place]
        row = [place[names[i]] for i in known]
        settled[np.ix_(known, known)] = ranking.told_apart[np.ix_(row, row)]
        return settled

    def without(self, comparisons: NDArray[np.bool_]) -> Change:
        """Change of the method's order without the comparisons in the mask."""
        rest = count(self.comparisons.where(~comparisons))
        return self.change(self.scores, self.scores_of(rest))

    def without_judges(self, judges: NDArray[np.bool_]) -> Change:
        """Change of the method's order without the judges in the mask."""
        judge = self.comparisons.judge
        return self.without((judge != MISSING) & judges[judge])

    @cached_property
    def results(self) -> tuple[Codes, Codes, Codes]:
        """Rows for every system of every block: block, system, and its outcome."""
        return block_results(self.comparisons)

    @cached_property
    def shown(self) -> tuple[Codes, Codes]:
        """Rows for every system of every block, ranked or not: block and system."""
        systems = self.comparisons.systems
        codes = {system: code for code, system in enumerate(systems)}
        outputs = self.table["output"].unique().drop_nulls().cast(pl.String).to_list()
        # Where outputs are ranked as they are, one of several systems is a system of its own.
        names = [[output] if output in codes else systems_of(output) for output in outputs]
        known = [[codes[name] for name in each if name in codes] for each in names]
        rows = self.table.select(
            pl.col("ranking").rank("dense").cast(pl.Int32) - 1,
            pl.col("output")
            .cast(pl.String)
            .replace_strict(outputs, known, default=None, return_dtype=pl.List(pl.Int32)),
        ).explode("output")
        rows = rows.drop_nulls()
        return rows["ranking"].to_numpy(), rows["output"].to_numpy()

    @cached_property
    def blocks(self) -> Blocks:
        """Blocks of two outputs or more, in display order."""
        judge, _ = encode(self.table["judge"])
        rows = (
            self.table.select("ranking", "rank", "position")
            .with_columns(judge=judge)
            .filter(pl.col("rank").is_not_null())
            .filter(pl.len().over("ranking") > 1)
            .sort("ranking", "position", maintain_order=True)
        )
        numbers = rows["ranking"].to_numpy()
        starts = np.flatnonzero(np.diff(numbers, prepend=numbers[:1] - 1))
        sizes = np.diff(starts, append=len(numbers))
        return Blocks(
            block=np.repeat(np.arange(len(starts)), sizes),
            rank=rows["rank"].to_numpy().astype(np.int64),
            position=rows["position"].fill_null(0).to_numpy().astype(np.int64),
            starts=starts,
            sizes=sizes,
            judge=rows["judge"].to_numpy()[starts],
        )

    @cached_property
    def known(self) -> frozenset[str]:
        """Items of `NEEDS` that the judgements provide."""
        ranked = self.table.filter(pl.col("rank").is_not_null())
        present = {name for name in NEEDS if name in ranked.columns and ranked[name].count()}
        if "position" in present and ranked["position"].null_count():
            present.remove("position")  # of the outputs of one block, all or none
        return frozenset(present if self.proper.all() else present | {"reference"})

    def require(self, needs: Iterable[str]) -> None:
        """Refuse judgements that lack an item of `NEEDS`."""
        for name in sorted(needs):
            if name not in self.known:
                raise NotEnoughData(NEEDS[name])

    def require_two_judges(self) -> None:
        """Refuse judgements by a single judge, or by unknown judges only."""
        judges = len(np.unique(self.comparisons.judge[self.comparisons.judge != MISSING]))
        if judges < 2:
            raise NotEnoughData("there is only one judge" if judges else NEEDS["judge"])
