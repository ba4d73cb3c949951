"""Tables of a plan: systems to separate, campaign sizes, comparisons to ask for next."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Row, Table
from adjudge.simulation.planning import LARGEST, Plan

HARDLY = 0.8  # of their width that intervals keep, if more rankings hardly help


@shows(Plan)
def plans_tables(plans: Sequence[Plan]) -> list[Table]:
    """Tables of every language pair."""
    return [table for plan in plans for table in plan_tables(plan)]


def plan_tables(plan: Plan) -> list[Table]:
    """Up to four tables; the key `kind` distinguishes their rows in JSON and CSV."""
    suggestions = [_suggestions(plan)] if plan.suggestions else []
    return [_separations(plan), _helps(plan), _sizes(plan), *suggestions]


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
            "holds_for": plan.holds_for,
        }
        for separation in plan.separations
    ]
    notes = [
        f"Separated: by the rank ranges of the ranking ({_percent(plan.goal.level)}, "
        f"{plan.holds_for}). So many further rankings by further judges of further texts like "
        f"these have a chance of {_percent(plan.goal.chance)} to separate the two; by the same: "
        "so many by the same judges of the same texts.",
    ]
    if any(s.more_rankings is None for s in plan.separations):
        notes.append(f"Empty: more than {LARGEST:g} times as many as there are would be needed.")
    if any(s.more_rankings and s.more_rankings_same is None for s in plan.separations):
        notes.append("By the same, empty: more rankings by the same people would not do it.")
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
            Column("more_rankings_same", "by the same"),
        ],
        title=f"{plan.pair}: telling systems apart, {plan.rankings:,} rankings so far",
        notes=notes,
    )


def _helps(plan: Plan) -> Table:
    return Table(
        [_row(plan, "help", help) for help in plan.helps],
        [
            Column("more", "more of"),
            Column("width", "intervals, relative to now", percent=True),
        ],
        title=f"{plan.pair}: what helps most, with {plan.helps[0].times:g} times as many rankings",
        notes=[f"{advice(plan)}."],
    )


def advice(plan: Plan) -> str:
    """Advice on the effect of more rankings, and on the most effective change."""
    same = next(help for help in plan.helps if help.more == "rankings")
    others = [help for help in plan.helps if help is not same]  # the least helpful first
    times = f"{same.times:g} times as many"
    narrower = f"{100 * (1 - same.width):.0f} %"
    if not others:
        return f"{times} rankings would make intervals {narrower} narrower".capitalize()
    said = [f"with {times} {help.more}, {100 * (1 - help.width):.0f} %" for help in others[-2:]]
    only = " only" if same.width > HARDLY else ""
    same_people = f"{times} rankings of the same {_units(plan)} would make intervals{only} "
    return f"{same_people}{narrower} narrower; {'; '.join(said)}"


def _units(plan: Plan) -> str:
    return " and ".join(f"{name}s" for name in plan.goal.unit.split("+"))


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
