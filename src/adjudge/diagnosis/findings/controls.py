"""Controls: pairs of outputs so clear to trusted judges that everybody should get them right.

The pair i, j of a segment is a control where |M_ij − M_ji| > 5, M_ij counting the trusted judges
who ranked i better (WMT13 §3.1, by `agreement.controls`). Whoever met at least ten controls and
failed more than half is rejected; the trusted are not. `controls` shows the pairs that serve,
`failed-controls` the judges, and what the order is without those who failed.
"""

import numpy as np

from adjudge.agreement.controls import AT_LEAST, Controls, trusted_judges
from adjudge.agreement.controls import controls as make_controls
from adjudge.core.errors import NotEnoughData
from adjudge.data.comparisons import compare
from adjudge.diagnosis.evidence import Evidence
from adjudge.diagnosis.finding import NOTHING_TO_DO, Answer, Finding, Severity, accuse
from adjudge.diagnosis.wording import counted, output_name

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
    items = make_controls(data, trusted_judges(data, [group]))
    if not len(items.segment):
        raise NotEnoughData(
            f"no pair of outputs has a majority of more than {items.margin} judges of {group}"
        )
    return group, items


def _controls(evidence: Evidence) -> Answer:
    group, items = _controls_of(evidence)
    enough = int((items.met[~items.trusted] >= AT_LEAST).sum())
    few = not enough and not items.trusted.all()
    return Answer(
        Severity.note if few else Severity.none,
        f"{counted(len(items.segment), 'pair')} of outputs serve as controls from the consensus of "
        f"{group}; {enough} of {int((~items.trusted).sum())} other judges met {AT_LEAST} or more",
        "Put controls into the other judges' work, or nobody can be held to them."
        if few
        else NOTHING_TO_DO,
        len(items.segment),
        details=[
            {
                "segment": items.segment[i],
                "better": output_name(items.better[i]),
                "worse": output_name(items.worse[i]),
                "majority": int(items.votes[i]),
            }
            for i in np.argsort(-items.votes, kind="stable")
        ],
    )


def _failed_controls(evidence: Evidence) -> Answer:
    _, items = _controls_of(evidence)
    others = ~items.trusted
    if not (items.met[others] >= AT_LEAST).any():
        raise NotEnoughData(f"no judge outside the trusted group met {AT_LEAST} controls")
    rejected = items.rejected() & others
    return accuse(
        evidence,
        rejected,
        f"{{judges}} failed more than half of at least {AT_LEAST} controls",
        f"Nobody failed more than half of at least {AT_LEAST} controls",
        "Reject them as WMT13 did (`without_judge`), and report how many were.",
        [
            {
                "judge": items.judges[j],
                "met": int(items.met[j]),
                "failed": int(items.failed[j]),
                "failed_share": float(items.failed[j] / items.met[j]),
                "rejected": bool(rejected[j]),
            }
            for j in np.lexsort(
                (
                    -items.met,
                    -items.failed / np.maximum(items.met, 1),
                    ~rejected,
                )
            )
            if others[j] and items.met[j]
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
