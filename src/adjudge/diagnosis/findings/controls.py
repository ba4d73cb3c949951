"""Controls: pairs of outputs so clear to trusted judges that everybody should get them right.

The pair i, j of a segment is a control where |M_ij − M_ji| > 5, M_ij counting the trusted judges
who ranked i better (WMT13 §3.1, by `agreement.controls`). Whoever met at least ten controls and
failed more than half is rejected; the trusted are not. `controls` shows the pairs that serve,
`failed-controls` the judges, and what the order is without those who failed.
"""

import numpy as np

from adjudge.agreement.controls import AT_LEAST, Controls, trusted_judges
from adjudge.agreement.controls import controls as make_controls
from adjudge.comparisons.comparisons import compare
from adjudge.diagnosis.accusing import accuse
from adjudge.diagnosis.evidence import Evidence
from adjudge.diagnosis.finding import NOTHING_TO_DO, Answer, Finding, Severity
from adjudge.diagnosis.wording import counted, output_name
from adjudge.errors import NotEnoughData

USUALLY_TRUSTED = ("researcher", "researchers")

_NEEDS = frozenset({"judge", "group", "segment"})


def _controls_of(evidence: Evidence) -> tuple[str, Controls]:
    """The trusted group and the controls its judges make."""
    groups = sorted({group for group in evidence.comparisons.groups if group})
    usual = next((group for group in groups if group.lower() in USUALLY_TRUSTED), None)
    group = evidence.trusted or usual
    if group is None:
        raise NotEnoughData("no group of judges is known to be trusted; name one with `trusted`")
    data = compare(evidence.table, "collapsed")
    made = make_controls(data, trusted_judges(data, [group]))
    if not len(made.segment):
        raise NotEnoughData(
            f"no pair of outputs has a majority of more than {made.margin} judges of {group}"
        )
    return group, made


def _controls(evidence: Evidence) -> Answer:
    group, made = _controls_of(evidence)
    enough = int((made.met[~made.trusted] >= AT_LEAST).sum())
    few = not enough and not made.trusted.all()
    return Answer(
        Severity.note if few else Severity.none,
        f"{counted(len(made.segment), 'pair')} of outputs serve as controls from the consensus of "
        f"{group}; {enough} of {int((~made.trusted).sum())} other judges met {AT_LEAST} or more",
        "Put controls into the other judges' work, or nobody can be held to them."
        if few
        else NOTHING_TO_DO,
        len(made.segment),
        details=[
            {
                "segment": made.segment[i],
                "better": output_name(made.better[i]),
                "worse": output_name(made.worse[i]),
                "majority": int(made.votes[i]),
            }
            for i in np.argsort(-made.votes, kind="stable")
        ],
    )


def _failed_controls(evidence: Evidence) -> Answer:
    _, made = _controls_of(evidence)
    others = ~made.trusted
    if not (made.met[others] >= AT_LEAST).any():
        raise NotEnoughData(f"no judge outside the trusted group met {AT_LEAST} controls")
    rejected = made.rejected() & others
    return accuse(
        evidence,
        rejected,
        f"{{judges}} failed more than half of at least {AT_LEAST} controls",
        f"Nobody failed more than half of at least {AT_LEAST} controls",
        "Reject them as WMT13 did (`without_judge`), and report how many were.",
        [
            {
                "judge": made.judges[j],
                "met": int(made.met[j]),
                "failed": int(made.failed[j]),
                "failed_share": float(made.failed[j] / made.met[j]),
                "rejected": bool(rejected[j]),
            }
            for j in np.lexsort((-made.met, -made.failed / np.maximum(made.met, 1), ~rejected))
            if others[j] and made.met[j]
        ],
    )


FINDING = (
    Finding(
        "controls",
        "Which pairs serve as controls?",
        "controls",
        "count",
        "WMT13 §3.1",
        _controls,
        needs=_NEEDS,
    ),
    Finding(
        "failed-controls",
        "Who failed the controls?",
        "judges who failed",
        "count",
        "WMT13 §3.1",
        _failed_controls,
        needs=_NEEDS,
    ),
)
