"""Tables of a plan: systems to separate, campaign sizes, comparisons to ask for next."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from adjudge.report.tables import shows
from adjudge.report.typesetting import Column, Row, Table
from adjudge.simulation.planning import LARGEST, Plan


@shows(Plan)
def plans_tables(plans: Sequence[Plan]) -> list[Table]:
    """The tables of every language pair."""
    return [table for plan in plans for table in plan_tables(plan)]


def plan_tables(plan: Plan) -> list[Table]:
    """Up to three tables; `kind` tells their rows apart in JSON and CSV."""
    suggestions = [_suggestions(plan)] if plan.suggestions else []
    return [_separations(plan), _sizes(plan), *suggestions]


def _row(plan: Plan, kind: str, part: Any) -> Row:
    return {"pair": plan.pair, "kind": kind, **asdict(part)}


def _percent(share: float) -> str:
    return f"{100 * share:g} %"


def _separations(plan: Plan) -> Table:
    rows = [
        {
            **_row(plan, "separation", separation),
            "unit": plan.goal.unit,
            "level": plan.goal.level,
            "chance": plan.goal.chance,
        }
        for separation in plan.separations
    ]
    notes = [
        "Separated: the "
        f"{_percent(plan.goal.level)} interval of the difference excludes zero. So many further "
        "rankings, spread over the systems as so far, have a chance of "
        f"{_percent(plan.goal.chance)} to separate the two; or so many further comparisons of "
        "just these two. Simulated: that chance after so many rankings in "
        f"{plan.goal.simulations:,} simulated campaigns.",
        f"Drawn by {plan.goal.unit}: {plan.design_effect:.1f} comparisons say as much as one "
        "independent one.",
    ]
    if any(s.more_rankings is None for s in plan.separations):
        notes.append(f"Empty: more than {LARGEST:g} times as many as there are would be needed.")
    return Table(
        rows,
        [
            Column("better", "better"),
            Column("worse", "worse"),
            Column("difference", "difference", 2),
            Column("probability", "right order", 1, percent=True),
            Column("comparisons", "compared"),
            Column("separated", "separated"),
            Column("more_rankings", "further rankings"),
            Column("more_comparisons", "or comparisons"),
            Column("simulated_chance", "simulated", percent=True),
        ],
        title=f"{plan.pair}: separating systems, {plan.rankings:,} rankings so far",
        notes=notes,
    )


def _sizes(plan: Plan) -> Table:
    wanted = plan.goal.clusters
    columns = [
        Column("more_rankings", "further rankings"),
        Column("clusters", "expected clusters", 1),
    ]
    notes = []
    if wanted is not None:
        columns.append(Column("chance", f"chance of {wanted} or more", percent=True))
        chance = _percent(plan.goal.chance)
        enough = plan.rankings_for_clusters
        notes.append(
            f"{wanted} clusters: not with a chance of {chance} at any of these sizes."
            if enough is None
            else f"{wanted} clusters with a chance of {chance}: about {enough:,} further rankings."
        )
    return Table(
        [_row(plan, "size", size) for size in plan.sizes],
        columns,
        title=f"{plan.pair}: clusters of a larger campaign",
        notes=notes,
    )


def _suggestions(plan: Plan) -> Table:
    return Table(
        [_row(plan, "next", suggestion) for suggestion in plan.suggestions],
        [
            Column("system_a", "system"),
            Column("system_b", "system"),
            Column("gain", "gain", 3),
        ],
        title=f"{plan.pair}: comparisons to ask for next",
        notes=[
            "Gain: by how much a thousand comparisons of the two would lower the expected number "
            "of pairs of systems in the wrong order."
        ],
    )
