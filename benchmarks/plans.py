"""Does `adjudge plan` keep its promise? Plans are made, carried out, and the result looked at.

A campaign of 400 rankings is simulated, with four systems of random quality; `plan` says for every
two neighbours that cannot be told apart how many further rankings, by further judges of further
documents, have a chance of 80 % to tell them apart. The first such pair that needs at most ten
times as many is taken, that many rankings are simulated, and all of them together are ranked.

    python -m benchmarks plans

prints how often the two are then told apart. $PLANS sets how many plans a row has at least (50).
"""

import os
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from adjudge.core.tables.render import render
from adjudge.core.tables.table import Column, Table
from adjudge.data.comparisons import Comparisons
from adjudge.ranking.ranking_result import rank
from adjudge.simulation.design import Design
from adjudge.simulation.generators import Designed
from adjudge.simulation.planning import Goal, plan
from adjudge.simulation.situations import Situation

SYSTEMS, RANKINGS, DOCUMENTS = 4, 400, 20
MOST = 10  # times as many rankings
SPREAD = 0.3  # standard deviation of the qualities
SITUATIONS = (("none", 10), ("mild", 10), ("mild", 30), ("strong", 10), ("strong", 30))


def joined(first: Comparisons, second: Comparisons) -> Comparisons:
    """Both campaigns as one; they share systems, but no judge and no text."""
    names = ("rankings", "segments", "documents", "hits", "judges", "groups")
    codes = {"ranking": "rankings", "segment": "segments", "document": "documents"}
    codes |= {"hit": "hits", "judge": "judges"}
    together = {
        name: np.concatenate([getattr(first, name), getattr(second, name)])
        for name in ("left", "right", "outcome")
    }
    for code, of in codes.items():
        later = getattr(second, code) + len(getattr(first, of))
        together[code] = np.concatenate([getattr(first, code), later]).astype(np.int32)
    lists = {
        name: (
            *getattr(first, name),
            *(f"further {value}" if value is not None else None for value in getattr(second, name)),
        )
        for name in names
        if name != "rankings"
    }
    numbers = np.arange(len(first.rankings) + len(second.rankings))
    return replace(first, **together, **lists, rankings=numbers)


def sized(design: Design, times: float) -> Design:
    """The design with so many times as many judges, documents and rankings."""

    def more(number: int) -> int:
        return max(1, round(number * times))

    return replace(
        design,
        documents=more(design.documents),
        judges=replace(design.judges, count=more(design.judges.count)),
        tasks=replace(design.tasks, rankings=int(np.ceil(design.tasks.rankings * times))),
    )


def outcomes(design: Design) -> Iterator[tuple[float, bool]]:
    """Of one plan after the other: how much was asked for, and were the two told apart?"""
    seed = 0
    while True:
        seed += 1
        random = np.random.default_rng(seed)
        quality = tuple((SPREAD * random.normal(size=SYSTEMS)).tolist())
        of_campaign = replace(design, qualities=quality)
        before = Designed(of_campaign).draw(random)
        separations = plan(before, Goal(simulations=10)).separations
        most = MOST * RANKINGS
        pair = next((s for s in separations if 0 < (s.more_rankings or 0) <= most), None)
        if pair is None:
            continue
        times = (pair.more_rankings or 0) / RANKINGS
        after = rank(joined(before, Designed(sized(of_campaign, times)).draw(random)))
        a, b = (after.systems.index(name) for name in (pair.better, pair.worse))
        yield times, bool(after.told_apart[a, b] or after.told_apart[b, a])


def main() -> None:
    """Print one row a situation, and all of them."""
    plans = int(os.environ.get("PLANS", "50"))
    rows: list[dict[str, str | int | float]] = []
    everything: list[tuple[float, bool]] = []
    for effects, judges in SITUATIONS:
        situation = Situation(
            judges=judges, effects=effects, systems=SYSTEMS, rankings=RANKINGS, documents=DOCUMENTS
        )
        carried_out = outcomes(situation.design())
        told = [next(carried_out) for _ in range(plans)]
        everything += told
        rows.append({"effects": effects, "judges": judges, **_summary(told)})
    rows.append({"effects": "all", **_summary(everything)})
    columns = [
        Column("effects", "effects"),
        Column("judges", "judges"),
        Column("plans", "plans"),
        Column("times", "asked for, median", 1),
        Column("told", "told apart as planned", 0, percent=True),
        Column("error", "±", 0, percent=True),
    ]
    print(render([Table(rows, columns, "Plans for a chance of 80 %, carried out")], "markdown"))


def _summary(told: list[tuple[float, bool]]) -> dict[str, int | float]:
    share = float(np.mean([apart for _, apart in told]))
    return {
        "plans": len(told),
        "times": float(np.median([times for times, _ in told])),
        "told": share,
        "error": float(np.sqrt(share * (1 - share) / len(told))),
    }


if __name__ == "__main__":
    main()
