"""A finding: another's, asked by somebody else."""

from dataclasses import replace

from adjudge.diagnosis.findings import ties

FINDING = replace(ties.FINDING, name="their-finding", question="Do they ask the same?")
