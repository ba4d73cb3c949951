"""How often `adjudge compare` claims something false, on simulated campaigns of known truth.

A claim is a pair of systems whose p, adjusted for the false discovery rate, is at most 0.05. It is
false where the two are equally good, or the other one is better. Six systems, 900 rankings of five
outputs of 30 documents, a tenth done by three judges and a tenth repeated, as in docs/coverage.md.

    python -m benchmarks false_claims

prints, for the clustered test (the default) and for WMT13's sign test, in how many campaigns
anything false is claimed; the mean share of false ones among the claims of a campaign, which is
what the adjustment promises to keep at 5 %; and how many of the pairs that differ are found.
$CAMPAIGNS sets the number of campaigns a row (300).
"""

import os
from itertools import product

import numpy as np

from adjudge.core.tables.render import render
from adjudge.core.tables.table import Column, Table
from adjudge.ranking.head_to_head import Test, head_to_head
from adjudge.simulation.generators import Designed
from adjudge.simulation.situations import Situation

TESTS: tuple[Test, ...] = ("clustered", "sign")
SITUATIONS = (("equal", "pairs"), ("none", "mild", "strong"), (5, 30))  # truth, effects, judges


def claims(source: Designed, test: Test, seed: int) -> tuple[int, int]:
    """How many claims of one campaign are false, and how many are true."""
    compared = head_to_head(source.draw(np.random.default_rng(seed)), "bh", 0.95, test=test)
    quality = dict(zip(sorted(compared.systems), source.qualities, strict=True))
    made = compared.p_adjusted <= 0.05
    ahead = np.array(
        [
            quality[compared.systems[a]] - quality[compared.systems[b]]
            for a, b in zip(compared.a, compared.b, strict=True)
        ]
    )
    won = compared.wins_a > compared.wins_b if test == "sign" else compared.better > 0.5
    true = np.where(won, ahead > 0, ahead < 0)
    return int((made & ~true).sum()), int((made & true).sum())


def main() -> None:
    """Print one row a situation."""
    campaigns = int(os.environ.get("CAMPAIGNS", "300"))
    rows = []
    for truth, effects, judges in product(*SITUATIONS):
        source = Designed(Situation(truth=truth, effects=effects, judges=judges).design())
        differ = np.greater.outer(source.qualities, source.qualities).sum()
        row: dict[str, str | int | float | None] = {
            "truth": truth,
            "effects": effects,
            "judges": judges,
        }
        for test in TESTS:
            each = np.array([claims(source, test, seed) for seed in range(campaigns)])
            false, true = each.T
            row[f"{test}_any"] = float((false > 0).mean())
            row[f"{test}_rate"] = float((false / np.maximum(false + true, 1)).mean())
            row[f"{test}_found"] = float(true.mean() / differ) if differ else None
        rows.append(row)
    named = {"any": "anything false", "rate": "false of its claims", "found": "true pairs found"}
    columns = [
        Column("truth", "truth"),
        Column("effects", "effects"),
        Column("judges", "judges"),
        *(
            Column(f"{test}_{key}", f"{test}: {heading}", 1, percent=True)
            for test in TESTS
            for key, heading in named.items()
        ),
    ]
    print(render([Table(rows, columns, f"False claims, {campaigns:,} campaigns each")], "markdown"))


if __name__ == "__main__":
    main()
