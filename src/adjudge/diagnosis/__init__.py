"""The grain of salt: what in these judgements could mislead. One module a finding (or family)."""

from adjudge.diagnosis.diagnosed import Diagnosis, diagnose
from adjudge.diagnosis.finding import FINDINGS, Answer, Finding, Severity

__all__ = ["FINDINGS", "Answer", "Diagnosis", "Finding", "Severity", "diagnose"]
