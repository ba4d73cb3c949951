"""How often the intervals of κ hold the truth, on simulated labels of known truth.

Two judges label every item with one of three labels. A judge finds the true label as often as their
skill, and else picks one at random. So κ of two judges is the product of their skills, and κ of all
is the square of the mean skill, 0.6. Skills are spread evenly around it. Workloads are even, or
heavy: some judges do ten times as much as others.

    python -m benchmarks agreement_intervals

prints in how many campaigns the judges are enough to speak of others, how often the interval then
holds that κ, how often one would that treats the judges as given, and the mean width. $CAMPAIGNS
sets the number of campaigns a row (400).
"""

import os
from itertools import product

import numpy as np

from adjudge.agreement.conventions import Evidence
from adjudge.agreement.crossed_variance import auto_unit
from adjudge.agreement.labels import PAIRWISE, Labels
from adjudge.agreement.pairwise import kappa_interval
from adjudge.core.tables.render import render
from adjudge.core.tables.table import Column, Table
from adjudge.stats.resampling import Resampling, Unit

SKILL, ITEMS = 0.6, 300
JUDGES, SPREADS, WORKLOADS = (5, 8, 12, 30), (0.0, 0.2, 0.4), ("even", "heavy")


def labelled(seed: int, judges: int, spread: float, workloads: str) -> Evidence:
    """The labels of one campaign."""
    random = np.random.default_rng(seed)
    skill = random.uniform(SKILL - spread, SKILL + spread, judges)
    workload = random.normal(size=judges) if workloads == "heavy" else np.zeros(judges)
    chosen = np.argsort(-workload - random.gumbel(size=(ITEMS, judges)), axis=1)
    judge = chosen[:, :2].ravel()
    item = np.repeat(np.arange(ITEMS), 2)
    truth = random.integers(0, 3, ITEMS)[item]
    right = random.random(2 * ITEMS) < skill[judge]
    label = np.where(right, truth, random.integers(0, 3, 2 * ITEMS))
    names = tuple(map(str, range(judges)))
    labels = Labels(item, judge, label, item, names, PAIRWISE, (2, 1, 0))
    return Evidence(labels, across=True, within=False, counted=np.ones(len(item), bool))


def main() -> None:
    """Print one row a situation."""
    campaigns = int(os.environ.get("CAMPAIGNS", "400"))
    rows = []
    for workloads, spread, judges in product(WORKLOADS, SPREADS, JUDGES):
        held: dict[Unit, list[bool]] = {"auto": [], "segment": []}
        widths = []
        for seed in range(campaigns):
            evidence = labelled(seed, judges, spread, workloads)
            if "judge" not in auto_unit(evidence):
                continue
            for unit, covered in held.items():
                low, high = kappa_interval(evidence, Resampling(unit))
                if low is None or high is None:
                    raise ValueError("no interval")
                covered.append(low <= SKILL**2 <= high)
                if unit == "auto":
                    widths.append(high - low)
        rows.append(
            {
                "workloads": workloads,
                "spread": f"{SKILL - spread:.1f}–{SKILL + spread:.1f}" if spread else f"{SKILL}",
                "judges": judges,
                "enough": len(widths) / campaigns,
                "auto": float(np.mean(held["auto"])),
                "segment": float(np.mean(held["segment"])),
                "width": float(np.mean(widths)),
            }
        )
    columns = [
        Column("workloads", "workloads"),
        Column("spread", "skills"),
        Column("judges", "judges"),
        Column("enough", "enough judges", 0, percent=True),
        Column("auto", "intervals hold", 1, percent=True),
        Column("segment", "judges as given", 1, percent=True),
        Column("width", "width", 3),
    ]
    print(
        render([Table(rows, columns, f"Intervals of κ, {campaigns:,} campaigns each")], "markdown")
    )


if __name__ == "__main__":
    main()
