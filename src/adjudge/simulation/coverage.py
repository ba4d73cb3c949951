"""Do intervals hold what they promise? The bootstrap over each unit, on campaigns of known truth.

A 95 % interval should contain the truth in 95 % of campaigns. Whether it does depends on what the
judgements share (a judge, a document) and on what the bootstrap draws: drawing single comparisons
takes those of one ranking for independent, drawing rankings those of one judge.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from adjudge.comparisons import compare
from adjudge.errors import one_of, within
from adjudge.parallel import Engine
from adjudge.ranking.assessment import assess
from adjudge.ranking.estimation import bootstrapped
from adjudge.ranking.methods.expected_wins import METHOD
from adjudge.ranking.population import auto_unit
from adjudge.ranking.resampling import RANKING_UNITS, DesignEffects
from adjudge.results import Results
from adjudge.simulation.campaign import simulate
from adjudge.simulation.design import Design, Judges, Tasks
from adjudge.statistics.bootstrap import Bootstrapped
from adjudge.statistics.resampling import Resampling, Unit
from adjudge.statistics.uncertainty import Uncertainty


@dataclass(frozen=True)
class Coverage:
    """How often the intervals of one unit held the true score, and how wide they were."""

    unit: Unit
    campaigns: int
    level: float
    covered: float  # share of systems and campaigns
    error: float  # standard error of `covered`, between campaigns
    width: float  # mean

    def row(self) -> dict[str, Any]:
        """The result as flat keys."""
        return asdict(self)


# Many more segments than rankings, and judges alike: nothing is shared between blocks.
BLOCKS = Design(
    systems=6,
    documents=600,
    document_effect=0.0,
    identical=0.0,
    tasks=Tasks(rankings=900, hit_length=1, repeats=0.0, pool=0.0),
    judges=Judges(count=30, spread=0.0, workload=0.0),
)
JUDGES = replace(BLOCKS, judges=replace(BLOCKS.judges, preference=0.3))
DOCUMENTS = replace(BLOCKS, documents=30, document_length=200, document_effect=0.3)

SITUATIONS: Mapping[str, Design] = {
    "blocks only": BLOCKS,
    "judge effects": JUDGES,
    "judge effects, unequal workloads": replace(
        JUDGES, judges=replace(JUDGES.judges, workload=1.0)
    ),
    "document effects": DOCUMENTS,
    "judge and document effects": replace(DOCUMENTS, judges=JUDGES.judges),
}
UNITS: tuple[Unit, ...] = (
    "comparison",
    "ranking",
    "segment",
    "document",
    "judge",
    "judge+segment",
    "judge+document",
    "auto",
)


def coverage(
    design: Design,
    units: Sequence[Unit] = UNITS,
    campaigns: int = 400,
    replicates: int = 500,
    level: float = 0.95,
    seed: int = 1,
    engine: Engine | None = None,
) -> Results[Coverage]:
    """Simulate campaigns of the design and rank each with intervals by every unit."""
    within(campaigns, "campaigns", 2)
    for unit in units:
        one_of(unit, ("auto", *RANKING_UNITS), "unit")
    asked = tuple(Resampling(unit, replicates, seed, level) for unit in units)
    pieces = [(design, asked, seed + number) for number in range(campaigns)]
    results = np.array((engine or Engine()).map(_covered, pieces))  # (campaigns, units, 2)
    covered, width = results[..., 0], results[..., 1]
    errors = covered.std(axis=0, ddof=1) / np.sqrt(campaigns)
    return Results(
        Coverage(unit, campaigns, level, float(share), float(error), float(wide))
        for unit, share, error, wide in zip(
            units, covered.mean(axis=0), errors, width.mean(axis=0), strict=True
        )
    )


def _covered(design: Design, asked: tuple[Resampling, ...], seed: int) -> list[tuple[float, float]]:
    """For every unit: the share of systems whose interval holds the truth; its mean width."""
    campaign = simulate(design, seed)
    true = dict(zip(campaign.truth.systems, campaign.truth.expected_wins, strict=True))
    comparisons = compare(campaign.judgements)
    truth = np.array([true[system] for system in comparisons.systems])
    effects = DesignEffects(comparisons)
    shares = []
    for resampling in asked:
        # As `rank` does, but without what is not needed here.
        drawn = replace(resampling, seed=seed)
        scored: Bootstrapped | Uncertainty
        if drawn.unit == "auto":
            resolved = replace(drawn, unit=auto_unit(comparisons))
            scored = assess(comparisons, METHOD, resolved, Engine()).uncertainty
        else:
            scored = bootstrapped(comparisons, METHOD, drawn, Engine(), effects)
        low, high = scored.interval()
        held = (low <= truth) & (truth <= high)
        shares.append((float(held.mean()), float((high - low).mean())))
    return shares
