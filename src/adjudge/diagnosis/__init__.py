"""The grain of salt: what in these judgements could mislead. One module a finding (or family)."""

from adjudge.diagnosis.all_findings import Diagnosis, diagnose
from adjudge.diagnosis.finding import Answer, Finding, Severity, findings

__all__ = ["Answer", "Diagnosis", "Finding", "Severity", "diagnose", "findings"]
