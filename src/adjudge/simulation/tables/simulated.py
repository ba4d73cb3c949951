"""Table of a simulated campaign: the systems by true quality."""

from collections.abc import Sequence

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Table
from adjudge.simulation.campaign import Campaign


@shows(Campaign)
def truth_tables(campaigns: Sequence[Campaign]) -> list[Table]:
    """True systems of every campaign."""
    return [truth_table(campaign) for campaign in campaigns]


def truth_table(campaign: Campaign) -> Table:
    """Systems by true quality, best first."""
    truth = campaign.truth
    rows = [
        {"system": name, "quality": float(quality), "expected_wins": float(wins)}
        for name, quality, wins in zip(
            truth.systems, truth.qualities, truth.expected_wins, strict=True
        )
    ]
    rankings = campaign.judgements["ranking"].n_unique()
    return Table(
        rows=sorted(rows, key=lambda row: row["expected_wins"], reverse=True),
        columns=[
            Column("system", "System"),
            Column("quality", "True quality"),
            Column("expected_wins", "Expected wins"),
        ],
        title=f"{rankings:,} simulated rankings of {truth.design.tasks.block} outputs each by "
        f"{truth.design.judges.count:,} simulated judges, seed {truth.seed}",
    )
