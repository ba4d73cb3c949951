"""Sole winners: frequency with which each system alone is best of its block.

A system is the sole winner of a block when it is ranked above all others in it; a block whose
best rank is shared has none (Bojar 2011 §2.3, Table 4). A system that is often far ahead but
otherwise poor has many; one that is like others has few, whatever its score.
"""

import numpy as np

from adjudge.diagnosis.evidence import Evidence
from adjudge.diagnosis.finding import NOTHING_TO_DO, Answer, Finding, Severity
from adjudge.diagnosis.order_change import ranks
from adjudge.ranking.counting.blocks import SOLE
from adjudge.stats.tests import share


def _sole_winners(evidence: Evidence) -> Answer:
    block, system, result = evidence.results
    size = len(evidence.counts.systems)
    appeared = np.bincount(system, minlength=size)
    won = np.bincount(system[result == SOLE], minlength=size)
    blocks = np.unique(block)
    decided = np.isin(blocks, block[result == SOLE]).astype(float)
    decided_share = share(decided, np.ones(len(blocks)))
    rate = (won / np.maximum(appeared, 1))[evidence.proper]
    names = evidence.short
    most, best = names[int(np.argmax(rate))], names[int(np.argmin(ranks(evidence.scores)))]
    meaning = f"{100 * decided_share.value:.0f} % of {len(blocks):,} blocks have a sole winner; "
    if most == best:
        meaning += f"{best}, first by {evidence.method.name}, also wins blocks alone most often"
    else:
        meaning += (
            f"{most} wins its blocks alone most often ({100 * rate.max():.0f} %), though {best} "
            f"is first by {evidence.method.name}"
        )
    return Answer(
        Severity.none if most == best else Severity.note,
        meaning,
        NOTHING_TO_DO
        if most == best
        else "Report > all in block (block-sole) beside the score: the two measure different "
        "strengths.",
        decided_share.value,
        decided_share.low,
        decided_share.high,
        details=[
            {
                "system": evidence.counts.systems[i],
                "blocks": int(appeared[i]),
                "sole_wins": int(won[i]),
                "sole_share": float(won[i] / max(appeared[i], 1)),
            }
            for i in np.argsort(-won, kind="stable")
        ]
        + [{"system": "(no sole winner)", "sole_wins": int(len(blocks) - won.sum())}],
    )


FINDING = Finding(
    "sole-winners",
    "Who is the sole winner of blocks?",
    "share of blocks with a sole winner",
    "share",
    "Bojar 2011 §2.3, Table 4",
    _sole_winners,
)
