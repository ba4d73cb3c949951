"""How much of a system's output people understand: blind edits and their reviews.

WMT13 §4 and Bojar 2011 §4.1. Somebody edits an output without seeing source or reference;
somebody else, who sees both, says whether that is an acceptable translation.
"""

from adjudge.understandability.agreement import AcceptabilityAgreement, acceptability_agreement
from adjudge.understandability.all_results import Understood, understood
from adjudge.understandability.data_rows import STATUSES, data_rows, mark_repeated
from adjudge.understandability.occurrences import Occurrence, occurrences
from adjudge.understandability.references import NewReferences, new_references, write_references
from adjudge.understandability.shares import EDIT_UNITS
from adjudge.understandability.systems import Understandability, understandability

__all__ = [
    "EDIT_UNITS",
    "STATUSES",
    "AcceptabilityAgreement",
    "NewReferences",
    "Occurrence",
    "Understandability",
    "Understood",
    "acceptability_agreement",
    "data_rows",
    "mark_repeated",
    "new_references",
    "occurrences",
    "understandability",
    "understood",
    "write_references",
]
