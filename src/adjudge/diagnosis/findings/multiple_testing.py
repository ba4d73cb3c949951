"""Multiple testing: expected number of false positives among the significant pairs.

Each of m pairs is tested at 5 %, over other judges and texts, as `adjudge compare` does. If no two
systems differed, 5 % of m would still come out significant (Lopez 2012 §6: over two thousand
comparisons at 1 % give more than twenty wrong). What share of the pairs does not differ is
estimated from the large p-values (Storey 2002): π₀ = (1 + #{p > 1/2}) / (m / 2), at most 1;
5 % · π₀ · m significant pairs are then expected to be false. Beside it stands how many survive
Benjamini and Hochberg's control of the false discovery rate at 5 %.
"""

import numpy as np

from adjudge.diagnosis.evidence import Evidence
from adjudge.diagnosis.finding import NOTHING_TO_DO, Answer, Finding, Severity
from adjudge.diagnosis.order_change import TOLD_APART
from adjudge.ranking.head_to_head import head_to_head
from adjudge.stats.tests import expected_false


def _multiple(evidence: Evidence) -> Answer:
    tests = head_to_head(evidence.comparisons)
    p, survives = tests.p, tests.p_adjusted <= TOLD_APART
    reported = int((p <= TOLD_APART).sum())
    false = expected_false(p, TOLD_APART)
    lost = reported - int(survives.sum())
    severity = Severity.note if lost else Severity.none
    return Answer(
        severity,
        f"{reported} of {len(p)} pairs differ at 5 % ({tests.holds_for}), of which about "
        f"{false:.1f} are expected to be false; {int(survives.sum())} survive a control for "
        f"testing {len(p)} pairs",
        "Report the pairs that survive (adjudge compare adjusts for them)."
        if lost
        else NOTHING_TO_DO,
        false,
        details=[
            {
                "system": tests.systems[tests.a[k]],
                "other": tests.systems[tests.b[k]],
                "wins": int(tests.wins_a[k]),
                "losses": int(tests.wins_b[k]),
                "p": float(p[k]),
                "p_adjusted": float(tests.p_adjusted[k]),
            }
            for k in np.argsort(p, kind="stable")
        ],
    )


FINDING = Finding(
    "multiple-testing",
    "How many of the significant pairs are expected to be false?",
    "significant pairs expected to be false",
    "number",
    "Lopez 2012 §6",
    _multiple,
)
