"""Table of metrics and human scores: one row per system, one column per metric."""

from collections.abc import Sequence

from adjudge.core.short_names import short_names
from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Row, Table
from adjudge.metaeval.human_comparison import Beside
from adjudge.metrics.system_scores import MetricScores
from adjudge.metrics.tables import digits_of, heading_of, with_range

MOST_NAMES = 8  # of systems that cannot be compared


@shows(Beside)
def beside_tables(results: Sequence[Beside]) -> list[Table]:
    """One table per result."""
    return [beside_table(result) for result in results]


def beside_table(result: Beside) -> Table:
    """Systems in the human order, with the scores of every metric."""
    digits = 2 if abs(result.scores).max() >= 10 else 3
    places = [result.places(metric) for metric in result.metrics]
    rows: list[Row] = [
        {
            "system": name,
            "people": _ranged(result.scores[i], result.rank_low[i], result.rank_high[i], digits),
        }
        | {
            f"{k}": with_range(metric, places[k][i], digits_of(metric))
            for k, metric in enumerate(result.metrics)
        }
        for i, name in enumerate(result.systems)
    ]
    return Table(
        rows,
        [
            Column("system", "system"),
            Column("people", f"people: {result.people}"),
            *(Column(f"{k}", heading_of(metric.metric)) for k, metric in enumerate(result.metrics)),
        ],
        title=f"{result.pair}: metrics beside people, in brackets rank ranges",
        notes=[agreed_note(result, metric) for metric in result.metrics] + _notes(result),
        data=list(beside_rows(result)),
    )


def _ranged(score: float, low: int, high: int, digits: int) -> str:
    return f"{score:.{digits}f} ({low if low == high else f'{low}–{high}'})"


def agreed_note(result: Beside, metric: MetricScores) -> str:
    """Note on the pairs of systems on which the metric agrees with people."""
    agreed = result.agreed(metric)
    name = metric.metric.short
    if not agreed.told_apart:
        return f"{name}: no two systems differ significantly by human judgement."
    if not agreed.contradict:
        against = "contradicts none"
    else:
        sure = "none of them" if not agreed.surely else f"{agreed.surely}"
        against = f"contradicts {agreed.contradict}, {sure} as surely"
    return (
        f"{name} agrees with people on {agreed.agree} of {agreed.told_apart} pairs of systems that "
        f"differ significantly by human judgement; it {against}."
    )


def _notes(result: Beside) -> list[str]:
    notes = []
    if any(not metric.metric.higher_is_better for metric in result.metrics):
        notes.append("For ↓ lower is better.")
    if result.lacking:
        called = short_names((*result.systems, *result.lacking))[len(result.systems) :]
        names = ", ".join(called[:MOST_NAMES])
        more = len(result.lacking) - MOST_NAMES
        notes.append(
            f"Not compared, for people or texts lack them: {names}"
            f"{f' and {more} more' if more > 0 else ''}."
        )
    scored = len(result.metrics[0].systems)
    if scored > len(result.systems):
        notes.append(f"Ranks by metrics are among all {scored} systems of the texts.")
    return notes


def beside_rows(result: Beside) -> Sequence[Row]:
    """Data rows, one per metric and system."""
    return [
        {
            "kind": "beside",
            "pair": result.pair,
            "system": name,
            "people": result.people,
            "score": result.scores[i],
            "low": result.low[i],
            "high": result.high[i],
            "rank_low": result.rank_low[i],
            "rank_high": result.rank_high[i],
            "metric": str(metric.metric),
            "metric_score": metric.scores[place],
            "metric_low": metric.low[place],
            "metric_high": metric.high[place],
            "metric_rank_low": metric.rank_low[place],
            "metric_rank_high": metric.rank_high[place],
        }
        for metric in result.metrics
        for i, (name, place) in enumerate(zip(result.systems, result.places(metric), strict=True))
    ]
