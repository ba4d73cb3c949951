"""Tables of rankings, and the list of ranking methods."""

from collections.abc import Sequence

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Between, Column, Table
from adjudge.ranking.method import Method
from adjudge.ranking.ranking_result import Ranking
from adjudge.ranking.resampling import RANKING_UNITS
from adjudge.stats.interval_columns import (
    at_once_note,
    drawn_keys,
    interval,
    rules_between,
    variance_of,
)


@shows(Ranking)
def ranking_tables(rankings: Sequence[Ranking]) -> list[Table]:
    """One official table per language pair."""
    return [ranking_table(ranking) for ranking in rankings]


def ranking_table(ranking: Ranking) -> Table:
    """Official table, with a rule between clusters."""
    resampling, method = ranking.resampling, ranking.method
    made_by = {
        "method": method.name,
        **drawn_keys(resampling.unit, resampling.replicates, resampling.seed),
        "level": ranking.level,
        "ranges": ranking.ranges,
        "holds_for": ranking.holds_for,
        "variance": "replicates" if ranking.drawn else "components",
        **_parts(ranking),
        **{
            f"design_effect_{unit.replace('+', '_')}": ranking.design_effects.get(unit)
            for unit in RANKING_UNITS
            if unit not in ("none", "comparison")
        },
    }
    variance = variance_of(resampling, ranking.drawn)
    ties = f"ties {method.ties}"
    return Table(
        rows=[row | made_by for row in ranking.to_frame().to_dicts()],
        columns=[
            Column("rank", "rank"),
            Column("system", "system"),
            Column("score", "score", 3),
            interval(ranking.level, 3),
            Between("rank_low", "rank range", to="rank_high"),
            Column("cluster", "cluster"),
            Column("comparisons", "comparisons"),
        ],
        title=f"{ranking.pair}: {method.name} ({ties}), {ranking.holds_for} ({variance})",
        notes=[
            *at_once_note(ranking.ranges, ranking.level, ranking.placed, ranking.told_apart),
            *_design_note(ranking),
            *ranking.notes,
        ],
        lines_after=rules_between(ranking.cluster),
    )


def _parts(ranking: Ranking) -> dict[str, float | None]:
    """Shares of judges, texts and residual in the variance of scores."""
    parts = ranking.variance_parts
    texts = parts.get("document", parts.get("segment"))
    return {
        "variance_of_judges": parts.get("judge"),
        "variance_of_texts": texts,
        "variance_of_rest": parts.get("rest"),
    }


def _design_note(ranking: Ranking) -> list[str]:
    if not ranking.design_effects:
        return []
    effects = ", ".join(f"{unit} {effect:.1f}" for unit, effect in ranking.design_effects.items())
    return [f"Design effects (variance relative to independent comparisons): {effects}."]


def methods_list(methods: Sequence[Method]) -> Table:
    """List of the available methods."""
    return Table(
        [
            {
                "method": method.name,
                "formula": method.summary,
                "paper": method.paper,
                "ties": method.ties,
                "reference": method.reference,
                "needs": ", ".join(method.needs) or None,
                "random": method.random,
            }
            for method in methods
        ],
        [
            Column("method", "method"),
            Column("formula", "score"),
            Column("ties", "ties"),
            Column("reference", "reference takes part"),
            Column("needs", "needs"),
            Column("random", "random"),
            Column("paper", "paper"),
        ],
        title="Ranking methods (docs/methods.md)",
    )
