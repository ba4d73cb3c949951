"""Tables of metrics: the catalogue, systems by metric, pairs of systems."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Between, Column, Row, Table
from adjudge.metrics.beer.training import TrainedBeer
from adjudge.metrics.metric import Metric
from adjudge.metrics.paired_tests import PairedTest
from adjudge.metrics.reference_study import ReferenceStudy
from adjudge.metrics.segment_scores import SegmentScores
from adjudge.metrics.system_scores import MetricScores
from adjudge.stats.interval_columns import drawn, drawn_keys, interval, rules_between
from adjudge.stats.tests import SIGNIFICANT


@shows(MetricScores)
def metric_tables(results: Sequence[MetricScores]) -> list[Table]:
    """All metrics side by side if there are several, then each by itself."""
    together = [side_by_side(results)] if len(results) > 1 else []
    return together + [metric_table(result) for result in results]


def side_by_side(results: Sequence[MetricScores]) -> Table:
    """One row per system, one column per metric: score and rank range."""
    digits = [digits_of(result) for result in results]
    places = [{name: index for index, name in enumerate(result.systems)} for result in results]
    systems = sorted(
        results[0].systems,
        key=lambda name: sum(
            int(result.rank[place[name]]) for result, place in zip(results, places, strict=True)
        ),
    )
    rows: list[Row] = [
        {"system": name}
        | {
            f"{k}": with_range(result, places[k][name], digits[k])
            for k, result in enumerate(results)
        }
        for name in systems
    ]
    columns = [Column(f"{k}", heading_of(result.metric)) for k, result in enumerate(results)]
    return Table(
        rows,
        [Column("system", "system"), *columns],
        title=f"{_of_pair(results[0].pair)}{len(results)} metrics, in brackets the rank range",
        notes=["Systems by the sum of their ranks. For ↓ lower is better."]
        if any(not result.metric.higher_is_better for result in results)
        else ["Systems by the sum of their ranks."],
        data=[],
    )


def with_range(result: MetricScores, place: int, digits: int) -> str:
    """Format a system's score and its rank range."""
    low, high = result.rank_low[place], result.rank_high[place]
    ranks = f"{low}" if low == high else f"{low}–{high}"
    return f"{result.scores[place]:.{digits}f} ({ranks})"


def heading_of(metric: Metric) -> str:
    """Name of the metric, marked if lower is better."""
    return metric.short if metric.higher_is_better else f"{metric.short} ↓"


def metric_table(result: MetricScores) -> Table:
    """Systems from best to worst, with a rule between clusters."""
    resampling = result.resampling
    made_by = {
        "kind": "metric",
        **drawn_keys(resampling.unit, resampling.replicates, resampling.seed),
        "level": result.level,
    }
    digits = digits_of(result)
    better = "higher" if result.metric.higher_is_better else "lower"
    peer = result.metric.peer_signature(result.references)
    return Table(
        rows=[row | made_by for row in result.to_frame().to_dicts()],
        columns=[
            Column("rank", "rank"),
            Column("system", "system"),
            Column("score", result.metric.title, digits),
            interval(result.level, digits),
            Between("rank_low", "rank range", to="rank_high"),
            Column("cluster", "cluster"),
            Column("better_than_next", "better than next", percent=True),
        ],
        title=f"{_of_pair(result.pair)}{result.metric.short} ({better} is better), "
        f"{result.segments:,} segments, {drawn(resampling.unit, resampling.replicates)}",
        notes=[
            f"In full: {result.metric}.",
            *([] if peer is None else [f"sacrebleu calls this {peer}."]),
            *result.notes,
        ],
        lines_after=rules_between(result.cluster),
    )


@shows(PairedTest)
def paired_tables(results: Sequence[PairedTest]) -> list[Table]:
    """Pairs of systems, metric by metric."""
    resampling = results[0].resampling
    last = [
        place
        for place in range(len(results) - 1)
        if results[place].metric != results[place + 1].metric
    ]
    made_by = {
        **drawn_keys(resampling.unit, resampling.replicates, resampling.seed),
        "level": resampling.level,
    }
    rows: list[Row] = [
        result.row() | made_by | {"short": result.metric.short} for result in results
    ]
    significant = sum(result.significant for result in results)
    return [
        Table(
            rows,
            [
                Column("short", "metric"),
                Column("system", "better"),
                Column("other_system", "than"),
                Column("difference", "by", 2),
                interval(resampling.level, 2),
                Column("p_bootstrap", "p bootstrap", 3),
                Column("adjusted_bootstrap", "adjusted", 3),
                Column("p_randomisation", "p randomised", 3),
                Column("adjusted_randomisation", "adjusted", 3),
                Column("significant", "significant"),
            ],
            title=f"{_of_pair(results[0].pair)}every two systems, "
            f"{drawn(resampling.unit, resampling.replicates)}",
            notes=[
                "p bootstrap: paired bootstrap; p randomised: approximate randomisation; both "
                "two-sided. Adjusted over all pairs and metrics for the false discovery rate.",
                f"significant: both adjusted p are at most {SIGNIFICANT:g}; {significant} of "
                f"{len(results)} are.",
            ],
            lines_after=frozenset(last),
            data=[{k: v for k, v in row.items() if k != "short"} for row in rows],
        )
    ]


