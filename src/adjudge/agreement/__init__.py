"""How far judges agree: coefficients, and the conventions that feed them."""

from adjudge.agreement.categorical import label_agreement
from adjudge.agreement.controls import agreement_by_controls, controls
from adjudge.agreement.judges import agreement_by_judge, agreement_by_judges
from adjudge.agreement.pairwise import agreement
from adjudge.agreement.parts import agreement_by

__all__ = [
    "agreement",
    "agreement_by",
    "agreement_by_controls",
    "agreement_by_judge",
    "agreement_by_judges",
    "controls",
    "label_agreement",
]
