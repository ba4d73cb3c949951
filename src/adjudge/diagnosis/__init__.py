"""The grain of salt: what in these judgements could mislead. One module a finding (or family)."""

from adjudge.diagnosis.all_findings import Diagnosis, diagnose
from adjudge.diagnosis.finding import FINDINGS, Answer, Finding, Severity

__all__ = ["FINDINGS", "Answer", "Diagnosis", "Finding", "Severity", "diagnose"]