@shows(SegmentScores)
def segment_tables(results: Sequence[SegmentScores]) -> list[Table]:
    """Scores of every segment, one column per system."""
    tables = []
    for result in results:
        measured = result.measured
        scores = measured.segment_scores()
        digits = 2 if np.abs(scores).max(initial=0) >= 2 else 4
        rows: list[Row] = [
            {"segment": number} | {f"{k}": value for k, value in enumerate(row)}
            for number, row in enumerate(scores, 1)
        ]
        tables.append(
            Table(
                rows,
                [
                    Column("segment", "segment"),
                    *(Column(f"{k}", name, digits) for k, name in enumerate(measured.systems)),
                ],
                title=f"{_of_pair(measured.pair)}{measured.metric.short}, segment by segment",
                data=[row | {"kind": "segment"} for row in result.to_frame().to_dicts()],
            )
        )
    return tables


@shows(ReferenceStudy)
def reference_tables(results: Sequence[ReferenceStudy]) -> list[Table]:
    """One table per metric, with rows by number of sentences and columns by number of
    references.
    """
    tables = []
    for signature in dict.fromkeys(str(result.metric) for result in results):
        mine = [result for result in results if str(result.metric) == signature]
        by_size: dict[int, dict[str, object]] = {}
        for result in mine:
            row = by_size.setdefault(result.sentences, {"sentences": result.sentences})
            row[_column(result)] = f"{result.correlation:.3f} ± {result.deviation:.3f}"
        columns = dict.fromkeys((_column(r), counted(r.kind, r.references)) for r in mine)
        first = mine[0]
        tables.append(
            Table(
                [by_size[size] for size in sorted(by_size)],
                [
                    Column("sentences", "sentences"),
                    *(Column(*named) for named in columns),
                ],
                title=f"{_of_pair(first.pair)}{first.metric.short}: correlation with people over "
                f"{first.systems} systems, {first.probes:,} probes",
                notes=["Spearman's ρ: mean and standard deviation over probes (WMT13 §5)."],
                data=[result.row() for result in mine],
            )
        )
    return tables


@shows(TrainedBeer)
def trained_tables(results: Sequence[TrainedBeer]) -> list[Table]:
    """Weights of a trained model, from the largest to the smallest."""
    tables = []
    for result in results:
        settings, taus = result.model.settings, result.tau
        frame = result.to_frame().sort("weight", descending=True)
        rows: list[Row] = list(frame.to_dicts())
        tables.append(
            Table(
                rows,
                [Column("feature", "feature"), Column("weight", "weight", 3)],
                title=f"BEER {settings.variant}, learnt from {result.preferences:,} preferences on "
                f"{result.segments:,} segments",
                notes=[
                    f"τ on segments left out, a fifth of them at a time: {np.mean(taus):.3f} (from "
                    f"{min(taus):.3f} to {max(taus):.3f}). τ is the share of preferences in the "
                    "right order minus that in the wrong one.",
                    "A copy of the reference scores 1.",
                ],
            )
        )
    return tables


def _column(result: ReferenceStudy) -> str:
    return f"{result.kind} {result.references}"


def counted(kind: str, number: int) -> str:
    """Format a count: `1 reference`, `2 post-edits`."""
    return f"{number} {kind}{'s' * (number > 1)}"


@dataclass(frozen=True)
class _Spaced(Column):
    """Metric signature in full, with line breaks allowed, that can be typed back in."""

    def show(self, row: Row) -> str:
        """Insert a space after every comma."""
        return super().show(row).replace(",", ", ")


def metrics_list(metrics: Sequence[Metric]) -> Table:
    """List of the available metrics."""
    return Table(
        [
            {
                "metric": metric.name,
                "formula": metric.summary,
                "scale": metric.scale,
                "higher_is_better": metric.higher_is_better,
                "in_full": str(metric),
                "paper": metric.paper,
            }
            for metric in metrics
        ],
        [
            Column("metric", "metric"),
            Column("formula", "score"),
            Column("scale", "scale"),
            Column("higher_is_better", "higher is better"),
            _Spaced("in_full", "with its usual parameters"),
            Column("paper", "paper"),
        ],
        title="Metrics (docs/metrics.md)",
    )


def digits_of(result: MetricScores) -> int:
    """Number of decimals for scores of this size."""
    return 2 if np.abs(result.scores).max() >= 2 else 4


def _of_pair(pair: str) -> str:
    return f"{pair}: " if pair else ""
